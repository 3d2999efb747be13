//! Vectors of texts, kept on disk across processes by encoder and text.
//!
//! Each encoder has a folder of segments. A segment is written once, as a whole, and never changed, so any number
//! of processes may add to the cache at the same time without a lock and without losing what another one added.
//! When there are many segments they are written together as one, and the new one is there before the old ones go;
//! at worst a process that reads meanwhile makes a vector again. The folder is safe to delete, and a damaged
//! segment reads as empty.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use prowess_inventory::checksum;
use sha2::{Digest as _, Sha256};

const MAGIC: &[u8; 8] = b"PRWSVEC1";
/// Magic, checksum, dimensions, number of vectors.
const HEADER: usize = 8 + 8 + 4 + 4;
/// A segment larger than this is not read.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// From this many segments on they are written together.
const MANY_SEGMENTS: usize = 12;
/// Vectors are kept as whole numbers up to this, which costs less than 0.0001 of a cosine.
const LARGEST: f32 = i16::MAX as f32;

/// The key of a stored vector: the hash of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TextKey([u8; 16]);

impl TextKey {
    pub(crate) fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Self(key)
    }
}

/// The vectors of one encoder.
#[derive(Debug)]
pub(crate) struct VectorCache {
    folder: PathBuf,
    dimensions: usize,
    segments: Vec<Segment>,
    places: HashMap<TextKey, (usize, usize)>,
}

impl VectorCache {
    /// Reads what is there for an encoder.
    pub(crate) fn open(cache: &Path, encoder_id: &str, dimensions: usize) -> Self {
        let folder = cache.join("vectors").join(file_name(encoder_id));
        let mut opened = Self { folder, dimensions, segments: Vec::new(), places: HashMap::new() };
        for file in prowess_fs::cache_files(&opened.folder, "vec") {
            opened.take(Segment::read(&file, dimensions));
        }
        opened
    }

    /// The vector of a text.
    pub(crate) fn get(&self, key: TextKey) -> Option<Vec<f32>> {
        let &(segment, place) = self.places.get(&key)?;
        Some(self.segments[segment].vector(place))
    }

    /// Adds vectors, here and on disk. A cache that cannot be written costs time, never a result.
    pub(crate) fn add(&mut self, vectors: &[(TextKey, &[f32])]) {
        if vectors.is_empty() {
            return;
        }
        let segment = Segment::new(vectors, self.dimensions);
        let _ = segment.write(&self.folder);
        self.take(Some(segment));
        self.merge_when_many();
    }

    fn take(&mut self, segment: Option<Segment>) {
        let Some(segment) = segment else { return };
        let number = self.segments.len();
        for (place, key) in segment.keys.iter().enumerate() {
            self.places.insert(*key, (number, place));
        }
        self.segments.push(segment);
    }

    /// One segment instead of many. The new one is in place before the old ones go.
    fn merge_when_many(&mut self) {
        let files = prowess_fs::cache_files(&self.folder, "vec");
        if files.len() < MANY_SEGMENTS {
            return;
        }
        // Others may have added segments since; those count too.
        let fresh = files.iter().filter_map(|file| Segment::read(file, self.dimensions));
        let merged = Segment::merged(fresh, self.dimensions);
        let Some(kept) = merged.write(&self.folder) else { return };
        for file in files.iter().filter(|file| **file != kept) {
            prowess_fs::drop_cache_file(file);
        }
        (self.segments, self.places) = (Vec::new(), HashMap::new());
        self.take(Some(merged));
    }
}

/// A name that cannot lead out of its folder: an endpoint's model may be called anything.
fn file_name(encoder_id: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    encoder_id.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
}

/// Vectors that were written together.
#[derive(Debug, Default)]
struct Segment {
    keys: Vec<TextKey>,
    scales: Vec<f32>,
    values: Vec<i16>,
    dimensions: usize,
}

