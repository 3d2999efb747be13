//! The reason there are no skills in a prompt.
//!
//! Invariant: a prompt without skills always has a reason, so that nothing is left out in silence.

use prowess_config::Select;
use prowess_text::{plural, posix_word};
use prowess_types::{OfferMode, PromptMode};
use serde::Serialize;

use super::PromptRequest;
use super::explain::grouped;
use super::message_skills::{GivenSkills, MessageSkills};
use crate::inventory::{Inventory, SkillEntry};

/// The reason there are no skills in a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmptyPrompt {
    /// The kind of reason.
    pub reason: EmptyReason,
    /// One sentence for people.
    pub message: String,
    /// The remedy.
    pub help: String,
}

/// The kind of reason for a prompt without skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyReason {
    /// No skill was loaded.
    NoSkills,
    /// No skill is ready.
    NoneReady,
    /// The agent's allowlist has none of the ready ones.
    NotAllowed,
    /// The ready ones are kept from the model.
    Hidden,
    /// The agent cannot read files.
    NoReadTool,
    /// The prompt mode leaves the section out.
    PromptMode,
    /// A limit on the number of skills leaves out all of them.
    ListLimit,
    /// Not even one skill fits into the budget.
    Budget,
    /// The list follows the message, and no skill fits it.
    NoMatch,
}

impl EmptyReason {
    /// Returns true if no skill can be shown to any model, whatever the prompt.
    pub fn is_about_skills(self) -> bool {
        matches!(self, Self::NoSkills | Self::NoneReady | Self::NotAllowed | Self::Hidden)
    }
}

impl EmptyPrompt {
    fn new(reason: EmptyReason, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { reason, message: message.into(), help: help.into() }
    }
}

impl Inventory {
    /// The reason a run's prompt has no skills, whatever the message; none if it has some.
    pub fn empty_prompt(&self) -> Option<EmptyPrompt> {
        let request = PromptRequest::default();
        if self.settings.select != Select::Message {
            return self.why_empty(&request);
        }
        self.nothing_to_list(&request).or_else(|| {
            let shown = MessageSkills::of_any_message(self, &GivenSkills::default());
            shown.skills.is_empty().then(|| self.over_budget(&request, None))
        })
    }

    /// The reason a list has no skills; none if it has some.
    pub fn why_empty(&self, request: &PromptRequest) -> Option<EmptyPrompt> {
        let listed = self.listed(request);
        let (rendered, texts) = self.render_with_texts(request, &listed);
        let is_empty = rendered.included.is_empty() && texts.is_empty();
        is_empty.then(|| self.reason_of_empty(request, &listed))
    }

    /// The reason for a list that was rendered without any skill.
    pub(super) fn reason_of_empty(&self, request: &PromptRequest, listed: &[&SkillEntry]) -> EmptyPrompt {
        if let Some(reason) = self.nothing_to_list(request) {
            return reason;
        }
        let first = listed.iter().find(|entry| entry.mode == OfferMode::Pinned).or_else(|| listed.first());
        if let Some(first) = first {
            return self.over_budget(request, Some(first));
        }
        let mut visible = self.entries.iter().filter(|entry| entry.is_model_visible());
        match visible.find_map(|entry| entry.unlisted) {
            Some(limit) if request.relevance.is_none() => EmptyPrompt::new(
                EmptyReason::ListLimit,
                format!("every skill is {limit}"),
                format!("`prowess config set {} 200` lists the first 200 of each folder", limit.key()),
            ),
            _ => EmptyPrompt::new(
                EmptyReason::NoMatch,
                "the list follows the message, and no skill fits it",
                "`prowess config set skills.prompt.select all` lists all skills whatever the message",
            ),
        }
    }

    /// The reasons that do not depend on the size of the list.
    fn nothing_to_list(&self, request: &PromptRequest) -> Option<EmptyPrompt> {
        if let Some(reason) = self.nothing_visible() {
            return Some(reason);
        }
        if !request.has_read_tool {
            return Some(EmptyPrompt::new(
                EmptyReason::NoReadTool,
                "the agent has no tool `read`, so a list of files is of no use to it",
                "add `read` to the tools of the agent (`--tools read`)",
            ));
        }
        let mode = request.mode.unwrap_or(self.settings.mode);
        let name = match mode {
            PromptMode::None => Some("none"),
            PromptMode::Minimal if self.settings.rules.omit_when_minimal => Some("minimal"),
            PromptMode::Minimal | PromptMode::Full => None,
        };
        if let Some(name) = name {
            let help = match request.mode {
                Some(_) => "use `--mode full`",
                None => "`prowess config set agent.systemPromptMode full` brings them back",
            };
            let message = format!("the prompt mode `{name}` leaves the skills out");
            return Some(EmptyPrompt::new(EmptyReason::PromptMode, message, help));
        }
        (self.prompt_rules(request).budget.max_skills == 0).then(|| {
            EmptyPrompt::new(
                EmptyReason::ListLimit,
                "`skills.limits.maxSkillsInPrompt` is 0, so no skill is listed",
                format!(
                    "`prowess config set skills.limits.maxSkillsInPrompt {}` raises it",
                    self.profile.limits.max_skills_in_prompt.min(1_000)
                ),
            )
        })
    }

