//! A config file as clients of a gateway read and write it: as one value, without secrets.
//!
//! Whatever a client sends is written as the difference to what is there, so comments and the order of what did not
//! change survive.

use std::path::Path;

use prowess_json5::{Json5Document, Json5ParseError};
use prowess_types::ProfileName;
use serde_json::{Map, Value};

use crate::issue::{ConfigIssue, IssueKind};
use crate::keypath::{self, display};
use crate::{Config, KeyPath, KeyPathError, agents_list, kind, redact, restore};

/// The reason a config file is not changed as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviseError {
    /// The file cannot be read, so it is not touched.
    #[error("the config cannot be read: {0}")]
    Unreadable(#[source] Json5ParseError),
    /// It must be an object.
    #[error("the config must be an object, not {0}")]
    NotAnObject(&'static str),
    /// It would be worse than before.
    #[error("invalid config: {}", first(.0))]
    Invalid(Vec<ConfigIssue>),
    /// What stands in the place of a secret was sent where no secret is.
    #[error(
        "`{0}` is the placeholder of a secret, and there is no secret to put back; send the secret itself"
    )]
    NoSecret(String),
    /// A list would lose something without being named.
    #[error(
        "`{path}` has {from} entries and would have {to}; name it in `replacePaths` to replace the list as a whole"
    )]
    Shrinks {
        /// The list.
        path: String,
        /// The number of entries that it has.
        from: usize,
        /// The number of entries that it would have.
        to: usize,
    },
    /// A name that must not be set.
    #[error(transparent)]
    Refused(#[from] KeyPathError),
    /// There is no place for it in the file.
    #[error(transparent)]
    NoPlace(#[from] prowess_json5::Json5EditError),
}

impl prowess_types::Classify for ReviseError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::InvalidValue)
    }
}

/// Which file is revised, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Revised<'a> {
    /// What it says now; none if there is no file.
    pub text: Option<&'a str>,
    /// The config file.
    pub file: &'a Path,
    /// Whose config it is.
    pub profile: ProfileName,
}

impl Revised<'_> {
    /// Everything in the file, in its own spelling, secrets masked. Agents are always a list, too.
    pub fn shown(self) -> Result<Value, ReviseError> {
        let mut value = self.document()?.value();
        redact::redact(&mut value, &[], redact::MASK);
        agents_list::show_list(&mut value);
        Ok(value)
    }

    /// The text with everything replaced by `config`. Masks get their secrets back.
    ///
    /// ```
    /// # use prowess_config::Revised;
    /// # use prowess_types::ProfileName;
    /// let text = Some("{\n  // mine\n  gateway: {auth: {token: 'secret'}},\n}\n");
    /// let file = Revised { text, file: "config.json".as_ref(), profile: ProfileName::Prowess };
    /// let mut config = file.shown()?;
    /// config["gateway"]["port"] = 4000.into();
    /// assert_eq!(file.replace(config)?, "{\n  // mine\n  gateway: {auth: {token: 'secret'}, port: 4000},\n}\n");
    /// # Ok::<(), prowess_config::ReviseError>(())
    /// ```
    pub fn replace(self, mut config: Value) -> Result<String, ReviseError> {
        let document = self.document()?;
        let stored = document.value();
        let mut shown = stored.clone();
        redact::redact(&mut shown, &[], redact::MASK);
        agents_list::take_list(&mut config, &shown);
        restore::restore(&mut config, &stored).map_err(ReviseError::NoSecret)?;
        self.write(document, &config)
    }

    /// The text with a patch merged into it: null deletes, objects are joined, objects in lists are joined by their
    /// `id`, other values replace. A list loses entries only if it is named in `replace`.
    pub fn patch(self, patch: &Value, replace: &[KeyPath]) -> Result<String, ReviseError> {
        let document = self.document()?;
        let stored = document.value();
        let mut config = stored.clone();
        merge(&mut config, patch, &mut Vec::new(), replace)?;
        restore::restore(&mut config, &stored).map_err(ReviseError::NoSecret)?;
        self.write(document, &config)
    }

    /// The text after a change to its value.
    pub fn change<E: From<ReviseError>>(
        self,
        change: impl FnOnce(&mut Value) -> Result<(), E>,
    ) -> Result<String, E> {
        let document = self.document()?;
        let mut config = document.value();
        change(&mut config)?;
        Ok(self.write(document, &config)?)
    }

    fn document(self) -> Result<Json5Document, ReviseError> {
        Json5Document::parse_or_empty(self.text.unwrap_or_default()).map_err(ReviseError::Unreadable)
    }

    fn write(self, mut document: Json5Document, config: &Value) -> Result<String, ReviseError> {
        if !config.is_object() {
            return Err(ReviseError::NotAnObject(kind::describe(config)));
        }
        if let Some(name) = keypath::refused_name(config) {
            return Err(KeyPathError::Refused(name.into()).into());
        }
        document.set(&[], config)?;
        let text = document.into_text();
        let before = self.problems(self.text);
        let mut problems = self.problems(Some(&text));
        let is_known = |problem: &ConfigIssue| {
            before.iter().any(|known| known.key == problem.key && known.message == problem.message)
        };
        problems.retain(|problem| !is_known(problem));
        if problems.is_empty() { Ok(text) } else { Err(ReviseError::Invalid(problems)) }
    }

    /// Returns the problems in a text that are a reason to refuse it.
    fn problems(self, text: Option<&str>) -> Vec<ConfigIssue> {
        let (_, issues) = Config::parse(text, self.file, self.profile);
        let is_reason = |issue: &ConfigIssue| {
            matches!(issue.kind, IssueKind::Unreadable | IssueKind::WrongType | IssueKind::Foreign)
        };
        issues.into_iter().filter(is_reason).collect()
    }
}

/// A merge patch that knows lists of objects with ids.
fn merge(
    target: &mut Value,
    patch: &Value,
    path: &mut Vec<String>,
    replace: &[KeyPath],
) -> Result<(), ReviseError> {
    match (&mut *target, patch) {
        (_, Value::Object(members)) => {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            for (name, member) in members {
                let Value::Object(fields) = target else { break };
                if member.is_null() {
                    fields.shift_remove(name);
                    continue;
                }
                path.push(name.clone());
                merge(fields.entry(name.clone()).or_insert(Value::Null), member, path, replace)?;
                path.pop();
            }
        }
        (Value::Array(old), Value::Array(new)) if !replace.iter().any(|named| named.segments() == path) => {
            if has_ids(old) && has_ids(new) {
                for element in new {
                    match old.iter_mut().find(|known| known.get("id") == element.get("id")) {
                        Some(known) => merge(known, element, path, replace)?,
                        None => old.push(element.clone()),
                    }
                }
            } else if new.len() < old.len() {
                return Err(ReviseError::Shrinks { path: display(path), from: old.len(), to: new.len() });
            } else {
                old.clone_from(new);
            }
        }
        _ => *target = patch.clone(),
    }
    Ok(())
}

/// Returns true if a list holds objects that can be told apart.
fn has_ids(list: &[Value]) -> bool {
    !list.is_empty() && list.iter().all(|element| element.get("id").is_some_and(Value::is_string))
}

fn first(issues: &[ConfigIssue]) -> String {
    issues.first().map_or_else(String::new, |issue| {
        let place = issue.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!("{}{place}", issue.message)
    })
}

#[cfg(test)]
#[path = "revise_tests.rs"]
mod tests;
