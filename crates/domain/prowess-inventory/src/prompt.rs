//! The catalogue an agent gets, and how it came about.

mod empty;
mod explain;
mod message_skills;
mod relevance;
mod turn;

use std::path::Path;

use prowess_catalog::{CommandCandidate, CommandSpec, PromptContext, PromptEntry, Rendered, Snapshot};
use prowess_config::Select;
use prowess_types::{OsRule, ProfileName, PromptMode, PromptRules, PromptWording};

use crate::inventory::{Inventory, SkillEntry};

pub use empty::{EmptyPrompt, EmptyReason};
pub use explain::{ExplainedSkill, ListCut, PromptExplanation};
pub use message_skills::{GivenSkills, ListRule, MessageRoom, MessageSkills, one_line, prompted};
pub use relevance::Relevance;
pub use turn::TurnSkills;

/// Overrides of the profile and the config for one request.
#[derive(Clone, Debug)]
pub struct PromptRequest {
    /// Other words around the list.
    pub wording: Option<PromptWording>,
    /// Another size, in UTF-16 units.
    pub max_chars: Option<usize>,
    /// The extent of the prompt for the agent.
    pub mode: Option<PromptMode>,
    /// True if the agent can read files.
    pub has_read_tool: bool,
    /// The model's context window.
    pub context_tokens: Option<usize>,
    /// The message that the list shall follow.
    pub relevance: Option<Relevance>,
}

impl Default for PromptRequest {
    fn default() -> Self {
        Self {
            wording: None,
            max_chars: None,
            mode: None,
            has_read_tool: true,
            context_tokens: None,
            relevance: None,
        }
    }
}

impl Inventory {
    /// The catalogue: exactly the bytes a model would get.
    pub fn prompt(&self, request: &PromptRequest) -> Rendered {
        self.render(request, &self.listed(request))
    }

    fn render(&self, request: &PromptRequest, listed: &[&SkillEntry]) -> Rendered {
        self.render_with_texts(request, listed).0
    }

    /// The catalogue and the texts at its end, each with the place of its skill in the inventory.
    fn render_with_texts(
        &self,
        request: &PromptRequest,
        listed: &[&SkillEntry],
    ) -> (Rendered, Vec<(usize, String)>) {
        let mut rules = self.prompt_rules(request);
        let budget = &mut rules.budget.max_chars;
        let texts = request.relevance.as_ref().map(|relevance| relevance.preloaded_texts(self, *budget));
        let texts = texts.unwrap_or_default();
        let preloaded: String = texts.iter().map(|(_, text)| text.as_str()).collect();
        *budget -= prowess_text::utf16_len(&preloaded);
        let entries: Vec<PromptEntry> =
            listed.iter().map(|entry| self.prompt_entry(entry, rules.wording)).collect();
        let mut rendered = prowess_catalog::render(&entries, &rules, &self.prompt_context(request));
        rendered.chars += prowess_text::utf16_len(&preloaded);
        rendered.text += &preloaded;
        (rendered, texts)
    }

    /// The slash commands.
    pub fn commands(&self) -> Vec<CommandSpec> {
        let inputs: Vec<CommandCandidate<'_>> = self
            .entries
            .iter()
            .filter(|entry| entry.is_command_visible() && self.names_platform(entry))
            .map(|entry| CommandCandidate {
                skill: &entry.skill,
                file: &entry.origin.real_file,
                source: entry.origin.tier.into(),
                model_visible: entry.is_model_visible(),
            })
            .collect();
        prowess_catalog::command_specs(&inputs, self.settings.reserved_commands)
    }

    /// The frozen view for this agent and workspace.
    pub fn snapshot(&self, request: &PromptRequest, version: u64) -> Snapshot {
        let visible = self.listed(request);
        let rendered = self.render(request, &visible);
        let content = prowess_catalog::SnapshotContent {
            agent_id: Some(self.agent_id.clone()),
            workspace_dir: self.workspace.display().to_string(),
            skills: self
                .entries
                .iter()
                .filter(|entry| entry.is_usable() && self.names_platform(entry))
                .map(|entry| prowess_catalog::SnapshotSkill::new(&entry.skill, &entry.origin))
                .collect(),
            skill_filter: self.filter.clone(),
            resolved: rendered
                .included
                .iter()
                .filter_map(|index| visible.get(*index))
                .map(|entry| prowess_catalog::ResolvedSkill::new(&entry.skill, &entry.origin))
                .collect(),
            prompt: rendered.text,
        };
        Snapshot::build(content, version)
    }

