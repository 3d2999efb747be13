//! `prowess doctor`

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess doctor                      everything that is wrong, and what to do about it
  prowess doctor --check path,skills  only these
  prowess doctor --fix --dry-run      what could be mended, and how
  prowess doctor --fix                show it, ask, mend it, look again
  prowess doctor --list               every check, with its cause and its remedy

Looking changes nothing. Only a registry that you have named is asked, and with `--offline` nobody. Exit codes: 0 all
is well, 1 something is wrong, 2 wrong usage, 3 the config cannot be read.";

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Only these checks, by their ids or the first parts of ids
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) check: Vec<String>,
    /// Do not ask the registry
    #[arg(long)]
    pub(crate) offline: bool,
    /// Mend what can be mended without harm; asks before
    #[arg(long)]
    pub(crate) fix: bool,
    /// Mend without asking
    #[arg(long, short, requires = "fix")]
    pub(crate) yes: bool,
    /// Only tell what would be mended
    #[arg(long, requires = "fix", conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// List every check
    #[arg(long, conflicts_with_all = ["fix", "offline"])]
    pub(crate) list: bool,
}
