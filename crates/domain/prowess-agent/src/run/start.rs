//! From a message to a report: prepare, answer, record, observe.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use prowess_catalog::Snapshot;
use prowess_context::Context;
use prowess_match::AgentView;
use prowess_run::tools::ConfiguredTool;
use prowess_run::turn::{RunState, TurnEvent};
use prowess_run::{RunContext, RunLimits, RunSkill, Tools};
use prowess_sessions::{Opened, SessionSnapshot, SessionWriter, Sessions};
use prowess_text::describe_error;
use prowess_types::{ActivatedBy, Secret, TraceEvent};

use super::answer::Ask;
use super::finish::finish;
use super::keys::Keys;
use super::observer::{ObservedRun, RunObserver, observe};
use super::plan::{Answering, NoticeKind, PlanNotice, PlannedSkill, RunPlan};
use super::prepare::prepare;
use super::record::Recorder;
use super::{RunError, RunProgress, RunReport, RunRequest};

/// The programs that skills declare.
fn declared_programs(skills: &[PlannedSkill]) -> BTreeSet<String> {
    let all = skills.iter().map(|planned| &planned.skill.requirements);
    all.flat_map(|requires| requires.bins.iter().chain(&requires.any_bins)).cloned().collect()
}

/// Answers messages: a context, the tools that the host brings, and the observers of ended runs.
#[derive(Clone, Debug)]
pub struct Runner {
    pub(super) context: Arc<Context>,
    pub(super) host_tools: Tools,
    observers: Vec<Arc<dyn RunObserver>>,
}

impl Runner {
    /// Creates a runner. The config says by name whether the tools may be used, as for any other tool.
    pub fn new(context: Arc<Context>, host_tools: Tools) -> Self {
        Self { context, host_tools, observers: Vec::new() }
    }

    /// Adds an observer. Observers look at a run in the order in which they were added.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn RunObserver>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Answers one message with the skills as they are on the disk now. See [`run_in`](Self::run_in).
    ///
    /// # Errors
    /// Only what is known before anything was done. What goes wrong afterwards is in the report, and in the trace.
    pub async fn run(
        &self,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        if request.message.trim().is_empty() {
            return Err(RunError::Empty);
        }
        let (context, agent) = (Arc::clone(&self.context), request.agent.clone());
        let view = blocking(move || AgentView::read(&context, agent.as_deref())).await??;
        self.run_in(&view, request, on).await
    }

    /// Answers one message of a view's agent: chooses skills, lets a model or another program work, records all of it.
    /// Everything that blocks is done on other threads. The agent is the view's, whatever the request names.
    ///
    /// # Errors
    /// Only what is known before anything was done. What goes wrong afterwards is in the report, and in the trace.
    pub async fn run_in(
        &self,
        view: &Arc<AgentView>,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        // On the heap: what a turn keeps would weigh on every future of the host that waits for it.
        Box::pin(self.whole_run(Arc::clone(view), request, on)).await
    }

