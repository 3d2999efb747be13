//! Tools as a model calls them.
#![cfg(unix)]

mod command;
mod exec;
mod files;
mod http;
mod mcp;
mod policy;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::tools::{ConfiguredTool, ToolPermission, ToolPolicy};
use prowess_run::{
    Approval, Approver, Environment, Question, RunContext, RunLimits, RunSkill, SkillSearch, SkillSearchHit,
    ToolInput, ToolOutput, Tools,
};
use prowess_secret::Redactor;
use prowess_types::TraceEvent;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// Says no to everything; no test here gets to the point of asking.
struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Denied))
    }
}

impl SkillSearch for Nobody {
    fn search(&self, _need: &str, _limit: usize) -> Result<Vec<SkillSearchHit>, String> {
        Ok(Vec::new())
    }
}

/// A run in a folder of its own: `workspace`, `skills/tea`, `outside`.
struct Run {
    folder: tempfile::TempDir,
    context: RunContext,
    events: Arc<Mutex<Vec<TraceEvent>>>,
    tools: Tools,
}

impl Run {
    fn new() -> Self {
        Self::with(crate::process::usual())
    }

    fn with(environment: Environment) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for sub in ["workspace", "skills/tea", "outside"] {
            std::fs::create_dir_all(folder.path().join(sub)).unwrap();
        }
        let skill = folder.path().join("skills/tea");
        std::fs::write(skill.join("SKILL.md"), "how to make tea\n").unwrap();
        std::fs::write(folder.path().join("outside/secret"), "planted-secret").unwrap();
        let events = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&events);
        let context = RunContext {
            session: "session".into(),
            run: "run".into(),
            agent: "main".into(),
            workspace: folder.path().join("workspace"),
            skills: vec![RunSkill {
                name: "tea".into(),
                file: skill.join("SKILL.md"),
                folder: skill,
                content_hash: String::new(),
                text: None,
            }],
            protected: prowess_run::ProtectedPlaces::default(),
            environment: environment.into(),
            state: prowess_run::turn::RunState::default(),
            redactor: Redactor::default(),
            cancel: CancellationToken::new(),
            approver: Arc::new(Nobody),
            search: Arc::new(Nobody),
            record: Arc::new(move |event| record.lock().unwrap().push(event)),
            limits: RunLimits { tool_timeout: Duration::from_mins(1), ..RunLimits::default() },
        };
        let sandbox = Sandbox { mode: SandboxMode::Off, ..Sandbox::default() };
        Self { folder, context, events, tools: Tools::built_in(&ToolPolicy::default(), sandbox) }
    }

    /// Adds a tool of the user's.
    async fn configure(&mut self, name: &str, value: Value) {
        let tool = ConfiguredTool::from_value(name, &value).expect("a tool");
        self.tools.add_configured(&[tool], &ToolPolicy::default(), &self.context).await;
    }

    async fn call(&self, tool: &str, value: Value) -> ToolOutput {
        let tool = self.tools.get(tool).unwrap_or_else(|| panic!("no tool {tool}; {:?}", self.notices()));
        tool.call(ToolInput { value: &value, context: &self.context }).await
    }

    fn consent(&self, tool: &str, value: Value) -> Option<String> {
        self.tools.get(tool).expect("a tool").needs_consent(&value, &self.context)
    }

    fn names(&self) -> Vec<String> {
        self.tools.specs().into_iter().map(|spec| spec.name).collect()
    }

    fn notices(&self) -> Vec<String> {
        let events = self.events.lock().unwrap();
        let notice = |event: &TraceEvent| match event {
            TraceEvent::Notice { text, .. } => Some(text.clone()),
            _ => None,
        };
        events.iter().filter_map(notice).collect()
    }

    fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(relative)
    }

    fn text_of(&self, relative: &str) -> String {
        std::fs::read_to_string(self.path(relative)).unwrap()
    }
}

fn allow_all() -> ToolPolicy {
    ToolPolicy { default: ToolPermission::Allow, ..ToolPolicy::default() }
}
