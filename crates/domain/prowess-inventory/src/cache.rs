//! Parsed skills, kept on disk across processes.
//!
//! A file that has not changed is not parsed again. "Not changed" means the same place, size, times and inode;
//! times that lie close to the moment the cache was written are not trusted, because a second edit within the
//! clock's grain would look the same. The cache is safe to delete, and a damaged one reads as empty.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_fs::Stamp;
use prowess_skill::ParseOptions;
use prowess_types::Skill;
use serde::{Deserialize, Serialize};

/// Changes whenever a parser change may give another result for the same file.
const FORMAT: u32 = 2;
const MAGIC: &[u8; 8] = b"PROWESS\0";
const HEADER: usize = MAGIC.len() + 8;
/// A cache larger than this is not read.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// From this size on, reading takes longer than starting a thread.
const LARGE: u64 = 256 * 1024;
/// Coarse file systems count in steps of two seconds.
const GRAIN_SECS: i64 = 2;

/// The cached state of one root when the process started.
pub(crate) struct RootCache {
    file: PathBuf,
    /// Sorted by the place below the root.
    entries: Vec<Record>,
    /// When it was written, by the file system's own clock.
    written_secs: i64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    relative: String,
    stamp: Stamp,
    skill: Arc<Skill>,
}

impl RootCache {
    /// Finds the cache of a root, as it is read with these options.
    pub(crate) fn locate(folder: &Path, root: &Path, options: &ParseOptions) -> Self {
        let mut hasher = DefaultHasher::new();
        (FORMAT, env!("CARGO_PKG_VERSION"), root).hash(&mut hasher);
        format!("{options:?}").hash(&mut hasher);
        let file = folder.join("skills").join(format!("{:016x}.bin", hasher.finish()));
        Self { file, entries: Vec::new(), written_secs: 0 }
    }

    /// Returns true if reading it takes long enough to be worth a thread.
    pub(crate) fn is_large(&self) -> bool {
        matches!(prowess_fs::stamp(&self.file), Ok(Some(stamp)) if stamp.size > LARGE)
    }

    /// Reads it; a missing or damaged one is empty.
    pub(crate) fn read(mut self) -> Self {
        (self.entries, self.written_secs) = read(&self.file).unwrap_or_default();
        self
    }

    /// The skill that was parsed from this very state of a file.
    pub(crate) fn get(&self, relative: &str, stamp: &Stamp) -> Option<Arc<Skill>> {
        let place = self.entries.binary_search_by(|record| record.relative.as_str().cmp(relative)).ok()?;
        let record = &self.entries[place];
        let is_settled = stamp.modified_secs.max(stamp.changed_secs) + GRAIN_SECS < self.written_secs;
        // A damaged detail makes the loader read the skill again.
        let is_usable = record.stamp == *stamp && is_settled && record.skill.check_details().is_ok();
        is_usable.then(|| Arc::clone(&record.skill))
    }

    /// Returns the number of its skills.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Replaces its content. A cache that cannot be written costs time, never a result.
    pub(crate) fn write<'a>(self, entries: impl Iterator<Item = (&'a str, &'a Stamp, &'a Arc<Skill>)>) {
        let mut records: Vec<Record> = entries
            .map(|(relative, stamp, skill)| Record {
                relative: relative.to_owned(),
                stamp: *stamp,
                skill: Arc::clone(skill),
            })
            .collect();
        records.sort_by(|one, other| one.relative.cmp(&other.relative));
        let Ok(payload) = postcard::to_stdvec(&records) else {
            return;
        };
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&checksum(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        let _ = prowess_fs::write_replaceable(&self.file, &bytes);
    }
}

fn read(file: &Path) -> Option<(Vec<Record>, i64)> {
    let contents = prowess_fs::read_stamped(file, MAX_BYTES, prowess_fs::FinalLink::Refuse).ok()?;
    Some((postcard::from_bytes(payload(&contents.bytes)?).ok()?, contents.stamp.modified_secs))
}

/// Returns the payload of a whole file; none if it is damaged.
fn payload(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, payload) = bytes.strip_prefix(MAGIC)?.split_at_checked(8)?;
    (checksum(payload).to_le_bytes() == sum).then_some(payload)
}

/// Returns true if a file of this cache can be read and is not whole.
pub fn is_damaged(file: &Path) -> bool {
    let read = prowess_fs::read_stamped(file, MAX_BYTES, prowess_fs::FinalLink::Refuse);
    read.is_ok_and(|contents| payload(&contents.bytes).is_none())
}

/// Notices damage, not malice: the folder belongs to the user. Eight bytes at a time, because a cache is large and
/// its use is to be fast.
pub fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut chunks = bytes.chunks_exact(8);
    let mut sum = bytes.len() as u64;
    for chunk in &mut chunks {
        let word = chunk.try_into().map_or(0, u64::from_le_bytes);
        sum = (sum ^ word).wrapping_mul(PRIME).rotate_left(29);
    }
    chunks
        .remainder()
        .iter()
        .fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME).rotate_left(29))
}
