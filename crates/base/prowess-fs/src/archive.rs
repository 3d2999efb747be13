//! Archives from strangers, unpacked within bounds, and skills packed so that equal content gives equal bytes.
//!
//! An archive is refused as a whole: [`read_bundle`] gives nothing, and [`extract`] leaves nothing behind. Links,
//! devices, paths that leave the folder, names that some file system takes for the same, encrypted entries,
//! contradictions inside the archive, and archives that grow out of proportion are all refused by name
//! ([`ArchiveError::reason`]). What is read is decided by the entry list alone, so that a scanner and an installer
//! that both use this module see the same bytes.
//!
//! What this module refuses to do: unpack what is packed inside, or keep anything of an entry but its path, its
//! content and whether it can be run.

mod disk;
mod error;
mod intake;
mod names;
mod pack;
mod tape;
mod unpacked;
mod zip;

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use prowess_types::Bundle;

pub use error::ArchiveError;
pub use pack::pack_zip;

use disk::Stage;
use intake::{Intake, Memory};
use unpacked::Unpacked;

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// A ZIP archive.
    Zip,
    /// A tape archive.
    Tar,
    /// A tape archive, compressed with gzip.
    TarGz,
    /// A tape archive, compressed with bzip2.
    TarBz2,
}

impl ArchiveKind {
    /// What the first bytes say, or else what the name says. 512 bytes are enough.
    ///
    /// ```
    /// use prowess_fs::archive::ArchiveKind;
    /// assert_eq!(ArchiveKind::detect("tool.tgz", b""), Some(ArchiveKind::TarGz));
    /// assert_eq!(ArchiveKind::detect("download", b"PK\x03\x04"), Some(ArchiveKind::Zip));
    /// assert_eq!(ArchiveKind::detect("SKILL.md", b"---\n"), None);
    /// ```
    pub fn detect(name: &str, head: &[u8]) -> Option<Self> {
        let marks: [(usize, &[u8], Self); 5] = [
            (0, b"PK\x03\x04", Self::Zip),
            (0, b"PK\x05\x06", Self::Zip),
            (0, b"\x1f\x8b", Self::TarGz),
            (0, b"BZh", Self::TarBz2),
            (257, b"ustar", Self::Tar),
        ];
        let by_mark = marks
            .iter()
            .find(|(at, mark, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(mark)))
            .map(|(_, _, kind)| *kind);
        by_mark.or_else(|| Self::by_name(name))
    }

    fn by_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
        if ends(&[".zip", ".skill"]) {
            Some(Self::Zip)
        } else if ends(&[".tar.gz", ".tgz"]) {
            Some(Self::TarGz)
        } else if ends(&[".tar.bz2", ".tbz2", ".tbz"]) {
            Some(Self::TarBz2)
        } else if ends(&[".tar"]) {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// How much an archive may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Bytes of the archive itself.
    pub archive: u64,
    /// Entries; folders that are only implied count too, up to as many again.
    pub entries: usize,
    /// Bytes of all files together.
    pub total: u64,
    /// Bytes of one file.
    pub entry: u64,
    /// Bytes of what an archive says about one entry.
    pub metadata: u64,
    /// Parts of a path.
    pub parts: usize,
    /// The maximum ratio of a size to the packed size, once it is larger than 8 MiB.
    pub ratio: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            archive: 256 << 20,
            entries: 50_000,
            total: 512 << 20,
            entry: 256 << 20,
            metadata: 1 << 20,
            parts: 256,
            ratio: 200,
        }
    }
}

/// How an archive is unpacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArchiveOptions {
    /// How much it may hold.
    pub limits: ArchiveLimits,
    /// Parts to take off the front of every path; what has no more parts is left out.
    pub strip_components: usize,
    /// If everything lies in one folder, take its content instead.
    pub unwrap_single_root: bool,
}

/// What was unpacked to disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Files.
    pub files: usize,
    /// Bytes of these files.
    pub bytes: u64,
}

/// Reads a skill's archive into memory. Empty folders are not kept; what git would take for a repository is refused.
pub fn read_bundle(
    bytes: &[u8],
    kind: ArchiveKind,
    options: &ArchiveOptions,
) -> Result<Bundle, ArchiveError> {
    let mut memory = Memory::default();
    let mut intake = Intake::new(options, &mut memory);
    unpack(&mut Cursor::new(bytes), kind, &mut intake)?;
    let root = intake.finish()?;
    memory.into_bundle(root.as_deref())
}

/// Unpacks an archive to a folder that does not exist yet, or is empty.
///
/// Everything is unpacked beside it first and takes its name at the end, so the folder is whole or as it was.
pub fn extract(
    reader: &mut (impl Read + Seek),
    kind: ArchiveKind,
    into: &Path,
    options: &ArchiveOptions,
) -> Result<Extracted, ArchiveError> {
    let mut stage = Stage::beside(into)?;
    let mut intake = Intake::new(options, &mut stage);
    unpack(reader, kind, &mut intake)?;
    let root = intake.finish()?;
    stage.move_into_place(root.as_deref(), into)
}

fn unpack(
    reader: &mut (impl Read + Seek),
    kind: ArchiveKind,
    intake: &mut Intake<'_>,
) -> Result<(), ArchiveError> {
    let limits = intake.limits();
    let length = reader.seek(SeekFrom::End(0)).map_err(ArchiveError::reading)?;
    if length > limits.archive {
        return Err(ArchiveError::TooLarge { limit: limits.archive });
    }
    reader.rewind().map_err(ArchiveError::reading)?;
    match kind {
        ArchiveKind::Zip => zip::read(reader, length, intake),
        ArchiveKind::Tar => tape::read(reader, intake),
        ArchiveKind::TarGz => tape::read(&mut Unpacked::new(reader, &limits, MultiGzDecoder::new), intake),
        ArchiveKind::TarBz2 => tape::read(&mut Unpacked::new(reader, &limits, MultiBzDecoder::new), intake),
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
