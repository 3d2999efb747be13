//! The record of what agents did.
//!
//! [`read`] and [`write()`] turn lines of a session into text and back, [`summary`] and [`markdown`] say what happened,
//! [`classify`] says how a run went when nobody said so, [`import`] turns foreign session logs into the same lines.
//!
//! What this crate refuses to do: open files or look at the clock. Unknown entries are kept, never guessed.

mod classify;
mod effects;
mod import;
mod line;
mod markdown;
mod shape;
mod summary;
#[cfg(test)]
mod test_support;
mod turns;

pub use classify::{FailureReading, cause_key, classify, key_of_failure, read_failure};
pub use effects::run_effects;
pub use import::{ImportKind, ImportReport, Imported, import};
pub use line::{MAX_LINE_BYTES, Session, TraceReadError, UnreadLine, UnreadReason, read, write};
pub use markdown::markdown;
pub use shape::{masked_text, secret_spans};
pub use summary::{PromptSummary, RunSummary, SessionSummary, ToolUse, brings_text, summary};
pub use turns::Turns;
