//! The settings of one session: `settings.json` beside its lines.

use prowess_fs::UpdateError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{LOCK_TIMEOUT, SessionError, SessionId, Sessions};

/// A larger file is not a file of settings.
const MAX_BYTES: u64 = 1024 * 1024;

/// What somebody set for one session. Fields that are unknown here stay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSettings {
    /// Who answers, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How long the model should think, in the words of whoever set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_level: Option<String>,
    /// What people call the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What others set.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Sessions {
    /// Returns the settings of a session; empty ones where the file is missing or damaged.
    pub fn settings(&self, id: &SessionId) -> SessionSettings {
        let bytes = prowess_fs::read_file(&self.settings_file(id), MAX_BYTES).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Changes what is set for a session, atomically and from a fresh read.
    pub fn change_settings(
        &self,
        id: &SessionId,
        change: impl FnOnce(&mut SessionSettings),
    ) -> Result<SessionSettings, SessionError> {
        prowess_fs::create_folder(&self.folder_of(id))?;
        let mut settings = SessionSettings::default();
        let edit = |old: Option<String>| {
            settings = old.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            change(&mut settings);
            serde_json::to_string_pretty(&settings).map(|text| Some(text + "\n"))
        };
        prowess_fs::update_file(&self.settings_file(id), LOCK_TIMEOUT, edit).map_err(
            |error: UpdateError<serde_json::Error>| SessionError::Replace {
                id: id.clone(),
                source: Box::new(error),
            },
        )?;
        Ok(settings)
    }

    fn settings_file(&self, id: &SessionId) -> std::path::PathBuf {
        self.folder_of(id).join("settings.json")
    }
}
