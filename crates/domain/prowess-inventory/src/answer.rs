//! The answer for a message, as every surface gives it.

use std::path::PathBuf;

use prowess_select::{Certain, GateReport, SelectReason, Signals};
use prowess_types::{FollowUp, RankedSkill, SelectionDecision, TraceEvent};
use serde::Serialize;

/// The number of skills of an answer that are recorded.
const RECORDED: usize = 8;

/// A message that asks for a skill.
#[derive(Clone, Debug)]
pub struct MatchRequest<'a> {
    /// The message of the user.
    pub text: &'a str,
    /// Vectors of the text that the host has already, by encoder. They are used instead of computing them again.
    pub vectors: &'a [(&'a str, &'a [f32])],
    /// Files that the turn is about, for skills that are made for certain paths.
    pub files: &'a [&'a str],
    /// Confidence from which a skill is loaded, instead of the configured one.
    pub load: Option<f32>,
    /// Confidence from which skills are suggested, instead of the configured one.
    pub suggest: Option<f32>,
    /// The number of skills that the answer ranks.
    pub top: usize,
    /// The current time, in milliseconds since 1970. Without it, nothing that was learned counts.
    pub now: Option<u64>,
    /// The turns before the message; none by default.
    pub after: Conversation<'a>,
}

/// The turns before a message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conversation<'a> {
    /// The earlier messages of the user, the last one last.
    pub previous: &'a [&'a str],
    /// The names of the skills that were in use for the last of them. If none is named, the skills of the earlier
    /// messages are chosen like those of any message.
    pub loaded: &'a [&'a str],
}

impl<'a> MatchRequest<'a> {
    /// A message, with everything else as configured.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            vectors: &[],
            files: &[],
            load: None,
            suggest: None,
            top: 5,
            now: None,
            after: Conversation::default(),
        }
    }
}

/// What shall happen with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchDecision {
    /// The loaded skills are what the message asks for.
    Load,
    /// The best ones may be what it asks for; somebody else has to say.
    Suggest,
    /// No skill is asked for.
    Nothing,
}

impl MatchDecision {
    /// Returns its recorded form.
    pub fn recorded(self) -> SelectionDecision {
        match self {
            Self::Load => SelectionDecision::Load,
            Self::Suggest => SelectionDecision::Suggest,
            Self::Nothing => SelectionDecision::None,
        }
    }
}

/// The answer for a message.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Match")]
pub struct MessageMatch {
    /// The message.
    pub query: String,
    /// Its language, as ISO 639-1 has it.
    pub lang: &'static str,
    /// What shall happen.
    pub decision: MatchDecision,
    /// Whether nothing is loaded.
    pub abstained: bool,
    /// Probability that the best skill is asked for.
    pub confidence: f32,
    /// Confidence from which a skill is loaded.
    pub threshold: f32,
    /// Confidence from which skills are suggested.
    pub suggest_threshold: f32,
    /// The best skills, best first.
    pub results: Vec<MatchResult>,
    /// Skills that cannot be used and would have been better than any that can.
    pub blocked: Vec<Blocked>,
    /// What the confidence is made of.
    pub gate: GateReport,
    /// The reasons against the best skill that can be used, the strongest first.
    pub against: Vec<SelectReason>,
    /// What would have changed the decision.
    pub counterfactuals: Vec<String>,
    /// The effect of the turn before, where it had skills in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    /// The number of skills that have been read while others have not: those are ranked by their words alone. None once all
    /// have been read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preparing: Option<Progress>,
    /// How long it took; whoever has a clock fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<f64>,
}

/// The progress of reading skills: of the encoding of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SelectorProgress")]
pub struct Progress {
    /// Skills that have their vector.
    pub done: usize,
    /// All skills.
    pub total: usize,
}

impl Progress {
    /// Returns true if nothing is left to read.
    pub fn is_done(self) -> bool {
        self.done >= self.total
    }
}

/// One ranked skill.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchResult {
    /// Its name.
    pub name: String,
    /// Folder name, or file name without `.md`.
    pub id: String,
    /// How well it fits; comparable between skills for one message.
    pub score: f32,
    /// Probability that it is asked for.
    pub confidence: f32,
    /// How far it is behind the best one that can be used.
    pub behind: f32,
    /// Whether it is loaded.
    pub loaded: bool,
    /// True if it is loaded because the turn before had it in use.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// Whether it can be used.
    pub eligible: bool,
    /// Its source.
    pub source: String,
    /// Its file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub file_path: PathBuf,
    /// What makes it certain, if anything does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<Certain>,
    /// What its score is made of.
    pub signals: Signals,
    /// The reasons for and against it, in plain words.
    pub reasons: Vec<SelectReason>,
    /// What keeps it from being used.
    pub missing: Vec<String>,
    /// Its place among the documents of the selector.
    #[serde(skip)]
    pub row: usize,
}

/// A skill that would have won.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// Its name.
    pub name: String,
    /// What keeps it from being used.
    pub missing: Vec<String>,
}

impl MessageMatch {
    /// The names of the skills to load.
    pub fn loaded(&self) -> Vec<&str> {
        self.results.iter().filter(|result| result.loaded).map(|result| result.name.as_str()).collect()
    }

    /// Returns its event in a session.
    pub fn event(&self) -> TraceEvent {
        let ranked = self.results.iter().take(RECORDED).map(|result| RankedSkill {
            name: result.name.clone(),
            score: result.score,
            confidence: result.confidence,
            loaded: result.loaded,
        });
        TraceEvent::Selection {
            decision: self.decision.recorded(),
            confidence: self.confidence,
            ranked: ranked.collect(),
            follow_up: self.follow_up.clone(),
        }
    }
}
