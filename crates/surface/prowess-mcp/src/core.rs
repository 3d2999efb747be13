//! The state that all connections share, and their calls to the engine.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use prowess::{Engine, Live};
use prowess_inventory::{Inventory, SkillEntry};
use prowess_match::AgentView;
use prowess_sessions::{Hosted, SessionError};
use prowess_types::{ActivatedBy, IgnorePoison as _};
use tokio::sync::Semaphore;

use crate::ask::Suspensions;
use crate::changes::Changes;
use crate::fault::Fault;
use crate::options::ServerOptions;

/// Maximum number of open connections.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// Maximum number of kept sessions; the first in order is dropped.
const MAX_KEPT: usize = 64;

/// The state that all connections share.
pub(crate) struct Core {
    pub(crate) live: Arc<Live>,
    pub(crate) options: ServerOptions,
    pub(crate) changes: Changes,
    pub(crate) suspensions: Suspensions,
    pub(crate) places: Arc<Semaphore>,
    /// By agent and client.
    sessions: Mutex<BTreeMap<(String, String), Arc<Hosted>>>,
}

impl Core {
    pub(crate) fn new(live: Arc<Live>, options: ServerOptions) -> Self {
        Self {
            changes: Changes::follow(&live, options.cancel.clone()),
            live,
            options,
            suspensions: Suspensions::default(),
            places: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            sessions: Mutex::default(),
        }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("live", &self.live).finish_non_exhaustive()
    }
}

/// The caller of one request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) core: Arc<Core>,
    /// The agent; the default one if none is named.
    pub(crate) agent: Option<String>,
    /// The name of the client.
    pub(crate) client: String,
}

/// The state of an agent at the time of a request.
pub(crate) struct Desk {
    pub(crate) caller: Caller,
    pub(crate) engine: Engine,
    pub(crate) view: Arc<AgentView>,
}

impl Caller {
    /// Does what may block on another thread.
    pub(crate) async fn work<T, F>(&self, work: F) -> Result<T, Fault>
    where
        T: Send + 'static,
        F: FnOnce(&Desk) -> Result<T, Fault> + Send + 'static,
    {
        let caller = self.clone();
        let task = tokio::task::spawn_blocking(move || work(&caller.desk()?));
        task.await.unwrap_or_else(|error| Err(Fault::internal(&error)))
    }

    fn desk(&self) -> Result<Desk, Fault> {
        let view = self.core.live.view(self.agent.as_deref())?;
        Ok(Desk { caller: self.clone(), engine: self.core.live.engine(), view })
    }
}

impl Desk {
    pub(crate) fn inventory(&self) -> &Inventory {
        self.view.inventory()
    }

    /// A skill that the agent can use, by its exact name.
    pub(crate) fn usable(&self, name: &str) -> Option<&SkillEntry> {
        let mut entries = self.inventory().entries.iter();
        entries.find(|entry| entry.skill.name == name).filter(|entry| entry.is_usable())
    }

    /// The skills that the model sees, in the order of their names, each name once.
    pub(crate) fn offered(&self) -> BTreeMap<&str, &SkillEntry> {
        let mut offered = BTreeMap::new();
        for entry in &self.inventory().entries {
            if entry.is_model_visible() && self.usable(&entry.skill.name).is_some() {
                offered.entry(entry.skill.name.as_str()).or_insert(entry);
            }
        }
        offered
    }

    /// The session of this conversation. A session that cannot be written does not stop the work.
    pub(crate) fn session(&self) -> Option<Arc<Hosted>> {
        let core = &self.caller.core;
        let key = (self.inventory().agent_id.clone(), self.caller.client.clone());
        let mut sessions = core.sessions.lock().ignore_poison();
        if let Some(session) = sessions.get(&key) {
            return Some(Arc::clone(session));
        }
        let clock = core.options.clock.clone();
        let session = Arc::new(self.engine.hosted(self.inventory(), &self.caller.client, clock).ok()?);
        keep(&mut sessions, key, Arc::clone(&session));
        Some(session)
    }

    /// Remembers that a skill's text was given out.
    pub(crate) fn loaded(&self, entry: &SkillEntry, by: ActivatedBy) -> Result<(), SessionError> {
        self.session().map_or(Ok(()), |session| session.loaded(entry, by))
    }
}

fn keep<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V) {
    if map.len() >= MAX_KEPT && !map.contains_key(&key) {
        map.pop_first();
    }
    map.insert(key, value);
}
