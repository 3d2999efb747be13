//! The agents of the config.

use prowess_types::OfferMode;
use serde_json::Value;

use crate::agent_id::{MAIN, normalize_id};
use crate::read::{trimmed, word};
use crate::{Config, SkillLimits, kind, value};

/// An agent and what the config says about its skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its id, in lower case.
    pub id: String,
    /// Its name for people.
    pub name: Option<String>,
    /// True if it is the agent used when none is named.
    pub is_default: bool,
    /// Its own workspace, `~` not yet expanded.
    pub workspace: Option<String>,
    /// Its own files, `~` not yet expanded.
    pub agent_dir: Option<String>,
    /// The skills it may use, by name: its own list, else that of `agents.defaults`. `None` means all.
    pub skills: Option<Vec<String>>,
    /// The limits that hold for it.
    pub limits: SkillLimits,
    /// How skills and bundles are offered to it, in the order of the file.
    pub modes: Vec<(String, OfferMode)>,
}

/// There is no such agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown agent id `{id}`; known are {}", prowess_text::backtick_list(.known, ", "))]
pub struct UnknownAgent {
    /// The id that was asked for.
    pub id: String,
    /// Those that exist.
    pub known: Vec<String>,
}

impl prowess_types::Classify for UnknownAgent {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::UnknownAgent)
    }
}

impl Config {
    /// The agent of that id, or the default one.
    ///
    /// The default agent is the first with `default: true`, else the first. Where no agent is
    /// configured there is exactly one, called `main`.
    pub fn agent(&self, id: Option<&str>) -> Result<Agent, UnknownAgent> {
        let wanted = match id.map(str::trim).filter(|id| !id.is_empty()) {
            Some(id) => normalize_id(id),
            None => self.default_agent_id(),
        };
        let known = self.agent_ids();
        if !known.contains(&wanted) {
            return Err(UnknownAgent { id: wanted, known });
        }
        Ok(self.read_agent(wanted))
    }

    /// The ids of all agents, in the order of the file.
    pub fn agent_ids(&self) -> Vec<String> {
        let ids: Vec<String> = self.agent_entries().map(|(id, _)| id.to_owned()).collect();
        if ids.is_empty() { vec![MAIN.into()] } else { ids }
    }

    /// The agent that looks after the system: `agents.defaults.systemAgent.agentId`, else the only one.
    pub fn system_agent(&self) -> Option<String> {
        let configured = self.text("agents.defaults.systemAgent.agentId");
        configured.map(|id| normalize_id(&id)).or_else(|| match self.agent_ids().as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        })
    }

    fn default_agent_id(&self) -> String {
        let is_marked = |entry: &Value| entry.get("default").and_then(Value::as_bool) == Some(true);
        let marked = self.agent_entries().find(|(_, entry)| is_marked(entry));
        let chosen = marked.or_else(|| self.agent_entries().next());
        chosen.map_or(MAIN, |(id, _)| id).into()
    }

    fn read_agent(&self, id: String) -> Agent {
        let entry =
            self.agent_entries().find(|(known, _)| *known == id).map_or(&Value::Null, |(_, entry)| entry);
        let text = |name: &str| {
            let text = entry.get(name)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let skills =
            entry.get("skills").or_else(|| value::at(self.merged(), &["agents", "defaults", "skills"]));
        Agent {
            name: text("name"),
            is_default: self.default_agent_id() == id,
            workspace: text("workspace"),
            agent_dir: text("agentDir"),
            skills: skills.map(trimmed),
            limits: self.limits(entry),
            modes: value::members(entry, &["skillModes"])
                .filter_map(|(name, mode)| {
                    Some((name.to_owned(), word(&["agents", "entries", &id, "skillModes", name], mode)?))
                })
                .collect(),
            id,
        }
    }

    /// The profile's limits, under `skills.limits`, under those of an agent.
    fn limits(&self, agent: &Value) -> SkillLimits {
        let mut limits = self.profile().limits;
        for source in [value::at(self.merged(), &["skills", "limits"]), agent.get("skillsLimits")] {
            for name in SkillLimits::NAMES {
                let limit = source.and_then(|source| kind::count(source.get(name)?));
                if let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) {
                    limits.set(name, limit);
                }
            }
        }
        limits
    }

    fn agent_entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        value::members(self.merged(), &["agents", "entries"])
    }
}

#[cfg(test)]
#[path = "agents_tests.rs"]
mod tests;
