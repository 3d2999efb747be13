//! The agents of the config: listed, made, changed, taken out, and which skills each may use.

use std::path::PathBuf;

use prowess_config::{
    AgentEditError, KeyPath, ReviseError, add_agent, agent_in, agent_slot, normalize_id, remove_agent,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::config_file::{ConfigWriteError, WriteConsent};
use crate::context::{Context, ContextError};

/// Characters of an agent's name.
const MAX_NAME: usize = 200;

/// Every agent.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentsReport {
    /// The agent that is meant where none is named.
    pub default_id: String,
    /// The last part of the key of an agent's main session.
    pub main_key: String,
    /// Whose messages share a session: `per-sender` or `global`.
    pub scope: String,
    /// The model of agents that have none of their own, as `provider/model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_model: Option<String>,
    /// The agents, in the order of the config.
    pub agents: Vec<AgentRow>,
}

/// One agent.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who it is, as far as the config says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<AgentIdentity>,
    /// Where it works.
    pub workspace: String,
    /// The model that answers, as `provider/model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<AgentModel>,
    /// Whether it is meant where no agent is named.
    pub is_default: bool,
    /// The skills it may use; all of them if this is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
}

/// Who an agent is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AgentIdentity {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// Its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// How it looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

/// Which model answers for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AgentModel {
    /// As `provider/model`.
    pub primary: String,
}

/// A new agent, or what is to be another about one.
#[derive(Clone, Debug, Default)]
pub struct AgentDraft {
    /// The name that people use.
    pub name: Option<String>,
    /// The workspace, `~` not yet expanded.
    pub workspace: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// Its sign.
    pub emoji: Option<String>,
    /// Its picture.
    pub avatar: Option<String>,
}

/// The skills that an agent may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allow {
    /// All: the agent has no list.
    All,
    /// None: its list is empty.
    None,
    /// These.
    Selected(Vec<String>),
    /// One more, or one less.
    One(String, bool),
}

/// What an agent may use now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Allowed {
    /// The agent.
    pub agent_id: String,
    /// `all`, `none`, `selected`, or `inherited` from `agents.defaults.skills`.
    pub mode: String,
    /// Its list, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
}

/// The reason an agent is not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// It cannot be so in the config.
    #[error(transparent)]
    Edit(#[from] AgentEditError),
    /// The config file cannot be changed.
    #[error(transparent)]
    Config(#[from] ConfigWriteError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// It must be called something.
    #[error("an agent needs a name of at most {MAX_NAME} characters")]
    Name,
    /// Its folder cannot be made.
    #[error("cannot make the workspace")]
    Workspace(#[source] prowess_fs::WriteError),
}

impl prowess_types::Classify for AgentError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Edit(error) => Of(error),
            Self::Config(error) => Of(error),
            Self::Context(error) => Of(error),
            Self::Name => Is(ErrorKind::InvalidValue),
            Self::Workspace(_) => Is(ErrorKind::Files),
        }
    }
}

impl From<ReviseError> for AgentError {
    fn from(error: ReviseError) -> Self {
        Self::Config(error.into())
    }
}

impl Context {
    /// Every agent.
    pub fn agents(&self) -> Result<AgentsReport, ContextError> {
        let config = self.config();
        let word = |key: &str| {
            let value = config.get(&KeyPath::parse(key).ok()?)?;
            Some(value.as_str()?.trim().to_owned()).filter(|word| !word.is_empty())
        };
        let agents = config.agent_ids().into_iter().map(|id| self.agent_row(&id));
        Ok(AgentsReport {
            default_id: config.agent(None)?.id,
            main_key: word("session.mainKey").unwrap_or_else(|| "main".to_owned()),
            scope: word("session.scope").unwrap_or_else(|| "per-sender".to_owned()),
            default_model: word("agents.defaults.model").or_else(|| word("agents.defaults.model.primary")),
            agents: agents.collect::<Result<_, _>>()?,
        })
    }

    fn agent_row(&self, id: &str) -> Result<AgentRow, ContextError> {
        let config = self.config();
        let agent = config.agent(Some(id))?;
        let at = |parts: &[&str]| {
            let path = [&["agents", "entries", id], parts].concat();
            let value = config.get(&KeyPath::new(path).ok()?)?;
            Some(value.as_str()?.to_owned())
        };
        let identity = AgentIdentity {
            name: at(&["identity", "name"]),
            emoji: at(&["identity", "emoji"]),
            avatar: at(&["identity", "avatar"]),
            theme: at(&["identity", "theme"]),
        };
        Ok(AgentRow {
            workspace: self.places().workspace(config, &agent).display().to_string(),
            model: at(&["model"]).or_else(|| at(&["model", "primary"])).map(|primary| AgentModel { primary }),
            identity: (identity != AgentIdentity::default()).then_some(identity),
            is_default: agent.is_default,
            name: agent.name,
            skills: agent.skills,
            id: agent.id,
        })
    }

