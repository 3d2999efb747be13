//! The skills part of a turn: what stands in the system prompt, and what travels with the message.

use prowess_config::Select;
use prowess_types::{PromptMode, PromptedAs, PromptedSkill};

use super::PromptRequest;
use super::message_skills::{GivenSkills, MessageSkills, prompted};
use super::relevance::Relevance;
use crate::answer::MessageMatch;
use crate::inventory::{Inventory, SkillEntry};

/// The skills part of one turn.
#[derive(Clone, Debug, Default)]
pub struct TurnSkills {
    /// The section of the system prompt. Where skills follow the message, it depends on the snapshot alone.
    pub system: String,
    /// The block in front of the user's message.
    pub context: Option<String>,
    /// Every skill whose name or text is in one of them.
    pub skills: Vec<PromptedSkill>,
    /// An estimate of what the words about each of them cost; empty where the list is in the system prompt.
    pub tokens: Vec<usize>,
}

impl TurnSkills {
    /// The number of skills that are listed.
    pub fn listed(&self) -> usize {
        self.skills.iter().filter(|skill| skill.how == PromptedAs::Listed).count()
    }
}

impl Inventory {
    /// The skills part of a turn for a message that the selector answered; without an answer, for any message.
    pub fn turn_skills(
        &self,
        chosen: Option<(&MessageMatch, &Relevance)>,
        given: &GivenSkills,
    ) -> TurnSkills {
        let select = chosen.map_or(self.settings.select, |(_, relevance)| relevance.select);
        match select {
            Select::Message => self.turn_by_message(chosen, given),
            Select::All | Select::Ranked | Select::Top => self.turn_by_list(chosen),
        }
    }

    /// The skills for another program, which has a list of its own: the text of a clear match in front of the message,
    /// or what the message may ask for.
    pub fn program_skills(
        &self,
        chosen: Option<(&MessageMatch, &Relevance)>,
        given: &GivenSkills,
    ) -> TurnSkills {
        let Some((answer, relevance)) = chosen else { return TurnSkills::default() };
        let follows = matches!(relevance.select, Select::Message | Select::Top);
        let message = self.suggested_skills(answer, relevance, given);
        let has_text = message.skills.iter().any(|skill| skill.how != PromptedAs::Listed);
        if !follows && !has_text {
            return TurnSkills::default();
        }
        TurnSkills {
            system: String::new(),
            context: message.element(),
            tokens: message.tokens(),
            skills: message.skills,
        }
    }

    /// The skills in front of the message, under a section that stays the same.
    fn turn_by_message(
        &self,
        chosen: Option<(&MessageMatch, &Relevance)>,
        given: &GivenSkills,
    ) -> TurnSkills {
        let system = self.message_section();
        if system.is_empty() {
            return TurnSkills::default();
        }
        let message = match chosen {
            Some((answer, relevance)) => self.message_skills(answer, relevance, given),
            None => MessageSkills::of_any_message(self, given),
        };
        TurnSkills { system, context: message.element(), tokens: message.tokens(), skills: message.skills }
    }

    /// The whole list in the system prompt, with the texts at its end.
    fn turn_by_list(&self, chosen: Option<(&MessageMatch, &Relevance)>) -> TurnSkills {
        let follows = |relevance: &&Relevance| relevance.select != Select::All || relevance.preload;
        let relevance = chosen.map(|(_, relevance)| relevance).filter(follows).cloned();
        let request = PromptRequest { relevance, ..PromptRequest::default() };
        let listed = self.listed(&request);
        let (rendered, texts) = self.render_with_texts(&request, &listed);
        let in_list = rendered.included.iter().filter_map(|index| listed.get(*index));
        let loaded: Vec<&SkillEntry> =
            texts.iter().filter_map(|(place, _)| self.entries.get(*place)).collect();
        let is_loaded = |entry: &SkillEntry| loaded.iter().any(|other| std::ptr::eq(*other, entry));
        let skills = in_list
            .filter(|entry| !is_loaded(entry))
            .map(|entry| prompted(entry, PromptedAs::Listed))
            .chain(loaded.iter().map(|entry| prompted(entry, PromptedAs::Text)));
        TurnSkills { skills: skills.collect(), system: rendered.text, ..TurnSkills::default() }
    }

    /// The section of the system prompt where skills follow the message; empty if there is nothing to follow.
    fn message_section(&self) -> String {
        let ready = self.entries.iter().filter(|entry| entry.is_model_visible()).count();
        let is_omitted = match self.settings.mode {
            PromptMode::Full => false,
            PromptMode::Minimal => self.settings.rules.omit_when_minimal,
            PromptMode::None => true,
        };
        if ready == 0 || is_omitted || self.settings.rules.budget.max_skills == 0 {
            return String::new();
        }
        let notes = self.facts.remotes.iter().filter_map(|remote| remote.note.as_deref());
        let notes: String = notes.flat_map(|note| [note.trim(), "\n"]).collect();
        let skills =
            if ready == 1 { "1 skill is ready".to_owned() } else { format!("{ready} skills are ready") };
        format!(
            "{notes}## Skills\n{skills}. In front of each message of the user stands a `<skills>` element, which the \
             user did not write: the skills that fit the message best, and the text of a skill that it clearly asks \
             for.\n\
             - A text in `<skill_content>` is already read: follow it.\n\
             - Where a listed skill clearly fits and its text is not there, read its file and follow it. Read one \
             skill at a time.\n\
             - Where none of them fits a special task, look for another one with `skill_search`.\n\
             - Where no skill fits, work without one.\n"
        )
    }
}
