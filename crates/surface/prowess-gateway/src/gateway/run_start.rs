//! From an order to a run that goes on by itself.

use std::sync::Arc;

use prowess::Engine;
use prowess_agent::{Answerer, ExposedWorkspace, RunProgress, RunReport, RunRequest};
use prowess_sessions::SessionId;
use prowess_text::describe_error;
use prowess_types::OutcomeResult;
use serde_json::json;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::approvals::AskClients;
use super::run_events::{Ids, Narrator, RunEvent};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::runs::{Gate, Going, Journal, Origin, RunStatus, RunView};
use crate::state::Gateway;

/// The longest message, in bytes.
const MAX_MESSAGE: usize = 1 << 20;
/// As much of a message as stays in memory after the run began, in characters; the trace has it whole.
const SHOWN_MESSAGE: usize = 4_000;
/// The longest id that a client may give a run.
const MAX_ID: usize = 128;

/// What shall be run.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) message: String,
    /// The agent; the default one if none is named.
    pub(crate) agent: Option<String>,
    /// The session; a new one if none is named.
    pub(crate) session: Option<SessionId>,
    /// The model that answers, as `provider/model`.
    pub(crate) model: Option<String>,
    /// Another agent program that answers instead.
    pub(crate) harness: Option<String>,
    /// What the run is called. A second order of the same id is the same run.
    pub(crate) id: Option<String>,
    pub(crate) origin: Origin,
}

impl Gateway {
    /// Takes an order. The run goes on by itself.
    pub(crate) fn start_run(self: &Arc<Self>, order: Order) -> Result<RunView, Refusal> {
        let message = order.message.trim();
        if message.is_empty() {
            return Err(Refusal::invalid("the message is empty"));
        }
        if message.len() > MAX_MESSAGE {
            return Err(Refusal::invalid(format!("the message has more than {MAX_MESSAGE} bytes")));
        }
        let id = order.id.clone().unwrap_or_else(|| ulid::Ulid::generate().to_string());
        if id.is_empty() || id.len() > MAX_ID {
            return Err(Refusal::invalid(format!("an idempotency key has 1 to {MAX_ID} bytes")));
        }
        let engine = self.live.engine();
        let agent =
            engine.config().agent(order.agent.as_deref()).map_err(prowess_context::ContextError::from)?;
        if order.harness.is_none() {
            refuse_exposed(&engine, &agent.id)?;
        }
        let now = self.options.clock.now_ms();
        let session = order.session.clone().unwrap_or_else(|| SessionId::new(now));
        let ids = Ids {
            run_id: id,
            session: session.to_string(),
            session_key: engine.sessions().key_of(&session, &agent.id),
            agent_id: agent.id,
        };
        let view = RunView {
            run_id: ids.run_id.clone(),
            session: ids.session.clone(),
            session_key: ids.session_key.clone(),
            agent_id: ids.agent_id.clone(),
            message: message.chars().take(SHOWN_MESSAGE).collect(),
            origin: order.origin,
            status: RunStatus::Queued,
            created_at: now,
            started_at: None,
            ended_at: None,
            trace_run: None,
            error: None,
            report: None,
        };
        let (gate, cancel) = match self.runs.admit(view.clone())? {
            Ok(admitted) => admitted,
            Err(known) => return Ok(known),
        };
        ids.publish(self, &RunEvent::Queued { message });
        let work = Work { gateway: Arc::clone(self), engine, ids, session, order, cancel };
        tokio::spawn(work.go(gate));
        Ok(view)
    }
}

/// Refuses a run in a workspace that exposes more than a project: a person allows it at the machine, not a client.
fn refuse_exposed(engine: &Engine, agent: &str) -> Result<(), Refusal> {
    let exposed = engine.exposed_workspace(Some(agent));
    let Some(exposed) = exposed.map_err(|error| Refusal::unavailable(describe_error(&error)))? else {
        return Ok(());
    };
    let remedy = if exposed.may_be_allowed() {
        "start the gateway in a project folder, set `agents.defaults.workspace`, or allow this folder on the gateway's \
         machine with `prowess run --allow-workspace MESSAGE`"
    } else {
        "start the gateway in a project folder, or set `agents.defaults.workspace`"
    };
    let details = json!({ "code": ExposedWorkspace::CODE, "workspace": exposed.path.display().to_string() });
    Err(Refusal::unavailable(format!("{exposed}; {remedy}")).with_details(details))
}

/// A run that was taken in.
struct Work {
    gateway: Arc<Gateway>,
    engine: Engine,
    ids: Ids,
    session: SessionId,
    order: Order,
    cancel: CancellationToken,
}

