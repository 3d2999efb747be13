//! `skill_search`: which skills a message asks for, or none.

use std::collections::BTreeMap;

use prowess_inventory::{Conversation, MatchDecision, MatchRequest, MatchResult, SkillEntry};
use prowess_text::describe_error;
use prowess_types::FollowUp;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::looks;
use crate::ask::Outcome;
use crate::core::Desk;
use crate::tool_answer::{ToolAnswer, Worded};
use crate::uri::of_skill;

/// The most that a message may have.
const MAX_CHARS: usize = 20_000;
/// The most earlier messages.
const MAX_PREVIOUS: usize = 8;
/// The maximum number of matching words that are named.
const WORDS: usize = 4;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The user's request, best in their own words and language.
    #[schemars(length(min = 1, max = 20_000))]
    message: String,
    /// The number of skills that are named at most.
    #[schemars(range(min = 1, max = 20))]
    #[serde(default = "five")]
    top: usize,
    /// Files that the task is about; some skills are made for certain paths.
    #[serde(default)]
    files: Vec<String>,
    /// Earlier messages of the user in this conversation, the oldest first. A follow-up keeps the skill in use.
    #[schemars(length(max = 8))]
    #[serde(default)]
    previous: Vec<String>,
}

fn five() -> usize {
    5
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// `load`: read and follow the skills marked so. `suggest`: one of them may fit. `nothing`: no skill fits.
    decision: MatchDecision,
    /// Probability that the best skill is asked for.
    confidence: f32,
    /// The skills that fit, the best first; none if nothing fits.
    skills: Vec<Found>,
    /// Skills that would fit better but cannot be used yet.
    blocked: Vec<Unready>,
    /// The effect of the turn before, where it had skills in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    follow_up: Option<FollowUp>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// Its name.
    name: String,
    /// Its purpose.
    description: String,
    /// Its text, as a resource.
    uri: String,
    /// Probability that it is asked for.
    confidence: f32,
    /// True if it shall be read and followed.
    load: bool,
    /// The signals for it.
    reasons: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Unready {
    /// Its name.
    name: String,
    /// The missing requirements.
    missing: Vec<String>,
}

pub(super) fn tool() -> Tool {
    super::tool::<Input, Worded<Output>>(
        "skill_search",
        "Find a skill",
        "Finds the skills that a message asks for, by meaning, in any language. Call it first, with the user's message. It \
         says `nothing` when no skill fits: then go on without one.",
        looks(),
    )
}

pub(super) fn run(desk: &Desk, input: Input) -> Outcome {
    if input.message.trim().is_empty() || input.message.chars().count() > MAX_CHARS {
        return Err(format!("`message` must have 1 to {MAX_CHARS} characters"));
    }
    if !(1..=20).contains(&input.top) {
        return Err("`top` must be between 1 and 20".to_owned());
    }
    let texts = input.previous.iter().map(String::as_str).chain([input.message.as_str()]);
    if input.previous.len() > MAX_PREVIOUS
        || input.previous.iter().any(|text| text.chars().count() > MAX_CHARS)
    {
        return Err(format!(
            "`previous` must have at most {MAX_PREVIOUS} messages of at most {MAX_CHARS} characters"
        ));
    }
    let fault = |error: prowess_context::ChooseError| {
        format!("skills cannot be searched: {}", describe_error(&error))
    };
    let selector = desk.view.selector().map_err(fault)?;
    for text in texts {
        selector.prepare_for(text, |_| {}).map_err(fault)?;
    }
    let previous: Vec<&str> = input.previous.iter().map(String::as_str).collect();
    let files: Vec<&str> = input.files.iter().map(String::as_str).collect();
    let found = selector
        .find(&MatchRequest {
            files: &files,
            // Some of the best may be hidden from the model.
            top: input.top * 3,
            after: Conversation { previous: &previous, loaded: &[] },
            now: Some(desk.caller.core.options.clock.now_ms()),
            ..MatchRequest::new(&input.message)
        })
        .map_err(fault)?;
    if let Some(session) = desk.session() {
        // A session that cannot be written does not stop the work.
        let _ = session.searched(&input.message, desk.view.snapshot(), &found);
    }
    let offered = desk.offered();
    let fits = |result: &&MatchResult| {
        found.decision != MatchDecision::Nothing
            && result.eligible
            && (result.loaded || result.confidence >= found.suggest_threshold)
    };
    let skills = found.results.iter().filter(fits).filter_map(|result| entry(&offered, result));
    let output = Output {
        decision: found.decision,
        confidence: found.confidence,
        skills: skills.take(input.top).collect(),
        follow_up: found.follow_up.clone(),
        blocked: found
            .blocked
            .iter()
            .filter(|blocked| may_know(desk, &blocked.name))
            .map(|blocked| Unready { name: blocked.name.clone(), missing: blocked.missing.clone() })
            .collect(),
    };
    Ok(ToolAnswer::worded(told(&output), output))
}

fn entry(offered: &BTreeMap<&str, &SkillEntry>, result: &MatchResult) -> Option<Found> {
    let entry = offered.get(result.name.as_str())?;
    Some(Found {
        name: result.name.clone(),
        description: entry.skill.description.clone(),
        uri: of_skill(&result.name),
        confidence: result.confidence,
        load: result.loaded,
        reasons: reasons(result),
    })
}

/// Returns true if the model may hear of a skill that cannot be used: not of what its agent may not have, or only
/// people call.
fn may_know(desk: &Desk, name: &str) -> bool {
    desk.inventory().entries.iter().any(|entry| entry.skill.name == name && super::list::is_for_models(entry))
}

/// The signals for a skill.
fn reasons(result: &MatchResult) -> Vec<String> {
    if let Some(certain) = &result.certain {
        return vec![certain.to_string()];
    }
    if result.kept {
        return vec!["kept from the turn before".to_owned()];
    }
    let meaning: f32 = result.signals.voices.iter().map(|voice| voice.share).sum();
    let mut reasons = vec![format!("meaning {meaning:+.1}")];
    let mut words: Vec<&str> = Vec::new();
    for term in &result.signals.lexical.terms {
        if words.len() < WORDS && !words.contains(&term.word.as_str()) {
            words.push(&term.word);
        }
    }
    if !words.is_empty() {
        reasons.push(format!("words {:+.1}: {}", result.signals.lexical.share, words.join(", ")));
    }
    reasons
}

fn told(output: &Output) -> String {
    let mut text = match output.decision {
        MatchDecision::Load => "Read and follow the skills marked `load` (`skill_read`).\n".to_owned(),
        MatchDecision::Suggest => "One of these may fit; read it if it does (`skill_read`).\n".to_owned(),
        MatchDecision::Nothing => "No skill fits. Go on without one.\n".to_owned(),
    };
    for skill in &output.skills {
        let mark = if skill.load { " (load)" } else { "" };
        let (sure, reasons) = (skill.confidence * 100.0, skill.reasons.join("; "));
        text += &format!("- {}{mark}: {} [{sure:.0} %; {reasons}]\n", skill.name, skill.description);
    }
    for blocked in &output.blocked {
        text += &format!("`{}` would fit better, but: {}\n", blocked.name, blocked.missing.join("; "));
    }
    text
}
