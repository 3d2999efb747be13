//! The answer itself: from a model with tools, from another harness, or from a tool alone.

use std::sync::Arc;

use prowess_context::Context;
use prowess_run::harness::{self, HarnessCommand, HarnessRun};
use prowess_run::model::Message;
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::tools::{ConfiguredTool, ToolPolicy};
use prowess_run::turn::{
    DispatchCall, ReportOutcome, SkillSearchTool, Spawn, Turn, TurnEnd, TurnEvent, dispatch, run_turn,
};
use prowess_run::{RunContext, Tools};
use prowess_sessions::{SentPrompt, Sessions};
use prowess_text::describe_error;
use prowess_types::{
    Outcome, OutcomeResult, OutcomeSource, PromptedAs, PromptedSkill, TraceEvent, TraceLine, Usage,
};
use tokio::sync::mpsc;

use super::backend::Model;
use super::plan::{NoticeKind, RenderedPrompt};
use super::record::Recorder;
use super::said::{DirectCall, SaidText};
use super::start::{Runner, blocking};
use super::{RunError, RunProgress, inject};

/// The record of a harness's session by version 0.1: a notice of this kind, with the harness's name before it.
const HARNESS_SESSION_NOTICE: &str = "harness_session";

/// The id that a harness gave its own session when it last answered in this one. The record may name the harness by an
/// id of an earlier version.
pub(super) fn earlier_session(past: &[TraceLine], harness: &str) -> Option<String> {
    let is_same = |name: &str| {
        name == harness || prowess_harness::program(name).is_some_and(|program| program.id == harness)
    };
    past.iter().rev().find_map(|line| match &line.event {
        TraceEvent::HarnessSession { harness: name, session } if is_same(name) => Some(session.clone()),
        TraceEvent::Notice { kind, text } if kind == HARNESS_SESSION_NOTICE => {
            let (name, session) = text.split_once(' ')?;
            is_same(name).then(|| session.to_owned())
        }
        _ => None,
    })
}

/// The result of an answer, of a model or a harness.
#[derive(Default)]
pub(super) struct Answered {
    pub(super) text: String,
    pub(super) outcome: Outcome,
    pub(super) error: Option<String>,
    pub(super) stopped: bool,
    pub(super) usage: Usage,
}

/// The request to a model.
pub(super) struct Ask {
    pub(super) model: Model,
    pub(super) text: String,
    pub(super) rendered: RenderedPrompt,
    /// The conversation before.
    pub(super) past: Vec<Message>,
    pub(super) tools: Vec<ConfiguredTool>,
}

pub(super) fn added_tools(context: &Context) -> Result<Vec<ConfiguredTool>, RunError> {
    let tools = context.config().added_tools().map(|(name, value)| {
        let mut value = value.clone();
        // The policy is decided elsewhere.
        value.as_object_mut().map(|fields| fields.shift_remove("policy"));
        ConfiguredTool::from_value(name, &value)
    });
    Ok(tools.collect::<Result<_, _>>()?)
}

impl Runner {
    /// Everything that can be called in a run, under the user's policy.
    async fn tools(&self, context: &RunContext, added: &[ConfiguredTool]) -> Tools {
        let names = ["read", "write", "exec", "job"].into_iter();
        let names = names.chain(added.iter().map(|tool| tool.name.as_str()));
        let names = names.chain(self.host_tools.iter().map(|tool| tool.spec().name.as_str()));
        let config = self.context.config();
        let said = names.filter_map(|name| Some((name.to_owned(), config.tool_permission(name)?)));
        let mut policy = ToolPolicy::default();
        policy.by_name.extend(said);
        let mut tools = Tools::built_in(&policy, super::protect::run_sandbox(&self.context, context));
        // The host may put its own tool in the place of a built-in one; the user's config cannot.
        for tool in self.host_tools.iter() {
            tools.add(policy.govern(Arc::clone(tool)));
        }
        tools.add_configured(added, &policy, context).await;
        tools
    }

    /// The text of a called skill with the output of its commands, where the user's policy lets them run.
    pub(super) async fn with_injected(&self, context: &RunContext, said: SaidText) -> String {
        let commands = said.commands();
        if commands.is_empty() {
            return said.into_text();
        }
        let sandbox =
            Sandbox { mode: SandboxMode::Require, ..super::protect::run_sandbox(&self.context, context) };
        let mut outputs = inject::outputs(context, &sandbox, commands).await;
        context.redactor.redact(&said.with_outputs(|command| outputs.take(command))).into_owned()
    }

