//! The answer for a message, as every surface gives it.

use std::path::PathBuf;

use prowess_select::overlap::Overlap;
use prowess_select::{Certain, Decision, GateReport, Ranked, Selection, Signals, Standing};
use prowess_types::{RankedSkill, SelectionDecision, TraceEvent};
use serde::Serialize;

use crate::inventory::Entry;
use crate::prompt::why_invisible;

/// How many skills of an answer are recorded.
const RECORDED: usize = 8;

/// A message that asks for a skill.
#[derive(Clone, Debug)]
pub struct MatchRequest<'a> {
    /// What the user wrote.
    pub text: &'a str,
    /// Vectors of the text that the host has already, by encoder. They are used instead of computing them again.
    pub vectors: &'a [(&'a str, &'a [f32])],
    /// Files that the turn is about, for skills that are made for certain paths.
    pub files: &'a [&'a str],
    /// Confidence from which a skill is loaded, instead of the configured one.
    pub load: Option<f32>,
    /// Confidence from which skills are suggested, instead of the configured one.
    pub suggest: Option<f32>,
    /// How many skills the answer ranks.
    pub top: usize,
    /// What time it is, in milliseconds since 1970. Without it, nothing that was learned counts.
    pub now: Option<u64>,
}

impl<'a> MatchRequest<'a> {
    /// A message, with everything else as configured.
    pub fn new(text: &'a str) -> Self {
        Self { text, vectors: &[], files: &[], load: None, suggest: None, top: 5, now: None }
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
    /// How it is recorded.
    pub(crate) fn recorded(self) -> SelectionDecision {
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
pub struct Match {
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
    /// What would have changed the decision.
    pub counterfactuals: Vec<String>,
    /// How long it took; whoever has a clock fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<f64>,
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

/// Two skills that compete for the same messages.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverlappingPair {
    /// The skill that the message was made of.
    pub meant: String,
    /// The skill that it finds as well.
    pub rival: String,
    /// The message that separates them least.
    pub message: String,
    /// How much the rival is ahead with that message; negative if it is behind.
    pub ahead: f32,
    /// With how many messages of either skill the other one competes.
    pub contested: usize,
    /// What can be done about it.
    pub suggestion: String,
}

impl OverlappingPair {
    pub(super) fn new(pair: &Overlap, meant: String, rival: String) -> Self {
        Self {
            message: pair.message.clone(),
            ahead: pair.ahead,
            contested: pair.contested,
            suggestion: pair.suggestion(&meant, &rival),
            meant,
            rival,
        }
    }
}

impl Match {
    /// The names of the skills to load.
    pub fn loaded(&self) -> Vec<&str> {
        self.results.iter().filter(|result| result.loaded).map(|result| result.name.as_str()).collect()
    }

    /// How it is recorded.
    pub(crate) fn event(&self) -> TraceEvent {
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
        }
    }
}

/// What an answer says about the skill of a row.
pub(super) struct Row {
    pub(super) name: String,
    id: String,
    source: String,
    file: PathBuf,
    missing: Vec<String>,
    /// The model may be told about it.
    pub(super) is_offered: bool,
    /// A person may call it by name.
    pub(super) is_callable: bool,
}

impl Row {
    /// A row that is no skill of an agent.
    pub(super) fn usable(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            id: name.to_owned(),
            source: String::new(),
            file: PathBuf::new(),
            missing: Vec::new(),
            is_offered: true,
            is_callable: true,
        }
    }

    pub(super) fn new(entry: &Entry) -> Self {
        let is_offered = entry.is_model_visible();
        let missing = match (entry.verdict.eligible, is_offered) {
            (_, true) => Vec::new(),
            (false, false) => entry.verdict.reasons.clone(),
            (true, false) => vec![why_invisible(entry)],
        };
        Self {
            name: entry.skill.name.clone(),
            id: entry.skill.id.clone(),
            source: entry.origin.source.clone(),
            file: entry.origin.file.clone(),
            missing,
            is_offered,
            is_callable: entry.is_command_visible(),
        }
    }
}

/// The rows that the message calls by name.
pub(super) fn named(selection: &Selection) -> impl Iterator<Item = usize> {
    let named = |ranked: &&Ranked| matches!(ranked.certain, Some(Certain::Named { .. }));
    selection.ranked.iter().filter(named).map(|ranked| ranked.row)
}

pub(super) fn build(
    request: &MatchRequest<'_>,
    language: &'static str,
    selection: Selection,
    rows: &[Row],
) -> Match {
    let (decision, loaded) = match &selection.decision {
        Decision::Load { rows } => (MatchDecision::Load, rows.clone()),
        Decision::Suggest { .. } => (MatchDecision::Suggest, Vec::new()),
        Decision::Nothing => (MatchDecision::Nothing, Vec::new()),
    };
    let best = selection.ranked.iter().find(|ranked| ranked.standing == Standing::Open);
    let would_have_won = |ranked: &&Ranked| {
        ranked.standing == Standing::Ineligible
            && ranked.confidence >= selection.suggest
            && best.is_none_or(|best| ranked.score > best.score)
    };
    let blocked = selection.ranked.iter().filter(would_have_won);
    let name = |row: usize| format!("`{}`", rows[row].name);
    Match {
        query: request.text.to_owned(),
        lang: language,
        decision,
        abstained: decision != MatchDecision::Load,
        confidence: selection.confidence,
        threshold: selection.load,
        suggest_threshold: selection.suggest,
        blocked: blocked
            .map(|ranked| &rows[ranked.row])
            .map(|row| Blocked { name: row.name.clone(), missing: row.missing.clone() })
            .collect(),
        counterfactuals: selection.counterfactuals.iter().map(|change| change.describe(name)).collect(),
        gate: selection.gate,
        results: selection
            .ranked
            .into_iter()
            .take(request.top)
            .map(|ranked| result(ranked, &loaded, rows))
            .collect(),
        took_ms: None,
    }
}

fn result(ranked: Ranked, loaded: &[usize], rows: &[Row]) -> MatchResult {
    let row = &rows[ranked.row];
    MatchResult {
        name: row.name.clone(),
        id: row.id.clone(),
        score: ranked.score,
        confidence: ranked.confidence,
        behind: ranked.behind,
        loaded: loaded.contains(&ranked.row),
        eligible: ranked.standing == Standing::Open,
        source: row.source.clone(),
        file_path: row.file.clone(),
        certain: ranked.certain,
        signals: ranked.signals,
        missing: held_back(&ranked.standing, &row.missing),
        row: ranked.row,
    }
}

/// What keeps a row from being chosen.
fn held_back(standing: &Standing, missing: &[String]) -> Vec<String> {
    let also = match standing {
        Standing::Open | Standing::Ineligible => None,
        Standing::Vetoed { phrase } => Some(format!("its author rules out messages with `{phrase}`")),
        Standing::OutOfPath => Some("none of the files it is made for is concerned".to_owned()),
    };
    missing.iter().cloned().chain(also).collect()
}
