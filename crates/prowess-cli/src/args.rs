//! The command line.

mod run;
mod sessions;

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use prowess::Select;
use prowess::types::{ProfileName, PromptMode, PromptWording};

pub(crate) use run::{ChatArgs, RunArgs, RunOptions};
pub(crate) use sessions::{SessionsCommand, SessionsExportArgs, SessionsImportArgs, SessionsRateArgs};

/// A skills engine for AI agents: find, check and show the skills an agent can use.
#[derive(Debug, Parser)]
#[command(name = "prowess", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  prowess list                       which skills are there, and which are ready
  prowess why github                 every rule that decided about one skill
  prowess match \"will it rain?\"      which skill a message asks for, or none
  prowess prompt                     exactly what a model would be told
  prowess prompt --explain           what was left out, and why
  prowess --profile openclaw check   look at an OpenClaw installation
  prowess new my-skill               start a skill of your own

Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 the environment (files, config) is at fault.";

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Whose places and rules to follow
    #[arg(long, global = true, value_enum, env = "PROWESS_PROFILE", hide_env_values = true)]
    pub(crate) profile: Option<Profile>,
    /// Folder of the engine's own state [env: PROWESS_HOME=] [default: ~/.prowess]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Config file [env: PROWESS_CONFIG=] [default: prowess.json in the state folder]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Workspace [default: the agent's, else the current folder]
    #[arg(long, global = true, value_name = "DIR", env = "PROWESS_WORKSPACE", hide_env_values = true)]
    pub(crate) workspace: Option<PathBuf>,
    /// Agent whose skills are meant [default: the default agent]
    #[arg(long, global = true, value_name = "ID", env = "PROWESS_AGENT", hide_env_values = true)]
    pub(crate) agent: Option<String>,
    /// Answer in JSON
    #[arg(long, global = true, env = "PROWESS_JSON", hide_env_values = true, value_parser = FalseyValueParser::new())]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, env = "PROWESS_COLOR", hide_env_values = true)]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Our own defaults
    Prowess,
    /// An OpenClaw installation, as its latest release behaves
    Openclaw,
    /// An OpenPocket installation
    Openpocket,
}

