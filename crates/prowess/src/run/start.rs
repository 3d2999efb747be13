//! From a message to a report.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use prowess_run::harness::{self, Harness};
use prowess_run::tools::ConfiguredTool;
use prowess_run::turn::RunState;
use prowess_run::{RunContext, RunLimits, RunSkill, SkillSearch};
use prowess_types::{ActivatedBy, Backend, BackendKind, Secret, TraceEvent};

use super::answer::{Ask, earlier_session};
use super::backend::Model;
use super::finish::finish;
use super::keys::Keys;
use super::past::Past;
use super::prepare::{Chosen, DirectCall, choose, prompt_request};
use super::record::Recorder;
use super::search::{NoSearch, Search};
use super::told::{Reader, Told};
use super::{Answerer, RunError, RunProgress, RunReport, RunRequest};
use crate::choose::GivenSkills;
use crate::engine::Engine;
use crate::inventory::{Entry, Inventory};
use crate::session_snapshot::{Opened, SessionSnapshot};
use crate::sessions::{SessionError, SessionId};
use crate::{ChooseError, Snapshot, describe_error};

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
        // On the heap: what a turn keeps would weigh on every future of the host that waits for it.
        Box::pin(self.whole_run(request, on)).await
    }

    async fn whole_run(
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
            (None, Answerer::Host(model)) => Ready::Model(Model::of_host(model)),
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
        let lines = match sessions.show(&id) {
            Ok(stored) => stored.session.lines,
            Err(SessionError::Unknown(_)) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let past = Past::of(&sessions, &id, &lines);
        let (reader, resume) = match &ready {
            Ready::Harness(harness) => {
                let resume = harness.resume.as_ref().and_then(|_| earlier_session(&lines, &harness.name));
                (Reader::Program, resume)
            }
            Ready::Model(_) | Ready::Tool(_) => (Reader::Model, None),
        };
        // A program that starts anew remembers nothing.
        let nothing = GivenSkills::default();
        let remembers = reader == Reader::Model || resume.is_some();
        let given = if remembers { &past.given } else { &nothing };
        let told = match &ready {
            Ready::Tool(_) => Told::default(),
            _ => Told::new(&inventory, chosen.as_ref(), given, &said.called, reader),
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
            catalogue: Some(prowess_fs::sha256_hex(snapshot.prompt.as_bytes())),
            backend: ready.backend(),
            parent: None,
        });
        if let Some(chosen) = &chosen {
            recorder.record(chosen.answer.event());
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
            skills: match reader {
                Reader::Model => skills(&inventory),
                Reader::Program => told.handed(&inventory, skills(&inventory)),
            },
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
        let loaded = told.loaded().map(|skill| (skill.to_owned(), ActivatedBy::Preload));
        for (skill, by) in said.called.iter().cloned().chain(loaded) {
            activate(&context, &skill, by);
        }

        let answered = match ready {
            Ready::Tool(call) => self.by_tool(&context, &tools, &call).await,
            Ready::Harness(harness) => {
                for line in keys.activate_all() {
                    recorder.notice("environment", line);
                }
                told.keep(&sessions, &id, &said.text, &keys.redactor, &recorder);
                let prompt = keys.redactor.redact(&told.with(&said.text)).into_owned();
                self.by_harness(&context, harness, prompt, resume, on).await
            }
            Ready::Model(model) => {
                let text = self.with_injected(&context, &inventory, message, said.text).await;
                told.keep(&sessions, &id, &text, &keys.redactor, &recorder);
                let ask = Ask {
                    model,
                    text: told.with(&text),
                    system: told.system.clone(),
                    past: past.messages,
                    tools,
                };
                self.by_model(&context, ask, &recorder, on).await
            }
        };
        let mut report = finish(&recorder, answered, &id, began.elapsed(), on);
        #[cfg(feature = "learn")]
        if request.learn {
            let problem = self.learn_from(message, &report, snapshot.id(), request.clock.clone());
            if let Err(error) = problem {
                let notice = format!("nothing was learned: {}", describe_error(&error));
                on(RunProgress::Notice(notice.clone()));
                report.notices.push(notice);
            }
        }
        report.draft = self.forge().offer(request.agent.as_deref(), &id, &run, request.clock.now_ms());
        Ok(report)
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
        let chosen = choose(&selector, message, now_ms);
        (Arc::new(Search::new(selector, inventory)), chosen.map(Some))
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
}

/// Stores the snapshot with the session. A turn takes the newest one, so an older one is only replaced.
fn keep_snapshot(folder: &Path, snapshot: &Arc<Snapshot>) -> Option<(&'static str, String)> {
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
    let skill = usable.map(|entry| {
        let (file, folder) = place(inventory, entry);
        let content_hash = entry.skill.content_hash.to_string();
        RunSkill { name: entry.skill.name.clone(), file, folder, content_hash }
    });
    skill.collect()
}

/// The file and the folder of a skill: the copy that the prompt names, if it can be seen from here.
fn place(inventory: &Inventory, entry: &Entry) -> (PathBuf, PathBuf) {
    let copy = inventory.settings.located.of(&entry.origin.file).map(PathBuf::from);
    let copy = copy.filter(|file| file.is_file()).and_then(|file| Some((file.parent()?.to_owned(), file)));
    match copy {
        Some((folder, file)) => (file, folder),
        None => (entry.origin.file.clone(), entry.origin.base.clone()),
    }
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
