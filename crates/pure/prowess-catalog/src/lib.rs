//! Merges skills by precedence and renders what the model sees.
//!
//! A skill passes through here in this order: [`merge()`] decides who wins a name and keeps the losers
//! visible, [`SortKey`] sorts what is left, [`render`] writes the catalogue within its budget,
//! [`command_specs`] names the slash commands, [`parse_invocation`] finds them in a message, and [`Snapshot`] freezes the result under the hash of its
//! content.
//!
//! What this crate refuses to do: read files, ask the clock, or decide whether a skill can run. Sizes are
//! counted in UTF-16 units throughout, as the peers do, so that the same budget means the same text.

mod command_name;
mod commands;
mod frame;
mod freshness;
mod invocation;
mod merge;
mod order;
mod outline;
mod prompt;
#[cfg(test)]
mod prompt_properties;
mod snapshot;
#[cfg(test)]
mod test_support;
mod tokens;

pub use command_name::CommandNaming;
pub use commands::{CommandCandidate, CommandSource, CommandSpec, command_specs};
pub use frame::{SKILLS_ELEMENT, skill_frame};
pub use freshness::{SnapshotFreshness, StaleReason};
pub use invocation::{MessageInvocation, NamedSkill, SkillReference, parse_invocation, reference_prefix};
pub use merge::{CatalogMerge, MergeCandidate, MergeRules, Winner, merge};
pub use order::{SortKey, compare};
pub use outline::{Section, beginning, outline};
pub use prompt::{Cut, CutReason, PromptContext, PromptEntry, PromptFormat, Rendered, compact_home, render};
pub use snapshot::{
    ResolvedSkill, Snapshot, SnapshotContent, SnapshotDiff, SnapshotSkill, diff, next_version,
};
pub use tokens::{estimate_tokens, split_tokens};
