//! Our entries in the file of a harness, and nobody else's.
//!
//! An entry is ours if it runs the program `prowess` with `hook run` and the name of the harness. Everything else in
//! the file, comments included, stays as it is, byte for byte.

use prowess_json5::{Json5Document, Json5EditError, Json5ParseError};
use serde_json::{Value, json};

use super::{COMPACTED, HookHarness, PROMPT, SESSION_START};

/// Seconds after which the harness goes on without an answer.
const TIMEOUT_SECONDS: u64 = 10;

/// Where our entries stand: the event, and which of its occasions.
const PLACES: [(&str, Option<&str>); 2] = [(PROMPT, None), (SESSION_START, Some(COMPACTED))];

/// The reason a file cannot be changed. It is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// It is not JSON.
    #[error("it is not JSON")]
    Unreadable(#[from] Json5ParseError),
    /// Something has another shape than the harness knows.
    #[error("`{path}` is not {expected}")]
    Shape {
        /// The place in the file.
        path: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The edit has no place.
    #[error(transparent)]
    Edit(#[from] Json5EditError),
}

/// An entry that is ours.
struct Own {
    /// Its place: event, group, handler.
    event: &'static str,
    group: usize,
    handler: usize,
    command: String,
    /// True if nothing else is in its group.
    is_alone: bool,
}

/// The commands that our entries run, one per event.
///
/// ```
/// use prowess_harness::hook::{HookHarness, settings};
/// let codex = HookHarness::find("codex").expect("a row with hooks");
/// let text = settings::install(None, codex, "prowess hook run codex")?;
/// assert_eq!(settings::installed(Some(&text), codex)?.len(), 2);
/// # Ok::<(), prowess_harness::hook::settings::SettingsError>(())
/// ```
pub fn installed(text: Option<&str>, harness: HookHarness) -> Result<Vec<String>, SettingsError> {
    let document = open(text)?;
    Ok(own(&document.value(), harness).into_iter().map(|own| own.command).collect())
}

/// Whether every entry that an installation makes is there and runs `command`.
pub fn is_installed(text: Option<&str>, harness: HookHarness, command: &str) -> Result<bool, SettingsError> {
    Ok(text.is_some_and(|text| install(Some(text), harness, command).as_deref() == Ok(text))
        && !installed(text, harness)?.is_empty())
}

/// The file with our entries, running `command`. Those that are there already are brought up to date.
pub fn install(text: Option<&str>, harness: HookHarness, command: &str) -> Result<String, SettingsError> {
    let mut document = open(text)?;
    let existing = own(&document.value(), harness);
    for entry in &existing {
        let (group, handler) = (entry.group.to_string(), entry.handler.to_string());
        document.set(&["hooks", entry.event, &group, "hooks", &handler, "command"], &json!(command))?;
    }
    for (event, matcher) in PLACES {
        if existing.iter().any(|entry| entry.event == event) {
            continue;
        }
        let handler = json!({ "type": "command", "command": command, "timeout": TIMEOUT_SECONDS });
        let group = match matcher {
            Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
            None => json!({ "hooks": [handler] }),
        };
        match document.value().pointer(&format!("/hooks/{event}")).and_then(Value::as_array) {
            Some(groups) => document.set(&["hooks", event, &groups.len().to_string()], &group)?,
            None => document.set(&["hooks", event], &json!([group]))?,
        }
    }
    Ok(document.into_text())
}

/// The file without our entries. A group, an event or a list of events that is empty then goes too.
pub fn remove(text: &str, harness: HookHarness) -> Result<String, SettingsError> {
    let mut document = open(Some(text))?;
    // From the last to the first, so that the places of the others stay what they are.
    for entry in own(&document.value(), harness).into_iter().rev() {
        let (group, handler) = (entry.group.to_string(), entry.handler.to_string());
        if entry.is_alone {
            document.remove(&["hooks", entry.event, &group])?;
        } else {
            document.remove(&["hooks", entry.event, &group, "hooks", &handler])?;
        }
        let value = document.value();
        let groups = value.pointer(&format!("/hooks/{}", entry.event)).and_then(Value::as_array);
        if groups.is_some_and(Vec::is_empty) {
            document.remove(&["hooks", entry.event])?;
        }
        if document.value().get("hooks") == Some(&json!({})) {
            document.remove(&["hooks"])?;
        }
    }
    Ok(document.into_text())
}

fn open(text: Option<&str>) -> Result<Json5Document, SettingsError> {
    let document = Json5Document::parse_or_empty(text.unwrap_or_default())?;
    let shape = |path: &str, expected| SettingsError::Shape { path: path.to_owned(), expected };
    let value = document.value();
    let root = value.as_object().ok_or_else(|| shape("the file", "an object"))?;
    let hooks = match root.get("hooks") {
        None => return Ok(document),
        Some(hooks) => hooks.as_object().ok_or_else(|| shape("hooks", "an object"))?,
    };
    for (event, groups) in hooks.iter().filter(|(event, _)| PLACES.iter().any(|place| place.0 == *event)) {
        if !groups.is_array() {
            return Err(shape(&format!("hooks.{event}"), "a list"));
        }
    }
    Ok(document)
}

fn own(value: &Value, harness: HookHarness) -> Vec<Own> {
    let mut found = Vec::new();
    for (event, _) in PLACES {
        let groups = value.pointer(&format!("/hooks/{event}")).and_then(Value::as_array);
        for (group, content) in groups.into_iter().flatten().enumerate() {
            let handlers =
                content.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for (handler, content) in handlers.iter().enumerate() {
                let command = content.get("command").and_then(Value::as_str).unwrap_or_default();
                if is_own(command, harness) {
                    let is_alone = handlers.len() == 1;
                    found.push(Own { event, group, handler, command: command.to_owned(), is_alone });
                }
            }
        }
    }
    found
}

/// Returns true if a command line runs our hook: `prowess hook run <harness>`, whatever follows, by any path, and by
/// any name of the harness.
fn is_own(command: &str, harness: HookHarness) -> bool {
    let Some((program, arguments)) = command.split_once(" hook run ") else {
        return false;
    };
    let program = program.trim().trim_matches(['"', '\'']);
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let asked = arguments.split_whitespace().next();
    name == "prowess" && asked.is_some_and(|asked| harness.program().is_called(asked))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
