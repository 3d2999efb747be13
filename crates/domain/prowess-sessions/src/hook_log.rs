//! The log of hooks: the texts that they put into contexts, one line each.
//!
//! The message itself is not recorded: it is in the harness's own log, and nowhere else is it needed.

use std::time::Duration;

use prowess_fs::AppendError;
use prowess_harness::hook::HookHarness;
use prowess_types::{ContentHash, FollowUp, FollowUpEffect, PromptedAs, SelectionDecision};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::sessions::{SessionId, Sessions};

/// The file of a session's hook, in its folder.
const FILE: &str = "hook.jsonl";
/// A larger file is not read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The time to wait for another hook of the same session.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// A message and the run that answers it are at most so far apart.
pub(crate) const SAME_MESSAGE_MS: u64 = 60_000;

/// What a hook did once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookRecord {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Which harness it was.
    pub harness: String,
    /// The agent whose skills were looked at.
    pub agent: String,
    /// What it answered.
    #[serde(flatten)]
    pub event: RecordedEvent,
    /// The skills that were put into the context.
    #[serde(default)]
    pub skills: Vec<ShownSkill>,
}

/// What a hook answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RecordedEvent {
    /// A message of the user.
    Prompt {
        /// What was decided.
        #[schemars(with = "String")]
        decision: SelectionDecision,
        /// Probability that the best skill is asked for.
        confidence: f32,
        /// The effect of the turn before, where it had skills in use.
        #[serde(default, rename = "followUp", skip_serializing_if = "Option::is_none")]
        follow_up: Option<FollowUp>,
    },
    /// A compacted context.
    Compacted,
}

/// The names of the skills that the last message brought which was more than thanks; none if no message is recorded.
pub fn skills_in_use(records: &[HookRecord]) -> Option<Vec<String>> {
    let is_turn = |record: &&HookRecord| match &record.event {
        RecordedEvent::Prompt { follow_up, .. } => {
            !follow_up.as_ref().is_some_and(|it| it.effect == FollowUpEffect::Dropped)
        }
        RecordedEvent::Compacted => false,
    };
    let last = records.iter().rfind(is_turn)?;
    let loaded = last.skills.iter().filter(|skill| skill.how != HowShown::Suggestion);
    Some(loaded.map(|skill| skill.name.clone()).collect())
}

/// A skill in a context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownSkill {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// The hash of its text.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// Probability that it was asked for.
    pub confidence: f32,
    /// How it was shown.
    pub how: HowShown,
    /// An estimate of what that costs.
    pub tokens: usize,
}

/// How a skill was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HowShown {
    /// Its whole text, because the message asks for it.
    Text,
    /// The sections of its text and its beginning, because the message asks for it and the text is long.
    Map,
    /// Its name, because the message asks for it and its text is in the context already.
    Again,
    /// Its name and where its text is, because the message asks for it and the text is too long.
    Pointer,
    /// Its name and where its text is, because it may help.
    Suggestion,
}

impl HowShown {
    /// Returns true if the skill's text is in the context.
    pub fn is_loaded(self) -> bool {
        matches!(self, Self::Text | Self::Map | Self::Again)
    }
}

impl From<PromptedAs> for HowShown {
    fn from(how: PromptedAs) -> Self {
        match how {
            PromptedAs::Listed => Self::Suggestion,
            PromptedAs::Text => Self::Text,
            PromptedAs::Map => Self::Map,
            PromptedAs::Pointer => Self::Pointer,
            PromptedAs::Again => Self::Again,
        }
    }
}

impl SessionId {
    /// The session of a harness, as an import would call it.
    pub fn of_harness(harness: HookHarness, id: &str) -> Self {
        let named = format!("{}-{id}", harness.name());
        named.parse().unwrap_or_else(|_| Self::hashed(harness.name(), &Sha256::digest(id.as_bytes())))
    }
}

impl Sessions {
    /// Returns the records of hooks in a session, in order. A line that is not a record is left out.
    pub fn hook_records(&self, id: &SessionId) -> Vec<HookRecord> {
        let bytes = prowess_fs::read_file(&self.folder_of(id).join(FILE), MAX_BYTES).unwrap_or_default();
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    /// The sessions that hooks took part in.
    pub fn hooked(&self) -> Vec<SessionId> {
        let folders = prowess_fs::subfolders(self.folder()).into_iter();
        let hooked = folders.filter(|folder| prowess_fs::is_taken(&folder.join(FILE)));
        hooked.filter_map(|folder| folder.file_name()?.to_str()?.parse().ok()).collect()
    }

    /// The session that hooks took part in and that is meant by its id, the beginning of one, or the harness's id.
    pub(crate) fn find_hooked(&self, text: &str) -> Option<SessionId> {
        let ids = self.hooked();
        let is_meant = |id: &&SessionId| {
            let own = id.as_str();
            let foreign =
                HookHarness::all().find_map(|harness| own.strip_prefix(harness.name())?.strip_prefix('-'));
            !text.is_empty()
                && (own == text || own.starts_with(text) || foreign.is_some_and(|id| id.starts_with(text)))
        };
        let mut meant = ids.iter().filter(is_meant);
        let first = meant.next()?;
        meant.next().is_none().then(|| first.clone())
    }

    /// Appends a record to those of a session.
    pub fn record_hook(&self, id: &SessionId, record: &HookRecord) -> Result<(), AppendError> {
        let line = serde_json::to_string(record).unwrap_or_default();
        prowess_fs::append_line(&self.folder_of(id).join(FILE), &line, LOCK_TIMEOUT)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = HookRecord {
            at: 7,
            harness: "codex".to_owned(),
            agent: "main".to_owned(),
            event: RecordedEvent::Prompt {
                decision: SelectionDecision::Load,
                confidence: 0.5,
                follow_up: None,
            },
            skills: vec![ShownSkill {
                name: "weather".to_owned(),
                path: "/s/weather/SKILL.md".to_owned(),
                content_hash: ContentHash([7; 32]),
                confidence: 0.5,
                how: HowShown::Text,
                tokens: 12,
            }],
        };
        let text = serde_json::to_string(&record).expect("JSON");
        assert!(text.contains(r#""event":"prompt","decision":"load""#), "{text}");
        assert_eq!(serde_json::from_str::<HookRecord>(&text).expect("a record"), record);
    }

    #[test]
    fn a_session_is_called_as_its_import_would_be() {
        let codex = HookHarness::find("codex").expect("a row with hooks");
        let id = SessionId::of_harness(codex, "019a");
        assert_eq!(id.as_str(), "codex-019a");
        let strange = SessionId::of_harness(codex, "../../etc");
        assert!(strange.as_str().starts_with("codex-") && !strange.as_str().contains('/'), "{strange}");
    }
}
