//! The pieces that are done, and the time that each took: `stages.json` in the work folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The record of a work folder.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    pieces: BTreeMap<String, PieceRecord>,
}

/// One piece of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct PieceRecord {
    is_done: bool,
    /// The time of all calls together.
    seconds: f64,
    calls: u32,
    threads: usize,
}

impl Record {
    /// Reads the record of a folder; an empty one if there is none.
    pub(super) fn read(work: &Path) -> Result<Self> {
        let path = work.join("stages.json");
        let pieces = match fs::read(&path) {
            Ok(text) => {
                serde_json::from_slice(&text).with_context(|| format!("cannot read `{}`", path.display()))?
            }
            Err(_) => BTreeMap::new(),
        };
        Ok(Self { path, pieces })
    }

    pub(super) fn is_done(&self, piece: &str) -> bool {
        self.pieces.get(piece).is_some_and(|piece| piece.is_done)
    }

    /// Adds a call, and writes the record.
    pub(super) fn add(&mut self, piece: &str, time: Duration, threads: usize, is_done: bool) -> Result<()> {
        let entry = self.pieces.entry(piece.to_owned()).or_default();
        entry.is_done = is_done;
        entry.seconds += (time.as_secs_f64() * 10.0).round() / 10.0;
        entry.calls += 1;
        entry.threads = threads;
        self.write()
    }

    /// Forgets a piece, and writes the record.
    pub(super) fn forget(&mut self, piece: &str) -> Result<()> {
        self.pieces.remove(piece);
        self.write()
    }

    /// Writes beside the file first: an interrupted write leaves the old record.
    fn write(&self) -> Result<()> {
        let beside = self.path.with_extension("json.part");
        fs::write(&beside, serde_json::to_string_pretty(&self.pieces)? + "\n")?;
        fs::rename(&beside, &self.path).with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_add_up_until_the_piece_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::read(folder.path()).unwrap();
        assert!(!record.is_done("reader"));
        record.add("reader", Duration::from_mins(1), 2, false).unwrap();
        record.add("reader", Duration::from_secs(30), 2, true).unwrap();
        let read = Record::read(folder.path()).unwrap();
        assert!(read.is_done("reader"));
        let expected = PieceRecord { is_done: true, seconds: 90.0, calls: 2, threads: 2 };
        assert_eq!(read.pieces["reader"], expected);
        record.forget("reader").unwrap();
        assert!(!Record::read(folder.path()).unwrap().is_done("reader"));
    }
}