impl From<Profile> for ProfileName {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Prowess => Self::Prowess,
            Profile::Openclaw => Self::Openclaw,
            Profile::Openpocket => Self::Openpocket,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List skills and whether they are ready
    #[command(after_help = "Examples:\n  prowess list --eligible\n  prowess list --json --agent writer")]
    List(ListArgs),
    /// Show everything about one skill
    #[command(after_help = "Example:\n  prowess info github")]
    Info(NameArgs),
    /// Count skills by state and name what is missing
    Check,
    /// The full report (JSON with --json)
    Status,
    /// Print exactly what a model would be told about skills
    #[command(
        after_help = "Examples:\n  prowess prompt > skills.txt\n  prowess prompt --explain --budget 4000\n  \
                            prowess prompt --query \"is it raining?\" --select top\n  \
                            prowess prompt --format skills-ref"
    )]
    Prompt(PromptArgs),
    /// Let an agent answer a message, with the skills it asks for
    #[command(
        after_help = "Examples:\n  prowess run \"is it going to rain in Bern?\" --model ollama/qwen3\n  prowess run \
                            \"/weather Bern\"\n  prowess run --session release \"and now tag it\"\n  prowess run \
                            --with claude \"fix the failing test\"\n\nTools ask before they change something. What \
                            happened is recorded: `prowess sessions show last`.\nExit codes: 0 answered, 1 it went \
                            wrong, 2 wrong usage, 3 the environment is at fault, 130 stopped."
    )]
    Run(RunArgs),
    /// Talk with an agent, message by message
    #[command(
        after_help = "Examples:\n  prowess chat --model anthropic/claude-sonnet-4-5\n  prowess chat --session \
                            release\n\nCtrl-C stops an answer, Ctrl-D or `/exit` ends the conversation."
    )]
    Chat(ChatArgs),
    /// Find the skill that a message asks for, or none
    #[command(
        after_help = "Examples:\n  prowess match \"is it going to rain in Bern?\"\n  prowess match --explain \
                            --top 3 \"my pull request is red\"\n  echo \"…\" | prowess match - --json\n\nNothing is \
                            loaded or run: the answer says what would be."
    )]
    Match(MatchArgs),
    /// Measure how well messages find their skills
    #[command(
        after_help = "Examples:\n  prowess eval skills/\n  prowess eval skills/ --min-recall 0.9 --json\n  \
                            prowess eval --pool pool.jsonl --queries queries.jsonl\n\nExit codes: 0 good enough, 1 \
                            below what was demanded, 2 no such path."
    )]
    Eval(EvalArgs),
    /// Find skills whose descriptions compete for the same messages
    #[command(after_help = "Examples:\n  prowess overlap\n  prowess overlap --json --top 20")]
    Overlap(OverlapArgs),
    /// List the slash commands
    Commands,
    /// Check skills against the specification
    #[command(after_help = "Examples:\n  prowess validate skills/\n  prowess validate --strict my-skill\n  \
                            prowess validate --compat skills-ref my-skill\n\nExit codes: 0 all fine, 1 something is \
                            wrong, 2 no such path.")]
    Validate(ValidateArgs),
    /// Advice beyond the specification: will the skill be found and followed?
    Lint(PathsArgs),
    /// See what a skill would do before anything runs
    #[command(
        after_help = "Examples:\n  prowess scan skills/\n  prowess scan ./download --sarif > scan.sarif\n  \
                            prowess scan new/ --diff old/\n  prowess scan skills/ --baseline accepted.json --accept \
                            \"our own installer\"\n\nNothing of a skill is run. Exit codes: 0 clean, 1 warnings or worse, \
                            2 no such path."
    )]
    Scan(ScanArgs),
    /// Decide about skills that came with a cloned repository
    #[command(
        after_help = "Examples:\n  prowess trust\n  prowess trust add release-notes\n  prowess trust refuse \
                            helper\n\nAn answer holds for exactly what is in the skill's folder now. Exit codes: 0 \
                            nothing waits for an answer, 1 something does."
    )]
    Trust {
        #[command(subcommand)]
        command: Option<TrustCommand>,
    },
    /// Copy skills to where an agent can read them
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// What agents did: list, show, export, import and rate recorded sessions
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Every rule that decided about one skill, in order
    #[command(after_help = "Example:\n  prowess why github")]
    Why(NameArgs),
    /// Read and write the config file
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Keep the keys of skills, in the config file or the system's keyring
    #[command(subcommand)]
    Secret(SecretCommand),
    /// The frozen view an agent session starts with
    Snapshot,
    /// Print what changes as it changes, until Ctrl-C
    #[command(
        after_help = "Examples:\n  prowess watch\n  prowess watch --json | while read -r event; do …; done\n\n\
                            With --json every line is one JSON value."
    )]
    Watch(WatchArgs),
    /// Look for common problems
    Doctor,
    /// Start a new skill
    #[command(
        after_help = "Examples:\n  prowess new release-notes\n  prowess new open-app --template openpocket"
    )]
    New(NewArgs),
    /// Print shell completions
    #[command(
        after_help = "Example:\n  prowess completions bash > ~/.local/share/bash-completion/completions/prowess"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page, or write all pages into a folder
    Man {
        /// Folder for one page per command
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// OpenPocket's own commands: list, load [--all], validate [--strict]
    Skills {
        /// Sub-command and options, as OpenPocket takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only skills that are ready and allowed
    #[arg(long, conflicts_with = "all")]
    pub(crate) eligible: bool,
    /// Also what was found and not loaded
    #[arg(long)]
    pub(crate) all: bool,
    /// Also what is missing
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NameArgs {
    /// Name of the skill
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// What the user wrote; `-` reads it from standard input
    pub(crate) message: Message,
    /// How many skills are ranked
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    /// Confidence from which a skill is loaded, from 0 to 1 [default: skills.match.load]
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) threshold: Option<f32>,
    /// A file that the turn is about, for skills made for certain paths; may be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<String>,
    /// Tell what every score is made of, and what would have changed the decision
    #[arg(long)]
    pub(crate) explain: bool,
}

/// A message on the command line or, as `-`, on standard input.
#[derive(Clone, Debug)]
pub(crate) struct Message(String);

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Message {
    pub(crate) fn text(&self) -> std::io::Result<String> {
        if self.0 != "-" {
            return Ok(self.0.clone());
        }
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse::<f32>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Folders of skills with `evals/triggers.json` [default: the workspace's skills]
    #[arg(conflicts_with_all = ["pool", "queries"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Candidates, as JSON lines of {id, name, description, body}
    #[arg(long, value_name = "FILE", requires = "queries")]
    pub(crate) pool: Option<PathBuf>,
    /// Judged messages, as JSON lines of {qid, lang, kind, query, gold, primary}
    #[arg(long, value_name = "FILE", requires = "pool")]
    pub(crate) queries: Option<PathBuf>,
    /// Write {qid, ranking, confidence} for every message
    #[arg(long, value_name = "FILE", requires = "pool")]
    pub(crate) per_query: Option<PathBuf>,
    /// Confidence from which a skill is loaded, from 0 to 1 [default: skills.match.load]
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) threshold: Option<f32>,
    /// Share of the messages for which their skill must be first
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0.8")]
    pub(crate) min_recall: f32,
    /// Share of the messages that may load a skill they should not
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0.1")]
    pub(crate) max_false_loads: f32,
    /// How often each message is asked
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) runs: usize,
}

#[derive(Debug, Args)]
pub(crate) struct OverlapArgs {
    /// How many pairs are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    /// Order and cut the list by relevance to this message; `-` reads it from standard input
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) query: Option<Message>,
    /// How the list follows the message [default: skills.prompt.select, or ranked]
    #[arg(long, value_enum, requires = "query")]
    pub(crate) select: Option<SelectArg>,
    /// Put the text of a clear match into the prompt at once [default: skills.prompt.preload]
    #[arg(long, requires = "query")]
    pub(crate) preload: bool,
    /// Words around the list [default: the profile's]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Size of the text, in characters [default: skills.limits.maxSkillsPromptChars]
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<usize>,
    /// The model's context window, in tokens
    #[arg(long, value_name = "N")]
    pub(crate) context_tokens: Option<usize>,
    /// How much of a system prompt the agent gets
    #[arg(long, value_enum)]
    pub(crate) mode: Option<PromptModeArg>,
    /// The agent's tools; without `read` there is no list
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// Name the copies in a folder that `prowess sandbox sync` filled
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,
    /// Tell what was left out and why, with token estimates
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Prowess,
    Openclaw,
    Openpocket,
    SkillsRef,
}

