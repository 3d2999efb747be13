//! The answer for a message, made of a selection over rows.

use std::path::PathBuf;

use prowess_inventory::{
    Blocked, MatchDecision, MatchRequest, MatchResult, MessageMatch, SkillEntry, why_invisible,
};
use prowess_select::overlap::Overlap;
use prowess_select::{Certain, Eligibility, Ranked, SelectDecision, Selection};
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

/// The part of an answer about the skill of a row.
pub(super) struct Row {
    pub(super) name: String,
    id: String,
    source: String,
    file: PathBuf,
    missing: Vec<String>,
    /// True if the model may see it.
    pub(super) is_offered: bool,
    /// A person may call it by name.
    pub(super) is_callable: bool,
}

impl Row {
    /// Returns a row that is not a skill of an agent.
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

    pub(super) fn new(entry: &SkillEntry) -> Self {
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
) -> MessageMatch {
    let (decision, loaded) = match &selection.decision {
        SelectDecision::Load { rows } => (MatchDecision::Load, rows.clone()),
        SelectDecision::Suggest { .. } => (MatchDecision::Suggest, Vec::new()),
        SelectDecision::Nothing => (MatchDecision::Nothing, Vec::new()),
    };
    let best = selection.ranked.iter().find(|ranked| ranked.standing == Eligibility::Open);
    let would_have_won = |ranked: &&Ranked| {
        ranked.standing == Eligibility::Ineligible
            && ranked.confidence >= selection.suggest
            && best.is_none_or(|best| ranked.score > best.score)
    };
    let blocked = selection.ranked.iter().filter(would_have_won);
    let name = |row: usize| format!("`{}`", rows[row].name);
    MessageMatch {
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
        eligible: ranked.standing == Eligibility::Open,
        source: row.source.clone(),
        file_path: row.file.clone(),
        certain: ranked.certain,
        signals: ranked.signals,
        missing: held_back(&ranked.standing, &row.missing),
        row: ranked.row,
    }
}

/// Returns the reasons that keep a row from being chosen.
fn held_back(standing: &Eligibility, missing: &[String]) -> Vec<String> {
    let also = match standing {
        Eligibility::Open | Eligibility::Ineligible => None,
        Eligibility::Vetoed { phrase } => Some(format!("its author rules out messages with `{phrase}`")),
        Eligibility::OutOfPath => Some("none of the files it is made for is concerned".to_owned()),
    };
    missing.iter().cloned().chain(also).collect()
}
