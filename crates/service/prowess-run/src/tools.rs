//! What a model, or a slash command, may call.
//!
//! Built in are `read`, `write`, `exec` and `job` ([`Tools::built_in`]); further tools come from the user's
//! configuration as a program, an HTTP endpoint or an MCP server ([`Tools::add_configured`]). Every tool says exactly
//! what a call would do; whether somebody is asked about it is the [`ToolPolicy`]'s business.
//!
//! What this module refuses to do: read a config file, let a call choose where a request goes or which program runs
//! (beyond `exec`), read or write outside the workspace and the skills' folders.

mod arguments;
mod beneath;
mod command;
mod configured;
mod endpoint;
mod exec;
mod http;
mod job;
mod mcp;
mod place;
mod policy;
mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_types::TraceEvent;
use serde_json::Value;

use crate::RunContext;
use crate::process::{Jobs, Sandbox};

pub use configured::{CommandInput, ConfiguredTool, McpTransport, ToolConfigError, ToolEndpoint, ToolKind};
pub use exec::ExecTool;
pub use job::JobTool;
pub use policy::ToolPolicy;
pub use prowess_config::ToolPermission;
pub use read::ReadTool;
pub use write::WriteTool;

/// Something that can be called by name.
pub trait Tool: Send + Sync {
    /// Its name, what it is for, and what it takes.
    fn spec(&self) -> &ToolSpec;

    /// Exactly what a call would do, if that needs consent; none if it does not.
    fn needs_consent(&self, input: &Value, context: &RunContext) -> Option<String>;

    /// Does it. A failure is an output too: the model reads it and goes on.
    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput>;
}

/// What a call is given.
#[derive(Clone, Copy)]
pub struct ToolInput<'a> {
    /// What the model, or the dispatcher, says.
    pub value: &'a Value,
    /// The run.
    pub context: &'a RunContext,
}

/// What a call gives back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolOutput {
    /// True if it succeeded.
    pub ok: bool,
    /// What it says, not redacted yet, cut already.
    pub text: String,
    /// The number of bytes that were left out.
    pub omitted_bytes: u64,
    /// The exit code, of a program.
    pub exit_code: Option<i32>,
}

impl ToolOutput {
    /// It worked.
    pub fn done(text: impl Into<String>) -> Self {
        Self { ok: true, text: text.into(), ..Self::default() }
    }

    /// It did not, and why.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { ok: false, text: text.into(), ..Self::default() }
    }
}

/// The tools of one run, by name.
#[derive(Clone, Default)]
pub struct Tools {
    by_name: BTreeMap<String, Arc<dyn Tool>>,
}

impl Tools {
    /// `read`, `write`, `exec` and `job` under a policy. Make them for each run anew: dropping them ends the run's
    /// background programs.
    pub fn built_in(policy: &ToolPolicy, sandbox: Sandbox) -> Self {
        let jobs = Arc::new(Jobs::default());
        let mut tools = Self::default();
        tools.add(policy.govern(Arc::new(ReadTool::new())));
        tools.add(policy.govern(Arc::new(WriteTool::new())));
        tools.add(policy.govern(Arc::new(ExecTool::new(Arc::clone(&jobs), sandbox))));
        tools.add(policy.govern(Arc::new(JobTool::new(jobs))));
        tools
    }

    /// Adds the user's tools under a policy. What cannot be reached is told as a notice of the run, which goes on
    /// without it; a tool never takes the name of one that is there already.
    pub async fn add_configured(
        &mut self,
        configured: &[ConfiguredTool],
        policy: &ToolPolicy,
        context: &RunContext,
    ) {
        let notice = |text: String| {
            let text = context.redactor.redact(&text).into_owned();
            (context.record)(TraceEvent::Notice { kind: "tool".into(), text });
        };
        let connected =
            futures_util::future::join_all(configured.iter().map(|tool| tool.connect(context))).await;
        for (configured, result) in configured.iter().zip(connected) {
            let name = &configured.name;
            for tool in result.unwrap_or_else(|reason| {
                notice(format!("the tool `{name}` is not available: {reason}"));
                Vec::new()
            }) {
                let name = tool.spec().name.clone();
                if self.get(&name).is_some() {
                    notice(format!("the tool `{name}` is left out: there is another of that name"));
                } else {
                    self.add(policy.govern(tool));
                }
            }
        }
    }

    /// Adds a tool; a later one of the same name replaces the earlier.
    pub fn add(&mut self, tool: Arc<dyn Tool>) {
        self.by_name.insert(tool.spec().name.clone(), tool);
    }

    /// Takes a tool away.
    pub fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    /// The tool of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.by_name.get(name)
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.by_name.values()
    }

    /// What a model is told, in the order of the names.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.by_name.values().map(|tool| tool.spec().clone()).collect()
    }
}

impl FromIterator<Arc<dyn Tool>> for Tools {
    fn from_iter<I: IntoIterator<Item = Arc<dyn Tool>>>(tools: I) -> Self {
        let mut all = Self::default();
        tools.into_iter().for_each(|tool| all.add(tool));
        all
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}