    async fn whole_run(
        &self,
        view: Arc<AgentView>,
        request: RunRequest,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> Result<RunReport, RunError> {
        let began = Instant::now();
        let begun = {
            let (runner, view, request) = (self.clone(), Arc::clone(&view), request.clone());
            blocking(move || {
                prepare(&runner.context, &view, &request).and_then(|plan| runner.begin(plan, &request))
            })
        };
        let Begun { plan, session } = begun.await??;
        let (id, snapshot) = (plan.session.clone(), plan.snapshot.id().to_owned());
        let recorder = Recorder::new(session, &plan, self.keys(&plan), request.clock.clone());
        let declared = declared_programs(&plan.skills);
        on(RunProgress::Started { session: id.to_string(), run: plan.run.clone() });
        recorder.begin(&plan, &request);
        let answered = Box::pin(self.answer(plan, &request, &recorder, on)).await;
        let report = finish(&recorder, answered, &id, &declared, began.elapsed(), on);

        let told = report.notices.len();
        let observed = ObservedRun { view, session: id, snapshot, request, report };
        let runner = self.clone();
        let report = blocking(move || observe(&runner.context, &runner.observers, observed)).await?;
        for notice in &report.notices[told..] {
            on(RunProgress::Notice(notice.clone()));
        }
        Ok(report)
    }

    /// Opens the session of a plan, and stores its snapshot there.
    fn begin(&self, mut plan: RunPlan, request: &RunRequest) -> Result<Begun, RunError> {
        let sessions = Sessions::of(&self.context);
        let workspace = plan.inventory.workspace.display().to_string();
        let (id, agent) = (plan.session.clone(), &plan.inventory.agent_id);
        let session = sessions.open(id, agent, &workspace, request.clock.clone())?;
        plan.notices.extend(keep_snapshot(&sessions.folder_of(&plan.session), &plan.snapshot));
        Ok(Begun { plan, session })
    }

    /// The keys of a run: at first only those that the model or harness needs itself.
    fn keys(&self, plan: &RunPlan) -> Keys {
        let (inherit, own) = match &plan.answering {
            Answering::Model(model) => (Vec::new(), model.key.clone()),
            Answering::Harness(harness) => (harness.inherit.clone(), None),
            Answering::Tool(_) => (Vec::new(), None),
        };
        let of_tools = plan.tools.iter().flat_map(ConfiguredTool::secrets).cloned();
        let own: Vec<Secret> = own
            .into_iter()
            .chain(of_tools)
            .chain(super::known_secrets::known_secrets(&self.context))
            .collect();
        Keys::new(Arc::clone(&self.context), &plan.skills, inherit, &own)
    }

    /// Calls the model or harness that the plan names.
    async fn answer(
        &self,
        plan: RunPlan,
        request: &RunRequest,
        recorder: &Recorder,
        on: &mut (dyn FnMut(RunProgress) + Send),
    ) -> super::answer::Answered {
        let context = self.run_context(&plan, request, recorder);
        for (file, by) in &plan.in_use {
            let activated = activate(&context, file, *by).filter(|_| *by == ActivatedBy::Preload);
            if let Some(skill) = activated {
                on(RunProgress::Turn(TurnEvent::Activated { skill }));
            }
        }
        let RunPlan { said, rendered, answering, tools, past, resume, .. } = plan;
        match answering {
            Answering::Tool(call) => self.by_tool(&context, &tools, &call).await,
            Answering::Harness(harness) => {
                recorder.activate_all();
                let text = said.text.into_text();
                self.keep_prompt(&context, &text, &rendered, recorder).await;
                let prompt = context.redactor.redact(&rendered.with(&text)).into_owned();
                self.by_harness(&context, harness, prompt, resume, on).await
            }
            Answering::Model(model) => {
                let text = self.with_injected(&context, said.text).await;
                let ask = Ask { model, text, rendered, past, tools };
                self.by_model(&context, ask, recorder, on).await
            }
        }
    }

    fn run_context(&self, plan: &RunPlan, request: &RunRequest, recorder: &Recorder) -> RunContext {
        let handed = |skill: &&PlannedSkill| {
            plan.handed.as_ref().is_none_or(|names| names.contains(&skill.skill.name))
        };
        let skills: Vec<RunSkill> = plan.skills.iter().filter(handed).map(PlannedSkill::for_tools).collect();
        RunContext {
            session: plan.session.to_string(),
            run: plan.run.to_string(),
            agent: plan.inventory.agent_id.clone(),
            workspace: plan.inventory.workspace.clone(),
            protected: super::protect::protected_for(&self.context, &skills),
            skills,
            environment: recorder.keys().environment.clone(),
            redactor: recorder.keys().redactor.clone(),
            cancel: request.cancel.clone(),
            approver: Arc::clone(&request.approver),
            search: Arc::clone(&plan.search),
            record: {
                let recorder = recorder.clone();
                Arc::new(move |event| recorder.record(event))
            },
            limits: self.run_limits(),
            state: RunState::default(),
        }
    }

    fn run_limits(&self) -> RunLimits {
        let settings = self.context.config().run();
        RunLimits {
            max_requests: settings.max_requests,
            max_output_bytes: settings.max_output_bytes,
            tool_timeout: settings.tool_timeout,
            ..RunLimits::default()
        }
    }
}

/// A plan whose session is open.
struct Begun {
    plan: RunPlan,
    session: SessionWriter,
}

/// Does what blocks on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RunError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(RunError::ShuttingDown),
    }
}

/// Stores the snapshot with the session. A turn takes the newest one, so an older one is only replaced.
fn keep_snapshot(folder: &Path, snapshot: &Arc<Snapshot>) -> Option<PlanNotice> {
    let kept = SessionSnapshot::open(folder, snapshot).and_then(|(mut session, opened)| {
        session.next_turn(snapshot)?;
        Ok(opened)
    });
    let text = match kept {
        Ok(Opened::Rebuilt { kept, reason }) => {
            format!("the session's snapshot was damaged ({reason}); it is kept as `{}`", kept.display())
        }
        Ok(_) => return None,
        Err(error) => describe_error(&error),
    };
    Some(PlanNotice { kind: NoticeKind::Snapshot, text })
}

/// Notes that a skill is in use from the beginning. Gives its name, the first time.
fn activate(context: &RunContext, file: &Path, by: ActivatedBy) -> Option<String> {
    let skill = context.skills.iter().find(|skill| skill.file == file)?;
    context.state.activate(&skill.file).then(|| {
        (context.record)(TraceEvent::Activation {
            skill: skill.name.clone(),
            path: skill.file.display().to_string(),
            content_hash: Some(skill.content_hash.clone()),
            by,
        });
        skill.name.clone()
    })
}
