//! The names a registry accepts: slugs, handles, versions, paths; and the names it makes up from a folder.

use prowess_types::Bundle;
use prowess_types::git_names::git_part;
use semver::{Prerelease, Version};

/// The shortest and the longest new slug.
const SLUG_LENGTH: std::ops::RangeInclusive<usize> = 3..=96;
/// The longest publisher's handle.
const MAX_HANDLE: usize = 40;
/// The longest path of a file.
const MAX_PATH: usize = 500;

/// The largest file of a publication.
pub const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;
/// The largest publication.
pub const MAX_BUNDLE_BYTES: u64 = 50 * 1024 * 1024;

/// Words that are no slug: pages of the registry, brands, roles, verbs and literals.
const RESERVED: &str = "about admin cli dashboard import management orgs packages plugins publishers publish \
    publish-plugin publish-skill search settings skills souls stars u upload users api auth oauth callback login \
    logout signin signout signup register docs doc help support status health blog news pricing terms privacy \
    legal contact home explore openclaw clawhub clawd clawdbot onlycrabs soulhub me self system root owner \
    official staff team mod moderator new edit delete create update remove public private internal null \
    undefined true false";

/// Words no slug begins or ends with.
const PROTECTED: [&str; 11] = [
    "openclaw",
    "clawhub",
    "clawd",
    "clawdbot",
    "onlycrabs",
    "soulhub",
    "official",
    "verified",
    "staff",
    "admin",
    "moderator",
];

/// The reason a name is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryNameError {
    /// A slug of another shape.
    #[error("`{0}` is not a slug: 3 to 96 lower-case letters, digits and single hyphens, none at the ends")]
    Slug(String),
    /// A slug with a meaning of its own.
    #[error("the slug `{0}` is reserved")]
    ReservedSlug(String),
    /// A slug that pretends to be from the registry.
    #[error("the slug `{slug}` may not begin or end with `{word}`")]
    ProtectedSlug {
        /// The slug.
        slug: String,
        /// The word.
        word: &'static str,
    },
    /// A handle of another shape.
    #[error(
        "`{0}` is not a handle: at most 40 lower-case letters, digits and `.` `_` `-`, none of these at the ends"
    )]
    Handle(String),
    /// A version of another shape.
    #[error("`{0}` is not a version: three numbers such as `1.2.3` are needed")]
    Version(String),
    /// A path that is too long, absolute, upwards or not portable.
    #[error(
        "`{0}` is not a path of a file in a skill: relative, with `/`, without `..` and at most 500 characters"
    )]
    Path(String),
    /// A path that git takes for its metadata.
    #[error("`{0}` is git metadata, which a skill may not contain; remove it")]
    Git(String),
}

impl prowess_types::Classify for RegistryNameError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Usage)
    }
}

/// Whether a slug may be published. Older slugs that break these rules stay readable.
pub fn check_new_slug(slug: &str) -> Result<(), RegistryNameError> {
    if !SLUG_LENGTH.contains(&slug.len()) || !is_hyphenated(slug) {
        return Err(RegistryNameError::Slug(slug.to_owned()));
    }
    if RESERVED.split_ascii_whitespace().any(|word| word == slug) {
        return Err(RegistryNameError::ReservedSlug(slug.to_owned()));
    }
    let takes = |word: &&str| {
        slug.strip_prefix(*word).is_some_and(|rest| rest.starts_with('-'))
            || slug.strip_suffix(*word).is_some_and(|rest| rest.ends_with('-'))
    };
    match PROTECTED.into_iter().find(takes) {
        Some(word) => Err(RegistryNameError::ProtectedSlug { slug: slug.to_owned(), word }),
        None => Ok(()),
    }
}

/// Lower-case letters, digits and single hyphens between them.
pub(crate) fn is_hyphenated(name: &str) -> bool {
    name.split('-').all(|part| !part.is_empty() && part.bytes().all(is_lower_or_digit))
}

/// Whether a publisher may be called so.
pub fn check_handle(handle: &str) -> Result<(), RegistryNameError> {
    let inner = |byte: u8| is_lower_or_digit(byte) || matches!(byte, b'.' | b'_' | b'-');
    let ends = [handle.bytes().next(), handle.bytes().last()];
    let is_good = handle.len() <= MAX_HANDLE
        && handle.bytes().all(inner)
        && ends.into_iter().all(|end| end.is_some_and(is_lower_or_digit));
    if is_good { Ok(()) } else { Err(RegistryNameError::Handle(handle.to_owned())) }
}

