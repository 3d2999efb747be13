//! Decides whether a skill can run here, and says what is missing.
//!
//! Three questions are kept apart: *can it run* ([`judge`]: the skill's needs against the machine's
//! [`Facts`](prowess_types::Facts)), *may this agent use it* ([`AgentFilter`]), and *what would make it
//! run* ([`install_options`]). An answer always lists every reason, never only the first.
//!
//! What this crate refuses to do: look at the machine. Whoever calls it gathers the facts, starting from
//! [`requirement_names`], and passes them in; the same facts always give the same verdict.

mod config_path;
mod filter;
mod install;
mod judge;
mod platform;
#[cfg(test)]
mod test_support;
mod trust;

pub use filter::AgentFilter;
pub use install::{InstallPreferences, install_options, refused_installs};
pub use judge::{EntrySettings, GateInput, judge, requirement_names, screen};
pub use platform::{matches_platform, names_platform};
pub use trust::Trust;
