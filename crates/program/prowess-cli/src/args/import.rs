//! `prowess import`

use clap::{Args, ValueEnum};

use super::ConsentArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess import --from claude-code --dry-run
  prowess import --from openclaw --dry-run --json
  prowess import --from codex --skill release-notes --to managed
  prowess import --from cursor-rules --yes

What the program has is shown first, and nothing of it is ever changed. Every skill is scanned and shown before it is
copied; malicious ones are never imported. Without `--yes` each is asked about. Exit codes: 0 imported, 1 something was not,
2 wrong usage, 3 the disk is at fault.";

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The program, or `cursor-rules`; `prowess sync --list` names all
    #[arg(long, value_name = "NAME")]
    pub(crate) from: String,
    /// Only these skills
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) skill: Vec<String>,
    /// Target of the import
    #[arg(long, value_enum, default_value_t = ImportTarget::Workspace)]
    pub(crate) to: ImportTarget,
    /// Replace existing skills (they are kept in the trash), and accept warnings
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportTarget {
    /// For all workspaces
    Managed,
    /// For this workspace
    Workspace,
}
