//! A model that follows a script, tools made of closures, and a run to put them in.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use futures_util::future::{self, BoxFuture};
use prowess_model::{ChatDelta, ChatModel, Message, ModelError, Reply, Request, ToolCall, ToolSpec};
use prowess_secret::Redactor;
use prowess_types::{Secret, TraceEvent, TraceLine, Usage};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{RecordFor, RunState, Turn, TurnEvent, TurnReport, run_turn};
use crate::{
    Approval, Approver, Environment, Question, RunContext, RunLimits, RunSkill, SharedEnvironment,
    SkillSearch, SkillSearchHit, Tool, ToolInput, ToolOutput, Tools,
};

/// A value that may not appear anywhere.
pub(crate) const SECRET: &str = "sk-planted-secret-0123456789";

/// What the model does when it is asked.
pub(crate) enum Step {
    Reply(Reply),
    Fail(ModelError),
    /// Says this and then nothing more.
    Hang(&'static str),
}

/// What the model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) system: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<ToolSpec>,
}

/// A model that follows a script; past its end it says `end of script`.
#[derive(Default)]
pub(crate) struct Scripted {
    steps: Mutex<VecDeque<Step>>,
    pub(crate) asked: Mutex<Vec<Asked>>,
}

impl Scripted {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Arc<Self> {
        Arc::new(Self { steps: Mutex::new(steps.into_iter().collect()), ..Self::default() })
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn reply<'a>(
        &'a self,
        request: Request<'a>,
        on: &'a mut (dyn FnMut(ChatDelta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        self.asked.lock().unwrap().push(Asked {
            system: request.system.to_owned(),
            messages: request.messages.to_vec(),
            tools: request.tools.to_vec(),
        });
        let step = self.steps.lock().unwrap().pop_front().unwrap_or_else(|| says("end of script"));
        async move {
            match step {
                Step::Reply(reply) => {
                    for piece in reply.text.split_inclusive(' ') {
                        on(ChatDelta::Text(piece.to_owned()));
                    }
                    Ok(reply)
                }
                Step::Fail(error) => Err(error),
                Step::Hang(words) => {
                    on(ChatDelta::Text(words.to_owned()));
                    future::pending().await
                }
            }
        }
        .boxed()
    }
}

pub(crate) fn says(text: &str) -> Step {
    let usage = Usage { input_tokens: 10, output_tokens: 1, cached_tokens: 0, requests: 1 };
    Step::Reply(Reply { text: text.to_owned(), usage, ..Reply::default() })
}

pub(crate) fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Step {
    let usage = Usage { input_tokens: 10, output_tokens: 1, cached_tokens: 0, requests: 1 };
    Step::Reply(Reply { calls: calls.into_iter().collect(), usage, ..Reply::default() })
}

pub(crate) fn call(id: &str, name: &str, input: Value) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), input: Ok(input) }
}

type Act = dyn for<'a> Fn(ToolInput<'a>) -> BoxFuture<'a, ToolOutput> + Send + Sync;

/// A tool made of a closure.
pub(crate) struct FakeTool {
    spec: ToolSpec,
    asks: bool,
    act: Box<Act>,
}

impl FakeTool {
    pub(crate) fn new(
        name: &str,
        act: impl for<'a> Fn(ToolInput<'a>) -> BoxFuture<'a, ToolOutput> + Send + Sync + 'static,
    ) -> Self {
        let input = match name {
            "read" => json!({
                "type": "object",
                "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["path"],
            }),
            _ => json!({"type": "object"}),
        };
        let spec = ToolSpec { name: name.to_owned(), description: format!("about {SECRET}"), input };
        Self { spec, asks: false, act: Box::new(act) }
    }

    /// A tool that says its input.
    pub(crate) fn echo(name: &str) -> Self {
        Self::new(name, |input| future::ready(ToolOutput::done(input.value.to_string())).boxed())
    }

    pub(crate) fn asking(self) -> Self {
        Self { asks: true, ..self }
    }
}

impl Tool for FakeTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, _: &RunContext) -> Option<String> {
        let command = input.get("command").and_then(Value::as_str).unwrap_or_default();
        self.asks.then(|| format!("run: {command}"))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        (self.act)(input)
    }
}

pub(crate) fn toolbox(tools: impl IntoIterator<Item = FakeTool>) -> Tools {
    let mut all = Tools::default();
    for tool in tools {
        all.add(Arc::new(tool));
    }
    all
}

/// Tools that say their input.
pub(crate) fn tools<const N: usize>(names: [&str; N]) -> Tools {
    toolbox(names.map(FakeTool::echo))
}