    /// The reason that the model may see no skill at all.
    fn nothing_visible(&self) -> Option<EmptyPrompt> {
        let count =
            |keep: &dyn Fn(&SkillEntry) -> bool| self.entries.iter().filter(|entry| keep(entry)).count();
        if count(&SkillEntry::is_model_visible) > 0 {
            return None;
        }
        let Some(first) = self.entries.first() else {
            return Some(match self.losses.len() {
                0 => EmptyPrompt::new(
                    EmptyReason::NoSkills,
                    "there are no skills",
                    "`prowess new NAME` creates one; `prowess search WORDS` finds others",
                ),
                lost => EmptyPrompt::new(
                    EmptyReason::NoSkills,
                    format!("no skill was loaded; {}", plural(lost, "other was found", "others were found")),
                    "`prowess list --all` shows why each was not loaded",
                ),
            });
        };
        let why = format!("`prowess why {}`", posix_word(&first.skill.name));
        let (total, ready) = (self.entries.len(), count(&|entry| entry.verdict.eligible));
        Some(if ready == 0 {
            EmptyPrompt::new(
                EmptyReason::NoneReady,
                format!(
                    "no skill is ready ({} found): {}",
                    plural(total, "skill", "skills"),
                    self.obstacles()
                ),
                format!("{why} explains the first of them, `prowess check` lists all"),
            )
        } else if count(&SkillEntry::is_usable) == 0 {
            EmptyPrompt::new(
                EmptyReason::NotAllowed,
                format!(
                    "agent `{}` may use none of the {}",
                    self.agent_id,
                    plural(ready, "ready skill", "ready skills")
                ),
                "add names to the `skills` of the agent in the config, or remove that list to allow all",
            )
        } else {
            EmptyPrompt::new(
                EmptyReason::Hidden,
                "every ready skill is kept from the model (`disable-model-invocation`, or mode `manual`)",
                "`prowess check` names them; people can call them with `/name`",
            )
        })
    }

    /// The reasons for which skills are not ready, each with the number of skills.
    fn obstacles(&self) -> String {
        let mut counts = [0_usize; 5];
        for entry in &self.entries {
            let verdict = &entry.verdict;
            let place = if verdict.disabled {
                0
            } else if verdict.blocked_by_allowlist {
                1
            } else if !entry.trust().allows() {
                2
            } else if verdict.platform_incompatible {
                3
            } else {
                4
            };
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        }
        let words = [
            ("is switched off", "are switched off"),
            ("is not on `skills.allowBundled`", "are not on `skills.allowBundled`"),
            ("is not trusted", "are not trusted"),
            ("is for another operating system", "are for another operating system"),
            ("needs something", "need something"),
        ];
        let parts = counts.iter().zip(words).filter(|(count, _)| **count > 0);
        let parts: Vec<String> = parts.map(|(count, (one, many))| plural(*count, one, many)).collect();
        parts.join(", ")
    }

    /// Not even one skill fits. `first` is the one that would be listed first.
    fn over_budget(&self, request: &PromptRequest, first: Option<&&SkillEntry>) -> EmptyPrompt {
        let rules = self.prompt_rules(request);
        let needed = first.map(|entry| {
            let mut roomy = rules;
            roomy.budget.max_chars = usize::MAX / 4;
            let entry = self.prompt_entry(entry, rules.wording);
            prowess_catalog::render(&[entry], &roomy, &self.prompt_context(request)).chars
        });
        let needs = needed.map(|chars| format!("; the first needs {}", grouped(chars))).unwrap_or_default();
        let message =
            format!("not even one skill fits into {} characters{needs}", grouped(rules.budget.max_chars));
        let enough = needed.unwrap_or_default().max(self.profile.limits.max_skills_prompt_chars);
        let help = match request.max_chars {
            Some(_) => format!("use a larger `--budget`, such as `--budget {enough}`"),
            None => format!("`prowess config set skills.limits.maxSkillsPromptChars {enough}` raises it"),
        };
        EmptyPrompt::new(EmptyReason::Budget, message, help)
    }
}
