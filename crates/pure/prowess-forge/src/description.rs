//! The purpose of a skill, in plain words made by rules.

use crate::episode::Episode;
use crate::wording::{describe, wording};

/// The descriptions that rules make for a run, the fullest first; none if its task has no word that may be said.
pub fn descriptions(episode: &Episode) -> Vec<String> {
    wording(&episode.task).map(|wording| describe(&wording, place(episode))).unwrap_or_default()
}

/// The place that a skill works at, such as the phone.
fn place(episode: &Episode) -> &'static str {
    let is_said = ["phone", "handy", "mobile"].iter().any(|word| episode.task.to_lowercase().contains(word));
    if episode.steps.iter().any(|step| step.is_phone) && !is_said { "on the phone" } else { "" }
}
