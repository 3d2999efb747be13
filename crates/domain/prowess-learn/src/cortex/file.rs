//! The live export: written after every event, read before anything is answered.
//!
//! An export says how many events it is the fold of. So a file that differs from that fold was changed from
//! outside, and the difference is intended: it becomes an event, and later outcomes are not undone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_cortex::{CortexFile, CortexState, EventKind, Import, read_document, write_document};
use prowess_fs::Lock;
use prowess_text::describe_error;
use serde::Serialize;

use super::{Cortex, CortexError};

/// The time to wait for another process that holds the file.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(30);
/// Damaged files that are kept; after that the first gives way.
const MAX_KEPT: u32 = 1000;
/// A cortex is far smaller.
pub const MAX_BYTES: u64 = 32 << 20;

/// An export that could not be read.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Damaged {
    /// What is wrong with it.
    pub problem: String,
    /// Where its bytes are now.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub kept: PathBuf,
}

impl Cortex<'_> {
    /// Merges the changes made in the file; a file that cannot be read is set aside.
    pub(super) fn absorb(&mut self) -> Result<(), CortexError> {
        if !prowess_fs::is_taken(&self.file) {
            return Ok(());
        }
        let _lock = Lock::acquire(&self.file, LOCK_TIMEOUT)?;
        self.merge_file()
    }

    /// Writes the file anew, with the changes made in it meanwhile.
    pub(super) fn export(&mut self) -> Result<(), CortexError> {
        let _lock = Lock::acquire(&self.file, LOCK_TIMEOUT)?;
        self.merge_file()?;
        let text = write_document(&self.state()?.export());
        prowess_fs::write_atomic(&self.file, text.as_bytes(), Some(0o600))?;
        self.damaged = None;
        Ok(())
    }

    fn merge_file(&mut self) -> Result<(), CortexError> {
        let bytes = match prowess_fs::read_file(&self.file, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        match read_document(&bytes) {
            Ok(document) => self.merge(&document),
            Err(problem) => {
                let kept = set_aside(&self.file, &bytes)?;
                self.damaged = Some(Damaged { problem: describe_error(&problem), kept });
                Ok(())
            }
        }
    }

    /// Records what a document changes. Returns whether it changes anything.
    fn merge(&mut self, document: &CortexFile) -> Result<(), CortexError> {
        let state = self.state()?;
        let import = match document.events {
            // A file of more rows than there are is what is left of a log that was lost.
            Some(count) if count <= state.events() => {
                let base = self.fold_of(count, &state)?;
                Import::edited(&base.export(), document)
            }
            _ => Import::merged(&state, document),
        };
        if let Some(import) = import.filter(|import| !state.has_imported(import)) {
            let event = self.event(EventKind::Imported(Box::new(import)));
            self.log.append(&event)?;
        }
        Ok(())
    }

    /// The fold of the first events.
    fn fold_of(&self, count: u64, now: &CortexState) -> Result<CortexState, CortexError> {
        if count == now.events() {
            return Ok(now.clone());
        }
        let events = self.log.read_first(count)?;
        Ok(CortexState::replay(events.iter().map(|logged| &logged.event), self.rules))
    }

    /// Merges a file from elsewhere. Returns whether there was anything new in it.
    pub fn import(&mut self, path: &Path) -> Result<bool, CortexError> {
        self.merge_bytes(&prowess_fs::read_file(path, MAX_BYTES)?, path)
    }

    /// Merges the text of an export from elsewhere, as [`import`](Self::import) does.
    pub fn import_text(&mut self, text: &str) -> Result<bool, CortexError> {
        self.merge_bytes(text.as_bytes(), Path::new("the text"))
    }

    fn merge_bytes(&mut self, bytes: &[u8], path: &Path) -> Result<bool, CortexError> {
        let mut document =
            read_document(bytes).map_err(|source| CortexError::Import { path: path.to_owned(), source })?;
        // Its events are those of another log.
        document.events = None;
        let before = self.log.count()?;
        self.merge(&document)?;
        self.export()?;
        Ok(self.log.count()? > before)
    }

    /// The text of an export.
    pub fn exported(&self) -> Result<String, CortexError> {
        Ok(write_document(&self.state()?.export()))
    }
}

/// Moves bytes beside their file, under a name that is free. The file itself stays until it is written anew.
fn set_aside(file: &Path, bytes: &[u8]) -> Result<PathBuf, CortexError> {
    let named = |number: u32| {
        let mut name = file.as_os_str().to_owned();
        name.push(".bak");
        if number > 0 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    };
    let is_same = |path: &Path| prowess_fs::read_file(path, MAX_BYTES).is_ok_and(|kept| kept == bytes);
    let free = |path: &PathBuf| !prowess_fs::is_taken(path) || is_same(path);
    let kept = (0..MAX_KEPT).map(named).find(free).unwrap_or_else(|| named(0));
    prowess_fs::write_atomic(&kept, bytes, Some(0o600))?;
    Ok(kept)
}
