//! Names that are safe to use as paths, whoever wrote them.
//!
//! A lock file may come with a cloned repository, so nothing in it is believed: a name that leads out of its folder
//! cannot be expressed by these types.

use std::fmt;

use serde::{Deserialize, Serialize};

const MAX_FOLDER_BYTES: usize = 200;
const MAX_PATH_BYTES: usize = 1000;

/// A file that only a staged folder has: it tells a new folder from an old one, wherever both are.
pub(crate) const MARK: &str = ".prowess-new";

/// The reason a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a valid {what}", text.escape_debug())]
pub struct PathNameError {
    text: String,
    what: &'static str,
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $is_valid:path) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Reads a text.
            pub fn parse(text: &str) -> Result<Self, PathNameError> {
                Self::try_from(text.to_owned())
            }

            /// As text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = PathNameError;

            fn try_from(text: String) -> Result<Self, PathNameError> {
                if $is_valid(&text) { Ok(Self(text)) } else { Err(PathNameError { text, what: $what }) }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// A skill's folder below the folder of skills: `weather`, or `@owner/weather`.
    ///
    /// ```
    /// use prowess_install::Folder;
    /// assert!(Folder::parse("@ada/weather").is_ok());
    /// assert!(Folder::parse("../weather").is_err());
    /// ```
    Folder, "folder of a skill", is_folder
}

name! {
    /// A file's place in a skill, with `/`.
    FilePath, "path in a skill", is_file_path
}

name! {
    /// A SHA-256 in lower-case hexadecimal.
    Digest, "SHA-256 in lower-case hexadecimal", is_digest
}

impl Folder {
    /// The folder of the owner, if it is in one.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.0.split_once('/').map(|(owner, _)| owner)
    }

    /// Its last part.
    pub fn last(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(prowess_fs::sha256_hex(bytes))
    }

    /// The digest of a tree of files, each with its path, whether it can be run, and its content's digest.
    pub(crate) fn of_tree<'a>(files: impl IntoIterator<Item = (&'a str, bool, &'a Self)>) -> Self {
        let files = files.into_iter().map(|(path, executable, digest)| (path, executable, digest.0.clone()));
        Self(prowess_fs::tree_hash_of(files))
    }
}

fn is_folder(text: &str) -> bool {
    let is_short = text.len() <= MAX_FOLDER_BYTES;
    is_short
        && match text.split_once('/') {
            Some((owner, slug)) => {
                owner.strip_prefix('@').is_some_and(|owner| !owner.is_empty())
                    && is_part(owner)
                    && is_folder_part(slug)
            }
            None => is_folder_part(text),
        }
}

/// Hidden folders are not skills, and some of them are ours.
fn is_folder_part(part: &str) -> bool {
    is_part(part) && !part.starts_with('.') && !part.starts_with('-')
}

fn is_file_path(text: &str) -> bool {
    text.len() <= MAX_PATH_BYTES && text != MARK && text.split('/').all(is_part)
}

/// What every system takes for one name and no more.
fn is_part(part: &str) -> bool {
    !matches!(part, "" | "." | "..")
        && part.len() <= 255
        && !part.ends_with(['.', ' '])
        && !part.contains(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c))
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stay_in_their_folder() {
        for good in ["weather", "@ada/weather", "Ünïcode", "a.b", "with space"] {
            assert!(Folder::parse(good).is_ok(), "{good}");
        }
        let long = "x".repeat(MAX_FOLDER_BYTES + 1);
        for bad in [
            "", ".", "..", ".hidden", "a/b", "@/b", "@a/..", "@a/.b", "@a/b/c", "/a", "a\\b", "C:", "a\0",
            "-f", &long,
        ] {
            assert!(Folder::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Folder::parse("@ada/weather").unwrap().owner(), Some("@ada"));
    }

    #[test]
    fn files_stay_in_their_skill() {
        for good in ["SKILL.md", "scripts/run.sh", ".hidden/x", "a/b/c"] {
            assert!(FilePath::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "/a", "a//b", "a/", "a/../b", "./a", "a\\b", "a\nb", "a/b."] {
            assert!(FilePath::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn digests_are_what_they_say() {
        assert_eq!(Digest::of(b"").as_str().len(), 64);
        assert!(Digest::parse(Digest::of(b"x").as_str()).is_ok());
        for bad in ["", "../../etc/passwd", &"A".repeat(64), &"a".repeat(63)] {
            assert!(Digest::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(
            serde_json::from_str::<Folder>("\"../x\"").unwrap_err().to_string(),
            "`../x` is not a valid folder of a skill"
        );
    }
}
