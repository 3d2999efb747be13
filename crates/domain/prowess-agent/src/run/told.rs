//! The prompt of a run: rendered once, then sent, stored and recorded as it is.

use std::collections::HashSet;

use prowess_catalog::estimate_tokens;
use prowess_config::Select;
use prowess_context::Context;
use prowess_inventory::{
    EmptyPrompt, GivenSkills, Inventory, MatchDecision, MessageMatch, Relevance, TurnSkills, prompted,
};
use prowess_run::turn::{SystemParts, system_prompt};
use prowess_types::{ActivatedBy, PromptedAs, PromptedSkill};
use serde::Serialize;

use super::RunError;
use super::plan::RenderedPrompt;
use super::prepare::{Chosen, prompt_request};
use super::said::{Said, understand};

/// The prompt that a run would send with a message in a new session.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessagePrompt {
    /// The system prompt.
    pub system: String,
    /// The block in front of the message, apart from it by an empty line.
    pub context: Option<String>,
    /// The message as it is sent.
    pub message: String,
    /// Characters of system prompt and block together.
    pub chars: usize,
    /// An estimate of what system prompt and block cost.
    pub tokens: usize,
    /// The number of listed skills.
    pub listed: usize,
    /// Every skill in the system prompt or the block.
    pub skills: Vec<PricedSkill>,
    /// The tokens that belong to no skill: instructions, rules and frames.
    pub overhead_tokens: usize,
    /// The decision about the message.
    pub decision: MatchDecision,
    /// The confidence of the best match.
    pub confidence: f32,
    /// The confidence from which the text of a match is given at once.
    pub preload_at: Option<f32>,
    /// The reason there are no skills in the request, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<String>,
}

/// A skill in a prompt, with its cost.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PricedSkill {
    /// The skill.
    #[serde(flatten)]
    pub skill: PromptedSkill,
    /// An estimate of what the words about it cost.
    pub tokens: usize,
}

/// The reader of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// A model that gets our system prompt.
    Model,
    /// Another program, which gets the message alone.
    Program,
    /// A tool, which gets nothing but its arguments.
    Tool,
}

/// The prompt for a message. A message that calls a skill by a command brings its text itself, so nothing else is put in
/// front of it.
pub(super) fn render(
    inventory: &Inventory,
    chosen: Option<&Chosen>,
    given: &GivenSkills,
    said: &Said,
    reader: Reader,
) -> RenderedPrompt {
    priced(inventory, chosen, given, said, reader).0
}

/// The same, with an estimate of what the words about each skill cost, where that is known.
fn priced(
    inventory: &Inventory,
    chosen: Option<&Chosen>,
    given: &GivenSkills,
    said: &Said,
    reader: Reader,
) -> (RenderedPrompt, Vec<usize>) {
    let pair = chosen.map(|chosen| (&chosen.answer, &chosen.relevance));
    let TurnSkills { system, mut context, skills, tokens } = match reader {
        Reader::Model => inventory.turn_skills(pair, given),
        Reader::Program => inventory.program_skills(pair, given),
        Reader::Tool => TurnSkills::default(),
    };
    let parts = SystemParts { workspace: &inventory.workspace, skills: &system };
    let system = match reader {
        Reader::Model => system_prompt(&parts),
        Reader::Program | Reader::Tool => String::new(),
    };
    let is_command = said.called.iter().any(|called| called.by == ActivatedBy::Command);
    let is_dropped = is_command && context.take().is_some();
    let rest = skills.into_iter().zip(tokens.into_iter().map(Some).chain(std::iter::repeat(None)));
    let mut told: Vec<(PromptedSkill, Option<usize>)> = rest.filter(|_| !is_dropped).collect();
    // A skill that was called stands in the message itself, unless its text is before it.
    for called in said.called.iter().filter(|_| reader != Reader::Tool) {
        let (Some(how), Some(entry)) = (called.how, inventory.entries.get(called.place)) else { continue };
        let own = prompted(entry, how);
        let is_same = |skill: &PromptedSkill| skill.path == own.path;
        if how == PromptedAs::Text {
            told.retain(|(skill, _)| !is_same(skill));
        }
        if !told.iter().any(|(skill, _)| is_same(skill)) {
            told.push((own, Some(0)));
        }
    }
    let (skills, tokens): (Vec<PromptedSkill>, Vec<Option<usize>>) = told.into_iter().unzip();
    let tokens: Option<Vec<usize>> = tokens.into_iter().collect();
    let empty = skills.is_empty().then(|| why_empty(inventory, chosen, reader)).flatten();
    let empty = empty.map(|empty| format!("{} ({})", empty.message, empty.help));
    (RenderedPrompt { system, context, prompted: skills, empty }, tokens.unwrap_or_default())
}

