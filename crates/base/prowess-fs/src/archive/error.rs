//! The reason an archive is refused.

use std::io;
use std::path::{Path, PathBuf};

/// The reason an archive is refused. Nothing of it was kept.
///
/// Names of entries are shown with their control characters escaped, and cut when they are long.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The archive itself is too large.
    #[error("the archive is larger than {limit} bytes")]
    TooLarge {
        /// The maximum size.
        limit: u64,
    },
    /// It has too many entries, or implies too many folders.
    #[error("the archive has more than {limit} entries")]
    TooManyEntries {
        /// How many it may have.
        limit: usize,
    },
    /// One of its files is too large.
    #[error("`{entry}` is larger than {limit} bytes")]
    EntryTooLarge {
        /// The entry.
        entry: String,
        /// The maximum size.
        limit: u64,
    },
    /// Its files are too large together.
    #[error("the files of the archive have more than {limit} bytes together")]
    TotalTooLarge {
        /// How large they may be.
        limit: u64,
    },
    /// It says too much about its entries.
    #[error("the archive has more than {limit} bytes about an entry")]
    TooMuchMetadata {
        /// How much it may say.
        limit: u64,
    },
    /// It grows out of proportion.
    #[error("the archive grows more than {ratio} times")]
    Bomb {
        /// The maximum ratio.
        ratio: u64,
    },
    /// A path leaves the folder, or means different things on different systems.
    #[error("the path `{entry}` is refused: {why}")]
    UnsafePath {
        /// The entry.
        entry: String,
        /// The problem with it.
        why: &'static str,
    },
    /// An entry that git takes for its metadata, and so for a reason to run programs.
    #[error("`{entry}` is a git repository; remove it from the archive")]
    GitRepository {
        /// The entry or folder.
        entry: String,
    },
    /// A symbolic or hard link.
    #[error("`{entry}` is a link")]
    Link {
        /// The entry.
        entry: String,
    },
    /// A device, a pipe or a socket.
    #[error("`{entry}` is neither a file nor a folder")]
    Special {
        /// The entry.
        entry: String,
    },
    /// The same path twice.
    #[error("`{entry}` is in the archive twice")]
    Duplicate {
        /// The entry.
        entry: String,
    },
    /// Two paths that differ in letter case or in the composition of letters only.
    #[error("`{entry}` and `{other}` are the same name on some systems")]
    Collision {
        /// The entry.
        entry: String,
        /// The earlier one.
        other: String,
    },
    /// A file that is a folder too.
    #[error("`{entry}` is a file and a folder")]
    FileAndFolder {
        /// The entry.
        entry: String,
    },
    /// An encrypted entry.
    #[error("`{entry}` is encrypted")]
    Encrypted {
        /// The entry.
        entry: String,
    },
    /// Entries that share their bytes.
    #[error("`{entry}` shares its bytes with another entry")]
    Overlap {
        /// The entry.
        entry: String,
    },
    /// The archive contradicts itself about an entry.
    #[error("the archive contradicts itself about the {what} of `{entry}`")]
    Contradiction {
        /// The entry.
        entry: String,
        /// What it says two things about.
        what: &'static str,
    },
    /// A feature that is not read.
    #[error("the archive uses {what}, which is not supported")]
    Unsupported {
        /// The feature.
        what: String,
    },
    /// It is broken.
    #[error("the archive is damaged: {what}")]
    Damaged {
        /// The problem.
        what: &'static str,
    },
    /// There is no file in it.
    #[error("the archive holds no files")]
    Empty,
    /// Something is where it should be unpacked.
    #[error("`{}` already exists", path.display())]
    TargetTaken {
        /// The target.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("cannot read the archive")]
    Read {
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// It cannot be unpacked there.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl ArchiveError {
    /// A short name of the reason, for reports.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::TooManyEntries { .. } => "too-many-entries",
            Self::EntryTooLarge { .. } => "entry-too-large",
            Self::TotalTooLarge { .. } => "total-too-large",
            Self::TooMuchMetadata { .. } => "too-much-metadata",
            Self::Bomb { .. } => "bomb",
            Self::UnsafePath { .. } => "unsafe-path",
            Self::Link { .. } => "link",
            Self::Special { .. } => "special",
            Self::Duplicate { .. } => "duplicate",
            Self::Collision { .. } => "collision",
            Self::FileAndFolder { .. } => "file-and-folder",
            Self::Encrypted { .. } => "encrypted",
            Self::Overlap { .. } => "overlap",
            Self::Contradiction { .. } => "contradiction",
            Self::Unsupported { .. } => "unsupported",
            Self::Damaged { .. } => "damaged",
            Self::Empty => "empty",
            Self::TargetTaken { .. } => "target-taken",
            Self::Read { .. } => "read",
            Self::GitRepository { .. } => "git",
            Self::Write { .. } => "write",
        }
    }

    /// What reading failed with; a decoder hands our own errors through as those of the system.
    pub(super) fn reading(source: io::Error) -> Self {
        let kind = source.kind();
        match source.downcast::<Self>() {
            Ok(own) => own,
            Err(_) if kind == io::ErrorKind::UnexpectedEof => Self::Damaged { what: "it ends in the middle" },
            Err(_) if matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => {
                Self::Damaged { what: "its compressed data is broken" }
            }
            Err(source) => Self::Read { source },
        }
    }

    pub(super) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

/// A name as it can be shown.
pub(super) fn shown(name: &[u8]) -> String {
    const MAX: usize = 120;
    let text = String::from_utf8_lossy(name);
    let mut shown: String = text.chars().take(MAX).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX).is_some() {
        shown.push('…');
    }
    shown
}
