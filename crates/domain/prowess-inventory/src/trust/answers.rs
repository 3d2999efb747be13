//! The user's answers on disk: `trust.json` in the state folder, and a file that a CI job inherits.
//!
//! ```json
//! { "version": 1,
//!   "skills": { "<digest>": { "name": "x", "repository": "https://…", "decision": "trusted", "at": "2026-01-02T…" } } }
//! ```
//!
//! The digest is the tree hash of the skill's folder, so an answer ends with the first byte or execute bit that changes.
//! Digests of version 0.1 did not see the execute bit; an answer under one is accepted once and stored again under the
//! tree hash. Fields that are unknown here stay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_fs::{FileUpdate, UpdateError};
use prowess_text::describe_error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the file that is read and written.
const VERSION: u64 = 1;
/// A file larger than this is not read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The time to wait for another process that holds the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// What the user decided about a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Decision")]
pub enum TrustDecision {
    /// It may be offered.
    Trusted,
    /// It may not.
    Refused,
}

/// An answer as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Answer {
    /// The skill's name when it was asked about.
    pub name: String,
    /// Where it was cloned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The decision.
    pub decision: TrustDecision,
    /// When it was made, in the words of whoever made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// The reason answers cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswersError {
    /// The file is damaged.
    #[error("`{}` is not a file of answers: {reason}; repair it or delete it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
}

impl prowess_types::Classify for AnswersError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Damaged)
    }
}

/// One file of answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) file: PathBuf,
    pub(crate) by_digest: BTreeMap<String, Answer>,
    /// The reason it counts as empty.
    pub(crate) issue: Option<String>,
}

impl Answers {
    /// Reads a file. One that is not there is empty; so is a damaged one, with an issue.
    pub(crate) fn read(file: &Path) -> Self {
        let (by_digest, issue) = match prowess_fs::read_file(file, MAX_BYTES) {
            Ok(bytes) => match parse(&String::from_utf8_lossy(&bytes)) {
                Ok(document) => (answers_of(&document), None),
                Err(reason) => (BTreeMap::new(), Some(damaged(file, reason).to_string())),
            },
            Err(error) if error.is_missing() => (BTreeMap::new(), None),
            Err(error) => (BTreeMap::new(), Some(describe_error(&error))),
        };
        Self { file: file.to_owned(), by_digest, issue }
    }

    /// Reads a file that was named explicitly, so that it must exist.
    pub(crate) fn read_inherited(file: &Path) -> Self {
        let mut answers = Self::read(file);
        if answers.issue.is_none() && !prowess_fs::is_taken(file) {
            answers.issue = Some(format!("`{}`, named by `PROWESS_TRUST`, does not exist", file.display()));
        }
        answers
    }
}

/// Changes the answers in a file: atomically, under a lock, from a fresh read. `None` takes an answer away.
pub(crate) fn change(
    file: &Path,
    changes: &[(String, Option<Answer>)],
) -> Result<FileUpdate, UpdateError<AnswersError>> {
    prowess_fs::update_file(file, LOCK_TIMEOUT, |text| {
        let mut document = match text.as_deref() {
            Some(text) => parse(text).map_err(|reason| damaged(file, reason))?,
            None => Map::new(),
        };
        document.entry("version").or_insert_with(|| VERSION.into());
        let skills = document.entry("skills").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(skills) = skills {
            for (digest, answer) in changes {
                match answer {
                    Some(answer) => put(skills, digest, answer),
                    None => _ = skills.remove(digest),
                }
            }
        }
        let text =
            serde_json::to_string_pretty(&document).map_err(|error| damaged(file, error.to_string()))?;
        Ok(Some(text + "\n"))
    })
}

/// Moves answers from old digests to new ones, with every field. An answer under the new digest stays.
pub(crate) fn renew(
    file: &Path,
    moves: &[(String, String)],
) -> Result<FileUpdate, UpdateError<AnswersError>> {
    prowess_fs::update_file(file, LOCK_TIMEOUT, |text| {
        let Some(text) = text.as_deref() else { return Ok(None) };
        let mut document = parse(text).map_err(|reason| damaged(file, reason))?;
        if let Some(Value::Object(skills)) = document.get_mut("skills") {
            for (old, new) in moves {
                if let Some(answer) = skills.remove(old) {
                    skills.entry(new.as_str()).or_insert(answer);
                }
            }
        }
        let text =
            serde_json::to_string_pretty(&document).map_err(|error| damaged(file, error.to_string()))?;
        Ok(Some(text + "\n"))
    })
}

/// Writes an answer over an older one, whose unknown fields stay.
fn put(skills: &mut Map<String, Value>, digest: &str, answer: &Answer) {
    let entry = skills.entry(digest).or_insert_with(|| Value::Object(Map::new()));
    let fields = serde_json::to_value(answer).unwrap_or_default();
    match (entry, fields) {
        (Value::Object(entry), Value::Object(fields)) => entry.extend(fields),
        (entry, fields) => *entry = fields,
    }
}

fn damaged(file: &Path, reason: String) -> AnswersError {
    AnswersError::Damaged { path: file.to_owned(), reason }
}

fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let document: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match document.get("version").map(Value::as_u64) {
        Some(Some(VERSION)) => {}
        Some(Some(newer)) => return Err(format!("its version is {newer}, and only {VERSION} is known")),
        _ => return Err("it has no version".to_owned()),
    }
    match document.get("skills") {
        None | Some(Value::Object(_)) => Ok(document),
        Some(_) => Err("`skills` is not an object".to_owned()),
    }
}

/// The answers that can be understood; others are as good as none.
fn answers_of(document: &Map<String, Value>) -> BTreeMap<String, Answer> {
    let skills = document.get("skills").and_then(Value::as_object);
    let entries = skills.into_iter().flatten();
    entries
        .filter_map(|(digest, answer)| Some((digest.clone(), serde_json::from_value(answer.clone()).ok()?)))
        .collect()
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
