//! From a message to a report.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use prowess_config::{LandlockChoice, ToolConsent};
use prowess_run::harness::{self, Harness, HarnessRun};
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::tools::{ConfiguredTool, Permission, ToolPolicy};
use prowess_run::turn::{
    DispatchCall, ReportOutcome, RunState, SkillSearchTool, Spawn, SystemParts, Turn, TurnEnd, TurnEvent,
    dispatch, history, run_turn, system_prompt, trim,
};
use prowess_run::{RunContext, RunLimits, RunSkill, SkillSearch, Tools};
use prowess_types::{
    ActivatedBy, Backend, BackendKind, ContentHash, Outcome, OutcomeResult, OutcomeSource, Secret,
    TraceEvent, TraceLine, Usage,
};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::backend::Model;
use super::inject;
use super::keys::Keys;
use super::prepare::{Chosen, DirectCall, choose, prompt_request};
use super::record::Recorder;
use super::search::{NoSearch, Search};
use super::{Answerer, RunError, RunProgress, RunReport, RunRequest};
use crate::engine::Engine;
use crate::inventory::Inventory;
use crate::session_snapshot::{Opened, SessionSnapshot};
use crate::sessions::{SessionError, SessionId};
use crate::{ChooseError, Snapshot, describe_error};

/// As much of the conversation before as a model is told, in characters.
const MAX_HISTORY_CHARS: usize = 400_000;