    pub(super) async fn by_tool(
        &self,
        context: &RunContext,
        added: &[ConfiguredTool],
        call: &DirectCall,
    ) -> Answered {
        let tools = self.tools(context, added).await;
        let call = DispatchCall {
            tool: &call.tool,
            command: &call.args,
            command_name: &call.command,
            skill_name: &call.skill,
        };
        let output = dispatch(&tools, context, call).await;
        let text = context.redactor.redact(&output.text).into_owned();
        let stopped = context.cancel.is_cancelled();
        Answered {
            error: (!output.ok && !stopped).then(|| text.clone()),
            text,
            stopped,
            ..Answered::default()
        }
    }

    pub(super) async fn by_harness(
        &self,
        context: &RunContext,
        harness: &HarnessCommand,
        prompt: String,
        resume: Option<String>,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Answered {
        let (words, mut shown) = mpsc::unbounded_channel();
        let run = harness::run(HarnessRun {
            harness,
            prompt,
            session: resume.filter(|_| harness.resume.is_some()),
            model: None,
            args: Vec::new(),
            env: self.context.env(),
            context: context.clone(),
            state: Sessions::of(&self.context).folder().with_file_name("harness"),
            show: Arc::new(move |text: &str| {
                let _ = words.send(text.to_owned());
            }),
        });
        tokio::pin!(run);
        let ended = loop {
            tokio::select! {
                biased;
                Some(text) = shown.recv() => on(RunProgress::Turn(TurnEvent::Text(text))),
                ended = &mut run => break ended,
            }
        };
        while let Ok(text) = shown.try_recv() {
            on(RunProgress::Turn(TurnEvent::Text(text)));
        }
        match ended {
            Ok(report) => {
                if let Some(session) = &report.session {
                    let (harness, session) = (harness.id.clone(), session.clone());
                    (context.record)(TraceEvent::HarnessSession { harness, session });
                }
                Answered {
                    text: report.answer,
                    error: report.error,
                    stopped: report.stopped,
                    usage: report.usage,
                    outcome: Outcome::default(),
                }
            }
            Err(error) => failed(context, &describe_error(&error), OutcomeResult::RuntimeError),
        }
    }

    pub(super) async fn by_model(
        &self,
        context: &RunContext,
        ask: Ask,
        recorder: &Recorder,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Answered {
        let Ask { model, text, rendered, past, tools } = ask;
        let mut tools = self.tools(context, &tools).await;
        tools.add(Arc::new(SkillSearchTool::default()));
        tools.add(Arc::new(ReportOutcome::default()));
        let record_for = {
            let recorder = recorder.clone();
            Arc::new(move |run: &str, event: TraceEvent| recorder.record_for(run, event))
        };
        let chat = Arc::clone(&model.chat);
        tools.add(Arc::new(Spawn::new(chat, tools.clone(), record_for)));
        self.keep_prompt(context, &text, &rendered, recorder).await;
        let turn = Turn {
            model: model.chat.as_ref(),
            tools: &tools,
            context,
            system: &rendered.system,
            history: past,
            message: rendered.with(&text),
        };
        let report = run_turn(turn, &mut |event| on(RunProgress::Turn(event))).await;
        let error = match &report.end {
            TurnEnd::Failed(error) => Some(context.redactor.redact(&describe_error(error)).into_owned()),
            _ => None,
        };
        Answered {
            outcome: report.outcome.clone(),
            error,
            stopped: report.is_stopped(),
            usage: report.usage,
            text: report.answer,
        }
    }
}

impl Runner {
    /// Stores exactly what the model is sent, without secrets, and records which skills are in it.
    pub(super) async fn keep_prompt(
        &self,
        context: &RunContext,
        message: &str,
        rendered: &RenderedPrompt,
        recorder: &Recorder,
    ) {
        let redact = |text: &str| context.redactor.redact(text).into_owned();
        let sent = SentPrompt {
            system: redact(&rendered.system),
            context: rendered.context.as_deref().map(redact),
            message: redact(message),
        };
        let (owner, session) = (Arc::clone(&self.context), recorder.session().clone());
        let kept = blocking(move || Sessions::of(&owner).keep_prompt(&session, &sent)).await;
        let kept = kept.map_err(|error| describe_error(&error));
        match kept.and_then(|kept| kept.map_err(|error| describe_error(&error))) {
            Ok(kept) => {
                let is_listed = |skill: &&PromptedSkill| skill.how == PromptedAs::Listed;
                let listed = rendered.prompted.iter().filter(is_listed).count();
                recorder.record(kept.event(listed, rendered.prompted.clone(), rendered.empty.clone()));
            }
            Err(reason) => {
                recorder.notice(NoticeKind::Prompt, format!("the prompt was not stored: {reason}"));
            }
        }
    }
}

fn failed(context: &RunContext, error: &str, result: OutcomeResult) -> Answered {
    let error = context.redactor.redact(error).into_owned();
    let outcome = Outcome { result, by: OutcomeSource::Classifier, detail: Some(error.clone()), key: None };
    Answered { error: Some(error), outcome, ..Answered::default() }
}
