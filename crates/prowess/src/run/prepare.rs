//! From a view and a request to the plan of a run. Reads and chooses; records nothing yet.

use std::path::PathBuf;
use std::sync::Arc;

use prowess_run::SkillSearch;
use prowess_run::harness;
use prowess_types::{ActivatedBy, PromptedAs, PromptedSkill};

use super::plan::{Answering, NoticeKind, PlanNotice, PlannedSkill, RenderedPrompt, RunPlan};
use super::said::Said;
use super::search::{NoSearch, Search};
use super::{Answerer, RunError, RunRequest};
use crate::engine::Engine;
use crate::inventory::{Entry, Inventory};
use crate::prompt::Shown;
use crate::sessions::{RunId, SessionId};
use crate::view::AgentView;
use crate::{ChooseError, Match, MatchRequest, PromptRequest, Relevance, Select, Selector, describe_error};

use super::backend::Model;

/// How many skills are put in order; the others follow by name.
const RANKED: usize = 500;

/// What was chosen for a message, and how the catalogue follows it.
struct Chosen {
    answer: Match,
    relevance: Relevance,
}

/// Decides what a run will do.
pub(super) fn prepare(engine: &Engine, view: &AgentView, request: &RunRequest) -> Result<RunPlan, RunError> {
    let message = request.message.trim();
    if message.is_empty() {
        return Err(RunError::Empty);
    }
    let now = request.clock.now_ms();
    let session = request.session.clone().unwrap_or_else(|| SessionId::new(now));
    let mut notices = Vec::new();
    let inventory = engine.moved_into_sandbox(view, &mut notices);

    let mut said = engine.understand(&inventory, message, session.as_str())?;
    let answering = match (said.dispatch.take(), &request.answerer) {
        (Some(call), _) => Answering::Tool(call),
        (None, Answerer::Harness(name)) => Answering::Harness(harness::find(name)?),
        (None, Answerer::Model(wanted)) => {
            Answering::Model(engine.chat_model(view.agent(), wanted.as_deref())?)
        }
        (None, Answerer::Host(model)) => Answering::Model(Model::of_host(model)),
    };
    let tools = engine.added_tools()?;

    let (search, chosen) = selection(view, &inventory, message, now);
    let chosen = chosen.unwrap_or_else(|error| {
        let text = format!("no skill was chosen: {}", describe_error(&error));
        notices.push(PlanNotice { kind: NoticeKind::Selection, text });
        None
    });
    let (snapshot, shown) = inventory.snapshot_and_shown(&prompt_request(chosen.as_ref()), now);
    let snapshot = Arc::new(snapshot);
    // Only our own model gets the catalogue; another program has its own, and a tool reads none.
    let is_shown = matches!(answering, Answering::Model(_));
    let catalogue = if is_shown { snapshot.prompt.clone() } else { String::new() };
    let shown = if is_shown { shown } else { Shown::default() };
    let rendered = RenderedPrompt { catalogue, context: None, prompted: prompted(&inventory, &said, &shown) };
    let skills = planned_skills(view, &inventory);
    Ok(RunPlan {
        in_use: in_use(&inventory, &said, &shown),
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

/// Every skill that is before the model, each once, in the form that says most.
fn prompted(inventory: &Inventory, said: &Said, shown: &Shown) -> Vec<PromptedSkill> {
    let called = said.called.iter().filter_map(|called| Some((called.place, called.how?)));
    let texts = shown.texts.iter().map(|place| (*place, PromptedAs::Text));
    let listed = shown.listed.iter().map(|place| (*place, PromptedAs::Listed));
    let all: Vec<(usize, PromptedAs)> = called.chain(texts).chain(listed).collect();
    let mut skills: Vec<PromptedSkill> = Vec::with_capacity(all.len());
    let mut seen = std::collections::HashSet::new();
    for (place, how) in all {
        if seen.insert(place) {
            let entry = &inventory.entries[place];
            skills.push(PromptedSkill {
                name: entry.skill.name.clone(),
                path: entry.origin.file.display().to_string(),
                content_hash: Some(entry.skill.content_hash.to_string()),
                how,
            });
        }
    }
    skills
}

/// The skills that are in use from the beginning, by the files that the model knows them by.
fn in_use(inventory: &Inventory, said: &Said, shown: &Shown) -> Vec<(PathBuf, ActivatedBy)> {
    let called = said.called.iter().map(|called| (called.place, called.by));
    let loaded = shown.texts.iter().map(|place| (*place, ActivatedBy::Preload));
    let file = |place: usize| place_of(inventory, &inventory.entries[place]).0;
    called.chain(loaded).map(|(place, by)| (file(place), by)).collect()
}

impl Engine {
    /// The sandbox of the config gets its copies, as well as it can, and the prompt shows where they are.
    fn moved_into_sandbox(&self, view: &AgentView, notices: &mut Vec<PlanNotice>) -> Arc<Inventory> {
        let inventory = Arc::clone(view.inventory());
        let Some(sandbox) = self.config().run().sandbox else { return inventory };
        let dir = self.places().expand(&sandbox.dir);
        let options = crate::SyncOptions { mounted_at: sandbox.mounted_at, ..crate::SyncOptions::default() };
        match self.sandbox_sync(view, &dir, &options) {
            Ok(report) => Arc::new(Arc::unwrap_or_clone(inventory).located(report.locations)),
            Err(error) => {
                let text = format!("skills were not copied: {}", describe_error(&error));
                notices.push(PlanNotice { kind: NoticeKind::Sandbox, text });
                inventory
            }
        }
    }
}

/// What the agent searches with, and what was chosen for the message.
fn selection(
    view: &AgentView,
    inventory: &Inventory,
    message: &str,
    now_ms: u64,
) -> (Arc<dyn SkillSearch>, Result<Option<Chosen>, ChooseError>) {
    if inventory.entries.is_empty() {
        return (Arc::new(NoSearch("there are none".into())), Ok(None));
    }
    let selector = match view.selector() {
        Ok(selector) => selector,
        Err(error) => return (Arc::new(NoSearch(describe_error(&error))), Err(error)),
    };
    let chosen = choose(&selector, message, now_ms);
    (Arc::new(Search::new(selector, inventory)), chosen.map(Some))
}

/// Chooses skills for a message, as configured.
fn choose(selector: &Selector, message: &str, now_ms: u64) -> Result<Chosen, ChooseError> {
    selector.prepare_for(message, |_| {})?;
    let now = Some(now_ms);
    let answer = selector.find(&MatchRequest { top: RANKED, now, ..MatchRequest::new(message) })?;
    let relevance = Relevance { now, ..selector.relevance(&answer) };
    Ok(Chosen { answer, relevance })
}

impl Chosen {
    /// The catalogue follows the message only if the config says so.
    fn follows(&self) -> bool {
        self.relevance.select != Select::All || self.relevance.preload
    }
}

/// The prompt of a run.
fn prompt_request(chosen: Option<&Chosen>) -> PromptRequest {
    let relevance = chosen.filter(|chosen| chosen.follows()).map(|chosen| chosen.relevance.clone());
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
fn place_of(inventory: &Inventory, entry: &Entry) -> (PathBuf, PathBuf) {
    let copy = inventory.settings.located.of(&entry.origin.file).map(PathBuf::from);
    let copy = copy.filter(|file| file.is_file()).and_then(|file| Some((file.parent()?.to_owned(), file)));
    match copy {
        Some((folder, file)) => (file, folder),
        None => (entry.origin.file.clone(), entry.origin.base.clone()),
    }
}
