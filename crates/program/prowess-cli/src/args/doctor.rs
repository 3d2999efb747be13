//! `prowess doctor`

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess doctor                      every problem, and how to fix it
  prowess doctor --check path,skills  only these
  prowess doctor --fix --dry-run      show the fixes
  prowess doctor --fix                show the fixes, ask, apply them, check again
  prowess doctor --list               every check, with its cause and its remedy

Checks change nothing. Only a configured registry is queried, and none with `--offline`. Exit codes: 0 no problems,
1 problems found, 2 usage error, 3 the config cannot be read.";

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Only these checks, by their ids or the first parts of ids
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) check: Vec<String>,
    /// Do not query the registry
    #[arg(long)]
    pub(crate) offline: bool,
    /// Apply safe fixes, after a question
    #[arg(long)]
    pub(crate) fix: bool,
    /// Apply fixes without asking
    #[arg(long, short, requires = "fix")]
    pub(crate) yes: bool,
    /// Only show what would be fixed
    #[arg(long, requires = "fix", conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// List every check
    #[arg(long, conflicts_with_all = ["fix", "offline"])]
    pub(crate) list: bool,
}
