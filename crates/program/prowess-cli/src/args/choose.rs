//! `prowess match`, `eval`, `overlap` and `prompt`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use prowess_config::Select;
use prowess_types::{PromptMode, PromptWording};

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// Message of the user; `-` reads it from standard input
    pub(crate) message: Message,
    /// Number of skills to rank
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    /// Confidence from which a skill is loaded, from 0 to 1 [default: skills.match.load]
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) threshold: Option<f32>,
    /// File that the message is about, for skills with path patterns; may be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<String>,
    /// Earlier message of the conversation, the oldest first; may be repeated. A follow-up keeps the skill in use
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) after: Vec<String>,
    /// Skill that was in use for the last message; may be repeated [default: the skill that `--after` asks for]
    #[arg(long, value_name = "NAME")]
    pub(crate) loaded: Vec<String>,
    /// Record which skill the message meant, as a case of yours; `none` if no skill should have been loaded
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "threshold", "after", "loaded", "explain"])]
    pub(crate) meant: Option<String>,
    /// Show the parts of every score, and what would have changed the decision
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
        let bytes = crate::input::rest(usize::MAX)?;
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
    /// Folders of skills with `evals/triggers.json`, or of `.json` files with cases [default: the workspace's skills]
    #[arg(conflicts_with_all = ["pool", "queries"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Measure your own cases: corrections (`prowess match --meant`) and what recorded sessions suggest
    #[arg(long, conflicts_with_all = ["paths", "pool", "queries"])]
    pub(crate) mine: bool,
    /// Share of all messages that must come out right
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) min_right: Option<f32>,
    /// Share of the near misses that may load a skill
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) max_near_misses: Option<f32>,
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
    /// Number of times each message is matched
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) runs: usize,
}

#[derive(Debug, Args)]
pub(crate) struct OverlapArgs {
    /// Number of pairs to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

/// `prowess check`
#[derive(Debug, Default, Args)]
pub(crate) struct CheckArgs {
    /// Size of the list of all skills, in characters [default: skills.limits.maxSkillsPromptChars]
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    /// Show what a run would send with this message: system prompt, skills in front of the message, message; `-` reads
    /// it from standard input
    #[arg(long, value_name = "MESSAGE", conflicts_with_all = ["query", "format", "budget", "context_tokens", "mode", "tools"])]
    pub(crate) message: Option<Message>,
    /// Order and cut the list by relevance to this message; `-` reads it from standard input
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) query: Option<Message>,
    /// Order and cut of the list for the message [default: skills.prompt.select, or ranked]
    #[arg(long, value_enum)]
    pub(crate) select: Option<SelectArg>,
    /// Put the text of a clear match into the prompt at once [default: skills.prompt.preload]
    #[arg(long)]
    pub(crate) preload: bool,
    /// Format of the text around the list [default: the profile's]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Size of the text, in characters [default: skills.limits.maxSkillsPromptChars]
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<usize>,
    /// The model's context window, in tokens
    #[arg(long, value_name = "N")]
    pub(crate) context_tokens: Option<usize>,
    /// Size of the system prompt that the agent gets
    #[arg(long, value_enum)]
    pub(crate) mode: Option<PromptModeArg>,
    /// The agent's tools; without `read` there is no list
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// Name the copies in a folder that `prowess sandbox sync` filled
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,
    /// Show what was left out and why, with token estimates
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
    /// The best ones and the text of a clear match, in front of the message
    Message,
}

impl From<SelectArg> for Select {
    fn from(select: SelectArg) -> Self {
        match select {
            SelectArg::All => Self::All,
            SelectArg::Ranked => Self::Ranked,
            SelectArg::Top => Self::Top,
            SelectArg::Message => Self::Message,
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
