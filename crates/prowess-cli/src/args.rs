//! The command line.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use prowess::types::{ProfileName, PromptMode, PromptWording};

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
                            prowess prompt --format skills-ref"
    )]
    Prompt(PromptArgs),
    /// List the slash commands
    Commands,
    /// Check skills against the specification
    #[command(after_help = "Examples:\n  prowess validate skills/\n  prowess validate --strict my-skill\n  \
                            prowess validate --compat skills-ref my-skill\n\nExit codes: 0 all fine, 1 something is \
                            wrong, 2 no such path.")]
    Validate(ValidateArgs),
    /// Advice beyond the specification: will the skill be found and followed?
    Lint(PathsArgs),
    /// Every rule that decided about one skill, in order
    #[command(after_help = "Example:\n  prowess why github")]
    Why(NameArgs),
    /// Read and write the config file
    #[command(subcommand)]
    Config(ConfigCommand),
    /// The frozen view an agent session starts with
    Snapshot,
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
pub(crate) struct PromptArgs {
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
pub(crate) struct PathsArgs {
    /// Files or folders [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
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
