//! The prompt of a run: rendered once, sent, stored and recorded as it was sent.

use prowess_config::Select;
use prowess_run::turn::{SystemParts, system_prompt};
use prowess_run::{Redactor, RunSkill};
use prowess_types::{ActivatedBy, PromptedAs, PromptedSkill};

use super::prepare::Chosen;
use super::record::Recorder;
use crate::choose::GivenSkills;
use crate::describe_error;
use crate::inventory::Inventory;
use crate::prompt::TurnSkills;
use crate::sessions::{SentPrompt, SessionId, Sessions};

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
}

impl Told {
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
        let TurnSkills { system, mut context, mut skills } = match reader {
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
        Self { system, context, skills }
    }

    /// The skills whose text the model has before it, beyond those that the user called.
    pub(super) fn loaded(&self) -> impl Iterator<Item = &str> {
        self.skills.iter().filter(|skill| skill.how.is_loaded()).map(|skill| skill.name.as_str())
    }

    /// The skills that another program is handed as files: those it was told about, or all that may be listed.
    pub(super) fn handed(&self, inventory: &Inventory, all: Vec<RunSkill>) -> Vec<RunSkill> {
        let is_told = |file: &str| self.skills.iter().any(|skill| skill.path == file);
        let follows = matches!(inventory.settings.select, Select::Message | Select::Top);
        let keeps = |skill: &RunSkill| {
            let entry = inventory.entries.iter().find(|entry| entry.skill.name == skill.name);
            entry.is_some_and(|entry| {
                let file = entry.origin.file.display().to_string();
                if follows { is_told(&file) } else { entry.unlisted.is_none() }
            })
        };
        all.into_iter().filter(keeps).collect()
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
