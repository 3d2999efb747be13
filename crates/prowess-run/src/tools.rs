//! What a model, or a slash command, may call.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use serde_json::Value;

use crate::RunContext;

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
    /// Whether it did what it was asked.
    pub ok: bool,
    /// What it says, not redacted yet, cut already.
    pub text: String,
    /// How many bytes were left out.
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

    /// What a model is told, in the order of the names.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.by_name.values().map(|tool| tool.spec().clone()).collect()
    }
}
