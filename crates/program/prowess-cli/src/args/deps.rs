//! `prowess deps`

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess deps github                            what is missing, and the command that would install it
  prowess deps github --install brew --dry-run   exactly what one option would do
  prowess deps github --install brew             do it, after you agreed
  prowess deps github --yes                      install what is missing without asking

Nothing runs without consent: yours at the terminal, `--yes`, or the operator's install policy.
Exit codes: 0 every program is installed, 1 a program is missing or an install failed, 2 usage error, 130 interrupted.";

#[derive(Debug, Args)]
pub(crate) struct DepsArgs {
    /// Name of the skill
    pub(crate) name: String,
    /// Install one option, by its id
    #[arg(long, value_name = "ID")]
    pub(crate) install: Option<String>,
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Confirm the plan
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Timeout of each step, from 1 to 900 seconds [default: 300]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// Allow downloads over http
    #[arg(long)]
    pub(crate) allow_http: bool,
}

impl DepsArgs {
    /// One option of a skill, about which the user is asked.
    pub(crate) fn asked(skill: &str, option: &str) -> Self {
        Self {
            name: skill.to_owned(),
            install: Some(option.to_owned()),
            dry_run: false,
            yes: false,
            timeout: None,
            allow_http: false,
        }
    }
}
