//! The command line.

mod acquire;
mod author;
mod choose;
mod cortex;
mod demo;
mod deps;
mod doctor;
mod forge;
mod gateway;
mod hook;
mod hub;
mod import;
mod mcp;
mod node;
mod program;
mod registry;
mod run;
mod schema;
mod sessions;
mod settings;
mod sync;
mod trust;

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use prowess_types::ProfileName;

use crate::output::Color;

pub(crate) use acquire::{
    ConsentArgs, DiffArgs, InstallArgs, InstalledArgs, OutdatedArgs, PinArgs, RegistryArgs, RestoreArgs,
    TargetArgs, UninstallArgs, UnpinArgs, UpdateArgs,
};
pub(crate) use author::{Compat, PathsArgs, ScanArgs, ValidateArgs};
pub(crate) use choose::{CheckArgs, EvalArgs, MatchArgs, Message, OverlapArgs, PromptArgs};
pub(crate) use cortex::{CortexCommand, CortexRunArgs, ForgetArgs, PerceiveArgs, RecordArgs, SimulateArgs};
pub(crate) use demo::DemoArgs;
pub(crate) use deps::DepsArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use forge::{Confirmed, ForgeCommand};
pub(crate) use gateway::{DevicesCommand, GatewayArgs, GatewayCommand, LogFormat, ServingArgs, UpArgs};
pub(crate) use hook::{HookChangeArgs, HookCommand, ReplayArgs, ResumeArgs, UsageArgs};
pub(crate) use hub::{DataArgs, ServeArgs, TokenCommand};
pub(crate) use import::{ImportArgs, ImportTarget};
pub(crate) use node::NodeArgs;
pub(crate) use registry::{
    ChangeArgs, DeleteArgs, ExploreArgs, InspectArgs, LoginArgs, PublishArgs, RegistryCommand,
    RegistryOption, RenameArgs, ReportArgs, SearchArgs, SkillArgs, TagArgs,
};
pub(crate) use run::{ChatArgs, RunArgs, RunOptions};
pub(crate) use schema::SchemaArgs;
pub(crate) use sessions::{
    SessionsCommand, SessionsExportArgs, SessionsImportArgs, SessionsPromptArgs, SessionsRateArgs,
};
pub(crate) use settings::{ConfigCommand, SecretCommand, SecretTargetArgs};
pub(crate) use sync::SyncArgs;
pub(crate) use trust::{SandboxCommand, TrustCommand, TrustNames};

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
  prowess list                       list skills and whether they are ready
  prowess why github                 show every rule that decided about a skill
  prowess match \"will it rain?\"      find the skill that a message asks for
  prowess prompt                     show the skills text that a model gets
  prowess prompt --explain           show what was left out, and why
  prowess search \"pdf to text\"       search a registry for skills
  prowess install @ada/weather       install one; the plan is shown first
  prowess deps github                show missing programs, and how to install them
  prowess --profile openclaw check   check an OpenClaw installation
  prowess new my-skill               start a skill of your own

