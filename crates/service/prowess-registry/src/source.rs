//! Getting a skill from wherever a reference says, as files in memory.
//!
//! Nothing is written but git's own temporary folder, and nothing from the skill is run: no hooks, no checkout, no
//! scripts. What was promised is checked before it is handed on: checksums, the files of a version, the content
//! hash of a commit. What is left out of a bundle is told.

mod archive;
mod choose;
mod error;
mod folder;
mod git;
mod registry;
mod well_known;

use std::path::{Path, PathBuf};

use prowess_types::Bundle;

use crate::client::RegistryClient;
use crate::protocol::Moderation;
use crate::reference::{GitReference, GitRepository, SourceReference};

pub use error::SourceError;
pub use git::{GitError, GitOptions, HostCheck};

/// Turns the bytes of an archive, given its file name, into files, or says why not.
pub type Unpack<'a> = &'a dyn Fn(&[u8], &str) -> Result<Bundle, String>;

/// What a fetch needs from the outside.
pub struct SourceContext<'a> {
    /// The registry that slugs belong to.
    pub registry: &'a RegistryClient<'a>,
    /// Who asks other servers.
    pub http: &'a prowess_net::Client,
    /// Unpacks archives, within the limits of whoever provides it.
    pub unpack: Unpack<'a>,
    /// How git is run.
    pub git: GitOptions<'a>,
    /// What relative paths are relative to.
    pub folder: &'a Path,
    /// What `~` means.
    pub home: Option<&'a Path>,
}

impl SourceContext<'_> {
    /// A path as a user writes it.
    fn local_path(&self, text: &str) -> PathBuf {
        match (text.strip_prefix('~'), self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => self.folder.join(text),
        }
    }
}

/// A skill, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its files.
    pub bundle: Bundle,
    /// Their source.
    pub resolved: Resolved,
    /// What the registry thinks of it, if it came from one.
    pub moderation: Option<Moderation>,
    /// What was there but is not in the bundle.
    pub left_out: Vec<LeftOut>,
}

/// Something that is not in a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
}

/// Exactly what was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The requested reference.
    pub reference: SourceReference,
    /// The folder's name the source suggests.
    pub name: String,
    /// The registry, repository, address or path that was read.
    pub place: String,
    /// The folder inside a repository.
    pub path: Option<String>,
    /// The publisher.
    pub owner: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The commit.
    pub commit: Option<String>,
    /// `sha256:…` of the bytes that were downloaded, or what an index promised for them.
    pub digest: Option<String>,
}

impl Resolved {
    fn new(reference: &SourceReference, name: &str, place: &str) -> Self {
        Self {
            reference: reference.clone(),
            name: name.to_owned(),
            place: place.to_owned(),
            path: None,
            owner: None,
            version: None,
            commit: None,
            digest: None,
        }
    }
}

/// Gets a skill. `progress` hears how many bytes have come, and of how many if that is known.
///
/// A skill that contains git metadata is an error, because git runs what it names. The `.git` of a folder that is
/// itself a working copy is left out instead.
///
/// A skill the registry calls malware is an error; one it is suspicious of is returned with its moderation, and
/// the caller decides.
pub fn fetch(
    reference: &SourceReference,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    let fetched = fetch_any(reference, context, progress)?;
    match fetched.bundle.git_repository() {
        Some(path) => Err(SourceError::GitMetadata { place: fetched.resolved.place, path }),
        None => Ok(fetched),
    }
}

fn fetch_any(
    reference: &SourceReference,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    match reference {
        SourceReference::Registry(wanted) => registry::fetch(reference, wanted, context, progress),
        SourceReference::Git(wanted) => git::fetch(reference, wanted, None, &context.git),
        SourceReference::SkillsSh { owner, repo, skill } => {
            let repository = GitRepository::GitHub { owner: owner.clone(), name: repo.clone() };
            let wanted = GitReference { repository, path: None, revision: None };
            git::fetch(reference, &wanted, Some(skill), &context.git)
        }
        SourceReference::Folder(path) => folder::fetch(reference, &context.local_path(path)),
        SourceReference::Archive(path) => archive::read(reference, &context.local_path(path), context),
        SourceReference::Download { url, sha256 } => {
            archive::download(reference, url, sha256.as_deref(), context, progress)
        }
        SourceReference::Site { url, skill } => {
            well_known::fetch(reference, url, skill.as_deref(), context, progress)
        }
    }
}
