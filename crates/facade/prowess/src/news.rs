//! The changes that are shown once to a home made by an earlier version.

use std::path::PathBuf;

use prowess_config::{KeyPath, Layer};
use prowess_context::Context;
use prowess_types::ProfileName;

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

/// The changes that concern a home of an earlier version. Told once: the next call has nothing to tell.
///
/// If that cannot be remembered, on a read-only disk, nothing is shown.
pub(crate) fn news(context: &Context) -> Option<&'static str> {
    let is_new = !has_traces(context) || prowess_fs::is_taken(&news_file(context));
    if is_new || !follows_default(context) {
        return None;
    }
    settle_news(context).then_some(NEWS)
}

/// Remembers that this home needs no news, because this version made it or told them. Tells whether it could.
fn settle_news(context: &Context) -> bool {
    let is_ours = context.profile().name == ProfileName::Prowess;
    is_ours && prowess_fs::write_atomic(&news_file(context), TOLD.as_bytes(), None).is_ok()
}

/// Remembers it for a home in which no agent has run yet.
pub(crate) fn settle_news_of_fresh_home(context: &Context) {
    if !has_traces(context) && !prowess_fs::is_taken(&news_file(context)) {
        settle_news(context);
    }
}

/// Returns true if the home follows the default that changed.
fn follows_default(context: &Context) -> bool {
    let key = KeyPath::parse("skills.prompt.select").ok();
    let origin = key.and_then(|key| context.config().origin_of(&key));
    context.profile().name == ProfileName::Prowess
        && origin.is_none_or(|origin| origin.layer == Layer::Default)
}

fn has_traces(context: &Context) -> bool {
    let state = &context.places().state;
    let sessions = prowess_fs::subfolders(&state.join("sessions"));
    LEARNED.iter().any(|name| prowess_fs::is_taken(&state.join(name)))
        || sessions.iter().take(MAX_SESSIONS).any(|folder| prowess_fs::is_taken(&folder.join(TRACE)))
}

fn news_file(context: &Context) -> PathBuf {
    context.places().state.join(FILE)
}
