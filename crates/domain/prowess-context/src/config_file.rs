//! The user's config file as clients of a gateway read and write it: with a hash, without secrets.
//!
//! Every write happens under the file's lock, from a fresh read, and only if the file still is what the client has
//! read. So two clients lose nothing: the second has to read again.

use std::fmt;

use prowess_config::{
    Config, ConfigIssue, KeyPath, KeyPathError, Loosening, ReviseError, Revised, content_hash,
};
use prowess_fs::UpdateError;
use serde::Serialize;
use serde_json::Value;

use crate::context::{Context, ContextError, LOCK_TIMEOUT, read_config};

/// Settings that may be changed without the hash of the file: preferences of the screen.
const PREFERENCES: [&str; 2] = ["ui", "prefs"];

/// The config file at a moment.
#[derive(Clone, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigSnapshot {
    /// Where it is.
    pub path: String,
    /// Whether it is there.
    pub exists: bool,
    /// Always null: the text could hold secrets.
    pub raw: Option<String>,
    /// What the file says, in its own spelling, secrets masked.
    pub parsed: Value,
    /// The same: what a client changes and sends back.
    pub config: Value,
    /// Everything that holds, defaults included, secrets masked.
    pub runtime_config: Value,
    /// Whether nothing in it had to be left aside.
    pub valid: bool,
    /// The hash of its text, to send back with a change.
    pub hash: String,
    /// What is wrong and therefore not used.
    pub issues: Vec<ConfigProblem>,
    /// What is odd and is used or kept all the same.
    pub warnings: Vec<ConfigProblem>,
    /// Nothing here is kept in a form that has to be converted.
    pub legacy_issues: Vec<ConfigProblem>,
}

/// A problem in the config file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ConfigProblem {
    /// The key; empty if it is about the whole file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// The line in the file, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The consent to a change of settings that loosens the sandbox, approvals, tool policy or access to the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteConsent<'a> {
    /// The owner of the home, who could edit the file as well.
    Owner,
    /// A client of a gateway. It may loosen only what a person confirmed, by its [digest](Loosening::digest).
    Client {
        /// The loosening that was confirmed, if one was.
        confirmed: Option<&'a str>,
    },
}

impl WriteConsent<'_> {
    /// Returns true if a loosening may be written.
    pub(crate) fn covers(self, loosening: &Loosening) -> bool {
        match self {
            Self::Owner => true,
            Self::Client { confirmed } => {
                loosening.is_empty() || confirmed == Some(loosening.digest.as_str())
            }
        }
    }
}

/// The reason the config file is not changed. The words about hashes are those that clients know.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigWriteError {
    /// The client does not say what it has read.
    #[error("config base hash required; re-run config.get and retry")]
    HashRequired,
    /// The client does not say what it has read, and its patch is not about preferences alone.
    #[error("config base hash required for {0}; re-run config.get and retry with baseHash")]
    HashRequiredFor(String),
    /// Another client changed it first.
    #[error("config changed since last load; re-run config.get and retry")]
    Stale,
    /// The text that was sent is not valid.
    #[error("`raw` is not JSON5: {0}")]
    Raw(#[source] prowess_json5::Json5ParseError),
    /// A patch must be an object.
    #[error("a patch must be an object")]
    PatchShape,
    /// A path of a patch is none.
    #[error(transparent)]
    Path(#[from] KeyPathError),
    /// The change loosens something, and a person has to confirm it first.
    #[error("a person has to confirm this change: {}", keys_of(.0))]
    NeedsConfirmation(Loosening),
    /// The change is refused.
    #[error(transparent)]
    Revise(#[from] ReviseError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The file cannot be read or written.
    #[error("cannot change the config file: {0}")]
    File(String),
}

impl prowess_types::Classify for ConfigWriteError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::HashRequired | Self::HashRequiredFor(_) | Self::Stale => Is(ErrorKind::Stale),
            Self::Raw(_) | Self::PatchShape | Self::Path(_) | Self::Revise(_) => Is(ErrorKind::InvalidValue),
            Self::NeedsConfirmation(_) => Is(ErrorKind::NeedsConfirmation),
            Self::File(_) => Is(ErrorKind::Files),
        }
    }
}

