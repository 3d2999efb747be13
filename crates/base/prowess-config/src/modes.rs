//! How a skill is offered: modes per scope, and bundles that name several skills at once.

use prowess_types::{ModeScope, OfferMode};
use serde_json::Value;

use crate::agents::Agent;
use crate::read::{trimmed, word};
use crate::{Config, value};

impl Config {
    /// How a skill is offered to an agent, and which scope said so.
    ///
    /// The agent's word counts before the project's and the project's before the user's. Within a
    /// scope the name of the skill counts before its key, and both before a bundle; of several bundles
    /// the last one in the file counts. A project may name bundles of the user, but a bundle that a
    /// project defines means nothing to the other scopes: otherwise a cloned repository could put its
    /// own skills under a mode that the user gave to somebody else's.
    pub fn mode_of(&self, name: &str, key: &str, agent: &Agent) -> (OfferMode, Option<ModeScope>) {
        let user = self.user_value();
        if let Some(mode) = decide(&agent.modes, &[user], name, key) {
            return (mode, Some(ModeScope::Agent));
        }
        if let Some(project) = self.project_value()
            && let Some(mode) = decide(&modes(project), &[project, user], name, key)
        {
            return (mode, Some(ModeScope::Project));
        }
        match decide(&modes(user), &[user], name, key) {
            Some(mode) => (mode, Some(ModeScope::User)),
            None => (OfferMode::default(), None),
        }
    }

    /// The bundles and their skills, those of the project over those of the user.
    pub fn bundles(&self) -> Vec<(String, Vec<String>)> {
        let bundles = value::members(self.merged(), &["skills", "bundles"]);
        bundles.map(|(name, skills)| (name.to_owned(), trimmed(skills))).collect()
    }
}

/// The modes of one scope, in the order of the file.
fn modes(layer: &Value) -> Vec<(String, OfferMode)> {
    let modes = value::members(layer, &["skills", "modes"]);
    modes
        .filter_map(|(name, mode)| Some((name.to_owned(), word(&["skills", "modes", name], mode)?)))
        .collect()
}

/// What one scope says about a skill.
fn decide(modes: &[(String, OfferMode)], definitions: &[&Value], name: &str, key: &str) -> Option<OfferMode> {
    let direct = |wanted: &str| modes.iter().find(|(listed, _)| listed == wanted);
    let contains = |bundle: &str| {
        let defined = definitions.iter().find_map(|layer| value::at(layer, &["skills", "bundles", bundle]));
        defined.is_some_and(|skills| trimmed(skills).iter().any(|skill| skill == name || skill == key))
    };
    let bundled = || modes.iter().rfind(|(listed, _)| contains(listed));
    direct(name).or_else(|| direct(key)).or_else(bundled).map(|(_, mode)| *mode)
}

#[cfg(test)]
#[path = "modes_tests.rs"]
mod tests;
