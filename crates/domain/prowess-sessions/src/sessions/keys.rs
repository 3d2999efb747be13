//! Keys: how other programs name a session, `agent:<agent>:<session>`.

use sha2::{Digest as _, Sha256};

use super::{SessionId, Sessions};

/// The name of a session in a key: its agent, and its name among the agent's sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionKey {
    /// The agent; none if the key does not name one.
    pub agent: Option<String>,
    /// The rest of the key.
    pub name: String,
}

impl SessionKey {
    /// Reads a key. What does not begin with `agent:` is the name alone.
    ///
    /// ```
    /// use prowess::SessionKey;
    /// let key = SessionKey::parse("agent:main:cron:daily");
    /// assert_eq!((key.agent.as_deref(), key.name.as_str()), (Some("main"), "cron:daily"));
    /// assert_eq!(SessionKey::parse("release").agent, None);
    /// ```
    pub fn parse(key: &str) -> Self {
        let key = key.trim();
        let parts = key.strip_prefix("agent:").and_then(|rest| rest.split_once(':'));
        match parts.filter(|(agent, name)| !agent.is_empty() && !name.is_empty()) {
            Some((agent, name)) => Self { agent: Some(agent.to_lowercase()), name: name.to_owned() },
            None => Self { agent: None, name: key.to_owned() },
        }
    }
}

impl Sessions {
    /// The key of an agent's session.
    pub fn key_of(&self, id: &SessionId, agent: &str) -> String {
        let name = id.as_str().strip_prefix(agent).and_then(|rest| rest.strip_prefix('.'));
        format!("agent:{agent}:{}", name.filter(|name| !name.is_empty()).unwrap_or(id.as_str()))
    }

    /// The session that a key means, whether or not it exists. Two agents may each have one of the same name.
    pub fn of_key(&self, key: &str) -> SessionId {
        let SessionKey { agent, name } = SessionKey::parse(key);
        let plain: Option<SessionId> = name.parse().ok();
        let Some(agent) = agent else { return plain.unwrap_or_else(|| hashed(key)) };
        if let Some(id) = &plain
            && self.show(id).is_ok_and(|stored| stored.summary.agent == agent)
        {
            return id.clone();
        }
        format!("{agent}.{}", name.replace(':', ".")).parse().unwrap_or_else(|_| hashed(key))
    }
}

/// For a key whose letters cannot be a folder's name.
fn hashed(key: &str) -> SessionId {
    SessionId::hashed("key", &Sha256::digest(key.trim()))
}
