//! The skills that a model sees: always, when a message asks for them, or not at all.

use prowess_config::Select;
use prowess_types::OfferMode;
use serde::Serialize;

use crate::inventory::Inventory;
use crate::prompt::{PromptRequest, why_invisible};

/// When the model is told about a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToldSkill {
    /// The name of the skill.
    pub name: String,
    /// When it is shown to the model.
    pub when: ToldWhen,
    /// Why it is not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The occasion on which the model is told about a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToldWhen {
    /// It is in the prompt of every run.
    Always,
    /// It is in the prompt of runs whose message it fits.
    ByMessage,
    /// It is in no prompt.
    Never,
}

impl Inventory {
    /// Returns when the model sees each skill, in the order of the inventory.
    pub fn told(&self) -> Vec<ToldSkill> {
        if self.settings.select == Select::All {
            return self.told_by_list();
        }
        let told = self.entries.iter().map(|entry| {
            let (when, reason) = match entry.is_model_visible() {
                false => (ToldWhen::Never, Some(why_invisible(entry))),
                true if entry.mode == OfferMode::Pinned => (ToldWhen::Always, None),
                true => (ToldWhen::ByMessage, None),
            };
            ToldSkill { name: entry.skill.name.clone(), when, reason }
        });
        told.collect()
    }

    /// One list for every message: what does not fit into it is never told.
    fn told_by_list(&self) -> Vec<ToldSkill> {
        let explained = self.explain_prompt(&PromptRequest::default()).skills;
        let told = explained.into_iter().map(|skill| ToldSkill {
            name: skill.name,
            when: if skill.included { ToldWhen::Always } else { ToldWhen::Never },
            reason: skill.reason,
        });
        told.collect()
    }
}
