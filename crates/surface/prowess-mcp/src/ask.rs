//! Asking the person behind the client in the middle of a tool call.
//!
//! A tool that asks runs as a task of its own and sends its questions here. Clients of the older protocol are asked at
//! once, by a request to them. In the newer one a server may not do that: the call is answered with the question, the
//! task waits, and the client calls again with the answer and the handle of the task. So the tools know nothing of
//! either, and what was shown is what is done.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use prowess_context::Clock;
use prowess_sessions::SessionId;
use prowess_types::IgnorePoison as _;
use rmcp::model::{
    CallToolResponse, ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    JsonObject, ProtocolVersion,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::tool_answer::ToolAnswer;

/// The timeout of an answer.
const PATIENCE: Duration = Duration::from_mins(10);
/// Maximum number of calls that wait for an answer; the oldest is dropped.
const MAX_SUSPENDED: usize = 16;
/// The name of the question in an answer.
const KEY: &str = "answer";

/// A question, and the form for its answer.
pub(crate) struct Question {
    pub(crate) message: String,
    pub(crate) form: ElicitationSchema,
}

/// The reply of the user.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// The filled form.
    Accepted(JsonObject),
    /// No, or nothing at all.
    Declined,
    /// The client cannot ask its user.
    NobodyToAsk,
}

impl Reply {
    /// Returns true if a switch of the form was set.
    pub(crate) fn agrees(&self, field: &str) -> bool {
        matches!(self, Self::Accepted(form) if form.get(field).and_then(serde_json::Value::as_bool) == Some(true))
    }
}

struct Asked {
    question: Question,
    reply: oneshot::Sender<Reply>,
}

/// Takes the questions of one call.
#[derive(Clone)]
pub(crate) struct Asker(Option<mpsc::Sender<Asked>>);

impl Asker {
    /// Asks, and waits for the answer.
    pub(crate) async fn ask(&self, question: Question) -> Reply {
        let Some(questions) = &self.0 else { return Reply::NobodyToAsk };
        let (reply, answer) = oneshot::channel();
        if questions.send(Asked { question, reply }).await.is_err() {
            return Reply::Declined;
        }
        // A closed connection or a timeout counts as no consent.
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(reply)) => reply,
            _ => Reply::Declined,
        }
    }
}

/// The result of a tool, or its error.
pub(crate) type Outcome = Result<ToolAnswer, String>;

/// A call that is under way.
pub(crate) struct Running {
    task: JoinHandle<Outcome>,
    questions: mpsc::Receiver<Asked>,
}

/// A call that is no longer awaited is cancelled.
impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A call that waits for an answer.
struct Suspended {
    running: Running,
    reply: oneshot::Sender<Reply>,
}

/// The calls that wait for an answer, by their handles.
#[derive(Default)]
pub(crate) struct Suspensions(Mutex<VecDeque<(String, Suspended)>>);

impl Suspensions {
    fn put(&self, handle: String, suspended: Suspended) {
        let mut waiting = self.0.lock().ignore_poison();
        if waiting.len() >= MAX_SUSPENDED {
            waiting.pop_front();
        }
        waiting.push_back((handle, suspended));
    }

    /// Takes up a call again with what the client brings; none if it waits no longer.
    pub(crate) fn resume(&self, handle: &str, responses: Option<&InputResponses>) -> Option<Running> {
        let mut waiting = self.0.lock().ignore_poison();
        let place = waiting.iter().position(|(of, _)| of == handle)?;
        let (_, suspended) = waiting.remove(place)?;
        drop(waiting);
        let said = responses.and_then(|responses| responses.get(KEY)).cloned();
        let said = said.and_then(|said| serde_json::from_value::<ElicitResult>(said).ok());
        // A task that ended meanwhile needs no answer.
        let _ = suspended.reply.send(said.map_or(Reply::Declined, reply));
        Some(suspended.running)
    }
}

fn reply(result: ElicitResult) -> Reply {
    match (result.action, result.content) {
        (ElicitationAction::Accept, Some(serde_json::Value::Object(form))) => Reply::Accepted(form),
        (ElicitationAction::Accept, _) => Reply::Accepted(JsonObject::new()),
        _ => Reply::Declined,
    }
}

/// Returns true if the client can show a form.
pub(crate) fn can_ask(capabilities: Option<&ClientCapabilities>) -> bool {
    let modes = capabilities.and_then(|capabilities| capabilities.elicitation.as_ref());
    // Clients from before there were several modes name none and mean forms.
    modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// Starts a tool.
pub(crate) fn start<F>(can_ask: bool, tool: impl FnOnce(Asker) -> F) -> Running
where
    F: Future<Output = Outcome> + Send + 'static,
{
    let (sender, questions) = mpsc::channel(1);
    let task = tokio::spawn(tool(Asker(can_ask.then_some(sender))));
    Running { task, questions }
}

/// Waits for what a tool comes to, and asks its questions meanwhile.
pub(crate) async fn drive(
    mut running: Running,
    context: &RequestContext<RoleServer>,
    suspensions: &Suspensions,
    clock: &Clock,
) -> CallToolResponse {
    let answers_later =
        context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    loop {
        let asked = tokio::select! {
            biased;
            Some(asked) = running.questions.recv() => asked,
            ended = &mut running.task => return answered(ended).into(),
            () = context.ct.cancelled() => return ToolAnswer::refused("the call was cancelled").into(),
        };
        let Question { message, form } = asked.question;
        let params =
            ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: form };
        if answers_later {
            // Random enough that a client cannot answer the question of another one.
            let handle = SessionId::new(clock.now_ms()).to_string();
            suspensions.put(handle.clone(), Suspended { running, reply: asked.reply });
            let requests = InputRequests::from([(
                KEY.to_owned(),
                InputRequest::Elicitation(ElicitRequest::new(params)),
            )]);
            return InputRequiredResult::new(Some(requests), Some(handle)).into();
        }
        let said = tokio::select! {
            said = context.peer.create_elicitation_with_timeout(params, Some(PATIENCE)) => said.map_or(Reply::Declined, reply),
            () = context.ct.cancelled() => return ToolAnswer::refused("the call was cancelled").into(),
        };
        let _ = asked.reply.send(said);
    }
}

fn answered(ended: Result<Outcome, tokio::task::JoinError>) -> rmcp::model::CallToolResult {
    match ended {
        Ok(Ok(answer)) => answer.into(),
        Ok(Err(message)) => ToolAnswer::refused(message),
        Err(error) => ToolAnswer::refused(format!("the tool failed: {error}")),
    }
}