impl Context {
    /// The config file as it is now.
    pub fn config_snapshot(&self) -> Result<ConfigSnapshot, ContextError> {
        let file = &self.places().config_file;
        let text = read_config(file)?;
        let (config, issues) = Config::parse(text.as_deref(), file, self.profile().name);
        let shown =
            self.revised(text.as_deref()).shown().unwrap_or_else(|_| Value::Object(serde_json::Map::new()));
        let (issues, warnings): (Vec<_>, Vec<_>) = issues.into_iter().partition(is_unused);
        Ok(ConfigSnapshot {
            path: file.display().to_string(),
            exists: text.is_some(),
            raw: None,
            parsed: shown.clone(),
            config: shown,
            runtime_config: config.masked(),
            valid: issues.is_empty(),
            hash: content_hash(text.as_deref().unwrap_or_default()),
            issues: issues.into_iter().map(ConfigProblem::from).collect(),
            warnings: warnings.into_iter().map(ConfigProblem::from).collect(),
            legacy_issues: Vec::new(),
        })
    }

    /// Replaces everything in the config file by what a client sends.
    pub fn set_config(
        &self,
        raw: &str,
        base_hash: Option<&str>,
        consent: WriteConsent<'_>,
    ) -> Result<ConfigSnapshot, ConfigWriteError> {
        let config = prowess_json5::to_value(raw).map_err(ConfigWriteError::Raw)?;
        self.revise(consent, |text| {
            check_hash(text, base_hash, || ConfigWriteError::HashRequired)?;
            Ok(self.revised(text).replace(config)?)
        })?;
        Ok(self.config_snapshot()?)
    }

    /// Merges a patch into the config file; lists whose path is in `replace` are replaced as a whole.
    pub fn patch_config(
        &self,
        raw: &str,
        base_hash: Option<&str>,
        replace: &[String],
        consent: WriteConsent<'_>,
    ) -> Result<ConfigSnapshot, ConfigWriteError> {
        let patch = prowess_json5::to_value(raw).map_err(ConfigWriteError::Raw)?;
        if !patch.is_object() {
            return Err(ConfigWriteError::PatchShape);
        }
        let replace = replace.iter().map(|path| KeyPath::parse(path)).collect::<Result<Vec<_>, _>>()?;
        let mut touched = Vec::new();
        leaves(&patch, &mut Vec::new(), &mut touched);
        let is_preference = |path: &Vec<String>| path.starts_with(&PREFERENCES.map(str::to_owned));
        let serious: Vec<String> =
            touched.iter().filter(|path| !is_preference(path)).map(|path| path.join(".")).collect();
        self.revise(consent, |text| {
            if base_hash.is_some() || !serious.is_empty() {
                check_hash(text, base_hash, || ConfigWriteError::HashRequiredFor(serious.join(", ")))?;
            }
            Ok(self.revised(text).patch(&patch, &replace)?)
        })?;
        Ok(self.config_snapshot()?)
    }

