//! From a view and a request to the plan of a run. Reads and chooses; records nothing yet.

use std::path::PathBuf;
use std::sync::Arc;

use prowess_config::Select;
use prowess_context::{ChooseError, Context};
use prowess_inventory::{
    Conversation, GivenSkills, Inventory, MatchRequest, MessageMatch, PromptRequest, Relevance, SkillEntry,
    sandbox_sync,
};
use prowess_match::{AgentView, Selector};
use prowess_run::{SkillSearch, harness};
use prowess_sessions::{RunId, SessionError, SessionId, Sessions};
use prowess_text::describe_error;
use prowess_trace::Turns;
use prowess_types::ActivatedBy;

use super::answer::earlier_session;
use super::backend::Model;
use super::past::Past;
use super::plan::{Answering, NoticeKind, PlanNotice, PlannedSkill, RenderedPrompt, RunPlan};
use super::said::Said;
use super::search::{NoSearch, Search};
use super::told::{self, Reader};
use super::{Answerer, RunError, RunRequest};

/// The number of skills that are put in order; the others follow by name.
const RANKED: usize = 500;

/// The selection for a message, and the way the catalogue follows it.
pub(super) struct Chosen {
    pub(super) answer: MessageMatch,
    pub(super) relevance: Relevance,
}

/// Decides what a run will do.
pub(super) fn prepare(
    context: &Context,
    view: &AgentView,
    request: &RunRequest,
) -> Result<RunPlan, RunError> {
    let message = request.message.trim();
    if message.is_empty() {
        return Err(RunError::Empty);
    }
    // Other programs have their own rules about where they work.
    if !matches!(request.answerer, Answerer::Harness(_)) {
        super::workspace::check_workspace(context, Some(&view.agent().id))?;
    }
    let now = request.clock.now_ms();
    let session = request.session.clone().unwrap_or_else(|| SessionId::new(now));
    let mut notices = Vec::new();
    let inventory = moved_into_sandbox(context, view, &mut notices);

    let mut said = super::said::understand(context, &inventory, message, session.as_str())?;
    let answering = match (said.dispatch.take(), &request.answerer) {
        (Some(call), _) => Answering::Tool(call),
        (None, Answerer::Harness(name)) => Answering::Harness(harness::find(name)?),
        (None, Answerer::Model(wanted)) => {
            Answering::Model(super::backend::chat_model(context, view.agent(), wanted.as_deref())?)
        }
        (None, Answerer::Host(model)) => Answering::Model(Model::of_host(model)),
    };
    let tools = super::answer::added_tools(context)?;

    let sessions = Sessions::of(context);
    let lines = match sessions.show(&session) {
        Ok(stored) => stored.session.lines,
        Err(SessionError::Unknown(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let (search, chosen) = selection(view, &inventory, message, &Turns::of(&lines), now);
    let chosen = chosen.unwrap_or_else(|error| {
        let text = format!("no skill was chosen: {}", describe_error(&error));
        notices.push(PlanNotice { kind: NoticeKind::Selection, text });
        None
    });
    let snapshot = Arc::new(inventory.snapshot(&prompt_request(chosen.as_ref()), now));
    let past = Past::of(&sessions, &session, &lines);
    let (reader, resume) = match &answering {
        Answering::Harness(harness) => {
            let resume = harness.resume.as_ref().and_then(|_| earlier_session(&lines, &harness.id));
            (Reader::Program, resume)
        }
        Answering::Model(_) => (Reader::Model, None),
        Answering::Tool(_) => (Reader::Tool, None),
    };
    // A program that starts anew remembers nothing.
    let remembers = reader == Reader::Model || resume.is_some();
    let given = if remembers { past.given } else { GivenSkills::default() };
    let rendered = told::render(&inventory, chosen.as_ref(), &given, &said, reader);
    let handed = (reader == Reader::Program).then(|| told::handed(&inventory, chosen.as_ref(), &rendered));
    let skills = planned_skills(view, &inventory);
    Ok(RunPlan {
        in_use: in_use(&inventory, &said, &rendered),
        past: past.messages,
        resume,
        handed,
        run: RunId::new(now),
        session,
        skills,
        snapshot,
        said,
        chosen: chosen.map(|chosen| chosen.answer),
        rendered,
        answering,
        tools,
        search,
        notices,
        inventory,
    })
}

/// The skills that are in use from the beginning, by the files that the model knows them by: they were called, or their
/// text is before the model.
fn in_use(inventory: &Inventory, said: &Said, rendered: &RenderedPrompt) -> Vec<(PathBuf, ActivatedBy)> {
    let called = said.called.iter().map(|called| (&inventory.entries[called.place], called.by));
    let loaded = rendered.prompted.iter().filter(|skill| skill.how.is_loaded()).filter_map(|skill| {
        let is_meant = |entry: &&SkillEntry| entry.origin.file.display().to_string() == skill.path;
        inventory.entries.iter().find(is_meant).map(|entry| (entry, ActivatedBy::Preload))
    });
    called.chain(loaded).map(|(entry, by)| (place_of(inventory, entry).0, by)).collect()
}

/// Fails if a run of this agent could not begin: its workspace may not be used, or nothing can answer.
pub fn check_run(context: &Context, view: &AgentView, answerer: &Answerer) -> Result<(), RunError> {
    match answerer {
        Answerer::Harness(name) => {
            harness::program(harness::find(name)?, context.env())?;
            return Ok(());
        }
        Answerer::Model(wanted) => {
            super::backend::chat_model(context, view.agent(), wanted.as_deref())?;
        }
        Answerer::Host(_) => {}
    }
    super::workspace::check_workspace(context, Some(&view.agent().id))
}

/// The sandbox of the config gets its copies, as well as it can, and the prompt shows where they are.
fn moved_into_sandbox(context: &Context, view: &AgentView, notices: &mut Vec<PlanNotice>) -> Arc<Inventory> {
    let inventory = Arc::clone(view.inventory());
    let Some(sandbox) = context.config().run().sandbox else { return inventory };
    let dir = context.places().expand(&sandbox.dir);
    let options = prowess_inventory::SandboxSyncOptions {
        mounted_at: sandbox.mounted_at,
        ..prowess_inventory::SandboxSyncOptions::default()
    };
    match sandbox_sync(context, view.inventory(), &dir, &options) {
        Ok(report) => Arc::new(Arc::unwrap_or_clone(inventory).located(report.locations)),
        Err(error) => {
            let text = format!("skills were not copied: {}", describe_error(&error));
            notices.push(PlanNotice { kind: NoticeKind::Sandbox, text });
            inventory
        }
    }
}

/// Returns the search of the agent, and the selection for the message.
fn selection(
    view: &AgentView,
    inventory: &Inventory,
    message: &str,
    turns: &Turns,
    now_ms: u64,
) -> (Arc<dyn SkillSearch>, Result<Option<Chosen>, ChooseError>) {
    if inventory.entries.is_empty() {
        return (Arc::new(NoSearch("there are none".into())), Ok(None));
    }
    let selector = match view.selector() {
        Ok(selector) => selector,
        Err(error) => return (Arc::new(NoSearch(describe_error(&error))), Err(error)),
    };
    let chosen = choose(&selector, message, turns, now_ms);
    (Arc::new(Search::new(selector, inventory)), chosen.map(Some))
}

/// Chooses skills for a message in its session, as configured.
fn choose(selector: &Selector, message: &str, turns: &Turns, now_ms: u64) -> Result<Chosen, ChooseError> {
    selector.prepare_for(message, |_| {})?;
    let now = Some(now_ms);
    // The session knows what was in use, so its earlier messages are not chosen for again.
    let loaded: Vec<&str> = turns.loaded.iter().map(String::as_str).collect();
    let after = Conversation { previous: &[], loaded: &loaded };
    let answer = selector.find(&MatchRequest { top: RANKED, now, after, ..MatchRequest::new(message) })?;
    let mut relevance = selector.relevance(&answer);
    relevance.now = now;
    Ok(Chosen { answer, relevance })
}

/// The catalogue that is kept with the session. It follows the message only where the system prompt does.
pub(super) fn prompt_request(chosen: Option<&Chosen>) -> PromptRequest {
    let follows = |relevance: &&Relevance| match relevance.select {
        Select::Message => false,
        Select::All => relevance.preload,
        Select::Ranked | Select::Top => true,
    };
    let relevance = chosen.map(|chosen| &chosen.relevance).filter(follows).cloned();
    PromptRequest { relevance, ..PromptRequest::default() }
}

/// The skills that the agent may use, as a run sees them.
fn planned_skills(view: &AgentView, inventory: &Inventory) -> Vec<PlannedSkill> {
    let usable = inventory.entries.iter().filter(|entry| entry.is_usable());
    let skill = usable.map(|entry| {
        let (file, folder) = place_of(inventory, entry);
        let is_stale = view.stale_edits().iter().any(|edit| edit.file == entry.origin.file);
        let kept_text = entry.kept_text().filter(|_| is_stale);
        PlannedSkill { skill: Arc::clone(&entry.skill), file, folder, kept_text }
    });
    skill.collect()
}

/// The file and the folder of a skill: the copy that the prompt names, if it can be seen from here.
fn place_of(inventory: &Inventory, entry: &SkillEntry) -> (PathBuf, PathBuf) {
    let copy = inventory.settings.located.of(&entry.origin.file).map(PathBuf::from);
    let copy = copy.filter(|file| file.is_file()).and_then(|file| Some((file.parent()?.to_owned(), file)));
    match copy {
        Some((folder, file)) => (file, folder),
        None => (entry.origin.file.clone(), entry.origin.base.clone()),
    }
}