impl From<Format> for PromptWording {
    fn from(format: Format) -> Self {
        match format {
            Format::Prowess => Self::Mandatory,
            Format::Openclaw => Self::Openclaw,
            Format::Openpocket => Self::Openpocket,
            Format::SkillsRef => Self::SkillsRef,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectArg {
    /// All skills by name
    All,
    /// All skills by relevance
    Ranked,
    /// Only the best ones
    Top,
}

impl From<SelectArg> for Select {
    fn from(select: SelectArg) -> Self {
        match select {
            SelectArg::All => Self::All,
            SelectArg::Ranked => Self::Ranked,
            SelectArg::Top => Self::Top,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PromptModeArg {
    Full,
    Minimal,
    None,
}

impl From<PromptModeArg> for PromptMode {
    fn from(mode: PromptModeArg) -> Self {
        match mode {
            PromptModeArg::Full => Self::Full,
            PromptModeArg::Minimal => Self::Minimal,
            PromptModeArg::None => Self::None,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Files or folders [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
    /// Demand the bare specification
    #[arg(long)]
    pub(crate) strict: bool,
    /// Answer as another validator would
    #[arg(long, value_enum, value_name = "TOOL")]
    pub(crate) compat: Option<Compat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compat {
    SkillsRef,
    Openpocket,
}

#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Skills, folders of skills, or files [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
    /// Answer as SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
    /// File of accepted findings; they hold while not a byte of the skill changes
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Accept what is found now, for this reason, and write it to the baseline
    #[arg(long, value_name = "REASON", requires = "baseline")]
    pub(crate) accept: Option<String>,
    /// Also tell what this version can do that another one cannot
    #[arg(long, value_name = "OLD", conflicts_with = "sarif")]
    pub(crate) diff: Option<PathBuf>,
    /// Also show what is only worth knowing
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PathsArgs {
    /// Files or folders [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// End after so many changes
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// List the skills of cloned repositories, and every answer so far
    List,
    /// Trust skills as they are now
    Add(TrustNames),
    /// Keep skills from being offered
    Refuse(TrustNames),
    /// Take answers back
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
    /// Every skill that waits for an answer
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
        /// Where the agent sees the folder
        #[arg(long, value_name = "PATH")]
        mounted_at: Option<String>,
        /// Only tell what would be done
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a value
    #[command(after_help = "Examples:\n  prowess config get skills.limits\n  prowess config get \
                            skills.limits.maxSkillsInPrompt --origin")]
    Get {
        /// Dotted key; all of the config without it
        key: Option<String>,
        /// Also tell which layer set it
        #[arg(long)]
        origin: bool,
    },
    /// Write a value; comments and order in the file stay as they are
    #[command(
        after_help = "Examples:\n  prowess config set skills.entries.weather.enabled false\n  prowess config set \
                            skills.load.extraDirs '[\"~/more-skills\"]'\n\nThe value is JSON5; anything else is taken \
                            as text."
    )]
    Set {
        /// Dotted key; parts with dots go into brackets and quotes: `entries["my.skill"]`
        key: String,
        /// JSON5, or text
        value: String,
    },
    /// Remove a value
    Unset {
        /// Dotted key
        key: String,
    },
    /// Print where the config file is
    Path,
    /// List every known key with its type, default and meaning
    Keys,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretCommand {
    /// Keep a secret: asked for without being shown, or read from standard input
    #[command(
        after_help = "Examples:\n  prowess secret set weather\n  prowess secret set github --env GH_TOKEN \
                            --keyring\n  prowess secret set GH_TOKEN\n  pass show weather | prowess secret set \
                            weather\n\nA secret is never an argument: every user of a machine can read those, and \
                            the shell remembers them."
    )]
    Set {
        #[command(flatten)]
        target: SecretTargetArgs,
        /// Keep it in the system's keyring, with a reference in the config file
        #[arg(long)]
        keyring: bool,
    },
    /// Forget a secret, also in the keyring
    #[command(
        after_help = "Examples:\n  prowess secret unset weather\n  prowess secret unset github --env GH_TOKEN"
    )]
    Unset {
        #[command(flatten)]
        target: SecretTargetArgs,
    },
    /// List secrets, where they come from and whether they are there; never their values
    List,
}

#[derive(Debug, Args)]
pub(crate) struct SecretTargetArgs {
    /// A skill, or a variable that one skill declares
    pub(crate) name: String,
    /// A variable of the skill [default: the one for its API key]
    #[arg(long, value_name = "VAR")]
    pub(crate) env: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Name: lower-case letters, digits and hyphens
    pub(crate) name: String,
    /// Which skeleton
    #[arg(long, value_enum, default_value_t = TemplateArg::Folder)]
    pub(crate) template: TemplateArg,
    /// Folder to create it in [default: the workspace's skills folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateArg {
    /// A folder with SKILL.md
    Folder,
    /// OpenPocket's lone file
    Openpocket,
}
