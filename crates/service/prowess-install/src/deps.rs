//! What a skill needs on the machine, installed by the managers that its author named.
//!
//! [`prepare`] says exactly what would happen ([`InstallPlan`]: every command, every download), [`install`] does
//! that and nothing else. The values in a plan come from strangers: each has a closed grammar, which is looked at when
//! the plan is made and again right before the command is started. No shell is involved.
//!
//! What this module refuses to do: decide whether something may be installed, inherit the environment (a [`InstallHost`]
//! names what installers see), run the scripts of packages where that can be prevented, or write a download anywhere
//! but below the tools folder of its skill.

mod download;
mod host;
mod plan;
mod result;
mod run;
#[cfg(test)]
#[cfg(unix)]
mod test_support;
mod tools;
mod values;

pub use prowess_fs::Stream;

pub use host::{InstallHost, Privilege};
pub use plan::{CommandStep, DownloadStep, InstallPlan, InstallStep, Obstacle, prepare};
pub use result::{InstallResult, SkipReason};
pub use run::{DEFAULT_TIMEOUT, InstallEvent, InstallRun, clamp_timeout, install};
pub use tools::{ToolsError, tools_folder};
