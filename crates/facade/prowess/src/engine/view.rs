//! An agent's skills: views, selection, presentation, records of their use.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_context::{AgentError, Allow, Allowed, ChooseError, Clock, ContextError, WriteConsent};
use prowess_inventory::{
    ExpandedSkill, Inventory, InvokeError, Locations, RunCommand, SandboxSyncError, SandboxSyncOptions,
    SandboxSyncReport, SkillCall, SkillEntry, SkillText, SkillTextError, TrustDesk,
};
use prowess_match::{
    AgentView, PoolError, PoolReport, Progress, Selector, TriggerOptions, TriggerReport, read_inventory,
};
use prowess_sessions::replay::{ReplayError, ReplayProgress, ReplayReport, ReplayRequest};
use prowess_sessions::resume::{ResumeDigest, ResumeError};
use prowess_sessions::usage::{UsageFilter, UsageReport};
use prowess_sessions::{Hosted, SessionError, Sessions};

use super::Engine;

impl Engine {
    /// Reads from the disk what an agent has now.
    ///
    /// ```no_run
    /// use prowess::{Engine, EngineOptions, MatchRequest};
    ///
    /// let engine = Engine::open(EngineOptions::default())?;
    /// let view = engine.view(None)?;
    /// println!("{} skills", view.inventory().entries.len());
    /// let selector = view.selector()?;
    /// let answer = selector.find(&MatchRequest::new("what is the weather like in Bern?"))?;
    /// println!("{:?}", answer.loaded());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, agent: Option<&str>) -> Result<Arc<AgentView>, ContextError> {
        AgentView::read(self, agent)
    }

    /// Returns everything one agent has: read, parsed, merged, gated.
    pub fn inventory(&self, agent: Option<&str>) -> Result<Inventory, ContextError> {
        read_inventory(self, agent)
    }

    /// Returns the selector for an agent's skills. Nothing is encoded yet; cached vectors are read when they are needed.
    ///
    /// ```no_run
    /// use prowess::{Engine, EngineOptions, Env, MatchRequest, Models};
    ///
    /// let env = Env::new([("HOME".to_owned(), "/home/me".to_owned())], "/home/me/project");
    /// let models = Models::in_folder("models".as_ref())?;
    /// let engine = Engine::open(EngineOptions { env, models, ..EngineOptions::default() })?;
    /// let inventory = engine.inventory(None)?;
    /// let selector = engine.selector(&inventory)?;
    /// let message = "what is the weather like in Bern?";
    /// selector.prepare_for(message, |_| {})?;
    /// let answer = selector.find(&MatchRequest::new(message))?;
    /// println!("{:?} {:?}", answer.decision, answer.loaded());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn selector(&self, inventory: &Inventory) -> Result<Selector, ChooseError> {
        Selector::of_inventory(self, inventory, None)
    }

    /// Returns the user's answers about cloned repositories.
    pub fn trust(&self) -> TrustDesk<'_> {
        TrustDesk::of(self)
    }

    /// Changes which skills an agent may use. Nothing else in the config is touched.
    ///
    /// To switch off one skill of an agent that may use all, its list has to name all others of its inventory. Skills
    /// for another platform are not among them.
    pub fn allow_skills(
        &self,
        allow: &Allow,
        inventory: &Inventory,
        consent: WriteConsent<'_>,
    ) -> Result<Allowed, AgentError> {
        let here = inventory.entries.iter().filter(|entry| !entry.verdict.platform_incompatible);
        let all: Vec<String> = here.map(|entry| entry.skill.name.clone()).collect();
        self.context().allow_skills(&inventory.agent_id, allow, &all, consent)
    }

    /// Returns the text of a skill, or of one of its files, and all its files.
    pub fn skill_text(&self, entry: &SkillEntry, file: Option<&str>) -> Result<SkillText, SkillTextError> {
        prowess_inventory::skill_text(self, entry, file)
    }

    /// Returns the text of a called skill, with its arguments and places filled in.
    ///
    /// Commands in it run only if the user's config sets `skills.commands.inject` to `sandboxed` and `run` is given;
    /// otherwise the text shows them with a note.
    pub fn expand_invocation(
        &self,
        inventory: &Inventory,
        call: &SkillCall<'_>,
        run: Option<&mut RunCommand<'_>>,
    ) -> Result<ExpandedSkill, InvokeError> {
        prowess_inventory::expand_invocation(self, inventory, call, run)
    }

    /// Copies the skills that an agent can use into a folder, as far as they are not there already.
    pub fn sandbox_sync(
        &self,
        inventory: &Inventory,
        folder: &Path,
        options: &SandboxSyncOptions,
    ) -> Result<SandboxSyncReport, SandboxSyncError> {
        prowess_inventory::sandbox_sync(self, inventory, folder, options)
    }

    /// Returns where the model finds the skills that were copied into a folder the last time.
    pub fn sandbox_locations(&self, folder: &Path) -> Result<Locations, SandboxSyncError> {
        prowess_inventory::sandbox_locations(self, folder)
    }

    /// Runs judged messages against a pool, both as JSON lines.
    pub fn evaluate_pool(
        &self,
        pool: &str,
        queries: &str,
        progress: impl FnMut(&'static str, Progress),
    ) -> Result<PoolReport, PoolError> {
        prowess_match::evaluate_pool(self, pool, queries, progress)
    }

    /// Runs the trigger cases of every skill below the given folders, with those skills as the pool.
    pub fn evaluate_triggers(
        &self,
        folders: &[PathBuf],
        options: TriggerOptions,
        progress: impl FnMut(&'static str, Progress),
    ) -> Result<TriggerReport, ChooseError> {
        prowess_match::evaluate_triggers(self, folders, options, progress)
    }

    /// Returns the recorded sessions.
    pub fn sessions(&self) -> Sessions {
        Sessions::of(self)
    }

    /// Opens the session of a conversation that the program `host` holds.
    pub fn hosted(&self, inventory: &Inventory, host: &str, clock: Clock) -> Result<Hosted, SessionError> {
        Hosted::open(self, inventory, host, clock)
    }

    /// Counts the use of every skill of an agent, as far as records tell.
    pub fn usage(&self, view: &AgentView, filter: &UsageFilter<'_>) -> UsageReport {
        prowess_sessions::usage::usage(self, view, filter)
    }

    /// Returns the compact block of a session: by its id, the beginning of one, `last`, or the id that its program uses.
    pub fn resume(
        &self,
        session: &str,
        view: &AgentView,
        max_chars: usize,
    ) -> Result<ResumeDigest, ResumeError> {
        prowess_sessions::resume::resume(self, session, view, max_chars)
    }

    /// Runs a history through the selector, with the skills as they are now.
    pub fn replay(
        &self,
        view: &AgentView,
        request: &ReplayRequest<'_>,
        progress: impl FnMut(ReplayProgress),
    ) -> Result<ReplayReport, ReplayError> {
        prowess_sessions::replay::replay(self, view, request, progress)
    }
}
