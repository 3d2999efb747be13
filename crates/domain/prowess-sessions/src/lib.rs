//! Records of runs: sessions and their prompts, usage, replay of histories, resume after a compaction.
//!
//! A record says what happened; nothing here guesses.

mod hook_log;
mod hosted;
pub mod replay;
pub mod resume;
mod session_snapshot;
mod sessions;
pub mod usage;

pub use hook_log::{HookRecord, HowShown, RecordedEvent, ShownSkill, skills_in_use};
pub use hosted::Hosted;
pub use session_snapshot::{Opened, SessionSnapshot, SessionSnapshotError, StoredSnapshot};
pub use sessions::{
    ExportFormat, ImportedSession, InvalidSessionId, KeptPrompt, PromptDifference, PromptPart,
    PromptPartDifference, Rated, Rating, RunId, SentPrompt, SessionCache, SessionError, SessionFilter,
    SessionId, SessionKey, SessionListing, SessionSettings, SessionWriter, Sessions, StoredPrompt,
    StoredSession,
};