Exit codes: 0 success, 1 findings, 2 usage error, 3 environment error (files, config, network), 130 interrupted.\n\
Every error has a code, and `--json` works everywhere: see `prowess schema` and docs/json.md.";

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Profile: the folders and rules to follow
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
    /// Agent whose skills are used [default: the default agent]
    #[arg(long, global = true, value_name = "ID", env = "PROWESS_AGENT", hide_env_values = true)]
    pub(crate) agent: Option<String>,
    /// Print JSON
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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List skills and whether they are ready
    #[command(after_help = "Examples:\n  prowess list --eligible\n  prowess list --json --agent writer")]
    List(ListArgs),
    /// Show everything about one skill
    #[command(after_help = "Example:\n  prowess info github")]
    Info(NameArgs),
    /// Count skills by state and name what is missing, and what the list of all skills leaves out
    #[command(after_help = "Examples:\n  prowess check\n  prowess check --budget 4000 --json")]
    Check(CheckArgs),
    /// The full report (JSON with --json)
    Status,
    /// Print the exact skills text that a model gets
    #[command(
        after_help = "Examples:\n  prowess prompt > skills.txt\n  prowess prompt --explain --budget 4000\n  \
                            prowess prompt --query \"is it raining?\" --select top\n  \
                            prowess prompt --format skills-ref"
    )]
    Prompt(PromptArgs),
    /// Answer a message with an agent and the skills it asks for
    #[command(
        after_help = "Examples:\n  prowess run \"is it going to rain in Bern?\" --model ollama/qwen3\n  prowess run \
                            \"/weather Bern\"\n  prowess run --session release \"and now tag it\"\n  prowess run \
                            --with claude-code \"fix the failing test\"\n\nTools ask before they change something. What \
                            happened is recorded: `prowess sessions show last`.\nExit codes: 0 answered, 1 it went \
                            wrong, 2 wrong usage, 3 the environment is at fault, 130 stopped."
    )]
    Run(RunArgs),
    /// Chat with an agent
    #[command(
        after_help = "Examples:\n  prowess chat --model anthropic/claude-sonnet-4-5\n  prowess chat --session \
                            release\n\nCtrl-C stops an answer, Ctrl-D or `/exit` ends the conversation."
    )]
    Chat(ChatArgs),
    /// Learn which skill works for which kind of task, and find one for a new task
    #[command(subcommand, alias = "learn")]
    Cortex(CortexCommand),
    /// Find the skill that a message asks for, or none
    #[command(
        after_help = "Examples:\n  prowess match \"is it going to rain in Bern?\"\n  prowess match --explain \
                            --top 3 \"my pull request is red\"\n  echo \"…\" | prowess match - --json\n  \
                            prowess match \"and on Sunday?\" --after \"is it going to rain in Bern?\"\n  \
                            prowess match \"do I need an umbrella?\" --meant weather\n\nNothing is loaded or run: \
                            the answer says what would be. `--meant` records a case of yours."
    )]
    Match(MatchArgs),
    /// Measure how well messages find their skills
    #[command(
        after_help = "Examples:\n  prowess eval skills/\n  prowess eval skills/ --min-recall 0.9 --json\n  \
                            prowess eval evals/ --min-right 0.9 --max-near-misses 0.1\n  prowess eval --mine\n  \
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
    /// Check a skill against best practices beyond the specification
    Lint(PathsArgs),
    /// Scan a skill for risks before anything runs
    #[command(
        after_help = "Examples:\n  prowess scan skills/\n  prowess scan ./download --sarif > scan.sarif\n  \
                            prowess scan new/ --diff old/\n  prowess scan skills/ --baseline accepted.json --accept \
                            \"our own installer\"\n\nNothing of a skill is run. Exit codes: 0 clean, 1 warnings or worse, \
                            2 no such path."
    )]
    Scan(ScanArgs),
    /// Install the programs that a skill needs
    #[command(after_help = deps::EXAMPLES)]
    Deps(DepsArgs),
    /// Search a registry for skills
    #[command(
        after_help = "Examples:\n  prowess search weather forecast\n  prowess search --exact github --json\n  prowess \
                            search pdf --registry http://127.0.0.1:8787\n\nInstalled skills are marked."
    )]
    Search(SearchArgs),
    /// Publish a skill to a registry
    #[command(
        disable_version_flag = true,
        after_help = "Examples:\n  prowess publish ./my-skill --dry-run\n  prowess publish ./my-skill --changelog \"Knows \
                            snow\"\n\nThe folder is scanned first, and shown file by file before anything is sent. Exit \
                            codes: 0 published or unchanged, 1 it must not be published, 2 wrong usage, 3 the registry or \
                            the environment is at fault."
    )]
    Publish(PublishArgs),
    /// Serve the engine: a WebSocket, JSON over HTTP, the Studio
    #[command(
        after_help = "Examples:\n  prowess gateway\n  prowess gateway --port 9000 --log json\n  prowess gateway \
                            url\n\nIt serves until Ctrl-C. The token is made on the first start and shown this once."
    )]
    Gateway(GatewayArgs),
    /// Start the gateway and open the Studio in a browser
    #[command(
        after_help = "Examples:\n  prowess up\n  prowess up --no-open\n\nIf a gateway of this home already runs, the Studio \
                            is opened and nothing else."
    )]
    Up(UpArgs),
    /// Offer this machine's programs to the skills of a gateway, until Ctrl-C
    #[command(
        after_help = "Examples:\n  prowess node --gateway ws://127.0.0.1:18789 --token-file token.txt\n  pass show gateway | \
                            prowess node --gateway wss://gateway.example --token-file - --name studio-mac\n\nWith \
                            --json every line is one JSON value."
    )]
    Node(NodeArgs),
    /// Serve skills to hosts of the Model Context Protocol, over standard input and output
    #[command(after_help = mcp::EXAMPLES)]
    Mcp,
    /// Browse a registry, log in, manage your skills there, or serve your own
    #[command(subcommand)]
    Registry(RegistryCommand),
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
    /// Make skills visible to other agent programs, and keep them up to date
    #[command(after_help = sync::EXAMPLES)]
    Sync(SyncArgs),
    /// Import the skills of another agent program
    #[command(after_help = import::EXAMPLES)]
    Import(ImportArgs),
    /// List, show, export, import and rate recorded sessions
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Install skills from a registry, a repository, a folder, an archive or a site
    #[command(
        disable_version_flag = true,
        after_help = "Examples:\n  prowess install weather\n  prowess install @ada/weather --version 1.2.0\n  prowess \
                            install anthropics/skills/skills/pdf@main\n  prowess install ./my-skill --yes\n  prowess \
                            install --frozen --yes\n\nWhat would happen is shown first, with what the scanner found. \
                            Malicious skills are never installed.\nExit codes: 0 installed, 1 something was not, 2 \
                            wrong usage, 3 the network or the disk is at fault."
    )]
    Install(InstallArgs),
    /// Update installed skills; local edits are merged
    #[command(
        disable_version_flag = true,
        after_help = "Examples:\n  prowess update weather\n  prowess update --all --yes\n  prowess update weather \
                            --version 1.0.0\n\nWhere both sides changed the same lines, nothing happens and the places \
                            are named.\nExit codes: 0 up to date, 1 something was not updated."
    )]
    Update(UpdateArgs),
    /// List installed skills that have a newer version at their source
    #[command(
        after_help = "Example:\n  prowess outdated\n\nExit codes: 0 all are current, 1 something is not."
    )]
    Outdated(OutdatedArgs),
    /// List installed skills with source, version, pins and edits
    #[command(after_help = "Examples:\n  prowess installed\n  prowess installed --global --json")]
    Installed(InstalledArgs),
    /// Check that the files on disk match the lock file
    #[command(
        after_help = "Examples:\n  prowess verify\n  prowess verify weather\n\nExit codes: 0 it is, 1 something \
                            differs; every file is named."
    )]
    Verify(InstalledArgs),
    /// Pin installed skills to their version
    #[command(after_help = "Example:\n  prowess pin weather --reason \"2.0 needs a key\"")]
    Pin(PinArgs),
    /// Unpin skills, so that they are updated again
    Unpin(UnpinArgs),
    /// Move installed skills to the trash
    #[command(
        after_help = "Example:\n  prowess uninstall weather --yes\n\n`prowess restore` brings them back."
    )]
    Uninstall(UninstallArgs),
    /// List the trash, or restore a skill from it
    #[command(after_help = "Examples:\n  prowess restore\n  prowess restore 1700000000000-weather")]
    Restore(RestoreArgs),
    /// Show what an update would change, or local changes
    #[command(
        disable_version_flag = true,
        after_help = "Examples:\n  prowess diff weather\n  prowess diff weather --local\n  prowess diff weather \
                            --version 1.0.0\n\nExit codes: 0 no difference, 1 there is one."
    )]
    Diff(DiffArgs),
    /// Add a hook to other agent programs that gives each message its skill
    #[command(subcommand)]
    Hook(HookCommand),
    /// Show the usage of every skill: shown, loaded, followed, succeeded, and its cost
    #[command(
        after_help = "Examples:\n  prowess usage\n  prowess usage --since 30d --agent claude-code --json\n\nCounted from \
                            recorded and imported sessions and from what hooks showed. `?` means unknown."
    )]
    Usage(UsageArgs),
    /// Run your history with another agent through the selector: which messages should have fired a skill?
    #[command(
        after_help = "Examples:\n  prowess replay --from claude-code\n  prowess replay --from codex --since 30d --limit \
                            500\n  prowess replay --from codex rollout.jsonl --json\n\nNothing is sent or stored, and \
                            secrets are masked."
    )]
    Replay(ReplayArgs),
    /// Print what must survive when the context of a session is compacted
    #[command(after_help = "Examples:\n  prowess resume last\n  prowess resume 01JX --max-chars 2000 --json")]
    Resume(ResumeArgs),
    /// List, show, test, promote and roll back drafts of skills made from successful runs
    #[command(subcommand)]
    Forge(ForgeCommand),
    /// Show every rule that decided about a skill, in order
    #[command(after_help = "Example:\n  prowess why github")]
    Why(NameArgs),
    /// Read and write the config file
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Store the keys of skills, in the config file or the system's keyring
    #[command(subcommand)]
    Secret(SecretCommand),
    /// Print the snapshot that an agent session starts with
    Snapshot,
    /// Print what changes as it changes, until Ctrl-C
    #[command(
        after_help = "Examples:\n  prowess watch\n  prowess watch --json | while read -r event; do …; done\n\n\
                            With --json every line is one JSON value."
    )]
    Watch(WatchArgs),
    /// Run a tour in a temporary home: find, gate, match, run, learn, forge
    #[command(after_help = demo::EXAMPLES)]
    Demo(DemoArgs),
    /// Find common problems, and apply safe fixes
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(DoctorArgs),
    /// Start a new skill
    #[command(
        after_help = "Examples:\n  prowess new release-notes\n  prowess new open-app --template openpocket"
    )]
    New(NewArgs),
    /// Print the JSON Schema of a command's --json output
    #[command(after_help = schema::EXAMPLES)]
    Schema(SchemaArgs),
    /// Print shell completions
    #[command(
        after_help = "Example:\n  prowess completions bash > ~/.local/share/bash-completion/completions/prowess"
    )]
    Completions {
        /// Shell to print completions for
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
pub(crate) struct WatchArgs {
    /// Exit after this number of changes
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Name: lower-case letters, digits and hyphens
    pub(crate) name: String,
    /// Template of the skill
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
