//! Answering a hook while the user waits.

use std::sync::Arc;

use prowess_context::{Clock, Context, ContextError};
use prowess_inventory::{GivenSkills, MatchRequest};
use prowess_match::AgentView;
use prowess_sessions::resume::resume_of_harness;
use prowess_sessions::{HookRecord, HowShown, RecordedEvent, SessionId, Sessions, ShownSkill};
use prowess_types::{PromptedAs, PromptedSkill};

use super::block::Block;
use super::{HookError, HookEvent, HookHarness, HookInput, note_hook_problem};

/// The time in which missing vectors are computed. Afterwards, a skill without one is judged by its words.
const PREPARE_TIMEOUT_MS: u64 = 3_000;
/// Characters of a message that are looked at.
const MAX_MESSAGE: usize = 8_000;
/// The number of skills that are ranked.
const RANKED: usize = 8;

/// Returns the output of a hook for its input; empty if there is nothing to say. The agent is only read if that is
/// needed.
///
/// Nothing of the message is recorded.
pub fn answer_hook(
    context: &Context,
    harness: HookHarness,
    input: &HookInput,
    view: impl FnOnce() -> Result<Arc<AgentView>, ContextError>,
    clock: &Clock,
) -> Result<String, HookError> {
    let session = SessionId::of_harness(harness, &input.session);
    let text = match &input.event {
        HookEvent::Prompt(message) => answer_prompt(context, harness, message, &session, view, clock)?,
        HookEvent::Compacted => answer_compaction(context, harness, input, &session, &*view()?, clock),
        HookEvent::Other(_) => String::new(),
    };
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    Ok(prowess_harness::hook::answer(&input.event, text.trim_end()))
}

fn answer_prompt(
    context: &Context,
    harness: HookHarness,
    message: &str,
    session: &SessionId,
    view: impl FnOnce() -> Result<Arc<AgentView>, ContextError>,
    clock: &Clock,
) -> Result<String, HookError> {
    let message = message.trim();
    // A command is for the harness itself, which knows what it means.
    if message.is_empty() || message.starts_with('/') {
        return Ok(String::new());
    }
    let message = message.char_indices().nth(MAX_MESSAGE).map_or(message, |(end, _)| &message[..end]);
    let view = view()?;
    let (inventory, selector) = (view.inventory(), view.selector()?);
    let end = clock.now_ms().saturating_add(PREPARE_TIMEOUT_MS);
    selector.prepare_until(message, || clock.now_ms() >= end)?;
    let request = MatchRequest { top: RANKED, now: Some(clock.now_ms()), ..MatchRequest::new(message) };
    let answer = selector.find(&request)?;
    let sessions = Sessions::of(context);
    let past = sessions.hook_records(session);
    let budget = inventory.settings.rules.budget.max_chars;
    let (max_chars, given) = (harness.max_answer().min(budget), texts_in_context(&past));
    let block = Block::new(inventory, &answer, &selector.relevance(&answer), max_chars, &given);
    let decision = answer.decision.recorded();
    let event = RecordedEvent::Prompt { decision, confidence: answer.confidence };
    record(context, harness, &inventory.agent_id, session, event, block.skills, clock);
    Ok(block.text)
}

fn answer_compaction(
    context: &Context,
    harness: HookHarness,
    input: &HookInput,
    session: &SessionId,
    view: &AgentView,
    clock: &Clock,
) -> String {
    let inventory = view.inventory();
    let digest = resume_of_harness(context, harness, input.transcript.as_deref(), session, inventory);
    record(context, harness, &inventory.agent_id, session, RecordedEvent::Compacted, Vec::new(), clock);
    digest.text
}

/// An answer that cannot be recorded is still given.
fn record(
    context: &Context,
    harness: HookHarness,
    agent: &str,
    session: &SessionId,
    event: RecordedEvent,
    skills: Vec<ShownSkill>,
    clock: &Clock,
) {
    let (harness_name, agent) = (harness.name().to_owned(), agent.to_owned());
    let record = HookRecord { at: clock.now_ms(), harness: harness_name, agent, event, skills };
    if let Err(error) = Sessions::of(context).record_hook(session, &record) {
        note_hook_problem(context, harness, &prowess_text::describe_error(&error), clock);
    }
}

/// Skills whose text was put into the context since it was last compacted.
fn texts_in_context(past: &[HookRecord]) -> GivenSkills {
    let since = past.iter().rposition(|record| record.event == RecordedEvent::Compacted).unwrap_or(0);
    let shown = past.iter().skip(since).flat_map(|record| &record.skills);
    let mut given = GivenSkills::default();
    for skill in shown.filter(|skill| matches!(skill.how, HowShown::Text | HowShown::Map)) {
        given.note(&PromptedSkill {
            name: skill.name.clone(),
            path: skill.path.clone(),
            content_hash: Some(skill.content_hash.to_string()),
            how: PromptedAs::Text,
        });
    }
    given
}
