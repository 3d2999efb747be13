//! What the user lets tools do. A skill has no say in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use prowess_config::ToolPermission;
use prowess_model::ToolSpec;
use serde_json::Value;

use super::{Tool, ToolInput, ToolOutput};
use crate::RunContext;

/// Permissions by the name of the tool.
///
/// ```
/// use prowess_run::tools::{ToolPermission, ToolPolicy};
///
/// let by_name = [("exec".to_owned(), ToolPermission::Allow)].into();
/// let policy = ToolPolicy { by_name, default: ToolPermission::Deny };
/// assert_eq!(policy.permission("exec"), ToolPermission::Allow);
/// assert_eq!(policy.permission("job"), ToolPermission::Allow); // follows `exec`
/// assert_eq!(policy.permission("write"), ToolPermission::Deny);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolPolicy {
    /// The tools that are named.
    pub by_name: BTreeMap<String, ToolPermission>,
    /// All others.
    pub default: ToolPermission,
}

impl ToolPolicy {
    /// What a tool may do. `job`, which steers what `exec` started, follows `exec` unless it is named itself.
    pub fn permission(&self, tool: &str) -> ToolPermission {
        let named = |name: &str| self.by_name.get(name).copied();
        let steered = || (tool == "job").then(|| named("exec")).flatten();
        named(tool).or_else(steered).unwrap_or(self.default)
    }

    /// Puts a tool under this policy.
    pub fn govern(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        match self.permission(&tool.spec().name) {
            ToolPermission::Ask => tool,
            ToolPermission::Allow => Arc::new(Allowed(tool)),
            ToolPermission::Deny => Arc::new(Denied(tool)),
        }
    }
}

struct Allowed(Arc<dyn Tool>);

impl Tool for Allowed {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn needs_consent(&self, _input: &Value, _context: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        self.0.call(input)
    }
}

struct Denied(Arc<dyn Tool>);

impl Tool for Denied {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn needs_consent(&self, _input: &Value, _context: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, _input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        let name = &self.0.spec().name;
        let answer = ToolOutput::failed(format!("the user's policy forbids `{name}`; do without it"));
        Box::pin(std::future::ready(answer))
    }
}
