//! `prowess cortex …`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use prowess_cortex::Rules;
use prowess_types::OutcomeResult;

use super::RunOptions;

#[derive(Debug, Subcommand)]
pub(crate) enum CortexCommand {
    /// Find a skill for a task that the installed skills cannot do
    #[command(
        after_help = "Examples:\n  prowess cortex perceive \"transcribe this interview\"\n  prowess cortex perceive \
                            \"resize the pictures\" --offline --json\n\nNothing is installed. Names of people and things are removed from the query to the registry. Exit codes: 0 a skill was found, 1 none was found."
    )]
    Perceive(PerceiveArgs),
    /// Do such a task: install a skill, show its plan, run it, learn from it, take it away again
    #[command(
        after_help = "Example:\n  prowess cortex run \"transcribe this interview\" --model ollama/qwen3\n\nEvery step \
                            is asked about first: the install, the plan, what is missing on this machine, another \
                            candidate, whether the skill stays. Exit codes: 0 done, 1 not done."
    )]
    Run(CortexRunArgs),
    /// Learn from how a skill did a task
    #[command(
        after_help = "Examples:\n  prowess cortex record --task \"query my todos\" --skill todoist-cli --result success\n  \
                            prowess cortex record --task \"resize pictures\" --skill img --result dependency_missing \
                            --key imagemagick"
    )]
    Record(RecordArgs),
    /// Show what was learned, in all or for one kind of task
    #[command(after_help = "Examples:\n  prowess cortex show\n  prowess cortex show query-todos --json")]
    Show {
        /// The kind of task
        region: Option<String>,
    },
    /// Show what happened, event by event
    #[command(after_help = "Example:\n  prowess cortex history --skill todoist-cli --limit 0")]
    History {
        /// Only what is about this skill
        #[arg(long, value_name = "SLUG")]
        skill: Option<String>,
        /// Only what is about this kind of task
        #[arg(long, value_name = "REGION")]
        region: Option<String>,
        /// Number of events to show, the latest; 0 shows all
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Forget a skill, a kind of task, a word or everything; the log keeps its rows
    #[command(
        after_help = "Examples:\n  prowess cortex forget --skill todoist-cli\n  prowess cortex forget --region \
                            query-todos\n  prowess cortex forget --region query-todos --signal todos\n  prowess cortex \
                            forget --everything --yes"
    )]
    Forget(ForgetArgs),
    /// Never use a skill, or allow it again
    #[command(
        after_help = "Examples:\n  prowess cortex blacklist\n  prowess cortex blacklist bad-skill\n  prowess cortex \
                            blacklist bad-skill@1.2.0\n  prowess cortex blacklist bad-skill --remove"
    )]
    Blacklist {
        /// The skill, or one version of it (`slug@version`)
        slug: Option<String>,
        /// Allow it again
        #[arg(long, requires = "slug")]
        remove: bool,
    },
    /// Show the lessons, or say that one is right or wrong
    #[command(
        after_help = "Examples:\n  prowess cortex lessons\n  prowess cortex lessons --wrong 2\n  prowess cortex lessons \
                            --right 1"
    )]
    Lessons {
        /// The lesson of this number proved right
        #[arg(long, value_name = "N", conflicts_with = "wrong")]
        right: Option<usize>,
        /// The lesson of this number proved wrong
        #[arg(long, value_name = "N")]
        wrong: Option<usize>,
    },
    /// Write what was learned in the format of `cortex.json`
    #[command(after_help = "Examples:\n  prowess cortex export\n  prowess cortex export -o backup.json")]
    Export {
        /// The file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Merge a `cortex.json` from elsewhere
    #[command(after_help = "Example:\n  prowess cortex import ~/old/cortex.json")]
    Import {
        /// The file
        file: PathBuf,
    },
    /// Compute everything anew from the log, and compare
    #[command(after_help = "Examples:\n  prowess cortex replay\n  prowess cortex replay --rules as-written")]
    Replay {
        /// Under these rules [default: those of the config]
        #[arg(long, value_enum)]
        rules: Option<RulesArg>,
    },
    /// Show how the weight of a skill would move, under both sets of rules
    #[command(
        after_help = "Examples:\n  prowess cortex simulate --every 7 --times 12\n  prowess cortex simulate \
                            --outcomes ok,ok,mismatch,ok --every 1"
    )]
    Simulate(SimulateArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PerceiveArgs {
    /// Task to do
    pub(crate) task: String,
    /// Look further even if an installed skill fits
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Do not use the network, only the local memory
    #[arg(long)]
    pub(crate) offline: bool,
    /// The registry to ask
    #[arg(long, value_name = "URL")]
    pub(crate) registry: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CortexRunArgs {
    #[command(flatten)]
    pub(crate) perceive: PerceiveArgs,
    /// Use this candidate without being asked which
    #[arg(long, value_name = "SLUG")]
    pub(crate) use_skill: Option<String>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Task that was to be done; names of people and things are removed
    #[arg(long, value_name = "TEXT")]
    pub(crate) task: Option<String>,
    /// The kind of task, if it is known
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// The skill
    #[arg(long, value_name = "SLUG")]
    pub(crate) skill: String,
    /// Its version
    #[arg(long, value_name = "VERSION")]
    pub(crate) skill_version: Option<String>,
    /// Result of the task
    #[arg(long, value_enum)]
    pub(crate) result: ResultArg,
    /// Cause of the failure: the missing program, variable or ability
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// One line about it
    #[arg(long, value_name = "TEXT")]
    pub(crate) detail: Option<String>,
    /// Variable that the skill needs and that was set, by its name only; can be repeated
    #[arg(long = "env-ready", value_name = "NAME")]
    pub(crate) env_ready: Vec<String>,
    /// Variable that the skill needs and that was not set; can be repeated
    #[arg(long = "env-missing", value_name = "NAME")]
    pub(crate) env_missing: Vec<String>,
    /// Effect of the skill, such as `write:file`; can be repeated [default: unknown]
    #[arg(long = "effect", value_name = "VERB:TARGET")]
    pub(crate) effects: Vec<String>,
    /// Origin of the skill
    #[arg(long, default_value = "clawhub", value_name = "SOURCE")]
    pub(crate) source: String,
    /// The skill was already installed: never a candidate
    #[arg(long)]
    pub(crate) long_term: bool,
    /// The session it happened in
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The user keeps the skill (with --no-keep: does not)
    #[arg(long, conflicts_with = "no_keep")]
    pub(crate) keep: bool,
    /// The user was asked and does not keep the skill
    #[arg(long)]
    pub(crate) no_keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    /// A skill
    #[arg(long, value_name = "SLUG")]
    pub(crate) skill: Option<String>,
    /// A kind of task, or where the skill or the word is to be forgotten
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// A word of a kind of task
    #[arg(long, value_name = "WORD", requires = "region", conflicts_with = "skill")]
    pub(crate) signal: Option<String>,
    /// Everything but the blacklist
    #[arg(long, conflicts_with_all = ["skill", "region", "signal"], required_unless_present_any = ["skill", "region"])]
    pub(crate) everything: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Uses that are simulated at most: a skill used every day needs 22,448 for a reflex under the rules as written.
const MAX_USES: i64 = 1_000_000;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Days between two uses
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    pub(crate) every: u32,
    /// Number of uses
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=MAX_USES))]
    pub(crate) times: u32,
    /// Results of the uses, repeated in this order
    #[arg(long, value_enum, value_delimiter = ',', default_value = "ok")]
    pub(crate) outcomes: Vec<ResultArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Repaired
    Prowess,
    /// To the letter of the Skill Cortex document
    AsWritten,
}

impl From<RulesArg> for Rules {
    fn from(rules: RulesArg) -> Self {
        match rules {
            RulesArg::Prowess => Self::Prowess,
            RulesArg::AsWritten => Self::AsWritten,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum ResultArg {
    /// It did the task
    #[value(alias = "ok")]
    Success,
    /// A program or library is not there
    #[value(alias = "dependency")]
    DependencyMissing,
    /// A key is missing, wrong or without the right
    #[value(alias = "auth")]
    AuthError,
    /// A service refused or failed
    #[value(alias = "api")]
    ApiError,
    /// It is made for something else
    #[value(alias = "mismatch")]
    TaskMismatch,
    /// Anything else went wrong
    #[value(alias = "runtime")]
    RuntimeError,
}

impl From<ResultArg> for OutcomeResult {
    fn from(result: ResultArg) -> Self {
        match result {
            ResultArg::Success => Self::Success,
            ResultArg::DependencyMissing => Self::DependencyMissing,
            ResultArg::AuthError => Self::AuthError,
            ResultArg::ApiError => Self::ApiError,
            ResultArg::TaskMismatch => Self::TaskMismatch,
            ResultArg::RuntimeError => Self::RuntimeError,
        }
    }
}
