//! What one run leaves behind: a list of events, one JSON line each.
//!
//! A session is a file of such lines. The cortex learns from them and the forge drafts skills from them, so the
//! shape fits both a coding agent (tool calls) and a phone agent (steps with an app and a UI target).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Outcome;

/// The format of the lines; a reader refuses a higher number and reads every lower one.
pub const TRACE_FORMAT: u32 = 1;

/// One line of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TraceLine {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The run within the session; empty for what belongs to the session as a whole.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The event.
    #[serde(flatten)]
    pub event: TraceEvent,
}

/// What happened. Texts are already redacted and cut when they get here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TraceEvent {
    /// A session begins.
    Session {
        /// See [`TRACE_FORMAT`].
        format: u32,
        /// Its id, which is also the name of its folder.
        session: String,
        /// The agent.
        agent: String,
        /// The workspace.
        workspace: String,
        /// Where it was imported from, if it was: `claude-code`, `codex`, `openclaw`, `openpocket`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        imported_from: Option<String>,
    },
    /// A run begins.
    RunStarted {
        /// What the user said.
        message: String,
        /// The id of the snapshot it sees.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snapshot: Option<String>,
        /// The hash of the catalogue in its prompt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        catalogue: Option<String>,
        /// The model that answers.
        backend: Backend,
        /// The run that started this one, for a sub-agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
    },
    /// The ranking of skills for the message. It tells what was considered, not what the model got.
    Selection {
        /// The decision.
        #[schemars(with = "String")]
        decision: SelectionDecision,
        /// Probability that the best one is asked for.
        confidence: f32,
        /// The best ones, best first.
        ranked: Vec<RankedSkill>,
        /// The effect of the turn before, where it had skills in use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        follow_up: Option<FollowUp>,
    },
    /// The prompt that was really put in front of the model. The texts are stored beside the session's lines.
    Prompt {
        /// The SHA-256 of the redacted system prompt, in hexadecimal.
        system: String,
        /// The SHA-256 of the block that travelled with the user's message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The SHA-256 of the user's message as it was sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// The characters of system prompt and context together.
        chars: usize,
        /// The number of listed skills.
        listed: usize,
        /// Every skill whose name or text was in the request.
        #[serde(default)]
        skills: Vec<PromptedSkill>,
        /// The reason there are no skills in the request, if there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        empty: Option<String>,
    },
    /// A skill came into use.
    Activation {
        /// Its name.
        skill: String,
        /// Its file.
        path: String,
        /// The hash of its text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content_hash: Option<String>,
        /// What brought it in.
        by: ActivatedBy,
    },
    /// What the agent thought aloud.
    Thought {
        /// Its words.
        text: String,
    },
    /// A tool is called.
    ToolCall {
        /// Ties the result to the call.
        id: String,
        /// The tool.
        tool: String,
        /// What it was given.
        input: Value,
        /// Where on a phone it happened.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<PhoneStep>,
    },
    /// A tool answered.
    ToolResult {
        /// The call.
        id: String,
        /// True if it did what it was asked.
        ok: bool,
        /// Its output.
        output: String,
        /// The number of bytes of its output that were left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        omitted_bytes: u64,
        /// The exit code, of a program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        /// Its duration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// The agent's words to the user.
    Answer {
        /// The words.
        text: String,
    },
    /// A device was seen to use a capability (camera, location, payment …).
    CapabilityProbe {
        /// The capability.
        capability: String,
        /// `requested` or `active`.
        phase: String,
        /// Everything else that was reported.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        details: Map<String, Value>,
    },
    /// A person was asked to do what an agent may not (log in, pay, show a face).
    HumanAuth {
        /// The requested name.
        capability: String,
        /// What the person did; none while it is open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
    /// Something the user should be able to find again: a refused variable, a retry, a denied tool.
    Notice {
        /// A stable word for its kind.
        kind: String,
        /// The event.
        text: String,
    },
    /// What another agent program calls its own session, so that it can go on with it later.
    HarnessSession {
        /// The program.
        harness: String,
        /// Its session.
        session: String,
    },
    /// A run ended.
    RunEnded {
        /// Its result.
        outcome: Outcome,
        /// The usage.
        #[serde(default)]
        usage: Usage,
        /// Its duration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
        /// True if the user stopped it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stopped: bool,
    },
    /// The user says afterwards how a run went; the last rating counts.
    Rating {
        /// Its result.
        outcome: Outcome,
        /// The user's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// An entry of a foreign log that has no counterpart here, kept as it was.
    Foreign {
        /// The entry.
        entry: Value,
    },
}

/// Who answers in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Backend {
    /// The kind.
    pub kind: BackendKind,
    /// The endpoint, harness or tool.
    pub name: String,
    /// The model, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Kinds of back ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackendKind {
    /// A chat model and our own tools.
    #[default]
    Model,
    /// Another agent program.
    Harness,
    /// A slash command that went straight to a tool.
    Dispatch,
}

/// What was decided for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionDecision {
    /// A skill is loaded.
    Load,
    /// Skills are suggested.
    Suggest,
    /// No skill is asked for.
    #[serde(alias = "nothing")]
    None,
    /// The word of another version.
    #[serde(untagged)]
    Other(String),
}

