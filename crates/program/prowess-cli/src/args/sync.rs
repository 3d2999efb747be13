//! `prowess sync`

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess sync                          the programs that are installed here, in this workspace
  prowess sync --to claude-code,codex   only these
  prowess sync --user                   your own folders, for every workspace
  prowess sync --check                  say what differs; for scripts
  prowess sync --remove                 take away what was made
  prowess sync --list                   every program that is known, and its folders

Only what was made by this command, and is as it was made, is replaced or removed. Exit codes: 0 up to date, 1 changes
left or skipped, 2 usage error, 3 environment error.";

#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    /// Programs to make skills visible to, `cursor-rules` or `agents-md` [default: those that are installed]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// Only show the differences; exit 1 if there are any
    #[arg(long, conflicts_with = "remove")]
    pub(crate) check: bool,
    /// Copies, also where links would do
    #[arg(long, conflicts_with = "link")]
    pub(crate) copy: bool,
    /// Links, also where a program may not follow them
    #[arg(long)]
    pub(crate) link: bool,
    /// Folders of the workspace; this is the default
    #[arg(long, conflicts_with = "user")]
    pub(crate) project: bool,
    /// Folders of the user
    #[arg(long)]
    pub(crate) user: bool,
    /// Remove what was made
    #[arg(long)]
    pub(crate) remove: bool,
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// List the known programs
    #[arg(long, conflicts_with_all = ["check", "remove", "to"])]
    pub(crate) list: bool,
}
