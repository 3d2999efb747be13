//! `sessions.*`: what agents did, and what is set for it.

mod change;
mod list;
mod prompt;
mod read;

use prowess_sessions::{SessionId, SessionKey};

use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) use read::{Message, messages};

const READ: Access = Access::Operator(Scope::Read);
const WRITE: Access = Access::Operator(Scope::Write);
const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("sessions.list", READ, "Sessions, the latest first", list::list),
        method("sessions.preview", READ, "The last words of some sessions", list::preview),
        method(
            "sessions.get",
            READ,
            "What happened in a session, in short, and which skills it used",
            read::get,
        ),
        method("sessions.events", READ, "The trace of a session, page by page", read::events),
        method(
            "sessions.prompt",
            READ,
            "The exact prompt of a run, and its difference to another one",
            prompt::prompt,
        ),
        method("sessions.export", READ, "A session as a text to keep", read::export),
        method("sessions.rate", WRITE, "Says how a run went; the last word counts", change::rate),
        method("sessions.import", WRITE, "Imports a session log of another agent", change::import),
        method("sessions.patch", WRITE, "Sets the model and other things for a session", change::patch),
        method("sessions.reset", WRITE, "Begins a session anew; what happened so far is kept", change::reset),
        method("sessions.delete", ADMIN, "Deletes a session and its trace", change::delete),
    ]
}

/// The session that a client names by a key, an id, the beginning of an id, or `last`, as far as there is one.
fn find(gateway: &crate::Gateway, key: &str) -> Result<SessionId, Refusal> {
    let sessions = gateway.live.engine().sessions();
    let id = sessions.of_key(key);
    if SessionKey::parse(key).agent.is_some() {
        return sessions.show(&id).map(|_| id).map_err(Refusal::from);
    }
    Ok(sessions.find(key.trim())?)
}

/// The agent and the session of a message: a session that exists keeps its agent, unless another is named.
pub(super) async fn address(
    call: &Call,
    agent: Option<String>,
    key: Option<String>,
) -> Result<(Option<String>, Option<SessionId>), Refusal> {
    let Some(key) = key else { return Ok((agent, None)) };
    let named = SessionKey::parse(&key).agent;
    if let (Some(named), Some(agent)) = (&named, &agent)
        && !named.eq_ignore_ascii_case(agent)
    {
        return Err(Refusal::invalid(format!("the session `{key}` is not one of the agent `{agent}`")));
    }
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let sessions = engine.sessions();
        let id = sessions.of_key(&key);
        let agent = agent.or(named).or_else(|| {
            let own = sessions.show(&id).ok()?.summary.agent;
            engine.config().agent(Some(&own)).ok().map(|agent| agent.id)
        });
        Ok((agent, Some(id)))
    })
    .await
}
