//! Changes to a config file, made in its text so that comments and order survive.

use prowess_json5::{Json5Document, Json5ParseError};
use prowess_types::{ContentHash, ProfileName};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::issue::IssueKind;
use crate::layer::{PROJECT_KEYS, strs};
use crate::{KeyPath, KeyPathError, keypath, redact, spelling, validate};

/// One change.
#[derive(Clone, PartialEq)]
pub enum ConfigEdit {
    /// Gives a key a value.
    Set(KeyPath, Value),
    /// Takes a key out; nothing happens where it is not there.
    Unset(KeyPath),
}

/// The file that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigFile {
    /// The user's, which a profile shares with its engine.
    User(ProfileName),
    /// The file of a workspace.
    Project,
}

/// The reason a config file cannot be changed as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigEditError {
    /// The file cannot be read, so it is not touched.
    #[error("the config cannot be read: {0}")]
    Unreadable(#[source] Json5ParseError),
    /// A known key would get a value of the wrong type.
    #[error("{0}")]
    WrongType(String),
    /// The engine that shares the file would refuse it.
    #[error("{0}")]
    Foreign(String),
    /// A project may not set it.
    #[error("`{0}` cannot be set in a project's config, only `skills.modes` and `skills.bundles` can")]
    NotForProjects(KeyPath),
    /// What stands in the place of a secret would be written over the secret.
    #[error("`{0}` would be set to the placeholder of a secret")]
    Placeholder(KeyPath),
    /// The value contains a name that must not be set.
    #[error(transparent)]
    Refused(#[from] KeyPathError),
    /// There is no place for it in the file.
    #[error(transparent)]
    NoPlace(#[from] prowess_json5::Json5EditError),
}

impl prowess_types::Classify for ConfigEditError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Unreadable(_) => Is(ErrorKind::Config),
            Self::WrongType(_)
            | Self::Foreign(_)
            | Self::NotForProjects(_)
            | Self::Placeholder(_)
            | Self::Refused(_)
            | Self::NoPlace(_) => Is(ErrorKind::InvalidValue),
        }
    }
}

/// The text of a config file with some changes. `None` means that there is no file yet.
///
/// Either all changes are made or none. Only what differs is written.
///
/// ```
/// # use prowess_config::{ConfigEdit, ConfigFile, KeyPath, edit};
/// # use prowess_types::{ContentHash, ProfileName};
/// let change = ConfigEdit::Set(KeyPath::parse("skills.load.watch")?, false.into());
/// let text = edit(Some("{\n  // mine\n}\n"), &[change], ConfigFile::User(ProfileName::Prowess))?;
/// assert!(text.starts_with("{\n  // mine\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edit(text: Option<&str>, changes: &[ConfigEdit], file: ConfigFile) -> Result<String, ConfigEditError> {
    let mut document =
        Json5Document::parse_or_empty(text.unwrap_or_default()).map_err(ConfigEditError::Unreadable)?;
    for change in changes {
        let key = match change {
            ConfigEdit::Set(key, _) | ConfigEdit::Unset(key) => key,
        };
        let path = spelling::canonical(&key.as_strs());
        let spelled = spelling::in_file(&document.value(), &strs(&path));
        match change {
            ConfigEdit::Set(_, value) => {
                check(key, &path, value, file)?;
                document.set(&strs(&spelled), value)?;
            }
            ConfigEdit::Unset(_) => {
                document.remove(&strs(&spelled))?;
            }
        }
    }
    Ok(document.into_text())
}

fn check(key: &KeyPath, path: &[String], value: &Value, file: ConfigFile) -> Result<(), ConfigEditError> {
    ConfigEditError::check_type(path, value)?;
    if let Some(name) = keypath::refused_name(value) {
        return Err(KeyPathError::Refused(name.into()).into());
    }
    let name = match file {
        ConfigFile::User(name) => name,
        ConfigFile::Project => {
            let is_allowed = matches!(path, [skills, name, ..] if skills == "skills" && PROJECT_KEYS.contains(&name.as_str()));
            if !is_allowed {
                return Err(ConfigEditError::NotForProjects(key.clone()));
            }
            ProfileName::Prowess
        }
    };
    if redact::contains_placeholder(value) {
        return Err(ConfigEditError::Placeholder(key.clone()));
    }
    let foreign =
        validate::problems(&strs(path), value).into_iter().find(|problem| problem.kind == IssueKind::Foreign);
    match foreign {
        Some(problem) if name == ProfileName::Openclaw => Err(ConfigEditError::Foreign(problem.message)),
        _ => Ok(()),
    }
}

impl ConfigEditError {
    /// An error if a known key at or below a path would get a value of the wrong type.
    pub(crate) fn check_type(path: &[String], value: &Value) -> Result<(), Self> {
        let problems = validate::problems(&strs(path), value);
        match problems.into_iter().find(|problem| problem.kind == IssueKind::WrongType) {
            Some(problem) => Err(Self::WrongType(problem.message)),
            None => Ok(()),
        }
    }
}

/// A value may be a secret, so only the key is shown.
impl std::fmt::Debug for ConfigEdit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Set(key, _) => write!(f, "Set({key})"),
            Self::Unset(key) => write!(f, "Unset({key})"),
        }
    }
}

/// SHA-256 of a text as lower-case hex, to notice that a file was changed in between.
pub fn content_hash(text: &str) -> String {
    ContentHash(Sha256::digest(text).into()).to_string()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
