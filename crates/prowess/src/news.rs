//! The changes that a home made by an earlier version is told about, once.

use std::path::PathBuf;

use prowess_config::{KeyPath, Layer};
use prowess_types::ProfileName;

use crate::engine::Engine;

/// The file that remembers what was told.
const FILE: &str = "news.json";
/// The content of the file after the changes of this version.
const TOLD: &str = "{\"told\":[\"message-prompt\"]}\n";
/// Files that only a version that ran agents leaves behind.
const LEARNED: [&str; 2] = ["state.db", "cortex.json"];
/// The record of a run, in the folder of its session.
const TRACE: &str = "trace.jsonl";
/// Sessions that are looked at.
const MAX_SESSIONS: usize = 100;

/// The changes since version 0.1, for people.
const NEWS: &str = "\
New in this version: each message gets the skills that fit it, and the text of a skill that it clearly asks for, in front
of it. Before, the model got a list of all skills, cut by the alphabet. All skills on the disk can be chosen now.
To go back: prowess config set skills.prompt.select all
";

impl Engine {
    /// The changes that concern a home of an earlier version. Told once: the next call has nothing to tell.
    ///
    /// Where that cannot be remembered, on a read-only disk, nothing is told.
    pub fn news(&self) -> Option<&'static str> {
        let is_new = !self.has_traces() || prowess_fs::is_taken(&self.news_file());
        if is_new || !self.follows_default() {
            return None;
        }
        self.settle_news().then_some(NEWS)
    }

    /// Remembers that this home needs no news, because this version made it or told them. Tells whether it could.
    fn settle_news(&self) -> bool {
        let is_ours = self.profile().name == ProfileName::Prowess;
        is_ours && prowess_fs::write_atomic(&self.news_file(), TOLD.as_bytes(), None).is_ok()
    }

    /// Remembers it for a home in which no agent has run yet.
    pub fn settle_news_of_fresh_home(&self) {
        if !self.has_traces() && !prowess_fs::is_taken(&self.news_file()) {
            self.settle_news();
        }
    }

    /// Whether the home follows the default that changed.
    fn follows_default(&self) -> bool {
        let key = KeyPath::parse("skills.prompt.select").ok();
        let origin = key.and_then(|key| self.config().origin_of(&key));
        self.profile().name == ProfileName::Prowess
            && origin.is_none_or(|origin| origin.layer == Layer::Default)
    }

    fn has_traces(&self) -> bool {
        let state = &self.places().state;
        let sessions = prowess_fs::subfolders(&state.join("sessions"));
        LEARNED.iter().any(|name| prowess_fs::is_taken(&state.join(name)))
            || sessions.iter().take(MAX_SESSIONS).any(|folder| prowess_fs::is_taken(&folder.join(TRACE)))
    }

    fn news_file(&self) -> PathBuf {
        self.places().state.join(FILE)
    }
}