    /// Changes the value of the config file under its lock.
    pub(crate) fn change_config_value<T, E>(
        &self,
        consent: WriteConsent<'_>,
        change: impl FnOnce(&mut Value) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: std::error::Error + From<ReviseError> + From<ConfigWriteError> + 'static,
    {
        let mut answer = None;
        let written = prowess_fs::update_file(&self.places().config_file, LOCK_TIMEOUT, |text| {
            let revised = self.revised(text.as_deref());
            let next = revised.change(|config| change(config).map(|value| answer = Some(value)))?;
            self.check_consent(text.as_deref(), &next, consent)?;
            Ok(Some(next))
        });
        match written {
            Ok(_) => answer.ok_or_else(|| ConfigWriteError::File("nothing was changed".to_owned()).into()),
            Err(UpdateError::Edit(error)) => Err(error),
            Err(other) => Err(ConfigWriteError::File(prowess_text::describe_error(&other)).into()),
        }
    }

    fn revise(
        &self,
        consent: WriteConsent<'_>,
        revise: impl FnOnce(Option<&str>) -> Result<String, ConfigWriteError>,
    ) -> Result<(), ConfigWriteError> {
        let file = &self.places().config_file;
        let written = prowess_fs::update_file(file, LOCK_TIMEOUT, |text| {
            let next = revise(text.as_deref())?;
            self.check_consent(text.as_deref(), &next, consent)?;
            Ok(Some(next))
        });
        written.map(drop).map_err(|error| match error {
            UpdateError::Edit(error) => error,
            other => ConfigWriteError::File(prowess_text::describe_error(&other)),
        })
    }

    /// Fails if a change loosens something that its author may not loosen.
    fn check_consent(
        &self,
        text: Option<&str>,
        next: &str,
        consent: WriteConsent<'_>,
    ) -> Result<(), ConfigWriteError> {
        if consent == WriteConsent::Owner {
            return Ok(());
        }
        let loosening = self.revised(text).loosening(next, &|folder| self.is_own_workspace(folder));
        if consent.covers(&loosening) { Ok(()) } else { Err(ConfigWriteError::NeedsConfirmation(loosening)) }
    }

    /// Returns true if the engine makes this folder for an agent: `workspace` or `workspace-…` in the state folder. Runs
    /// cannot put a link in its place, as they could with a folder in their own workspace.
    fn is_own_workspace(&self, folder: &str) -> bool {
        let folder = self.places().expand(folder);
        let name = folder.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        folder.parent() == Some(self.places().state.as_path())
            && (name == "workspace" || name.starts_with("workspace-"))
    }

    fn revised<'a>(&'a self, text: Option<&'a str>) -> Revised<'a> {
        Revised { text, file: &self.places().config_file, profile: self.profile().name }
    }
}

/// Fails unless the file is the one that a client has read. Without a file there is nothing to lose.
fn check_hash(
    text: Option<&str>,
    base_hash: Option<&str>,
    missing: impl FnOnce() -> ConfigWriteError,
) -> Result<(), ConfigWriteError> {
    match (text, base_hash.map(str::trim).filter(|hash| !hash.is_empty())) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(missing()),
        (Some(text), Some(hash)) if content_hash(text) == hash => Ok(()),
        (Some(_), Some(_)) => Err(ConfigWriteError::Stale),
    }
}

/// The keys of a loosening, for a message.
fn keys_of(loosening: &Loosening) -> String {
    let keys: Vec<String> = loosening.changes.iter().map(|change| format!("`{}`", change.key)).collect();
    keys.join(", ")
}

/// The paths that a patch sets.
fn leaves(patch: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match patch {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                path.push(name.clone());
                leaves(member, path, found);
                path.pop();
            }
        }
        _ if path.is_empty() => {}
        _ => found.push(path.clone()),
    }
}

fn is_unused(issue: &ConfigIssue) -> bool {
    use prowess_config::IssueKind::{Unreadable, WrongType};
    matches!(issue.kind, Unreadable | WrongType)
}

impl ConfigProblem {
    /// The problems that a change was refused for.
    pub fn of(error: &ReviseError) -> Vec<Self> {
        match error {
            ReviseError::Invalid(issues) => issues.iter().cloned().map(Self::from).collect(),
            _ => Vec::new(),
        }
    }
}

impl From<ConfigIssue> for ConfigProblem {
    fn from(issue: ConfigIssue) -> Self {
        Self {
            path: issue.key.unwrap_or_default(),
            message: issue.message,
            line: issue.line,
            column: issue.column,
            help: issue.help,
        }
    }
}

/// Values are masked by what their keys are called, which may not be enough for a log.
impl fmt::Debug for ConfigSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigSnapshot")
            .field("path", &self.path)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}