impl Segment {
    fn new(vectors: &[(TextKey, &[f32])], dimensions: usize) -> Self {
        let mut segment = Self { dimensions, ..Self::default() };
        for (key, vector) in vectors.iter().filter(|(_, vector)| vector.len() == dimensions) {
            let largest = vector.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
            let scale = largest / LARGEST;
            segment.keys.push(*key);
            segment.scales.push(scale);
            #[expect(clippy::cast_possible_truncation, reason = "scaled to fit just above")]
            segment.values.extend(vector.iter().map(|value| (value / scale).round() as i16));
        }
        segment
    }

    fn merged(segments: impl Iterator<Item = Self>, dimensions: usize) -> Self {
        let mut merged = Self { dimensions, ..Self::default() };
        let mut seen = std::collections::HashSet::new();
        for segment in segments {
            for (place, key) in segment.keys.iter().enumerate().filter(|(_, key)| seen.insert(**key)) {
                merged.keys.push(*key);
                merged.scales.push(segment.scales[place]);
                merged.values.extend_from_slice(segment.row(place));
            }
        }
        merged
    }

    fn row(&self, place: usize) -> &[i16] {
        &self.values[place * self.dimensions..(place + 1) * self.dimensions]
    }

    fn vector(&self, place: usize) -> Vec<f32> {
        let scale = self.scales[place];
        self.row(place).iter().map(|value| f32::from(*value) * scale).collect()
    }

    /// Writes it under a name made from its content, so that writing it twice makes one file.
    fn write(&self, folder: &Path) -> Option<PathBuf> {
        let mut payload = Vec::with_capacity(self.keys.len() * (20 + 2 * self.dimensions));
        self.keys.iter().for_each(|key| payload.extend_from_slice(&key.0));
        self.scales.iter().for_each(|scale| payload.extend_from_slice(&scale.to_le_bytes()));
        self.values.iter().for_each(|value| payload.extend_from_slice(&value.to_le_bytes()));
        let sum = checksum(&payload);
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(self.dimensions).ok()?.to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(self.keys.len()).ok()?.to_le_bytes());
        bytes.extend_from_slice(&payload);
        let file = folder.join(format!("{sum:016x}.vec"));
        prowess_fs::write_replaceable(&file, &bytes).ok()?;
        Some(file)
    }

    fn read(file: &Path, dimensions: usize) -> Option<Self> {
        let bytes = prowess_fs::read_file(file, MAX_BYTES).ok()?;
        let (width, count, payload) = parts(&bytes)?;
        if width != dimensions {
            return None;
        }
        let (keys, rest) = payload.split_at(16 * count);
        let (scales, values) = rest.split_at(4 * count);
        Some(Self {
            keys: keys.as_chunks().0.iter().map(|key| TextKey(*key)).collect(),
            scales: scales.as_chunks().0.iter().map(|scale| f32::from_le_bytes(*scale)).collect(),
            values: values.as_chunks().0.iter().map(|value| i16::from_le_bytes(*value)).collect(),
            dimensions,
        })
    }
}

/// The dimensions, the number of vectors and the vectors of a whole segment; none if it is damaged.
fn parts(bytes: &[u8]) -> Option<(usize, usize, &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (sum, rest) = rest.split_first_chunk::<8>()?;
    let (width, rest) = rest.split_first_chunk::<4>()?;
    let (count, payload) = rest.split_first_chunk::<4>()?;
    let width = usize::try_from(u32::from_le_bytes(*width)).ok()?;
    let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
    let size = width.checked_mul(2)?.checked_add(20)?.checked_mul(count)?;
    let is_whole = payload.len() == size && checksum(payload).to_le_bytes() == *sum;
    is_whole.then_some((width, count, payload))
}

/// Returns true if a segment can be read and is not whole, whatever encoder its vectors are from.
pub fn is_damaged(file: &Path) -> bool {
    prowess_fs::read_file(file, MAX_BYTES).is_ok_and(|bytes| parts(&bytes).is_none())
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
