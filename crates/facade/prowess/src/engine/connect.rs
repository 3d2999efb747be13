//! Other agent programs: their folders, their hooks, the first look.

use std::path::PathBuf;
use std::sync::Arc;

use prowess_connect::Overview;
use prowess_connect::harness::{
    self, ConnectError, HarnessStatus, Importables, Survey, ViewSyncOptions, ViewSyncReport,
};
use prowess_connect::hook::{
    self, HookChange, HookError, HookHarness, HookInput, HookProblem, HookScope, HookStatus,
};
use prowess_context::{Clock, ContextError};
use prowess_match::AgentView;

use super::Engine;
use crate::news;

impl Engine {
    /// Every harness in the table, with its folders here.
    pub fn known_harnesses(&self, agent: Option<&str>) -> Result<Vec<HarnessStatus>, ConnectError> {
        harness::known_harnesses(self, agent)
    }

    /// The skills that a harness reads from folders of its own, without those that came from here.
    pub fn importable(&self, harness: &str, agent: Option<&str>) -> Result<Importables, ConnectError> {
        harness::importable(self, harness, agent)
    }

    /// Looks at what a program has, with the skills that [`importable`](Self::importable) found.
    pub fn survey(
        &self,
        harness: &str,
        agent: Option<&str>,
        skills: &Importables,
    ) -> Result<Survey, ConnectError> {
        harness::survey(self, harness, agent, skills)
    }

    /// Makes the skills that an agent can use visible to other programs, or takes them away again.
    pub fn sync_harnesses(
        &self,
        agent: Option<&str>,
        options: &ViewSyncOptions,
    ) -> Result<ViewSyncReport, ConnectError> {
        harness::sync_harnesses(self, agent, options)
    }

    /// The folder of the logs that a harness keeps, if it is known.
    pub fn harness_history(&self, kind: prowess_trace::ImportKind) -> Option<PathBuf> {
        hook::harness_history(self, kind)
    }

    /// Returns the changes that installing the hook would make, or with no command those of removing it.
    pub fn plan_hook(
        &self,
        harness: HookHarness,
        scope: HookScope,
        command: Option<String>,
    ) -> Result<HookChange, HookError> {
        hook::plan_hook(self, harness, scope, command)
    }

    /// Makes a change that was planned, from what the file says now. Tells whether anything was left to do.
    pub fn apply_hook(&self, change: &HookChange) -> Result<bool, HookError> {
        hook::apply_hook(self, change)
    }

    /// Returns whether the hook is installed, and the command that it runs.
    pub fn hook_status(
        &self,
        harness: HookHarness,
        scope: HookScope,
        command: &str,
    ) -> Result<HookStatus, HookError> {
        hook::hook_status(self, harness, scope, command)
    }

    /// Keeps a problem. If even that fails, it is lost.
    pub fn note_hook_problem(&self, harness: HookHarness, problem: &str, clock: &Clock) {
        hook::note_hook_problem(self, harness, problem, clock);
    }

    /// Returns the problems, the oldest first.
    pub fn hook_problems(&self) -> Vec<HookProblem> {
        hook::hook_problems(self)
    }

    /// Returns the file of the problems.
    pub fn hook_problems_file(&self) -> PathBuf {
        hook::hook_problems_file(self)
    }

    /// Returns the output of a hook for its input; empty if there is nothing to say. The agent is only read if that is
    /// needed.
    ///
    /// Nothing of the message is recorded.
    pub fn answer_hook(
        &self,
        harness: HookHarness,
        input: &HookInput,
        view: impl FnOnce() -> Result<Arc<AgentView>, ContextError>,
        clock: &Clock,
    ) -> Result<String, HookError> {
        news::settle_news_of_fresh_home(self);
        hook::answer_hook(self, harness, input, view, clock)
    }

    /// Looks around without changing anything.
    pub fn overview(&self, view: &AgentView) -> Result<Overview, ConnectError> {
        prowess_connect::overview(self, view)
    }
}
