//! The answer for a message, made of a selection over rows.

use std::path::PathBuf;

use prowess_inventory::{Blocked, Entry, Match, MatchDecision, MatchRequest, MatchResult, why_invisible};
use prowess_select::overlap::Overlap;
use prowess_select::{Certain, Decision, Ranked, Selection, Standing};
use serde::Serialize;

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