impl SelectionDecision {
    /// The word in the trace.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Load => "load",
            Self::Suggest => "suggest",
            Self::None => "none",
            Self::Other(word) => word,
        }
    }
}

/// The effect of the turn before on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowUp {
    /// The effect.
    #[schemars(with = "String")]
    pub effect: FollowUpEffect,
    /// The skills that were in use in the turn before.
    pub skills: Vec<String>,
    /// The reason, in plain words.
    pub reason: String,
}

/// Effect on the skills of the turn before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FollowUpEffect {
    /// They stay loaded.
    Kept,
    /// Nothing is loaded for the message.
    Dropped,
    /// The message was chosen for as if it stood alone.
    Plain,
    /// The word of another version.
    #[serde(untagged)]
    Other(String),
}

impl fmt::Display for FollowUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skills = self.skills.join(", ");
        match &self.effect {
            FollowUpEffect::Kept => {
                write!(formatter, "kept from the turn before: {skills} ({})", self.reason)
            }
            FollowUpEffect::Dropped => write!(formatter, "nothing is loaded: {}", self.reason),
            FollowUpEffect::Plain => {
                write!(formatter, "not kept from the turn before: {skills} ({})", self.reason)
            }
            FollowUpEffect::Other(word) => write!(formatter, "{word}: {skills} ({})", self.reason),
        }
    }
}

/// A skill in a selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedSkill {
    /// Its name.
    pub name: String,
    /// How well it fits.
    pub score: f32,
    /// Probability that it is asked for.
    pub confidence: f32,
    /// True if the ranking is sure enough to load it. Whether its text was in the request, `prompt` tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loaded: bool,
}

/// A skill in the prompt of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptedSkill {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// The hash of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The form in which the model got it.
    pub how: PromptedAs,
}

/// The form in which a skill stood in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptedAs {
    /// An entry of the list: its name, perhaps its description.
    Listed,
    /// Its whole text.
    Text,
    /// The headings of its text, which is long.
    Map,
    /// The place of its file, with the advice to read it.
    Pointer,
    /// A reminder of its text, which was given earlier in the session.
    Again,
}

impl PromptedAs {
    /// Returns true if the model had the skill's text, or the map of a long one, before it.
    pub fn is_loaded(self) -> bool {
        matches!(self, Self::Text | Self::Map | Self::Again)
    }
}

/// What brought a skill into use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivatedBy {
    /// The model read its file.
    Read,
    /// It was put into the prompt because the message asks for it.
    Preload,
    /// The user called it: `/name`.
    Command,
    /// The user named it: `$name`.
    Reference,
    /// Another harness reported it.
    Harness,
}

/// Where on a phone a step happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Step")]
pub struct PhoneStep {
    /// Its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The thought behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// The app in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The element that was acted on: `text`, `resourceId`, `contentDesc`, `className`, `clickable` ….
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub ui_target: Map<String, Value>,
}

/// What a run used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens read by the model, cached ones included.
    pub input_tokens: u64,
    /// Tokens written by it.
    pub output_tokens: u64,
    /// Tokens of the input that came from a cache.
    pub cached_tokens: u64,
    /// The number of times that a model was asked.
    pub requests: u32,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        // Imported counts may be anything.
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.requests = self.requests.saturating_add(other.requests);
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