/// The reason for a request without skills. Another program has a list of its own, so only a lack of skills for any
/// message is a reason there.
fn why_empty(inventory: &Inventory, chosen: Option<&Chosen>, reader: Reader) -> Option<EmptyPrompt> {
    let of_any_message = inventory.empty_prompt();
    match reader {
        Reader::Model => of_any_message.or_else(|| {
            let follows_list = inventory.settings.select != Select::Message;
            follows_list.then(|| inventory.why_empty(&prompt_request(chosen))).flatten()
        }),
        Reader::Program => of_any_message.filter(|empty| empty.reason.is_about_skills()),
        Reader::Tool => None,
    }
}

/// The names of the skills that another program is handed as files: those that fit the message, or all that may be
/// listed.
pub(super) fn handed(
    inventory: &Inventory,
    chosen: Option<&Chosen>,
    rendered: &RenderedPrompt,
) -> HashSet<String> {
    let visible = inventory.entries.iter().filter(|entry| entry.is_model_visible()).collect();
    let following = chosen.map(|chosen| &chosen.relevance);
    let following = following.filter(|it| matches!(it.select, Select::Message | Select::Top));
    let Some(relevance) = following else {
        let listed = inventory.entries.iter().filter(|entry| entry.unlisted.is_none());
        return listed.map(|entry| entry.skill.name.clone()).collect();
    };
    let best = relevance.arrange(inventory, visible).into_iter();
    let best = best.map(|entry| entry.skill.name.clone());
    best.chain(rendered.prompted.iter().map(|skill| skill.name.clone())).collect()
}

/// The prompt that a run would send with a message in a new session. Commands in the text of a called skill are not
/// run for it.
pub fn message_prompt(
    context: &Context,
    inventory: &Inventory,
    answer: MessageMatch,
    relevance: Relevance,
) -> Result<MessagePrompt, RunError> {
    let said = understand(context, inventory, &answer.query, "preview")?;
    let chosen = Chosen { answer, relevance };
    let given = GivenSkills::default();
    let (rendered, tokens) = priced(inventory, Some(&chosen), &given, &said, Reader::Model);
    let RenderedPrompt { system, context, prompted, empty } = rendered;
    let costs =
        if tokens.len() == prompted.len() { tokens } else { list_costs(inventory, &chosen, &prompted) };
    let tokens = estimate_tokens(&system) + context.as_deref().map_or(0, estimate_tokens);
    let of_skills: usize = costs.iter().sum();
    let chars = prowess_text::utf16_len;
    Ok(MessagePrompt {
        chars: chars(&system) + context.as_deref().map_or(0, chars),
        tokens,
        overhead_tokens: tokens.saturating_sub(of_skills),
        listed: prompted.iter().filter(|skill| skill.how == PromptedAs::Listed).count(),
        skills: prompted
            .into_iter()
            .zip(costs)
            .map(|(skill, tokens)| PricedSkill { skill, tokens })
            .collect(),
        system,
        context,
        empty,
        message: said.text.into_text(),
        decision: chosen.answer.decision,
        confidence: chosen.answer.confidence,
        preload_at: chosen.relevance.preload.then_some(chosen.relevance.preload_at),
    })
}

/// The costs of skills whose list is in the system prompt.
fn list_costs(inventory: &Inventory, chosen: &Chosen, skills: &[PromptedSkill]) -> Vec<usize> {
    let explained = inventory.explain_prompt(&prompt_request(Some(chosen))).skills;
    let cost = |skill: &PromptedSkill| {
        explained.iter().find(|other| other.name == skill.name).map_or(0, |other| other.tokens)
    };
    skills.iter().map(cost).collect()
}
