//! `prowess demo`

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess demo
  prowess demo --step
  prowess demo --keep
  prowess demo --json

A folder is made beside other temporary files, filled with ten small skills, and used as the home of every command that is
shown. A script plays the model. Nothing is sent, nothing of yours is read or changed, and the folder is removed at the end.";

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DemoArgs {
    /// Wait for Enter before each command, at a terminal
    #[arg(long)]
    pub(crate) step: bool,
    /// Keep the folder
    #[arg(long)]
    pub(crate) keep: bool,
}
