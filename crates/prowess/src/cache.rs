//! Parsed skills, kept on disk across processes.
//!
//! A file that has not changed is not parsed again. "Not changed" means the same place, size, times and inode;
//! times that lie close to the moment the cache was written are not trusted, because a second edit within the
//! clock's grain would look the same. The cache is safe to delete, and a damaged one reads as empty.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_fs::Stamp;
use prowess_skill::Options;
use prowess_types::Skill;
use serde::{Deserialize, Serialize};

/// Changes whenever a parser change may give another result for the same file.
const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"PROWESS\0";
const HEADER: usize = MAGIC.len() + 8;
/// A cache larger than this is not read.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Coarse file systems count in steps of two seconds.
const GRAIN_SECS: i64 = 2;

/// What was known about one root when the process started.
pub(crate) struct RootCache {
    file: PathBuf,
    entries: HashMap<String, Record>,
    /// When it was written, by the file system's own clock.
    written_secs: i64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    stamp: Stamp,
    skill: Arc<Skill>,
}

impl RootCache {
    /// Opens the cache of a root, as it is read with these options.
    pub(crate) fn open(folder: &Path, root: &Path, options: &Options) -> Self {
        let mut hasher = DefaultHasher::new();
        (FORMAT, env!("CARGO_PKG_VERSION"), root).hash(&mut hasher);
        format!("{options:?}").hash(&mut hasher);
        let file = folder.join("skills").join(format!("{:016x}.bin", hasher.finish()));
        let (entries, written_secs) = read(&file).unwrap_or_default();
        Self { file, entries, written_secs }
    }

    /// The skill that was parsed from this very state of a file.
    pub(crate) fn get(&self, relative: &str, stamp: &Stamp) -> Option<Arc<Skill>> {
        let record = self.entries.get(relative)?;
        let is_settled = stamp.modified_secs.max(stamp.changed_secs) + GRAIN_SECS < self.written_secs;
        (record.stamp == *stamp && is_settled).then(|| Arc::clone(&record.skill))
    }

    /// How many skills it holds.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Replaces its content. A cache that cannot be written costs time, never a result.
    pub(crate) fn write<'a>(self, entries: impl Iterator<Item = (&'a str, &'a Stamp, &'a Arc<Skill>)>) {
        let records: Vec<(&str, Record)> = entries
            .map(|(relative, stamp, skill)| (relative, Record { stamp: *stamp, skill: Arc::clone(skill) }))
            .collect();
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

fn read(file: &Path) -> Option<(HashMap<String, Record>, i64)> {
    let contents = prowess_fs::read_stamped(file, MAX_BYTES, prowess_fs::FinalLink::Refuse).ok()?;
    let rest = contents.bytes.strip_prefix(MAGIC)?;
    let (sum, payload) = rest.split_at_checked(8)?;
    if checksum(payload).to_le_bytes() != sum {
        return None;
    }
    let records: Vec<(String, Record)> = postcard::from_bytes(payload).ok()?;
    Some((records.into_iter().collect(), contents.stamp.modified_secs))
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