fn is_lower_or_digit(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Whether a version is a full semantic one.
pub fn check_version(version: &str) -> Result<Version, RegistryNameError> {
    Version::parse(version).map_err(|_| RegistryNameError::Version(version.to_owned()))
}

/// Whether a file of a skill may have this path.
pub fn check_path(path: &str) -> Result<(), RegistryNameError> {
    let is_good = path.chars().count() <= MAX_PATH
        && !path.contains(|letter: char| letter == '\\' || letter.is_control())
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    match git_part(path) {
        Some(place) => Err(RegistryNameError::Git(place.escape_debug().to_string())),
        None if is_good => Ok(()),
        None => Err(RegistryNameError::Path(path.to_owned())),
    }
}

/// Whether git takes nothing among the files of a skill for a repository.
pub fn check_bundle(bundle: &Bundle) -> Result<(), RegistryNameError> {
    bundle
        .git_repository()
        .map_or(Ok(()), |place| Err(RegistryNameError::Git(place.escape_debug().to_string())))
}

/// The slug a folder's name suggests; empty if there is nothing to make one of.
///
/// ```
/// assert_eq!(prowess_registry::slug_from_folder("My New_Skill"), "my-new-skill");
/// ```
pub fn slug_from_folder(name: &str) -> String {
    let lower = name.to_lowercase();
    let parts = lower.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The name for people a folder's name suggests.
///
/// ```
/// assert_eq!(prowess_registry::title_from_folder("my-new_skill"), "My New Skill");
/// ```
pub fn title_from_folder(name: &str) -> String {
    let mut title = String::with_capacity(name.len());
    let mut last = ' ';
    let mut is_first = true;
    for letter in name.trim().chars() {
        let letter = if matches!(letter, '-' | '_') || letter.is_whitespace() { ' ' } else { letter };
        if letter == ' ' && last == ' ' && !is_first {
            continue;
        }
        // Only ASCII letters make a word in the original, so any other letter ends one.
        title.push(if last.is_ascii_alphanumeric() { letter } else { letter.to_ascii_uppercase() });
        (last, is_first) = (letter, false);
    }
    title
}

/// The version to publish after the latest one: the next patch, or `1.0.0` for something new.
///
/// ```
/// assert_eq!(prowess_registry::next_version(None), "1.0.0");
/// assert_eq!(prowess_registry::next_version(Some("1.2.3")), "1.2.4");
/// assert_eq!(prowess_registry::next_version(Some("2.0.0-beta.1")), "2.0.0");
/// ```
pub fn next_version(latest: Option<&str>) -> String {
    let Some(mut version) = latest.and_then(|latest| Version::parse(latest).ok()) else {
        return "1.0.0".to_owned();
    };
    if version.pre.is_empty() {
        version.patch = version.patch.saturating_add(1);
    }
    version.pre = Prerelease::EMPTY;
    version.build = semver::BuildMetadata::EMPTY;
    version.to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn names_from_folders_as_the_original_makes_them() {
        let vectors: Value =
            serde_json::from_str(include_str!("../tests/fixtures/fingerprints.json")).unwrap();
        let vectors = vectors["slug_from_folder"].as_array().unwrap();
        assert!(vectors.len() >= 8);
        for vector in vectors {
            let input = vector["input"].as_str().unwrap();
            assert_eq!(slug_from_folder(input), vector["slug"], "{input:?}");
            assert_eq!(title_from_folder(input), vector["title"], "{input:?}");
        }
    }

    #[test]
    fn slugs() {
        for good in ["abc", "a1b", "my-skill", "clawdia", "x-officials", &"a".repeat(96)] {
            assert_eq!(check_new_slug(good), Ok(()), "{good}");
        }
        for bad in ["", "ab", "Abc", "a--b", "-ab", "ab-", "a_b", "ä-b", &"a".repeat(97)] {
            assert_eq!(check_new_slug(bad), Err(RegistryNameError::Slug(bad.to_owned())));
        }
        assert!(matches!(check_new_slug("publish"), Err(RegistryNameError::ReservedSlug(_))));
        for taken in ["clawd-tools", "my-official", "admin-x"] {
            assert!(matches!(check_new_slug(taken), Err(RegistryNameError::ProtectedSlug { .. })), "{taken}");
        }
    }

    #[test]
    fn handles_versions_and_paths() {
        for good in ["a", "a.b_c-d", "0x"] {
            assert_eq!(check_handle(good), Ok(()));
        }
        for bad in ["", "A", ".a", "a-", &"a".repeat(41)] {
            assert!(check_handle(bad).is_err(), "{bad}");
        }
        assert!(check_version("1.2.3-beta.1+x").is_ok());
        for bad in ["1.2", "v1.2.3", "01.2.3", "latest", ""] {
            assert!(check_version(bad).is_err(), "{bad}");
        }
        for good in ["SKILL.md", "a/b.c", "指南.md", "..a/b"] {
            assert_eq!(check_path(good), Ok(()));
        }
        for bad in ["", "/a", "a//b", "a/../b", "..", "./a", "a\\b", "a\0", &"x".repeat(501)] {
            assert!(check_path(bad).is_err(), "{bad}");
        }
        for git in [".git/config", "a/.GIT", "git~1/x", ".git./x", "a\\.git\\x", ".g\u{200c}it/x"] {
            assert!(matches!(check_path(git), Err(RegistryNameError::Git(_))), "{git}");
        }
    }

    proptest! {
        #[test]
        fn a_slug_from_a_folder_has_the_shape_of_a_slug(name in ".{0,40}") {
            let slug = slug_from_folder(&name);
            prop_assert!(slug.is_empty() || is_hyphenated(&slug), "{slug:?}");
            prop_assert_eq!(slug_from_folder(&slug), slug);
        }

        #[test]
        fn the_next_version_is_later(major in 0..9_u64, minor in 0..9_u64, patch in 0..99_u64) {
            let version = Version::new(major, minor, patch);
            let next = Version::parse(&next_version(Some(&version.to_string()))).unwrap();
            prop_assert!(next > version);
        }
    }
}
