//! The record of files that syncs wrote into a sandbox.
//!
//! The agent in the sandbox may be able to write this file. It is therefore believed only where a lie changes nothing
//! outside the folder of skills: what it names is removed from there, or not reported as changed.

use std::collections::BTreeMap;
use std::io;

use prowess_fs::Mirror;
use serde::{Deserialize, Serialize};

use super::source::{SKILLS, SourceFile};
use crate::catalog_settings::Locations;

/// Its place in the sandbox.
pub(super) const FILE: &str = ".prowess-sync.json";
/// The version that is read and written.
const VERSION: u32 = 1;
/// A larger one is not read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The record of files that syncs wrote into a sandbox, and of their places for the model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Manifest {
    version: u32,
    /// SHA-256 by place; empty for a file that was about to be written.
    pub(super) files: BTreeMap<String, String>,
    pub(super) locations: Locations,
}

impl Manifest {
    /// Reads it; a missing or damaged one is empty.
    pub(super) fn read(mirror: &Mirror) -> Self {
        let found = mirror.read(FILE, MAX_BYTES).ok().flatten();
        let read = found.and_then(|found| serde_json::from_slice::<Self>(&found.bytes).ok());
        let mut manifest = read.filter(|manifest| manifest.version == VERSION).unwrap_or_default();
        manifest.files.retain(|place, _| place.split('/').next() == Some(SKILLS));
        manifest
    }

    pub(super) fn write(mut self, mirror: &Mirror) -> io::Result<()> {
        self.version = VERSION;
        let mut text = serde_json::to_string_pretty(&self)?;
        text.push('\n');
        match mirror.read(FILE, MAX_BYTES)? {
            Some(same) if same.bytes == text.as_bytes() => Ok(()),
            _ => mirror.write(FILE, text.as_bytes(), false),
        }
    }

    /// Names files that are about to be written. Says whether any is new.
    pub(super) fn expect<'a>(&mut self, files: impl Iterator<Item = &'a SourceFile>) -> bool {
        let before = self.files.len();
        for file in files {
            self.files.entry(file.place.clone()).or_default();
        }
        self.files.len() > before
    }

    /// Returns true if content may be from a sync.
    pub(super) fn wrote(&self, place: &str, hash: &str) -> bool {
        self.files.get(place).is_some_and(|known| known.is_empty() || known == hash)
    }
}
