//! What the user lets tools do. A skill has no say in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use serde_json::Value;

use super::{Tool, ToolInput, ToolOutput};
use crate::RunContext;

/// What a tool may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Permission {
    /// What it must ask for, it asks for.
    #[default]
    Ask,
    /// Everything, without asking.
    Allow,
    /// Nothing: each call answers that it is forbidden.
    Deny,
}

impl Permission {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "ask" => Some(Self::Ask),
            "allow" => Some(Self::Allow),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }
}

/// Permissions by the name of the tool.
///
/// ```
/// use prowess_run::tools::{Permission, ToolPolicy};
///
/// let policy = ToolPolicy::from_value(&serde_json::json!({ "exec": "allow", "default": "deny" }))?;
/// assert_eq!(policy.permission("exec"), Permission::Allow);
/// assert_eq!(policy.permission("job"), Permission::Allow); // follows `exec`
/// assert_eq!(policy.permission("write"), Permission::Deny);
/// # Ok::<(), prowess_run::tools::PolicyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolPolicy {
    /// The tools that are named.
    pub by_name: BTreeMap<String, Permission>,
    /// All others.
    pub default: Permission,
}

/// The reason why a policy cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// It is not an object.
    #[error("a policy is an object of tool names, each `ask`, `allow` or `deny`")]
    NotAnObject,
    /// A permission that does not exist.
    #[error("the permission of `{0}` must be `ask`, `allow` or `deny`")]
    BadPermission(String),
}

impl ToolPolicy {
    /// Reads `{ "<tool>": "ask" | "allow" | "deny", "default": … }`.
    pub fn from_value(value: &Value) -> Result<Self, PolicyError> {
        let mut policy = Self::default();
        for (name, value) in value.as_object().ok_or(PolicyError::NotAnObject)? {
            let permission = value
                .as_str()
                .and_then(Permission::parse)
                .ok_or_else(|| PolicyError::BadPermission(name.clone()))?;
            if name == "default" {
                policy.default = permission;
            } else {
                policy.by_name.insert(name.clone(), permission);
            }
        }
        Ok(policy)
    }

    /// What a tool may do. `job`, which steers what `exec` started, follows `exec` unless it is named itself.
    pub fn permission(&self, tool: &str) -> Permission {
        let named = |name: &str| self.by_name.get(name).copied();
        let steered = || (tool == "job").then(|| named("exec")).flatten();
        named(tool).or_else(steered).unwrap_or(self.default)
    }

    /// Puts a tool under this policy.
    pub fn govern(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        match self.permission(&tool.spec().name) {
            Permission::Ask => tool,
            Permission::Allow => Arc::new(Allowed(tool)),
            Permission::Deny => Arc::new(Denied(tool)),
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
