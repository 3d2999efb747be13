//! `prowess sessions …`

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use prowess_sessions::{ExportFormat, Rating};
use prowess_trace::ImportKind;
use prowess_types::OutcomeResult;

use super::program::log_programs;

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List sessions, those written last first
    #[command(
        after_help = "Examples:\n  prowess sessions list\n  prowess sessions list --limit 0 --agent writer --json"
    )]
    List {
        /// Number of sessions to list; 0 lists all
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Show what happened in a session, or everything about one run
    #[command(
        after_help = "Examples:\n  prowess sessions show last\n  prowess sessions show 01JX --run r2\n  \
                            prowess sessions show 01JX --json"
    )]
    Show {
        /// Id of the session, the beginning of one, or `last`
        id: String,
        /// Show every event of this run
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
    },
    /// Show the exact prompt of a run, or how it differs from another one's
    #[command(
        after_help = "Examples:\n  prowess sessions prompt last\n  prowess sessions prompt 01JX --run 01JY\n  prowess \
                            sessions prompt last --diff\n  prowess sessions prompt last --diff 01JX --json\n\nPrompts are \
                            stored with the session, with every secret redacted, and deleted with it. They are not part \
                            of an export. Runs of version 0.1 have none."
    )]
    Prompt(SessionsPromptArgs),
    /// Export a session
    #[command(
        after_help = "Examples:\n  prowess sessions export last > session.md\n  prowess sessions export 01JX \
                            --format jsonl -o session.jsonl"
    )]
    Export(SessionsExportArgs),
    /// Import session logs of other agents
    #[command(
        after_help = "Examples:\n  prowess sessions import --from claude-code ~/.claude/projects/-home-me-app/*.jsonl\n  \
                            prowess sessions import --from codex \
                            ~/.codex/sessions/2026/07/03/rollout-*.jsonl\n\nA log that was imported before is imported \
                            anew; ratings are kept. What looks like a secret is masked. Exit codes: 0 all imported, 1 \
                            some were not."
    )]
    Import(SessionsImportArgs),
    /// Rate a run
    #[command(
        after_help = "Examples:\n  prowess sessions rate last good\n  prowess sessions rate 01JX bad:auth --run \
                            r2 --note \"the token had expired\"\n\nThe last rating of a run counts, and it counts more \
                            than what the agent or the errors say."
    )]
    Rate(SessionsRateArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SessionsPromptArgs {
    /// Id of the session, the beginning of one, or `last`
    pub(crate) id: String,
    /// Id of the run, or the beginning of one [default: the last one]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Compare with this run [default: the one before]
    #[arg(long, value_name = "RUN", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "given without a value, it means the run before")]
    pub(crate) diff: Option<Option<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct SessionsExportArgs {
    /// Id of the session, the beginning of one, or `last`
    pub(crate) id: String,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = ExportFormatArg::Md)]
    pub(crate) format: ExportFormatArg,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormatArg {
    /// Markdown, for people
    Md,
    /// The lines as they are
    Jsonl,
    /// One document with the summary
    Json,
}

impl From<ExportFormatArg> for ExportFormat {
    fn from(format: ExportFormatArg) -> Self {
        match format {
            ExportFormatArg::Md => Self::Markdown,
            ExportFormatArg::Jsonl => Self::Jsonl,
            ExportFormatArg::Json => Self::Json,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SessionsImportArgs {
    /// The agent program that wrote the logs
    #[arg(long, value_parser = log_programs(), value_name = "AGENT")]
    pub(crate) from: ImportKind,
    /// Session logs
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SessionsRateArgs {
    /// Id of the session, the beginning of one, or `last`
    pub(crate) id: String,
    /// `good`, `bad`, or `bad:` and why: dependency, auth, api, mismatch, runtime
    pub(crate) rating: RatingArg,
    /// Id of the run [default: the last one]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Note about the run
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// `good`, `bad` or `bad:why`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RatingArg(pub(crate) Rating);

impl FromStr for RatingArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let failed = |result| Ok(Self(Rating::Failed(result)));
        match text {
            "good" => Ok(Self(Rating::Good)),
            "bad" => Ok(Self(Rating::Bad)),
            "bad:dependency" | "bad:dependency_missing" => failed(OutcomeResult::DependencyMissing),
            "bad:auth" | "bad:auth_error" => failed(OutcomeResult::AuthError),
            "bad:api" | "bad:api_error" => failed(OutcomeResult::ApiError),
            "bad:mismatch" | "bad:task_mismatch" => failed(OutcomeResult::TaskMismatch),
            "bad:runtime" | "bad:runtime_error" => failed(OutcomeResult::RuntimeError),
            _ => Err("expected good, bad, or bad:dependency, bad:auth, bad:api, bad:mismatch, bad:runtime"
                .to_owned()),
        }
    }
}
