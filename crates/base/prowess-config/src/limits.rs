//! How much is read and shown (`skills.limits`).

use serde::{Deserialize, Serialize};

/// The five limits of `skills.limits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillLimits {
    /// Sub-folders looked at in one folder.
    pub max_candidates_per_root: usize,
    /// Skills loaded from one root.
    pub max_skills_loaded_per_source: usize,
    /// Skills listed in the prompt.
    pub max_skills_in_prompt: usize,
    /// Length of the list in the prompt, in UTF-16 units.
    pub max_skills_prompt_chars: usize,
    /// Size of a `SKILL.md`, in bytes; a file of exactly this size is read.
    pub max_skill_file_bytes: usize,
}

impl SkillLimits {
    /// The names of the limits in the config, in their usual order.
    pub(crate) const NAMES: [&'static str; 5] = [
        "maxCandidatesPerRoot",
        "maxSkillsLoadedPerSource",
        "maxSkillsInPrompt",
        "maxSkillsPromptChars",
        "maxSkillFileBytes",
    ];

    /// The limit of that name.
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        let mut copy = *self;
        copy.field(name).copied()
    }

    /// Changes the limit of that name.
    pub(crate) fn set(&mut self, name: &str, limit: usize) {
        if let Some(field) = self.field(name) {
            *field = limit;
        }
    }

    fn field(&mut self, name: &str) -> Option<&mut usize> {
        match name {
            "maxCandidatesPerRoot" => Some(&mut self.max_candidates_per_root),
            "maxSkillsLoadedPerSource" => Some(&mut self.max_skills_loaded_per_source),
            "maxSkillsInPrompt" => Some(&mut self.max_skills_in_prompt),
            "maxSkillsPromptChars" => Some(&mut self.max_skills_prompt_chars),
            "maxSkillFileBytes" => Some(&mut self.max_skill_file_bytes),
            _ => None,
        }
    }
}