/// Who answers, ready to.
enum Ready {
    Model(Model),
    Harness(&'static Harness),
    Tool(DirectCall),
}

impl Ready {
    fn backend(&self) -> Backend {
        match self {
            Self::Model(model) => model.backend.clone(),
            Self::Harness(harness) => {
                Backend { kind: BackendKind::Harness, name: harness.name.clone(), model: None }
            }
            Self::Tool(call) => Backend { kind: BackendKind::Dispatch, name: call.tool.clone(), model: None },
        }
    }
}

/// How it went, whoever answered.
#[derive(Default)]
struct Answered {
    text: String,
    outcome: Outcome,
    error: Option<String>,
    stopped: bool,
    usage: Usage,
}

impl Engine {
    /// Answers one message: reads and chooses skills, lets a model or another harness work, records all of it.
    ///
    /// Reading and choosing block the thread for some milliseconds; everything after is asynchronous.
    ///
    /// # Errors
    /// Only what is known before anything was done. What goes wrong afterwards is in the report, and in the trace.
    pub async fn run(
        &self,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        let began = Instant::now();
        let message = request.message.trim();
        if message.is_empty() {
            return Err(RunError::Empty);
        }
        let now = request.clock.now_ms();
        let id = request.session.clone().unwrap_or_else(|| SessionId::new(now));
        let agent = self.config().agent(request.agent.as_deref())?;
        let inventory = self.inventory(request.agent.as_deref())?;
        let (inventory, mut notices) = self.moved_into_sandbox(inventory, &request);

        let said = self.understand(&inventory, message, id.as_str(), None)?;
        let ready = match (said.dispatch, &request.answerer) {
            (Some(call), _) => Ready::Tool(call),
            (None, Answerer::Harness(name)) => Ready::Harness(harness::find(name)?),
            (None, Answerer::Model(wanted)) => Ready::Model(self.chat_model(&agent, wanted.as_deref())?),
        };
        let tools = self.added_tools()?;

        let (search, chosen) = self.selection(&inventory, message, now);
        let chosen = chosen.unwrap_or_else(|error| {
            notices.push(("selection", format!("no skill was chosen: {}", describe_error(&error))));
            None
        });
        let prompt = prompt_request(chosen.as_ref());
        let snapshot = Arc::new(inventory.snapshot(&prompt, now));

        let sessions = self.sessions();
        let past = match sessions.show(&id) {
            Ok(stored) => stored.session.lines,
            Err(SessionError::Unknown(_)) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let workspace = inventory.workspace.display().to_string();
        let session = sessions.open(id.clone(), &agent.id, &workspace, request.clock.clone())?;
        notices.extend(keep_snapshot(&sessions.folder_of(&id), &snapshot));
        let run = SessionId::new(now).to_string();
        let recorder = Recorder::new(session, run.clone(), request.clock.clone());

        let (inherit, own) = match &ready {
            Ready::Model(model) => (Vec::new(), model.key.clone()),
            Ready::Harness(harness) => (harness.inherit.clone(), None),
            Ready::Tool(_) => (Vec::new(), None),
        };
        let own: Vec<Secret> =
            own.into_iter().chain(tools.iter().flat_map(ConfiguredTool::secrets).cloned()).collect();
        let keys = Arc::new(Keys::new(self.clone(), &inventory, inherit, &own));
        on(RunProgress::Started { session: id.to_string(), run: run.clone() });
        recorder.record(TraceEvent::RunStarted {
            message: keys.redactor.redact(message).into_owned(),
            snapshot: Some(snapshot.id().to_owned()),
            catalogue: Some(hash(&snapshot.prompt)),
            backend: ready.backend(),
            parent: None,
        });
        if let Some(chosen) = &chosen {
            recorder.record(chosen.event());
        }
        {
            let (keys, recorder) = (Arc::clone(&keys), recorder.clone());
            recorder.clone().on_activation(Arc::new(move |skill: &str| {
                for line in keys.activate(skill) {
                    recorder.notice("environment", line);
                }
            }));
        }
        for (kind, text) in notices {
            recorder.notice(kind, text);
        }
        let context = RunContext {
            session: id.to_string(),
            run: run.clone(),
            agent: agent.id.clone(),
            workspace: inventory.workspace.clone(),
            skills: skills(&inventory),
            environment: keys.environment.clone(),
            redactor: keys.redactor.clone(),
            cancel: request.cancel.clone(),
            approver: Arc::clone(&request.approver),
            search,
            record: {
                let recorder = recorder.clone();
                Arc::new(move |event| recorder.record(event))
            },
            limits: self.run_limits(),
            state: RunState::default(),
        };
        let preloaded = chosen.iter().flat_map(|chosen| chosen.preloaded(&inventory));
        let preloaded = preloaded.map(|entry| (entry.skill.name.clone(), ActivatedBy::Preload));
        for (skill, by) in said.called.into_iter().chain(preloaded.collect::<Vec<_>>()) {
            activate(&context, &skill, by);
        }

        let answered = match ready {
            Ready::Tool(call) => self.by_tool(&context, &tools, &call).await,
            Ready::Harness(harness) => {
                for line in keys.activate_all() {
                    recorder.notice("environment", line);
                }
                self.by_harness(&context, harness, said.text, on).await
            }
            Ready::Model(model) => {
                let text = self.with_injected(&context, &inventory, message, said.text).await;
                let ask = Ask { model, text, catalogue: snapshot.prompt.clone(), past, tools };
                self.by_model(&context, ask, &recorder, on).await
            }
        };
        Ok(finish(&recorder, answered, &id, began.elapsed(), on))
    }

    /// The sandbox of the config gets its copies, as well as it can, and the prompt shows where they are.
    fn moved_into_sandbox(
        &self,
        inventory: Inventory,
        request: &RunRequest,
    ) -> (Inventory, Vec<(&'static str, String)>) {
        let Some(sandbox) = self.config().run().sandbox else { return (inventory, Vec::new()) };
        let dir = self.places().expand(&sandbox.dir);
        let options = crate::SyncOptions { mounted_at: sandbox.mounted_at, ..crate::SyncOptions::default() };
        match self.sandbox_sync(request.agent.as_deref(), &dir, &options) {
            Ok(report) => (inventory.located(report.locations), Vec::new()),
            Err(error) => {
                let notice = format!("skills were not copied: {}", describe_error(&error));
                (inventory, vec![("sandbox", notice)])
            }
        }
    }

    /// What the agent searches with, and what was chosen for the message.
    fn selection(
        &self,
        inventory: &Inventory,
        message: &str,
        now_ms: u64,
    ) -> (Arc<dyn SkillSearch>, Result<Option<Chosen>, ChooseError>) {
        if inventory.entries.is_empty() {
            return (Arc::new(NoSearch("there are none".into())), Ok(None));
        }
        let selector = match self.selector(inventory) {
            Ok(selector) => selector,
            Err(error) => return (Arc::new(NoSearch(describe_error(&error))), Err(error)),
        };
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(now_ms);
        let chosen = choose(&selector, message, now);
        (Arc::new(Search::new(selector, inventory)), chosen.map(Some))
    }

    fn added_tools(&self) -> Result<Vec<ConfiguredTool>, RunError> {
        let tools = self.config().added_tools().map(|(name, value)| {
            let mut value = value.clone();
            // Whether it may be used is said elsewhere.
            value.as_object_mut().map(|fields| fields.shift_remove("policy"));
            ConfiguredTool::from_value(name, &value)
        });
        Ok(tools.collect::<Result<_, _>>()?)
    }

    /// Everything that can be called in a run, under the user's policy.
    async fn tools(&self, context: &RunContext, added: &[ConfiguredTool]) -> Tools {
        let names = ["read", "write", "exec", "job"].into_iter();
        let names = names.chain(added.iter().map(|tool| tool.name.as_str()));
        let said = names.filter_map(|name| {
            let permission = match self.config().tool_consent(name)? {
                ToolConsent::Ask => Permission::Ask,
                ToolConsent::Allow => Permission::Allow,
                ToolConsent::Deny => Permission::Deny,
            };
            Some((name.to_owned(), permission))
        });
        let mut policy = ToolPolicy::default();
        policy.by_name.extend(said);
        let mut tools = Tools::built_in(&policy, self.run_sandbox(context));
        tools.add_configured(added, &policy, context).await;
        tools
    }

    /// Programs write in the workspace only, and do not read where the engine keeps its secrets.
    pub(super) fn run_sandbox(&self, context: &RunContext) -> Sandbox {
        let mode = match self.config().run().landlock {
            LandlockChoice::Off => SandboxMode::Off,
            LandlockChoice::Auto => SandboxMode::Auto,
            LandlockChoice::Require => SandboxMode::Require,
        };
        Sandbox {
            mode,
            writable: vec![context.workspace.clone()],
            hidden: vec![self.places().config_file.clone()],
            readable: context.skills.iter().map(|skill| skill.folder.clone()).collect(),
        }
    }

    fn run_limits(&self) -> RunLimits {
        let settings = self.config().run();
        RunLimits {
            max_requests: settings.max_requests,
            max_output_bytes: settings.max_output_bytes,
            tool_timeout: settings.tool_timeout,
            ..RunLimits::default()
        }
    }

    /// The text of a called skill with the output of its commands, where the user's policy lets them run.
    async fn with_injected(
        &self,
        context: &RunContext,
        inventory: &Inventory,
        message: &str,
        text: String,
    ) -> String {
        let commands = self.commands_to_inject(inventory, message);
        if commands.is_empty() {
            return text;
        }
        let sandbox = Sandbox { mode: SandboxMode::Require, ..self.run_sandbox(context) };
        let mut outputs = inject::outputs(context, &sandbox, commands).await;
        let mut take = |command: &str| outputs.take(command);
        let said = self.understand(inventory, message, &context.session, Some(&mut take));
        said.map_or(text, |said| context.redactor.redact(&said.text).into_owned())
    }

    async fn by_tool(&self, context: &RunContext, added: &[ConfiguredTool], call: &DirectCall) -> Answered {
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

    async fn by_harness(
        &self,
        context: &RunContext,
        harness: &Harness,
        prompt: String,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Answered {
        let (words, mut shown) = mpsc::unbounded_channel();
        let run = harness::run(HarnessRun {
            harness,
            prompt,
            session: None,
            model: None,
            args: Vec::new(),
            env: self.env(),
            context: context.clone(),
            state: self.sessions().folder().with_file_name("harness"),
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
            Ok(report) => Answered {
                text: report.answer,
                error: report.error,
                stopped: report.stopped,
                usage: report.usage,
                outcome: Outcome::default(),
            },
            Err(error) => failed(context, &describe_error(&error), OutcomeResult::RuntimeError),
        }
    }

    async fn by_model(
        &self,
        context: &RunContext,
        ask: Ask,
        recorder: &Recorder,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Answered {
        let Ask { model, text, catalogue, past, tools } = ask;
        let mut tools = self.tools(context, &tools).await;
        tools.add(Arc::new(SkillSearchTool::default()));
        tools.add(Arc::new(ReportOutcome::default()));
        let record_for = {
            let recorder = recorder.clone();
            Arc::new(move |run: &str, event: TraceEvent| recorder.record_for(run, event))
        };
        let endpoint = Arc::clone(&model.endpoint);
        tools.add(Arc::new(Spawn::new(endpoint, tools.clone(), record_for)));
        let parts = SystemParts { workspace: &context.workspace, skills: &catalogue, preloaded: &[] };
        let turn = Turn {
            model: model.endpoint.as_ref(),
            tools: &tools,
            context,
            system: &system_prompt(&parts),
            history: trim(history(&past), MAX_HISTORY_CHARS),
            message: text,
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

/// What a model is asked.
struct Ask {
    model: Model,
    text: String,
    catalogue: String,
    past: Vec<TraceLine>,
    tools: Vec<ConfiguredTool>,
}

/// The hash of a text, in hexadecimal.
fn hash(text: &str) -> String {
    ContentHash(Sha256::digest(text).into()).to_string()
}

/// Stores the snapshot with the session. A turn takes the newest one, so an older one is only replaced.
fn keep_snapshot(folder: &std::path::Path, snapshot: &Arc<Snapshot>) -> Option<(&'static str, String)> {
    let kept = SessionSnapshot::open(folder, snapshot).and_then(|(mut session, opened)| {
        session.next_turn(snapshot)?;
        Ok(opened)
    });
    match kept {
        Ok(Opened::Rebuilt { kept, reason }) => Some((
            "snapshot",
            format!("the session's snapshot was damaged ({reason}); it is kept as `{}`", kept.display()),
        )),
        Ok(_) => None,
        Err(error) => Some(("snapshot", describe_error(&error))),
    }
}

/// The skills that the agent may use, as a run sees them.
fn skills(inventory: &Inventory) -> Vec<RunSkill> {
    let usable = inventory.entries.iter().filter(|entry| entry.is_usable());
    let skill = usable.map(|entry| RunSkill {
        name: entry.skill.name.clone(),
        file: entry.origin.file.clone(),
        folder: entry.origin.base.clone(),
        content_hash: entry.skill.content_hash.to_string(),
    });
    skill.collect()
}

/// Notes that a skill is in use from the beginning.
fn activate(context: &RunContext, name: &str, by: ActivatedBy) {
    let Some(skill) = context.skills.iter().find(|skill| skill.name == name) else { return };
    if context.state.activate(name) {
        (context.record)(TraceEvent::Activation {
            skill: skill.name.clone(),
            path: skill.file.display().to_string(),
            content_hash: Some(skill.content_hash.clone()),
            by,
        });
    }
}

fn failed(context: &RunContext, error: &str, result: OutcomeResult) -> Answered {
    let error = context.redactor.redact(error).into_owned();
    let outcome = Outcome { result, by: OutcomeSource::Classifier, detail: Some(error.clone()) };
    Answered { error: Some(error), outcome, ..Answered::default() }
}

/// Ends the run in the trace, and says how it went.
fn finish(
    recorder: &Recorder,
    answered: Answered,
    session: &SessionId,
    took: Duration,
    on: &mut (dyn FnMut(RunProgress) + Send),
) -> RunReport {
    let run = recorder.run().to_owned();
    let own: Vec<TraceLine> = recorder.lines().into_iter().filter(|line| line.run == run).collect();
    let mut outcome = answered.outcome;
    if outcome.result == OutcomeResult::Unknown && !answered.stopped {
        outcome = prowess_trace::classify(&own);
    }
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    recorder.record(TraceEvent::RunEnded {
        outcome: outcome.clone(),
        usage: answered.usage,
        ms: Some(ms),
        stopped: answered.stopped,
    });
    let mut skills = Vec::new();
    let mut notices = Vec::new();
    for line in own {
        match line.event {
            TraceEvent::Activation { skill, .. } if !skills.contains(&skill) => skills.push(skill),
            // Whoever watches saw it at once.
            TraceEvent::Notice { kind, text } if kind != "retry" => notices.push(text),
            _ => {}
        }
    }
    notices.extend(recorder.lost().map(|reason| format!("the trace is not complete: {reason}")));
    for notice in &notices {
        on(RunProgress::Notice(notice.clone()));
    }
    RunReport {
        session: session.to_string(),
        run,
        answer: answered.text,
        outcome,
        error: answered.error,
        stopped: answered.stopped,
        skills,
        usage: answered.usage,
        ms,
        notices,
    }
}