impl Work {
    async fn go(self, gate: Gate) {
        let (gateway, ids, cancel) = (Arc::clone(&self.gateway), self.ids.clone(), self.cancel.clone());
        let entered = async move {
            let session = gate.session.acquire_owned().await;
            let agent = gate.agent.acquire_owned().await;
            (session, agent)
        };
        let permits = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            permits = entered => Some(permits),
        };
        let (ended, mut narrator) = if permits.is_none() {
            (Ended::new(RunStatus::Aborted, None), Narrator::new(Arc::clone(&gateway), ids.clone()))
        } else {
            // Reading and choosing skills blocks, and a run takes a thread's while anyway.
            let handle = Handle::current();
            tokio::task::spawn_blocking(move || self.answer(&handle)).await.unwrap_or_else(|_| {
                let error = Some("the run failed inside the gateway".to_owned());
                (Ended::new(RunStatus::Failed, error), Narrator::new(Arc::clone(&gateway), ids.clone()))
            })
        };
        gateway.runs.update(&ids.run_id, |view| {
            view.status = ended.status;
            view.ended_at = Some(gateway.options.clock.now_ms());
            view.error.clone_from(&ended.error);
            view.report.clone_from(&ended.report);
        });
        drop(permits);
        narrator.finish(ended.status, ended.report.as_ref(), ended.error.as_deref());
        gateway.runs.end(&ids.run_id);
        let changed = json!({
            "sessionKey": ids.session_key, "session": ids.session, "agentId": ids.agent_id, "reason": "run",
        });
        gateway.events.publish(Event::new("sessions.changed", changed));
        if let Some(report) = &ended.report {
            tell_learned(&gateway, report);
        }
    }

    fn answer(self, handle: &Handle) -> (Ended, Narrator) {
        let Self { gateway, engine, ids, session, order, cancel } = self;
        let clock = gateway.options.clock.clone();
        gateway.runs.update(&ids.run_id, |view| {
            view.status = RunStatus::Running;
            view.started_at = Some(clock.now_ms());
        });
        let model = order.model.or_else(|| engine.sessions().settings(&session).model);
        let request = RunRequest {
            message: order.message,
            agent: Some(ids.agent_id.clone()),
            session: Some(session),
            answerer: order.harness.map_or(Answerer::Model(model), Answerer::Harness),
            approver: Arc::new(AskClients::new(Arc::clone(&gateway), ids.clone())),
            cancel,
            clock,
            learn: true,
        };
        // What the gateway shows is what the run uses: its own view, with the last good version of every skill.
        let view = match gateway.live.view(Some(&ids.agent_id)) {
            Ok(view) => view,
            Err(error) => {
                let ended = Ended::new(RunStatus::Failed, Some(describe_error(&error)));
                return (ended, Narrator::new(gateway, ids));
            }
        };
        let journal = Journal::of(&engine);
        let mut going = None;
        let mut narrator = Narrator::new(Arc::clone(&gateway), ids.clone());
        let mut on = |progress: RunProgress| {
            if let RunProgress::Started { session, run } = &progress {
                let begun = Going { session: session.clone(), run: run.to_string() };
                journal.begun(begun.clone());
                going = Some(begun);
                gateway.runs.update(&ids.run_id, |view| view.trace_run = Some(run.to_string()));
            }
            narrator.tell(&progress);
        };
        let result = handle.block_on(Box::pin(engine.run_in(&view, request, &mut on)));
        if let Some(going) = &going {
            journal.ended(going);
        }
        let ended = match result {
            Ok(report) if report.stopped => Ended::of(RunStatus::Aborted, report),
            Ok(report) if report.error.is_some() => Ended::of(RunStatus::Failed, report),
            Ok(report) => Ended::of(RunStatus::Done, report),
            Err(error) => Ended::new(RunStatus::Failed, Some(describe_error(&error))),
        };
        (ended, narrator)
    }
}

/// Tells that a run may have taught something, and that it may have become a draft.
fn tell_learned(gateway: &Gateway, report: &RunReport) {
    let reason = || json!({ "reason": "run", "session": report.session });
    if !report.skills.is_empty() && report.outcome.result != OutcomeResult::Unknown {
        gateway.events.publish(Event::new("cortex.changed", reason()));
    }
    if report.draft.is_some() {
        gateway.events.publish(Event::new("forge.changed", reason()));
    }
}

/// The result of a run.
struct Ended {
    status: RunStatus,
    report: Option<RunReport>,
    error: Option<String>,
}

impl Ended {
    fn of(status: RunStatus, report: RunReport) -> Self {
        Self { status, error: report.error.clone(), report: Some(report) }
    }

    /// Makes a state without a report, because it never began or is unknown.
    fn new(status: RunStatus, error: Option<String>) -> Self {
        Self { status, report: None, error }
    }
}
