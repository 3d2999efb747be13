//! Answering a hook while the user waits.

use std::path::Path;
use std::sync::Arc;

use prowess_context::{Clock, Context, ContextError};
use prowess_inventory::{Conversation, GivenSkills, MatchRequest};
use prowess_match::AgentView;
use prowess_sessions::resume::resume_of_harness;

use prowess_sessions::{HookRecord, HowShown, RecordedEvent, SessionId, Sessions, ShownSkill, skills_in_use};
use prowess_trace::{ImportKind, Turns};
use prowess_types::{PromptedAs, PromptedSkill};

use super::block::Block;
use super::{HookError, HookEvent, HookHarness, HookInput, note_hook_problem};

/// The time in which missing vectors are computed. Afterwards, a skill without one is judged by its words.
const PREPARE_TIMEOUT_MS: u64 = 3_000;
/// Characters of a message that are looked at.
const MAX_MESSAGE: usize = 8_000;
/// Bytes at the end of a harness's log that are read while the user waits.
const MAX_LOG_TAIL: u64 = 256 * 1024;
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
        HookEvent::Prompt(message) => {
            let prompt = Prompt { message, session: &session, transcript: input.transcript.as_deref() };
            answer_prompt(context, harness, &prompt, view, clock)?
        }
        HookEvent::Compacted => answer_compaction(context, harness, input, &session, &*view()?, clock),
        HookEvent::Other(_) => String::new(),
    };
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    Ok(prowess_harness::hook::answer(&input.event, text.trim_end()))
}

/// A message and where it stands.
struct Prompt<'a> {
    message: &'a str,
    session: &'a SessionId,
    /// The harness's log of the session.
    transcript: Option<&'a Path>,
}

fn answer_prompt(
    context: &Context,
    harness: HookHarness,
    prompt: &Prompt<'_>,
    view: impl FnOnce() -> Result<Arc<AgentView>, ContextError>,
    clock: &Clock,
) -> Result<String, HookError> {
    let message = prompt.message.trim();
    // A command is for the harness itself, which knows what it means.
    if message.is_empty() || message.starts_with('/') {
        return Ok(String::new());
    }
    let message = message.char_indices().nth(MAX_MESSAGE).map_or(message, |(end, _)| &message[..end]);
    let view = view()?;
    let (inventory, selector) = (view.inventory(), view.selector()?);
    let end = clock.now_ms().saturating_add(PREPARE_TIMEOUT_MS);
    selector.prepare_until(message, || clock.now_ms() >= end)?;
    let past = Sessions::of(context).hook_records(prompt.session);
    let turns = turns_before(harness, &past, prompt);
    let previous: Vec<&str> = turns.previous.iter().map(String::as_str).collect();
    let loaded: Vec<&str> = turns.loaded.iter().map(String::as_str).collect();
    let request = MatchRequest {
        top: RANKED,
        now: Some(clock.now_ms()),
        after: Conversation { previous: &previous, loaded: &loaded },
        ..MatchRequest::new(message)
    };
    let answer = selector.find(&request)?;
    let budget = inventory.settings.rules.budget.max_chars;
    let (max_chars, given) = (harness.max_answer().min(budget), texts_in_context(&past));
    let block = Block::new(inventory, &answer, &selector.relevance(&answer), max_chars, &given);
    let decision = answer.decision.recorded();
    let (confidence, follow_up) = (answer.confidence, answer.follow_up);
    let event = RecordedEvent::Prompt { decision, confidence, follow_up };
    record(context, harness, &inventory.agent_id, prompt.session, event, block.skills, clock);
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

/// The turns before a message: the skills that the hook and the harness brought into use. Where the hook was not there
/// for the turn before, the harness's own log tells what was said.
fn turns_before(harness: HookHarness, past: &[HookRecord], prompt: &Prompt<'_>) -> Turns {
    let mut turns = logged_turns(harness, prompt).unwrap_or_default();
    if let Some(in_use) = skills_in_use(past) {
        turns.previous.clear();
        turns.loaded.extend(in_use);
    }
    turns
}

/// The turns at the end of the harness's log. A log that cannot be read tells nothing.
fn logged_turns(harness: HookHarness, prompt: &Prompt<'_>) -> Option<Turns> {
    let log = prompt
        .transcript
        .filter(|log| log.is_absolute() && log.extension().is_some_and(|it| it == "jsonl"))?;
    let kind = ImportKind::find(harness.name())?;
    let bytes = prowess_fs::read_tail(log, MAX_LOG_TAIL).ok()?;
    Some(Turns::before(&prowess_trace::import(kind, &bytes).lines, Some(prompt.message.trim())))
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