    /// The skills of the list, in its order.
    fn listed(&self, request: &PromptRequest) -> Vec<&SkillEntry> {
        let is_visible = |entry: &&SkillEntry| entry.is_model_visible() && self.names_platform(entry);
        let visible: Vec<&SkillEntry> = self.entries.iter().filter(is_visible).collect();
        match &request.relevance {
            Some(relevance) if relevance.select != Select::All => relevance.arrange(self, visible),
            _ => visible.into_iter().filter(|entry| entry.unlisted.is_none()).collect(),
        }
    }

    /// Returns true if a skill names this platform as the profile compares it in prompts.
    fn names_platform(&self, entry: &SkillEntry) -> bool {
        let here = std::iter::once(self.facts.platform.as_str());
        let mut platforms = here.chain(self.facts.remotes.iter().map(|node| node.platform.as_str()));
        match self.gate.rules.os {
            OsRule::Tolerant => true,
            OsRule::ExactInPrompt => {
                platforms.any(|platform| prowess_gate::names_platform(&entry.skill.requirements.os, platform))
            }
        }
    }

    fn prompt_rules(&self, request: &PromptRequest) -> PromptRules {
        let mut rules = self.settings.rules;
        rules.wording = request.wording.unwrap_or(rules.wording);
        rules.budget.max_chars = request.max_chars.unwrap_or(rules.budget.max_chars);
        rules
    }

    fn prompt_context(&self, request: &PromptRequest) -> PromptContext {
        let notes: Vec<&str> =
            self.facts.remotes.iter().filter_map(|remote| remote.note.as_deref()).collect();
        PromptContext {
            remote_note: (!notes.is_empty()).then(|| notes.join("\n")),
            prompt_mode: request.mode.unwrap_or(self.settings.mode),
            has_read_tool: request.has_read_tool,
            context_tokens: request.context_tokens,
            audit_command: self.audit_command(request),
            note_last: request.relevance.is_some(),
        }
    }

    /// The command that a note in the list names. With a budget of its own it names that, so that the command tells the
    /// same.
    fn audit_command(&self, request: &PromptRequest) -> String {
        let command = &self.settings.audit_command;
        let is_ours = self.profile.name == ProfileName::Prowess;
        match request.max_chars.filter(|_| is_ours) {
            Some(chars) => format!("{command} --budget {chars}"),
            None => command.clone(),
        }
    }

    fn prompt_entry(&self, entry: &SkillEntry, wording: PromptWording) -> PromptEntry {
        let triggers = &entry.skill.metadata.triggers;
        PromptEntry {
            name: entry.skill.name.clone(),
            description: entry.skill.description.clone(),
            location: self.location(entry, wording),
            location_note: None,
            mode: entry.mode,
            hints: triggers.any.iter().chain(&triggers.all).cloned().collect(),
        }
    }

    /// Returns the place at which the model finds a skill's file.
    fn location(&self, entry: &SkillEntry, wording: PromptWording) -> String {
        let origin = &entry.origin;
        if let Some(copy) = self.settings.located.of(&origin.file) {
            return copy.to_owned();
        }
        match wording {
            PromptWording::Mandatory | PromptWording::Openclaw => self.compact(&origin.file),
            PromptWording::Openpocket => origin.file.display().to_string(),
            PromptWording::SkillsRef => origin.real_file.display().to_string(),
        }
    }

    /// Returns the place at which the model finds a skill's file, whatever the words around the list.
    pub fn model_location(&self, entry: &SkillEntry) -> String {
        self.location(entry, PromptWording::Mandatory)
    }

    /// The folder that paths in a skill's text are relative to, where the model finds it.
    pub(crate) fn model_folder(&self, entry: &SkillEntry) -> String {
        let origin = &entry.origin;
        let copy = self.settings.located.of(&origin.file).and_then(|file| file.rsplit_once('/'));
        copy.map_or_else(|| origin.base.display().to_string(), |(folder, _)| folder.to_owned())
    }

    fn compact(&self, file: &Path) -> String {
        if self.settings.beyond_tilde.iter().any(|folder| file.starts_with(folder)) {
            return file.display().to_string();
        }
        let homes: Vec<&str> = self.settings.homes.iter().map(String::as_str).collect();
        prowess_catalog::compact_home(&file.to_string_lossy(), &homes).into_owned()
    }
}

/// Explains why the model does not see a skill.
pub fn why_invisible(entry: &SkillEntry) -> String {
    if !entry.verdict.eligible {
        entry.verdict.reasons.join("; ")
    } else if !entry.allowed {
        "not on this agent's allowlist".to_owned()
    } else if entry.skill.invocation.disable_model_invocation {
        "its author keeps it from the model (`disable-model-invocation`)".to_owned()
    } else {
        "its mode is `manual`".to_owned()
    }
}
