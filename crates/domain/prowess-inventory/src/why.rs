//! Every rule that decided a skill's fate, in order.

use prowess_config::Select;
use prowess_types::{CheckOutcome, Loss, LossReason, OfferMode};
use serde::Serialize;

use crate::inventory::{Inventory, NameLookup, SkillEntry};
use crate::prompt::{PromptRequest, why_invisible};

/// The story of one name.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// What was asked for.
    pub name: String,
    /// The end of the story, in one sentence.
    pub fate: String,
    /// True if it is shown to the model.
    pub in_prompt: bool,
    /// Every rule, in order.
    pub steps: Vec<WhyStep>,
}

/// One rule.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Step")]
pub struct WhyStep {
    /// `find`, `parse`, `merge`, `gate`, `install`, `agent` or `prompt`.
    pub stage: &'static str,
    /// The rule.
    pub rule: String,
    /// What it said.
    pub outcome: CheckOutcome,
    /// Why.
    pub detail: String,
}

impl Inventory {
    /// Explains why the model sees or does not see a skill. None if nothing of that name was found.
    pub fn why(&self, name: &str) -> Option<Why> {
        let losses: Vec<&Loss> = self.losses_named(name).collect();
        match self.find(name) {
            NameLookup::Found(entry) => Some(self.why_entry(name, entry)),
            NameLookup::Ambiguous(_) | NameLookup::Missing if losses.is_empty() => None,
            NameLookup::Ambiguous(_) | NameLookup::Missing => Some(why_lost(name, &losses)),
        }
    }

    fn why_entry(&self, name: &str, entry: &SkillEntry) -> Why {
        let mut story = Story::default();
        let origin = &entry.origin;
        story.pass(
            "find",
            "source",
            format!(
                "{} ({}), {}",
                self.profile.source_name(&origin.source),
                tier(entry),
                origin.file.display()
            ),
        );
        let level = format!("{:?}", entry.skill.level).to_lowercase();
        let remarks = match entry.skill.diagnostics.len() {
            0 => String::new(),
            1 => ", one remark (see `prowess lint`)".to_owned(),
            count => format!(", {count} remarks (see `prowess lint`)"),
        };
        story.pass("parse", "level", format!("{level}{remarks}"));
        if entry.shadowed.is_empty() && self.losses_named(&entry.skill.name).next().is_none() {
            story.skip("merge", "precedence", "no other skill has this name".to_owned());
        }
        for hidden in &entry.shadowed {
            story.pass(
                "merge",
                "precedence",
                format!("wins over {} ({})", hidden.file.display(), self.profile.source_name(&hidden.source)),
            );
        }
        for loss in self.losses_named(&entry.skill.name).filter(|loss| loss.reason != LossReason::Shadowed) {
            let detail = format!("{}: {}", loss.path.display(), loss.message);
            story.add("merge", reason_id(loss), CheckOutcome::Skip, detail);
        }
        for check in self.checks(entry) {
            story.add("gate", check.rule, check.outcome, check.detail);
        }
        for refused in self.refused_installs(entry) {
            let outcome = if lacks_programs(entry) { CheckOutcome::Fail } else { CheckOutcome::Skip };
            story.add("install", "option".to_owned(), outcome, format!("{refused}; {}", refused.help));
        }
        match (&self.filter, entry.allowed) {
            (None, _) => story.skip("agent", "allowlist", format!("agent `{}` has none", self.agent_id)),
            (Some(_), true) => {
                story.pass("agent", "allowlist", format!("agent `{}` may use it", self.agent_id));
            }
            (Some(_), false) => {
                story.fail("agent", "allowlist", format!("not in the `skills` of agent `{}`", self.agent_id));
            }
        }
        if entry.skill.invocation.disable_model_invocation {
            story.fail("prompt", "invocation", "`disable-model-invocation` is set".to_owned());
        }
        match entry.mode {
            OfferMode::Manual => story.fail("prompt", "mode", "`manual`: people only".to_owned()),
            OfferMode::Pinned => story.pass("prompt", "mode", "`pinned`: listed first".to_owned()),
            OfferMode::NameOnly => story.pass("prompt", "mode", "`name-only`: no description".to_owned()),
            OfferMode::Auto | OfferMode::Disabled => {}
        }
        let explained = self.explain_prompt(&PromptRequest::default());
        let place = explained.skills.into_iter().find(|skill| skill.name == entry.skill.name);
        let empty = self.empty_prompt().filter(|_| entry.is_model_visible());
        let is_chosen =
            self.settings.select == Select::Message && entry.is_model_visible() && empty.is_none();
        let in_prompt = is_chosen || (empty.is_none() && place.as_ref().is_some_and(|place| place.included));
        let reason = place.and_then(|place| place.reason);
        if is_chosen {
            let ready = self.entries.iter().filter(|entry| entry.is_model_visible()).count();
            let skills = if ready == 1 {
                "the one ready skill".to_owned()
            } else {
                format!("all {ready} ready skills")
            };
            story.pass("prompt", "select", format!("`message`: each message chooses from {skills}"));
            if let Some(reason) = reason {
                story.skip("prompt", "budget", format!("not in the list of all skills: {reason}"));
            }
        } else if let Some(empty) = &empty {
            story.fail("prompt", "empty", format!("{}; {}", empty.message, empty.help));
        } else if entry.is_model_visible() {
            match reason {
                None => story.pass(
                    "prompt",
                    "budget",
                    format!("fits; the list has {} characters", explained.chars),
                ),
                Some(reason) => {
                    let help = explained.cuts.iter().map(|cut| format!("; `{}` helps", cut.help)).next();
                    story.fail("prompt", "budget", format!("{reason}{}", help.unwrap_or_default()));
                }
            }
        }
        let fate = if is_chosen && entry.mode != OfferMode::Pinned {
            "shown to the model when a message asks for it".to_owned()
        } else if in_prompt {
            "shown to the model".to_owned()
        } else if let Some(empty) = &empty {
            format!("it is ready, but the prompt has no skills: {}", empty.message)
        } else if entry.is_model_visible() {
            "it is ready, but there is no room for it in the list".to_owned()
        } else {
            format!("hidden from the model: {}", why_invisible(entry))
        };
        Why { name: name.to_owned(), fate, in_prompt, steps: story.steps }
    }
}

