//! `skills.match` and `skills.prompt`: what a message asks for, and the skills text of the model.

use prowess_config::Select;
use prowess_inventory::{
    Conversation, GivenSkills, MatchRequest, MessageMatch, PromptExplanation, PromptRequest, ToldSkill,
};
use prowess_match::AgentView;
use prowess_text::describe_error;
use prowess_types::PromptedSkill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::skills::{SnapshotNote, snapshot_note};
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const READ: Access = Access::Operator(Scope::Read);
/// Skills that an answer to a message ranks.
const MAX_RANKED: usize = 50;
/// Earlier messages that are looked at.
const MAX_PREVIOUS: usize = 8;
/// Skills that are put in order for a prompt; the others follow by name.
const MAX_ORDERED: usize = 500;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("skills.match", READ, "Which skill a message asks for, or none, and why", find),
        method("skills.prompt", READ, "The exact skills text for the model, and what was cut", prompt),
    ]
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct MatchParams {
    /// What the user wrote.
    message: String,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// Files that the turn is about.
    #[serde(default)]
    files: Vec<String>,
    /// The number of skills that are ranked, 1 to 50; 5 unless said otherwise.
    top: Option<usize>,
    /// Earlier messages of the conversation, the oldest first. A follow-up keeps the skill in use.
    #[serde(default)]
    previous: Vec<String>,
    /// The skills that were in use for the last of them; chosen from them if none is named.
    #[serde(default)]
    loaded: Vec<String>,
    /// False answers at once, by words where skills have not been read yet; `preparing` says how far that is. True, the
    /// default, waits until all have been read.
    wait: Option<bool>,
}

/// Which prompt.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PromptParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
    /// A message that the list shall follow.
    message: Option<String>,
    /// Another size, in UTF-16 units.
    max_chars: Option<usize>,
    /// The model's context window, in tokens.
    context_tokens: Option<usize>,
    /// False answers at once, by words where skills have not been read yet. True, the default, waits.
    wait: Option<bool>,
}

/// What the model is told.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PromptAnswer {
    /// The exact text in the system prompt; empty if nothing is said there.
    text: String,
    /// The block in front of the message; null if nothing travels with it.
    context: Option<String>,
    /// The message as a run would send it, with the text of a skill that it calls; null without a message.
    message: Option<String>,
    /// Every skill whose name or text a run with this message would send; null without a message.
    skills: Option<Vec<PromptedSkill>>,
    /// When each skill is shown to the model, for any message.
    told: Vec<ToldSkill>,
    /// What happened to each skill.
    explanation: PromptExplanation,
    /// Which snapshot this was made of.
    snapshot: SnapshotNote,
}

async fn find(call: Call, params: MatchParams) -> Result<MessageMatch, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        let files: Vec<&str> = params.files.iter().map(String::as_str).collect();
        let top = params.top.unwrap_or(5).clamp(1, MAX_RANKED);
        let previous = &params.previous[params.previous.len().saturating_sub(MAX_PREVIOUS)..];
        let previous: Vec<&str> = previous.iter().map(String::as_str).collect();
        let loaded: Vec<&str> = params.loaded.iter().map(String::as_str).collect();
        let after = Conversation { previous: &previous, loaded: &loaded };
        let request = MatchRequest { files: &files, top, after, ..MatchRequest::new(&params.message) };
        ask(gateway, &view, &request, Patience::of(params.wait)).map(|(answer, _)| answer)
    })
    .await
}

async fn prompt(call: Call, params: PromptParams) -> Result<PromptAnswer, Refusal> {
    call.work(move |gateway| {
        let view = gateway.live.view(params.agent_id.as_deref())?;
        let inventory = view.inventory();
        let chosen = match params.message.as_deref() {
            Some(message) => {
                let request = MatchRequest { top: MAX_ORDERED, ..MatchRequest::new(message) };
                Some(ask(gateway, &view, &request, Patience::of(params.wait))?)
            }
            None => None,
        };
        let request = PromptRequest {
            max_chars: params.max_chars,
            context_tokens: params.context_tokens,
            relevance: chosen.as_ref().map(|(_, relevance)| relevance.clone()),
            ..PromptRequest::default()
        };
        // A question about another size gets the list of that size; every other one what a run would send.
        let chosen = chosen.filter(|_| params.max_chars.is_none() && params.context_tokens.is_none());
        let mut answer = PromptAnswer {
            text: String::new(),
            context: None,
            message: None,
            skills: None,
            told: inventory.told(),
            explanation: inventory.explain_prompt(&request),
            snapshot: snapshot_note(&view),
        };
        let Some((found, relevance)) = chosen else {
            answer.text = inventory.prompt(&request).text;
            return Ok(answer);
        };
        let turn = inventory.turn_skills(Some((&found, &relevance)), &GivenSkills::default());
        if relevance.select == Select::Message {
            answer.explanation = inventory.explain_turn(&turn);
        }
        answer.text = turn.system;
        let sent = gateway.live.engine().message_prompt(inventory, found, relevance);
        let sent = sent.map_err(|error| Refusal::invalid(describe_error(&error)))?;
        answer.context = sent.context;
        answer.message = Some(sent.message);
        answer.skills = Some(sent.skills.into_iter().map(|priced| priced.skill).collect());
        Ok(answer)
    })
    .await
}

/// The handling of skills that have not been read yet: an answer waits for them, or does not.
#[derive(Clone, Copy, Debug)]
enum Patience {
    UntilReady,
    None,
}

impl Patience {
    fn of(wait: Option<bool>) -> Self {
        if wait == Some(false) { Self::None } else { Self::UntilReady }
    }
}

/// The answer for a message, and how a list follows it.
fn ask(
    gateway: &Gateway,
    view: &AgentView,
    request: &MatchRequest<'_>,
    patience: Patience,
) -> Result<(MessageMatch, prowess_inventory::Relevance), Refusal> {
    let selector = view.selector()?;
    match patience {
        Patience::UntilReady => {
            for text in request.after.previous.iter().chain([&request.text]) {
                selector.prepare_for(text, |_| {})?;
            }
        }
        Patience::None => selector.prepare_in_background(),
    }
    let now = Some(gateway.options.clock.now_ms());
    let answer = selector.find(&MatchRequest { now, ..request.clone() })?;
    let mut relevance = selector.relevance(&answer);
    relevance.now = now;
    Ok((answer, relevance))
}
