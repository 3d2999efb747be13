//! What whoever answers is told: the message, the skills, the conversation before.

use prowess_catalog::{Invocation, reference_prefix, skill_frame};
use prowess_types::{ActivatedBy, Dispatch};

use super::RunError;
use crate::engine::Engine;
use crate::inventory::Inventory;
use crate::invoke::{RunCommand, SkillCall};
use crate::{Match, MatchRequest, PromptRequest, Relevance, Select, Selector};

/// How many skills are put in order; the others follow by name.
const RANKED: usize = 500;

/// What a message comes to.
pub(super) struct Said {
    /// What a model is told instead of the message.
    pub(super) text: String,
    /// The skills that the user called, by name.
    pub(super) called: Vec<(String, ActivatedBy)>,
    /// A tool that gets the message without a model.
    pub(super) dispatch: Option<DirectCall>,
}

/// A slash command that goes straight to a tool.
pub(super) struct DirectCall {
    pub(super) tool: String,
    pub(super) args: String,
    pub(super) command: String,
    pub(super) skill: String,
}

impl Engine {
    /// Reads what a message calls by name. `outputs` are what the commands in the called skill's text wrote.
    pub(super) fn understand(
        &self,
        inventory: &Inventory,
        message: &str,
        session: &str,
        outputs: Option<&mut RunCommand<'_>>,
    ) -> Result<Said, RunError> {
        let plain = |text: String| Said { text, called: Vec::new(), dispatch: None };
        match inventory.invocation(message) {
            Invocation::Plain => Ok(plain(message.to_owned())),
            Invocation::Unknown { name, suggestions } => Err(RunError::UnknownCommand { name, suggestions }),
            Invocation::Refused { skill, reason } => Err(RunError::Refused { skill, reason }),
            Invocation::References(references) => Ok(Said {
                text: reference_prefix(&references) + message,
                called: references.into_iter().map(|it| (it.skill, ActivatedBy::Reference)).collect(),
                dispatch: None,
            }),
            Invocation::Command { spec, args } => {
                let skill = spec.skill_name;
                if let Some(Dispatch::Tool { tool_name, .. }) = spec.dispatch {
                    let call = DirectCall { tool: tool_name, args, command: spec.name, skill: skill.clone() };
                    let called = vec![(skill, ActivatedBy::Command)];
                    return Ok(Said { text: message.to_owned(), called, dispatch: Some(call) });
                }
                let call = SkillCall { skill: &skill, args: &args, session_id: Some(session) };
                let expanded = self.expand_invocation(inventory, &call, outputs)?;
                let entry = inventory.entries.iter().find(|entry| entry.skill.name == skill);
                let location = entry.map(|entry| inventory.model_location(entry)).unwrap_or_default();
                let with = if args.is_empty() { String::new() } else { format!(" with: {args}") };
                let text = format!(
                    "The user calls the skill `{skill}`{with}\n\n{}",
                    skill_frame(&skill, &location, None, &expanded.text)
                );
                Ok(Said { text, called: vec![(skill, ActivatedBy::Command)], dispatch: None })
            }
        }
    }

    /// The commands that the author of a called skill wants to be run first, if the user's policy lets them.
    pub(super) fn commands_to_inject(&self, inventory: &Inventory, message: &str) -> Vec<String> {
        let Invocation::Command { spec, args } = inventory.invocation(message) else { return Vec::new() };
        if !self.may_inject() || spec.dispatch.is_some() {
            return Vec::new();
        }
        let call = SkillCall { skill: &spec.skill_name, args: &args, session_id: None };
        let expanded = self.expand_invocation(inventory, &call, None);
        expanded
            .map(|skill| skill.commands.into_iter().map(|block| block.command).collect())
            .unwrap_or_default()
    }
}

/// What was chosen for a message, and how the catalogue follows it.
pub(super) struct Chosen {
    pub(super) answer: Match,
    pub(super) relevance: Relevance,
}

/// Chooses skills for a message, as configured.
pub(super) fn choose(selector: &Selector, message: &str, now_ms: u64) -> Result<Chosen, crate::ChooseError> {
    selector.prepare_for(message, |_| {})?;
    let now = Some(now_ms);
    let answer = selector.find(&MatchRequest { top: RANKED, now, ..MatchRequest::new(message) })?;
    let relevance = Relevance { now, ..selector.relevance(&answer) };
    Ok(Chosen { answer, relevance })
}

/// The catalogue that is kept with the session. It follows the message only where the system prompt does.
pub(super) fn prompt_request(chosen: Option<&Chosen>) -> PromptRequest {
    let follows = |relevance: &&Relevance| match relevance.select {
        Select::Message => false,
        Select::All => relevance.preload,
        Select::Ranked | Select::Top => true,
    };
    let relevance = chosen.map(|chosen| &chosen.relevance).filter(follows).cloned();
    PromptRequest { relevance, ..PromptRequest::default() }
}