    /// Makes an agent and its workspace. Its id comes from its name.
    pub fn create_agent(
        &self,
        draft: &AgentDraft,
        consent: WriteConsent<'_>,
    ) -> Result<AgentRow, AgentError> {
        let id =
            draft.name.as_deref().map(checked_name).transpose()?.map(normalize_id).ok_or(AgentError::Name)?;
        let mut fields = Map::new();
        draft.write(&mut fields);
        self.change_config_value(consent, |config| add_agent(config, &id, fields).map_err(AgentError::from))?;
        let context = self.reopen()?;
        let row = context.agent_row(&id)?;
        prowess_fs::create_folder(&PathBuf::from(&row.workspace)).map_err(AgentError::Workspace)?;
        Ok(row)
    }

    /// Changes what the draft names; everything else about the agent stays.
    pub fn update_agent(
        &self,
        id: &str,
        draft: &AgentDraft,
        consent: WriteConsent<'_>,
    ) -> Result<AgentRow, AgentError> {
        let id = normalize_id(id);
        draft.name.as_deref().map(checked_name).transpose()?;
        let is_known = self.reopen()?.config().agent_ids().contains(&id);
        self.change_config_value(consent, |config| {
            if !is_known && agent_in(config, &id).is_none() {
                return Err(AgentError::from(AgentEditError::Unknown(id.clone())));
            }
            draft.write(agent_slot(config, &id)?);
            Ok(())
        })?;
        Ok(self.reopen()?.agent_row(&id)?)
    }

    /// Takes an agent out of the config, and says how many bindings went with it. Its files stay.
    pub fn delete_agent(&self, id: &str, consent: WriteConsent<'_>) -> Result<usize, AgentError> {
        let id = normalize_id(id);
        self.change_config_value(consent, |config| remove_agent(config, &id).map_err(AgentError::from))
    }

    /// Changes which skills an agent may use. Nothing else in the config is touched.
    ///
    /// To switch off one skill of an agent that may use all, its list has to name all others: `all` are the
    /// skills for this platform.
    pub fn allow_skills(
        &self,
        id: &str,
        allow: &Allow,
        all: &[String],
        consent: WriteConsent<'_>,
    ) -> Result<Allowed, AgentError> {
        self.change_config_value(consent, |config| {
            let own = agent_in(config, id).and_then(|agent| agent.get("skills"));
            let shared = config.pointer("/agents/defaults/skills");
            let current = own.or(shared).and_then(names);
            let next = match allow {
                Allow::All => None,
                Allow::None => Some(Vec::new()),
                Allow::Selected(skills) => Some(skills.clone()),
                Allow::One(_, true) if current.is_none() => None,
                Allow::One(name, allowed) => {
                    let mut list = current.unwrap_or_else(|| all.to_vec());
                    list.retain(|known| known != name);
                    if *allowed {
                        list.push(name.clone());
                        list.sort_unstable();
                    }
                    Some(list)
                }
            };
            match next {
                Some(list) => drop(agent_slot(config, id)?.insert("skills".to_owned(), json!(list))),
                None if agent_in(config, id).is_some() => {
                    drop(agent_slot(config, id)?.shift_remove("skills"));
                }
                None => {}
            }
            Ok::<(), AgentError>(())
        })?;
        Ok(self.reopen()?.allowed(id)?)
    }

    fn allowed(&self, id: &str) -> Result<Allowed, ContextError> {
        let skills = self.config().agent(Some(id))?.skills;
        let own =
            KeyPath::new(["agents", "entries", id, "skills"]).ok().and_then(|key| self.config().get(&key));
        let mode = match (&skills, own) {
            (None, _) => "all",
            (Some(_), None) => "inherited",
            (Some(skills), Some(_)) if skills.is_empty() => "none",
            (Some(_), Some(_)) => "selected",
        };
        Ok(Allowed { agent_id: id.to_owned(), mode: mode.to_owned(), skills })
    }
}

impl AgentDraft {
    fn write(&self, fields: &mut Map<String, Value>) {
        let texts = [("name", &self.name), ("workspace", &self.workspace), ("model", &self.model)];
        for (name, text) in texts {
            if let Some(text) = text {
                fields.insert(name.to_owned(), text.trim().into());
            }
        }
        for (name, text) in [("emoji", &self.emoji), ("avatar", &self.avatar)] {
            if let Some(text) = text {
                let identity = fields.entry("identity").or_insert_with(|| Value::Object(Map::new()));
                if let Some(identity) = identity.as_object_mut() {
                    identity.insert(name.to_owned(), text.trim().into());
                }
            }
        }
    }
}

fn checked_name(name: &str) -> Result<&str, AgentError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME { Err(AgentError::Name) } else { Ok(name) }
}

fn names(list: &Value) -> Option<Vec<String>> {
    Some(list.as_array()?.iter().filter_map(|name| Some(name.as_str()?.trim().to_owned())).collect())
}
