//! The location of the bundled skills.
//!
//! In this order: the folder the environment names; `skills` beside the executable; `skills` in one of the six
//! folders above it, if it looks like one; the copy inside the binary, unpacked once per version.

use std::path::{Path, PathBuf};

use prowess_types::ContentHash;
use sha2::{Digest as _, Sha256};

/// The number of folders above the executable that are searched.
const LEVELS: usize = 6;

/// A file inside the binary: its path below `skills/`, its bytes, and whether it is executable.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFile {
    /// Path with `/` between names.
    pub path: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
    /// True if it gets an execute bit.
    pub executable: bool,
}

/// The way the bundled folder was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundledFrom {
    /// Named by the environment or a flag; taken unchecked.
    Override,
    /// Beside or above the executable.
    Executable,
    /// Unpacked from the binary.
    Embedded,
}

/// The folder, and how it was found; none if there is none.
pub(crate) fn resolve(
    named: Option<&Path>,
    executable: Option<&Path>,
    embedded: &[EmbeddedFile],
    home: &Path,
) -> Result<Option<(PathBuf, BundledFrom)>, prowess_fs::WriteError> {
    if let Some(named) = named {
        return Ok(Some((named.to_owned(), BundledFrom::Override)));
    }
    if let Some(folder) = executable.and_then(above) {
        return Ok(Some((folder, BundledFrom::Executable)));
    }
    if embedded.is_empty() {
        return Ok(None);
    }
    unpack(embedded, home).map(|folder| Some((folder, BundledFrom::Embedded)))
}

fn above(executable: &Path) -> Option<PathBuf> {
    let mut folder = executable.parent()?;
    for _ in 0..=LEVELS {
        let candidate = folder.join("skills");
        if prowess_fs::looks_like_skills(&candidate) {
            return Some(candidate);
        }
        folder = folder.parent()?;
    }
    None
}

/// Unpacks into a folder named by the content's hash. The marker is written last, so a folder that a crash left
/// half full is filled again.
fn unpack(files: &[EmbeddedFile], home: &Path) -> Result<PathBuf, prowess_fs::WriteError> {
    let mut hasher = Sha256::new();
    for file in files {
        hasher.update(file.path.as_bytes());
        hasher.update([0, u8::from(file.executable)]);
        hasher.update((file.bytes.len() as u64).to_le_bytes());
        hasher.update(file.bytes);
    }
    let digest = ContentHash(hasher.finalize().into()).to_string();
    let folder = home.join("bundled").join(&digest[..16]);
    let marker = folder.join(".complete");
    if matches!(prowess_fs::stamp(&marker), Ok(Some(_))) {
        return Ok(folder);
    }
    for file in files {
        let mode = if file.executable { 0o755 } else { 0o644 };
        prowess_fs::write_atomic(&folder.join(file.path), file.bytes, Some(mode))?;
    }
    prowess_fs::write_atomic(&marker, b"", None)?;
    Ok(folder)
}