/// Somebody who gives the same answer to everything, after the others had a chance to ask too.
pub(crate) struct Answers {
    approval: Approval,
    pub(crate) questions: Mutex<Vec<Question>>,
}

impl Approver for Answers {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        async {
            self.questions.lock().unwrap().push(question.clone());
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            self.approval
        }
        .boxed()
    }
}

struct FixedSearch;

impl SkillSearch for FixedSearch {
    fn search(&self, need: &str, limit: usize) -> Result<Vec<SkillSearchHit>, String> {
        if need == "trouble" {
            return Err("no index".to_owned());
        }
        let hit = |name: &str| SkillSearchHit {
            name: name.to_owned(),
            description: format!("{name} for {need}"),
            location: format!("/skills/{name}/SKILL.md"),
            confidence: 0.5,
        };
        Ok(["pdf", "forbidden", "weather"].into_iter().take(limit).map(hit).collect())
    }
}

/// A run, and everything that was recorded and asked in it.
pub(crate) struct Run {
    pub(crate) context: RunContext,
    pub(crate) lines: Arc<Mutex<Vec<TraceLine>>>,
    pub(crate) approver: Arc<Answers>,
    pub(crate) seen: Vec<TurnEvent>,
}

impl Run {
    pub(crate) fn new(workspace: &Path) -> Self {
        Self::answering(workspace, Approval::Once)
    }

    pub(crate) fn answering(workspace: &Path, approval: Approval) -> Self {
        let approver = Arc::new(Answers { approval, questions: Mutex::default() });
        let mut run = Self {
            lines: Arc::default(),
            seen: Vec::new(),
            context: RunContext {
                session: "s".to_owned(),
                run: "r".to_owned(),
                agent: "main".to_owned(),
                workspace: workspace.to_owned(),
                skills: ["pdf", "weather"].map(|name| skill(workspace, name)).to_vec(),
                protected: crate::ProtectedPlaces::default(),
                environment: SharedEnvironment::new(Environment::new([(
                    "HOME".to_owned(),
                    Secret::new(workspace.display().to_string()),
                )])),
                redactor: Redactor::new([&Secret::new(SECRET)]),
                cancel: CancellationToken::new(),
                approver: approver.clone(),
                search: Arc::new(FixedSearch),
                record: Arc::new(|_| {}),
                limits: RunLimits::default(),
                state: RunState::default(),
            },
            approver,
        };
        let record_for = run.record_for();
        run.context.record = Arc::new(move |event| record_for("r", event));
        run
    }

    pub(crate) fn record_for(&self) -> RecordFor {
        let lines = Arc::clone(&self.lines);
        Arc::new(move |run, event| {
            lines.lock().unwrap().push(TraceLine { at: 0, run: run.to_owned(), event });
        })
    }

    pub(crate) async fn turn(&mut self, model: &Arc<Scripted>, tools: &Tools) -> TurnReport {
        self.turn_after(model, tools, Vec::new()).await
    }

    pub(crate) async fn turn_after(
        &mut self,
        model: &Arc<Scripted>,
        tools: &Tools,
        history: Vec<Message>,
    ) -> TurnReport {
        let (context, system, message) = (&self.context, "system", "do it".to_owned());
        let turn = Turn { model: model.as_ref(), tools, context, system, history, message };
        run_turn(turn, &mut |event| self.seen.push(event)).await
    }

    pub(crate) fn events(&self) -> Vec<TraceEvent> {
        self.lines.lock().unwrap().iter().map(|line| line.event.clone()).collect()
    }

    /// What tools said, by the ids of the calls, in the order of the trace.
    pub(crate) fn results(&self) -> Vec<(String, bool, String)> {
        let result = |event| match event {
            TraceEvent::ToolResult { id, ok, output, .. } => Some((id, ok, output)),
            _ => None,
        };
        self.events().into_iter().filter_map(result).collect()
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        let kind = |event| match event {
            TraceEvent::Notice { kind, .. } => Some(kind),
            _ => None,
        };
        self.events().into_iter().filter_map(kind).collect()
    }

    pub(crate) fn questions(&self) -> Vec<Question> {
        self.approver.questions.lock().unwrap().clone()
    }
}

pub(crate) fn skill(workspace: &Path, name: &str) -> RunSkill {
    let folder = workspace.join("skills").join(name);
    let file = folder.join("SKILL.md");
    RunSkill { name: name.to_owned(), file, folder, content_hash: "00ff".to_owned(), text: None }
}
