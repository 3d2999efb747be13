//! The answer for a message, made of a selection over rows.

use std::path::PathBuf;

use prowess_config::Profile;
use prowess_inventory::{
    Blocked, MatchDecision, MatchRequest, MatchResult, MessageMatch, SkillEntry, why_invisible,
};
use prowess_select::overlap::Overlap;
use prowess_select::{Certain, Eligibility, FollowUpRule, PlainChoice, Ranked, SelectDecision, Selection};
use prowess_types::{FollowUp, FollowUpEffect};
use serde::Serialize;

/// The most skills that are kept from the turn before, as many as are loaded at once.
const MAX_KEPT: usize = 3;

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

    pub(super) fn new(entry: &SkillEntry, profile: &Profile) -> Self {
        let is_offered = entry.is_model_visible();
        let missing = match (entry.verdict.eligible, is_offered) {
            (_, true) => Vec::new(),
            (false, false) => entry.verdict.reasons.clone(),
            (true, false) => vec![why_invisible(entry)],
        };
        Self {
            name: entry.skill.name.clone(),
            id: entry.skill.id.clone(),
            source: profile.source_name(&entry.origin.source).to_owned(),
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

/// The effect of the turn before, with the rows that it had in use.
pub(super) struct TurnBefore {
    rule: FollowUpRule,
    rows: Vec<usize>,
}

impl TurnBefore {
    /// Applies the rule of the conversation; none if no skill was in use that may still be used.
    pub(super) fn of(message: &str, loaded: &[&str], selection: &Selection, rows: &[Row]) -> Option<Self> {
        let row = |name: &&str| {
            rows.iter().position(|row| row.name == **name && (row.is_offered || row.is_callable))
        };
        let in_use: Vec<usize> = loaded.iter().filter_map(row).take(MAX_KEPT).collect();
        let names: Vec<&str> = in_use.iter().map(|row| rows[*row].name.as_str()).collect();
        let best = selection.ranked.iter().find(|ranked| ranked.standing == Eligibility::Open);
        let plain = PlainChoice {
            best: best.map(|best| rows[best.row].name.as_str()),
            confidence: selection.confidence,
            is_loaded: matches!(selection.decision, SelectDecision::Load { .. }),
            is_suggested: selection.decision != SelectDecision::Nothing,
            is_certain: best.is_some_and(|best| best.certain.is_some()),
        };
        (!in_use.is_empty()).then(|| Self { rule: FollowUpRule::of(message, &names, &plain), rows: in_use })
    }

    /// The rows that stay loaded.
    pub(super) fn kept(&self) -> &[usize] {
        match self.rule {
            FollowUpRule::Keep(_) => &self.rows,
            FollowUpRule::Drop | FollowUpRule::Plain(_) => &[],
        }
    }

    fn recorded(&self, rows: &[Row]) -> FollowUp {
        FollowUp {
            effect: match self.rule {
                FollowUpRule::Keep(_) => FollowUpEffect::Kept,
                FollowUpRule::Drop => FollowUpEffect::Dropped,
                FollowUpRule::Plain(_) => FollowUpEffect::Plain,
            },
            skills: self.rows.iter().map(|row| rows[*row].name.clone()).collect(),
            reason: self.rule.to_string(),
        }
    }
}

/// The words for what the plain choice would have done.
fn without_turn_before(decision: MatchDecision, loaded: &[usize], rows: &[Row]) -> String {
    let names: Vec<String> = loaded.iter().map(|row| format!("`{}`", rows[*row].name)).collect();
    let verb = match decision {
        MatchDecision::Load => format!("{} would be loaded", names.join(", ")),
        MatchDecision::Suggest => "skills would only be suggested".to_owned(),
        MatchDecision::Nothing => "no skill would be loaded".to_owned(),
    };
    format!("without the turn before, {verb}")
}

pub(super) fn build(
    request: &MatchRequest<'_>,
    language: &'static str,
    mut selection: Selection,
    before: Option<&TurnBefore>,
    rows: &[Row],
) -> MessageMatch {
    let (plain, loaded) = match &selection.decision {
        SelectDecision::Load { rows } => (MatchDecision::Load, rows.clone()),
        SelectDecision::Suggest { .. } => (MatchDecision::Suggest, Vec::new()),
        SelectDecision::Nothing => (MatchDecision::Nothing, Vec::new()),
    };
    let kept = before.map(TurnBefore::kept).unwrap_or_default();
    let (decision, loaded, changed) = match before.map(|before| before.rule) {
        Some(FollowUpRule::Keep(_)) => {
            let changed = without_turn_before(plain, &loaded, rows);
            (MatchDecision::Load, kept.to_vec(), Some(changed))
        }
        Some(FollowUpRule::Drop) if plain != MatchDecision::Nothing => {
            (MatchDecision::Nothing, Vec::new(), Some(without_turn_before(plain, &loaded, rows)))
        }
        Some(FollowUpRule::Drop | FollowUpRule::Plain(_)) | None => (plain, loaded, None),
    };
    let best = selection.ranked.iter().find(|ranked| ranked.standing == Eligibility::Open);
    let would_have_won = |ranked: &&Ranked| {
        ranked.standing == Eligibility::Ineligible
            && ranked.confidence >= selection.suggest
            && best.is_none_or(|best| ranked.score > best.score)
    };
    let blocked = selection.ranked.iter().filter(would_have_won);
    let blocked = blocked
        .map(|ranked| &rows[ranked.row])
        .map(|row| Blocked { name: row.name.clone(), missing: row.missing.clone() })
        .collect();
    let name = |row: usize| format!("`{}`", rows[row].name);
    let changes = selection.counterfactuals.iter().map(|change| change.describe(name));
    let counterfactuals = changed.into_iter().chain(changes).collect();
    // Kept skills come first, in the order of the turn before.
    let place = |ranked: &Ranked| kept.iter().position(|row| *row == ranked.row).unwrap_or(usize::MAX);
    selection.ranked.sort_by_key(place);
    MessageMatch {
        query: request.text.to_owned(),
        lang: language,
        decision,
        abstained: decision != MatchDecision::Load,
        confidence: selection.confidence,
        threshold: selection.load,
        suggest_threshold: selection.suggest,
        blocked,
        counterfactuals,
        follow_up: before.map(|before| before.recorded(rows)),
        gate: selection.gate,
        against: selection.against,
        results: selection
            .ranked
            .into_iter()
            .take(request.top.max(kept.len()))
            .map(|ranked| result(ranked, &loaded, kept, rows))
            .collect(),
        preparing: None,
        took_ms: None,
    }
}

fn result(ranked: Ranked, loaded: &[usize], kept: &[usize], rows: &[Row]) -> MatchResult {
    let row = &rows[ranked.row];
    MatchResult {
        name: row.name.clone(),
        id: row.id.clone(),
        score: ranked.score,
        confidence: ranked.confidence,
        behind: ranked.behind,
        loaded: loaded.contains(&ranked.row),
        kept: kept.contains(&ranked.row),
        eligible: ranked.standing == Eligibility::Open,
        source: row.source.clone(),
        file_path: row.file.clone(),
        certain: ranked.certain,
        signals: ranked.signals,
        reasons: ranked.reasons,
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
