//! What a user names when asking for a skill: a slug, a repository, a folder, an archive, a site.
//!
//! A reference is only a name here; nothing is asked, opened or resolved. What is written is what was read:
//! parsing the text of a reference gives the same reference. None holds a secret, since references end up in
//! lockfiles, messages and process lists.

mod parse;
mod part;

use std::fmt;
use std::str::FromStr;

/// The source that a skill is to come from.
///
/// ```
/// use prowess_registry::SourceReference;
/// let reference: SourceReference = "anthropics/skills/skills/pdf@main".parse()?;
/// assert!(matches!(&reference, SourceReference::Git(git) if git.path.as_deref() == Some("skills/pdf")));
/// assert_eq!(reference.to_string(), "anthropics/skills/skills/pdf@main");
/// # Ok::<(), prowess_registry::ReferenceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SourceReference {
    /// A skill of the registry: `slug`, `@owner/slug`, each with `@version` or `@tag`.
    Registry(RegistryReference),
    /// A folder of a repository.
    Git(GitReference),
    /// A skill listed by skills.sh: `skills-sh:owner/repo/skill`.
    SkillsSh {
        /// The owner of the repository on GitHub.
        owner: String,
        /// The repository.
        repo: String,
        /// The skill's folder name.
        skill: String,
    },
    /// A folder on this machine, as it was written.
    Folder(String),
    /// An archive on this machine, as it was written.
    Archive(String),
    /// An archive on a server.
    Download {
        /// Its address.
        url: String,
        /// The SHA-256 it must have, in lower-case hexadecimal.
        sha256: Option<String>,
    },
    /// A site that publishes an index of skills at a well-known place.
    Site {
        /// The site, or a part of it with an index of its own.
        url: String,
        /// Which skill; needed when the index has several.
        skill: Option<String>,
    },
}

/// A skill of a registry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RegistryReference {
    /// The publisher's handle.
    pub owner: Option<String>,
    /// The slug, in lower case.
    pub slug: String,
    /// A version or a tag.
    pub version: Option<String>,
}

/// A folder of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GitReference {
    /// The repository.
    pub repository: GitRepository,
    /// The folder; the root or the only skill when absent.
    pub path: Option<String>,
    /// A branch, a tag or a full commit; the default branch when absent.
    pub revision: Option<String>,
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GitRepository {
    /// `owner/name` on GitHub.
    GitHub {
        /// The owner.
        owner: String,
        /// The repository.
        name: String,
    },
    /// Anything git can fetch from.
    Url(String),
}

impl GitRepository {
    /// What git is asked for.
    pub fn url(&self) -> String {
        match self {
            Self::GitHub { owner, name } => format!("https://github.com/{owner}/{name}.git"),
            Self::Url(url) => url.clone(),
        }
    }

    /// The last part of the name, without `.git`.
    pub fn name(&self) -> &str {
        match self {
            Self::GitHub { name, .. } => name,
            Self::Url(url) => {
                let last = url.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
                last.strip_suffix(".git").unwrap_or(last)
            }
        }
    }
}

impl SourceReference {
    /// Reads a reference.
    pub fn parse(text: &str) -> Result<Self, ReferenceError> {
        parse::parse(text)
    }
}

impl FromStr for SourceReference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        Self::parse(text)
    }
}

impl fmt::Display for SourceReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(registry) => registry.fmt(f),
            Self::Git(git) => git.fmt(f),
            Self::SkillsSh { owner, repo, skill } => write!(f, "skills-sh:{owner}/{repo}/{skill}"),
            Self::Folder(path) | Self::Archive(path) => f.write_str(path),
            Self::Download { url, sha256: Some(sha256) } => write!(f, "{url}#sha256={sha256}"),
            Self::Site { url, skill: Some(skill) } => write!(f, "{url}#{skill}"),
            Self::Download { url, sha256: None } | Self::Site { url, skill: None } => f.write_str(url),
        }
    }
}

impl fmt::Display for RegistryReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(owner) = &self.owner {
            write!(f, "@{owner}/")?;
        }
        f.write_str(&self.slug)?;
        self.version.iter().try_for_each(|version| write!(f, "@{version}"))
    }
}

impl fmt::Display for GitReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repository {
            GitRepository::GitHub { owner, name } => {
                write!(f, "{owner}/{name}")?;
                self.path.iter().try_for_each(|path| write!(f, "/{path}"))?;
                match &self.revision {
                    Some(revision) => write!(f, "@{revision}"),
                    // Without the slash it would be the name of a file.
                    None if part::is_archive(self.path.as_ref().unwrap_or(name)) => f.write_str("/"),
                    None => Ok(()),
                }
            }
            GitRepository::Url(url) => {
                write!(f, "git+{url}")?;
                match (&self.revision, &self.path) {
                    (None, None) => Ok(()),
                    (Some(revision), None) => write!(f, "#{revision}"),
                    (revision, Some(path)) => {
                        write!(f, "#{}:{path}", revision.as_deref().unwrap_or_default())
                    }
                }
            }
        }
    }
}

/// A text that names no place to get a skill from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` {problem}{}", hint(suggestion.as_deref()))]
pub struct ReferenceError {
    /// What was written, shortened and without passwords.
    pub text: String,
    /// The problem with it.
    pub problem: ReferenceProblem,
    /// What may have been meant; always a reference.
    pub suggestion: Option<String>,
}

impl prowess_types::Classify for ReferenceError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Usage)
    }
}

fn hint(suggestion: Option<&str>) -> String {
    suggestion.map(|suggestion| format!("; did you mean `{suggestion}`?")).unwrap_or_default()
}

/// The problem with a reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceProblem {
    /// Nothing was written.
    #[error("is empty")]
    Empty,
    /// More than anybody types.
    #[error("is longer than 2048 characters")]
    TooLong,
    /// Line breaks and the like.
    #[error("has control characters")]
    Control,
    /// Not a slug.
    #[error("is not a valid skill name: letters, digits and hyphens are allowed")]
    Slug,
    /// Not an owner.
    #[error("has no owner's name before the `/`")]
    Owner,
    /// `@owner` without a slug.
    #[error("names an owner but no skill")]
    OwnerOnly,
    /// Not a repository.
    #[error("has no repository's name after the first `/`")]
    Repository,
    /// Not a version or tag.
    #[error("has no version after the `@`")]
    Version,
    /// Not a branch, tag or commit.
    #[error("names a branch, tag or commit that git does not allow")]
    Revision,
    /// Not a folder in a repository.
    #[error("has a folder that is empty, hidden in `.git`, or leads upwards")]
    Path,
    /// Not an address.
    #[error("is not a URL")]
    Url,
    /// A protocol that is not spoken, or not safe.
    #[error("uses `{0}:`, which is not supported")]
    Scheme(String),
    /// A password that would end up in lockfiles and process lists.
    #[error("holds a password; log in to the registry, or let git and ssh keep it")]
    Credentials,
    /// Not a checksum.
    #[error("has no SHA-256 of 64 hexadecimal digits after `#sha256=`")]
    Digest,
    /// Not `skills-sh:owner/repo/skill`.
    #[error("is not of the form `skills-sh:owner/repo/skill`")]
    SkillsSh,
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
