//! The user's own cases: corrections of the choice, in one file of the state folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_context::Context;
use prowess_fs::{FileUpdate, UpdateError};
use serde_json::{Value, json};

use super::cases::{MessageCase, list_of, read_cases};
use super::triggers::TriggerIssue;

/// The folder of cases in the state folder, and the file of corrections in it.
const FOLDER: &str = "evals";
const FILE: &str = "cases.json";
/// The time to wait for another writer.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// Characters of a message that are kept.
const MAX_MESSAGE: usize = 8_000;

/// The reason a case was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnCasesError {
    /// The file is not a list of cases, and is left as it is.
    #[error("`{}` is not a file of cases, so nothing was written", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The folder leads out of the state folder.
    #[error(transparent)]
    Escape(#[from] prowess_fs::EscapeError),
    /// The folder cannot be made.
    #[error("cannot make `{}`", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be read or written.
    #[error("cannot write `{}`: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl prowess_types::Classify for OwnCasesError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}

/// The result of adding a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedCase {
    /// It is new, or it replaced an earlier one about the same message.
    Written,
    /// The file has it already.
    Known,
}

/// The file of the user's own cases.
pub fn own_cases_file(context: &Context) -> PathBuf {
    context.places().state.join(FOLDER).join(FILE)
}

/// Reads the user's own cases; none if there is no file yet.
pub fn read_own_cases(context: &Context, issues: &mut Vec<TriggerIssue>) -> Vec<MessageCase> {
    let file = own_cases_file(context);
    if prowess_fs::is_taken(&file) { read_cases(&file, issues) } else { Vec::new() }
}

/// Adds a case to the user's own ones. A later word about the same message replaces the earlier one; everything else in
/// the file stays.
pub fn add_own_case(context: &Context, case: &MessageCase, at: u64) -> Result<AddedCase, OwnCasesError> {
    let state = &context.places().state;
    let folder = state.join(FOLDER);
    let made = prowess_fs::make_private_folders(&folder);
    made.map_err(|source| OwnCasesError::Folder { path: folder.clone(), source })?;
    // A link in the place of the folder or the file could lead anywhere.
    let mut file = prowess_fs::resolve_inside(state, &folder)?.join(FILE);
    if prowess_fs::is_taken(&file) {
        file = prowess_fs::resolve_inside(state, &file)?;
    }
    let edit = |old: Option<String>| with_case(old.as_deref(), case, at, &file).map(Some);
    match prowess_fs::update_file(&file, LOCK_TIMEOUT, edit) {
        Ok(FileUpdate::Written) => Ok(AddedCase::Written),
        Ok(FileUpdate::Unchanged) => Ok(AddedCase::Known),
        Err(UpdateError::Edit(error)) => Err(error),
        Err(error) => Err(OwnCasesError::Write { reason: error.to_string(), path: file.clone() }),
    }
}

/// The text of the file with a case in it.
fn with_case(old: Option<&str>, case: &MessageCase, at: u64, file: &Path) -> Result<String, OwnCasesError> {
    let damaged = || OwnCasesError::Damaged { path: file.to_owned() };
    let mut value = match old.filter(|text| !text.trim().is_empty()) {
        None => json!({ "evals": [] }),
        Some(text) => serde_json::from_str(text).map_err(|_| damaged())?,
    };
    list_of(&value).ok_or_else(damaged)?;
    let key = ["evals", "queries"].into_iter().find(|key| value.get(key).is_some_and(Value::is_array));
    let list = match key {
        Some(key) => value.get_mut(key).and_then(Value::as_array_mut),
        None => value.as_array_mut(),
    };
    let list = list.ok_or_else(damaged)?;
    let message: String = case.message.trim().chars().take(MAX_MESSAGE).collect();
    let says = |entry: &Value| {
        let text = entry.get("query").or_else(|| entry.get("prompt")).and_then(Value::as_str);
        text.is_some_and(|text| text.trim() == message)
    };
    let fields = json!({
        "skill": case.skill,
        "should_trigger": case.should,
        "origin": case.origin.as_str(),
    });
    let is_same = |entry: &Value| {
        ["skill", "should_trigger", "origin"].iter().all(|key| entry.get(key) == fields.get(key))
    };
    match list.iter_mut().find(|entry| says(entry)) {
        Some(entry) if is_same(entry) => return Ok(old.unwrap_or_default().to_owned()),
        Some(entry) => {
            let object = entry.as_object_mut().ok_or_else(damaged)?;
            object.remove("shouldTrigger");
            object.extend(
                fields.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())),
            );
            object.insert("at".to_owned(), json!(at));
        }
        None => {
            let mut entry = json!({ "query": message });
            if let (Some(object), Some(fields)) = (entry.as_object_mut(), fields.as_object()) {
                object.extend(fields.clone());
                object.insert("at".to_owned(), json!(at));
            }
            list.push(entry);
        }
    }
    let text = serde_json::to_string_pretty(&value).map_err(|_| damaged())?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::cases::{CaseKind, CaseOrigin};
    use super::*;

    fn corrected(message: &str, skill: Option<&str>) -> MessageCase {
        MessageCase {
            message: message.to_owned(),
            skill: skill.map(str::to_owned),
            should: skill.is_some(),
            kind: if skill.is_some() { CaseKind::Request } else { CaseKind::None },
            previous: Vec::new(),
            origin: CaseOrigin::Corrected,
        }
    }

    fn add(old: Option<&str>, case: &MessageCase) -> String {
        with_case(old, case, 7, Path::new("cases.json")).expect("a text")
    }

    #[test]
    fn a_case_is_added_once_and_a_later_word_replaces_it() {
        let first = add(None, &corrected("rain?", Some("weather")));
        assert_eq!(add(Some(&first), &corrected(" rain? ", Some("weather"))), first);
        let second = add(Some(&first), &corrected("rain?", None));
        let value: Value = serde_json::from_str(&second).expect("JSON");
        assert_eq!(value["evals"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&value["evals"][0]["skill"], &value["evals"][0]["should_trigger"]),
            (&Value::Null, &json!(false))
        );
    }

    #[test]
    fn fields_that_are_unknown_here_survive() {
        let old = r#"{"owner":"me","queries":[{"prompt":"rain?","skill":"maps","should_trigger":true,"note":"x"},{"query":"b"}]}"#;
        let new: Value =
            serde_json::from_str(&add(Some(old), &corrected("rain?", Some("weather")))).expect("JSON");
        assert_eq!((&new["owner"], &new["queries"][0]["note"]), (&json!("me"), &json!("x")));
        assert_eq!(
            (&new["queries"][0]["skill"], new["queries"].as_array().map(Vec::len)),
            (&json!("weather"), Some(2))
        );
    }

    #[test]
    fn a_damaged_file_is_left_alone() {
        for text in ["{", "{}", "\"x\"", "{\"evals\": 1}"] {
            let result = with_case(Some(text), &corrected("a", None), 7, Path::new("cases.json"));
            assert!(matches!(result, Err(OwnCasesError::Damaged { .. })), "{text}");
        }
    }
}
