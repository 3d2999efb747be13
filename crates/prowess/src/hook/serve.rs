//! Answering a hook while the user waits.

use std::sync::Arc;

use prowess_types::{PromptedAs, PromptedSkill};

use super::block::Block;
use super::log::{HookRecord, HowShown, RecordedEvent, ShownSkill};
use super::{HookError, HookEvent, HookHarness, HookInput};
use crate::choose::{GivenSkills, MatchRequest};
use crate::clock::Clock;
use crate::engine::{Engine, EngineError};
use crate::sessions::SessionId;
use crate::view::AgentView;

/// How long missing vectors are computed; what is missing then is judged by its words.
const PATIENCE_MS: u64 = 3_000;
/// Characters of a message that are looked at.
const MAX_MESSAGE: usize = 8_000;
/// How many skills are ranked.
const RANKED: usize = 8;

impl Engine {
    /// What a hook prints for what it was told; empty if there is nothing to say. The agent is only looked at if that is
    /// needed.
    ///
    /// Nothing of the message is recorded.
    pub fn answer_hook(
        &self,
        harness: HookHarness,
        input: &HookInput,
        view: impl FnOnce() -> Result<Arc<AgentView>, EngineError>,
        clock: &Clock,
    ) -> Result<String, HookError> {
        self.settle_news_of_fresh_home();
        let session = SessionId::of_harness(harness, &input.session);
        let context = match &input.event {
            HookEvent::Prompt(message) => self.answer_prompt(harness, message, &session, view, clock)?,
            HookEvent::Compacted => self.answer_compaction(harness, input, &session, &*view()?, clock),
            HookEvent::Other(_) => String::new(),
        };
        if context.trim().is_empty() {
            return Ok(String::new());
        }
        Ok(prowess_harness::hook::answer(&input.event, context.trim_end()))
    }

    fn answer_prompt(
        &self,
        harness: HookHarness,
        message: &str,
        session: &SessionId,
        view: impl FnOnce() -> Result<Arc<AgentView>, EngineError>,
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
        let end = clock.now_ms().saturating_add(PATIENCE_MS);
        selector.prepare_until(message, || clock.now_ms() >= end)?;
        let request = MatchRequest { top: RANKED, now: Some(clock.now_ms()), ..MatchRequest::new(message) };
        let answer = selector.find(&request)?;
        let sessions = self.sessions();
        let past = sessions.hook_records(session);
        let budget = inventory.settings.rules.budget.max_chars;
        let (max_chars, given) = (harness.max_answer().min(budget), texts_in_context(&past));
        let block = Block::new(inventory, &answer, &selector.relevance(&answer), max_chars, &given);
        let decision = answer.decision.recorded();
        let event = RecordedEvent::Prompt { decision, confidence: answer.confidence };
        self.record(harness, &inventory.agent_id, session, event, block.skills, clock);
        Ok(block.text)
    }

    fn answer_compaction(
        &self,
        harness: HookHarness,
        input: &HookInput,
        session: &SessionId,
        view: &AgentView,
        clock: &Clock,
    ) -> String {
        let inventory = view.inventory();
        let digest = self.resume_of_harness(harness, input.transcript.as_deref(), session, inventory);
        self.record(harness, &inventory.agent_id, session, RecordedEvent::Compacted, Vec::new(), clock);
        digest.text
    }

    /// An answer that cannot be recorded is given all the same.
    fn record(
        &self,
        harness: HookHarness,
        agent: &str,
        session: &SessionId,
        event: RecordedEvent,
        skills: Vec<ShownSkill>,
        clock: &Clock,
    ) {
        let (harness_name, agent) = (harness.name().to_owned(), agent.to_owned());
        let record = HookRecord { at: clock.now_ms(), harness: harness_name, agent, event, skills };
        if let Err(error) = self.sessions().record_hook(session, &record) {
            self.note_hook_problem(harness, &crate::describe_error(&error), clock);
        }
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