/// Returns true if a program is missing that an install option could bring.
fn lacks_programs(entry: &SkillEntry) -> bool {
    let missing = &entry.verdict.missing;
    !missing.bins.is_empty() || !missing.any_bins.is_empty()
}

fn tier(entry: &SkillEntry) -> String {
    format!("{:?} tier", entry.origin.tier).to_lowercase()
}

fn why_lost(name: &str, losses: &[&Loss]) -> Why {
    let mut story = Story::default();
    for loss in losses {
        let detail = format!("{}: {}", loss.path.display(), loss.message);
        story.add("find", reason_id(loss), CheckOutcome::Fail, detail);
        for diagnostic in &loss.diagnostics {
            story.add("parse", diagnostic.rule.to_string(), CheckOutcome::Fail, diagnostic.message.clone());
        }
    }
    let fate = format!("it is not loaded: {}", losses[0].message);
    Why { name: name.to_owned(), fate, in_prompt: false, steps: story.steps }
}

/// The word for a loss that answers use.
fn reason_id(loss: &Loss) -> String {
    let reason = serde_json::to_value(loss.reason).unwrap_or_default();
    reason.as_str().unwrap_or_default().to_owned()
}

#[derive(Default)]
struct Story {
    steps: Vec<WhyStep>,
}

impl Story {
    fn add(&mut self, stage: &'static str, rule: String, outcome: CheckOutcome, detail: String) {
        self.steps.push(WhyStep { stage, rule, outcome, detail });
    }

    fn pass(&mut self, stage: &'static str, rule: &str, detail: String) {
        self.add(stage, rule.to_owned(), CheckOutcome::Pass, detail);
    }

    fn fail(&mut self, stage: &'static str, rule: &str, detail: String) {
        self.add(stage, rule.to_owned(), CheckOutcome::Fail, detail);
    }

    fn skip(&mut self, stage: &'static str, rule: &str, detail: String) {
        self.add(stage, rule.to_owned(), CheckOutcome::Skip, detail);
    }
}
