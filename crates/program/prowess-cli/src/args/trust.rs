//! `prowess trust` and `sandbox`

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// List the skills of cloned repositories, and every answer so far
    List,
    /// Trust skills as they are now
    Add(TrustNames),
    /// Keep skills from being offered
    Refuse(TrustNames),
    /// Revoke answers
    Forget {
        /// Names of skills, whatever was in them
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TrustNames {
    /// Names of skills
    #[arg(required_unless_present = "all", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Every pending skill
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SandboxCommand {
    /// Make a folder's `skills` equal to the skills that the agent can use
    #[command(
        after_help = "Examples:\n  prowess sandbox sync /srv/box\n  prowess sandbox sync ./box --mounted-at \
                            /workspace\n  prowess prompt --sandbox ./box\n\nOnly what differs is written, and only what \
                            an earlier sync wrote is removed. Exit codes: 0 all was copied, 1 something was not."
    )]
    Sync {
        /// The folder; it is made if there is none
        dir: PathBuf,
        /// Path of the folder as the agent sees it
        #[arg(long, value_name = "PATH")]
        mounted_at: Option<String>,
        /// Only show what would be done
        #[arg(long)]
        dry_run: bool,
    },
}
