//! Reading and writing `cortex.json`.
//!
//! The log is the truth; the file is its export. So a file that cannot be read costs nothing but a search: work goes on
//! with an empty cortex, and the file is written anew after the task.

use serde::Serialize;

use crate::CortexFile;

/// Larger files are not read: a full cortex is far below this.
const MAX_BYTES: usize = 16 << 20;

/// Longer lists are cut before anything is compared: a full cortex is far below this.
const MAX_ITEMS: usize = 1_000;

/// The reason a file is not a cortex.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It is larger than any cortex.
    #[error("the file has {0} bytes, more than any cortex")]
    TooLarge(usize),
    /// It is not JSON, or not of the documented shape.
    #[error("the file is damaged (line {line}, column {column})")]
    Damaged {
        /// Where, from 1.
        line: usize,
        /// Where, from 1.
        column: usize,
        /// The problem.
        #[source]
        source: serde_json::Error,
    },
    /// It is of another version.
    #[error("the file has version {0}, this program reads version 1")]
    Version(u64),
}

/// What a file gave.
#[derive(Debug)]
pub struct Reading {
    /// What is in it; empty if it cannot be read.
    pub document: CortexFile,
    /// True if the registry has to be searched at once, because there is nothing to look up.
    pub is_degraded: bool,
    /// The reason it cannot be read: set the bytes aside and write the file anew after the task.
    pub problem: Option<FileError>,
}

/// Reads a file. Weights and confidences are brought between 0 and 1; fields nobody knows are kept.
pub fn read_document(bytes: &[u8]) -> Result<CortexFile, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError::TooLarge(bytes.len()));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut document: CortexFile = serde_json::from_slice(bytes).map_err(|source| FileError::Damaged {
        line: source.line(),
        column: source.column(),
        source,
    })?;
    if document.version != 1 {
        return Err(FileError::Version(document.version));
    }
    document.clamp();
    Ok(document)
}

/// Reads a file that may be missing or damaged, and goes on without it.
pub fn recover(bytes: Option<&[u8]>) -> Reading {
    let Some(bytes) = bytes else {
        return Reading { document: CortexFile::default(), is_degraded: true, problem: None };
    };
    match read_document(bytes) {
        Ok(document) => Reading { document, is_degraded: false, problem: None },
        Err(problem) => {
            Reading { document: CortexFile::default(), is_degraded: true, problem: Some(problem) }
        }
    }
}

/// The text of the file: indented, numbers in their shortest exact form, a line feed at the end.
pub fn write_document(document: &CortexFile) -> String {
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"  ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    // Maps have text keys and numbers are finite: nothing here can fail.
    let written = document.serialize(&mut serializer);
    debug_assert!(written.is_ok());
    text.push(b'\n');
    String::from_utf8_lossy(&text).into_owned()
}

impl CortexFile {
    /// Brings numbers and lists into their range; a file may say anything.
    pub(crate) fn clamp(&mut self) {
        let memory = &mut self.cortex;
        memory.sensory.patterns.truncate(MAX_ITEMS);
        for pattern in &mut memory.sensory.patterns {
            pattern.signal.drain(..pattern.signal.len().saturating_sub(MAX_ITEMS));
            pattern.vectors.truncate(MAX_ITEMS);
        }
        memory.motor.values_mut().for_each(|region| region.candidates.truncate(MAX_ITEMS));
        memory.prefrontal.lessons.truncate(MAX_ITEMS);
        self.ledger.truncate(MAX_ITEMS);
        let candidates = self.cortex.motor.values_mut().flat_map(|region| &mut region.candidates);
        candidates.for_each(|candidate| candidate.weight = candidate.weight.clamp(0.0, 1.0));
        for lesson in &mut self.cortex.prefrontal.lessons {
            lesson.confidence = lesson.confidence.clamp(0.0, 1.0);
        }
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
