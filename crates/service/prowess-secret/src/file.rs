//! Secrets in a file that only the user can read.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use prowess_fs::FinalLink;
use prowess_types::Secret;
use serde_json::Value;

use crate::error::SecretProblem;

/// The id of the only secret in a file.
const ONLY: &str = "value";

/// Reads one secret. A file system that does not answer in time is given up.
pub(crate) fn read(
    id: &str,
    path: &Path,
    single_value: bool,
    timeout: Duration,
    max_bytes: u64,
) -> Result<Secret, SecretProblem> {
    match (single_value, id) {
        (true, ONLY) => {}
        (true, _) => return Err(SecretProblem::BadId("`value`, since its file holds a single secret")),
        (false, pointer) if pointer.starts_with('/') => {}
        (false, _) => return Err(SecretProblem::BadId("a JSON pointer such as `/providers/weather/key`")),
    }
    let text = read_in_time(path.to_owned(), timeout, max_bytes)?;
    if single_value {
        let value = text.strip_suffix('\n').unwrap_or(&text);
        return Ok(Secret::new(value.strip_suffix('\r').unwrap_or(value)));
    }
    // The parser's message could quote the file.
    let value: Value = serde_json::from_str(&text).map_err(|_| SecretProblem::BadFile("JSON"))?;
    if !value.is_object() {
        return Err(SecretProblem::BadFile("a JSON object"));
    }
    match value.pointer(id) {
        Some(Value::String(secret)) => Ok(Secret::new(secret)),
        Some(_) => Err(SecretProblem::BadFile("JSON with a string in that place")),
        None => Err(SecretProblem::Missing),
    }
}

fn read_in_time(path: PathBuf, timeout: Duration, max_bytes: u64) -> Result<String, SecretProblem> {
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(read_private(&path, max_bytes));
    });
    answer.recv_timeout(timeout).map_err(|_| SecretProblem::TimedOut(timeout.as_millis()))?
}

fn read_private(path: &Path, max_bytes: u64) -> Result<String, SecretProblem> {
    let contents =
        prowess_fs::read_stamped(path, max_bytes, FinalLink::Refuse).map_err(SecretProblem::Read)?;
    if let Some(problem) = prowess_fs::exposure(path) {
        return Err(SecretProblem::Exposed { path: path.to_owned(), problem });
    }
    String::from_utf8(contents.bytes).map_err(|_| SecretProblem::BadFile("text"))
}
