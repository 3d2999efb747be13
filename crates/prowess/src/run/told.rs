//! The prompt of a run: rendered once, sent, stored and recorded as it was sent.

use std::collections::HashSet;

use prowess_catalog::estimate_tokens;
use prowess_config::Select;
use prowess_run::turn::{SystemParts, system_prompt};
use prowess_run::{Redactor, RunSkill};
use prowess_types::{ActivatedBy, PromptedAs, PromptedSkill};
use serde::Serialize;

use super::RunError;
use super::prepare::{Chosen, prompt_request};
use super::record::Recorder;
use crate::choose::{GivenSkills, Match, MatchDecision, Relevance};
use crate::describe_error;
use crate::engine::Engine;
use crate::inventory::Inventory;
use crate::prompt::TurnSkills;
use crate::sessions::{SentPrompt, SessionId, Sessions};

/// The prompt that a run would send with a message in a new session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MessagePrompt {
    /// The system prompt.
    pub system: String,
    /// The block in front of the message, with the line break before the message.
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
    /// The decision about the message; none if it was not understood.
    pub decision: Option<MatchDecision>,
    /// The confidence of the best match.
    pub confidence: Option<f32>,
    /// The confidence from which the text of a match is given at once.
    pub preload_at: Option<f32>,
}

/// A skill in a prompt, with its cost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
}

/// The prompt of a run, but for the user's words.
#[derive(Default)]
pub(super) struct Told {
    pub(super) system: String,
    pub(super) context: Option<String>,
    pub(super) skills: Vec<PromptedSkill>,
    /// An estimate of what the words about each skill cost, where that is known.
    tokens: Vec<usize>,
}

impl Engine {
    /// The prompt that a run would send with a message in a new session. Commands in the text of a called skill are not
    /// run for it.
    pub fn message_prompt(
        &self,
        inventory: &Inventory,
        answer: Match,
        relevance: Relevance,
    ) -> Result<MessagePrompt, RunError> {
        let said = self.understand(inventory, &answer.query, "preview", None)?;
        let chosen = Chosen { answer, relevance };
        let told = Told::new(inventory, Some(&chosen), &GivenSkills::default(), &said.called, Reader::Model);
        Ok(told.preview(inventory, said.text, &chosen))
    }
}

impl Told {
    fn preview(self, inventory: &Inventory, message: String, chosen: &Chosen) -> MessagePrompt {
        let whole = format!("{}{}", self.system, self.context.as_deref().unwrap_or_default());
        let tokens = estimate_tokens(&self.system) + self.context.as_deref().map_or(0, estimate_tokens);
        let costs = if self.tokens.len() == self.skills.len() {
            self.tokens
        } else {
            list_costs(inventory, chosen, &self.skills)
        };
        let of_skills: usize = costs.iter().sum();
        MessagePrompt {
            chars: whole.encode_utf16().count(),
            tokens,
            overhead_tokens: tokens.saturating_sub(of_skills),
            listed: self.skills.iter().filter(|skill| skill.how == PromptedAs::Listed).count(),
            skills: self
                .skills
                .into_iter()
                .zip(costs)
                .map(|(skill, tokens)| PricedSkill { skill, tokens })
                .collect(),
            system: self.system,
            context: self.context,
            message,
            decision: Some(chosen.answer.decision),
            confidence: Some(chosen.answer.confidence),
            preload_at: chosen.relevance.preload.then_some(chosen.relevance.preload_at),
        }
    }

    /// The prompt for a message. A message that calls a skill by a command brings its text itself, so nothing else is
    /// put in front of it.
    pub(super) fn new(
        inventory: &Inventory,
        chosen: Option<&Chosen>,
        given: &GivenSkills,
        called: &[(String, ActivatedBy)],
        reader: Reader,
    ) -> Self {
        let pair = chosen.map(|chosen| (&chosen.answer, &chosen.relevance));
        let TurnSkills { system, mut context, mut skills, tokens } = match reader {
            Reader::Model => inventory.turn_skills(pair, given),
            Reader::Program => inventory.program_skills(pair, given),
        };
        let is_command = called.iter().any(|(_, by)| *by == ActivatedBy::Command);
        if is_command && context.take().is_some() {
            skills.clear();
        }
        for name in called.iter().filter(|(_, by)| *by == ActivatedBy::Command).map(|(name, _)| name) {
            skills.retain(|skill| skill.name != *name);
            let entry = inventory.entries.iter().find(|entry| entry.skill.name == *name);
            skills.extend(entry.map(|entry| crate::choose::prompted(entry, PromptedAs::Text)));
        }
        let parts = SystemParts { workspace: &inventory.workspace, skills: &system };
        let system = match reader {
            Reader::Model => system_prompt(&parts),
            Reader::Program => String::new(),
        };
        Self { system, context, skills, tokens }
    }

    /// The skills whose text the model has before it, beyond those that the user called.
    pub(super) fn loaded(&self) -> impl Iterator<Item = &str> {
        self.skills.iter().filter(|skill| skill.how.is_loaded()).map(|skill| skill.name.as_str())
    }

    /// The skills that another program is handed as files: those that fit the message, or all that may be listed.
    pub(super) fn handed(
        &self,
        inventory: &Inventory,
        chosen: Option<&Chosen>,
        all: Vec<RunSkill>,
    ) -> Vec<RunSkill> {
        let visible = inventory.entries.iter().filter(|entry| entry.is_model_visible()).collect();
        let following = chosen.map(|chosen| &chosen.relevance);
        let following = following.filter(|it| matches!(it.select, Select::Message | Select::Top));
        let names: HashSet<&str> = match following {
            Some(relevance) => {
                let best = relevance.arrange(inventory, visible).into_iter();
                let best = best.map(|entry| entry.skill.name.as_str());
                best.chain(self.skills.iter().map(|skill| skill.name.as_str())).collect()
            }
            None => {
                let listed = inventory.entries.iter().filter(|entry| entry.unlisted.is_none());
                listed.map(|entry| entry.skill.name.as_str()).collect()
            }
        };
        all.into_iter().filter(|skill| names.contains(skill.name.as_str())).collect()
    }

    /// Stores the prompt with its session and records it. What cannot be stored is told, and the run goes on.
    pub(super) fn keep(
        &self,
        sessions: &Sessions,
        id: &SessionId,
        message: &str,
        redactor: &Redactor,
        recorder: &Recorder,
    ) {
        let clean = |text: &str| redactor.redact(text).into_owned();
        let sent = SentPrompt {
            system: clean(&self.system),
            context: self.context.as_deref().map(clean),
            message: clean(message),
        };
        let listed = self.skills.iter().filter(|skill| skill.how == PromptedAs::Listed).count();
        match sessions.keep_prompt(id, &sent) {
            Ok(kept) => recorder.record(kept.event(listed, self.skills.clone())),
            Err(error) => {
                recorder.notice("prompt", format!("the prompt was not stored: {}", describe_error(&error)))
            }
        }
    }

    /// The message with the block in front of it.
    pub(super) fn with(&self, message: &str) -> String {
        format!("{}{message}", self.context.as_deref().unwrap_or_default())
    }
}

/// The costs of skills whose list is in the system prompt.
fn list_costs(inventory: &Inventory, chosen: &Chosen, skills: &[PromptedSkill]) -> Vec<usize> {
    let explained = inventory.explain_prompt(&prompt_request(Some(chosen))).skills;
    let cost = |skill: &PromptedSkill| {
        explained.iter().find(|other| other.name == skill.name).map_or(0, |other| other.tokens)
    };
    skills.iter().map(cost).collect()
}
