//! `prowess forge …`

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum ForgeCommand {
    /// List drafts, and promoted skills that are not used
    List,
    /// Show a draft: its text, its script, what was measured
    Show(DraftName),
    /// Make a draft of a recorded run that succeeded
    #[command(
        after_help = "Examples:\n  prowess forge draft last\n  prowess forge draft 01JX --run r2\n\nThe run may be \
                            imported (`prowess sessions import`). Mark a run as successful with `prowess sessions rate last good`."
    )]
    Draft {
        /// The session: its id, the beginning of one, or `last`
        session: String,
        /// The run within it [default: the last one]
        #[arg(long, value_name = "ID")]
        run: Option<String>,
    },
    /// Let the configured model phrase the description of a draft
    #[command(
        after_help = "Example:\n  prowess forge improve count-commits --model ollama/qwen3\n\nThe model sees the draft and \
                            nothing of the session. The draft has to be tested again."
    )]
    Improve {
        /// Name or fingerprint of the draft, or the beginning of one
        name: String,
        /// The model that is asked [default: agents.defaults.model]
        #[arg(long, value_name = "PROVIDER/MODEL", env = "PROWESS_MODEL", hide_env_values = true)]
        model: Option<String>,
    },
    /// Show what a promotion would change
    Diff(DraftName),
    /// Measure a draft: portable, clean, replayable, found, and no rival of other skills
    #[command(
        after_help = "Examples:\n  prowess forge test count-commits\n  prowess forge test count-commits --yes\n\nThe \
                            script of the draft runs in a copy of the workspace, without your environment. It is shown \
                            first with the values of its session, and runs only with your yes. A script of an imported \
                            session never runs. Exit codes: 0 passed, 1 failed or incomplete."
    )]
    Test(Confirmed),
    /// Make a draft that passed its test a skill
    Promote(Confirmed),
    /// Reject a draft
    Reject {
        /// Name or fingerprint of the draft, or the beginning of one
        name: String,
        /// Reason for the rejection
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Roll back to the version before the promotion
    Rollback(DraftName),
    /// Retire a promoted skill; `restore` brings it back
    Retire(DraftName),
    /// Bring a retired skill back
    Restore(DraftName),
}

#[derive(Debug, Args)]
pub(crate) struct DraftName {
    /// Name or fingerprint of the draft, or the beginning of one
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct Confirmed {
    /// Name or fingerprint of the draft, or the beginning of one
    pub(crate) name: String,
    /// Do not ask for confirmation
    #[arg(long)]
    pub(crate) yes: bool,
}
