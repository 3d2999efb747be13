//! The agent looks for a skill.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use serde_json::{Value, json};

use crate::{RunContext, Tool, ToolInput, ToolOutput};

pub(super) const NAME: &str = "skill_search";
const DEFAULT_LIMIT: u64 = 5;
const MAX_LIMIT: u64 = 20;
/// How many are looked at: a search may know more skills than the run may use.
const LOOKED_AT: usize = 100;

/// The tool `skill_search`: skills by meaning, out of those that the run may use.
#[derive(Debug)]
pub struct SkillSearchTool {
    spec: ToolSpec,
}

impl Default for SkillSearchTool {
    fn default() -> Self {
        let spec = ToolSpec {
            name: NAME.to_owned(),
            description: "Find skills (files with instructions for a kind of task) by what you need. Gives name, \
                          description, location and confidence, best first; read the file at the location before \
                          you use a skill."
                .to_owned(),
            input: json!({
                "type": "object",
                "properties": {
                    "need": {"type": "string", "description": "What you need to do, in one sentence."},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
                },
                "required": ["need"],
            }),
        };
        Self { spec }
    }
}

impl Tool for SkillSearchTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, _: &Value, _: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        search(input).boxed()
    }
}

async fn search(input: ToolInput<'_>) -> ToolOutput {
    let ToolInput { value, context } = input;
    let need = value.get("need").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    if need.is_empty() {
        return ToolOutput::failed("`need` must say what the skill is needed for");
    }
    let limit = value.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let limit = usize::try_from(limit).unwrap_or(LOOKED_AT);
    let skills = Arc::clone(&context.search);
    // A search computes; it must not hold up the other calls.
    let found = tokio::task::spawn_blocking(move || skills.search(&need, LOOKED_AT)).await;
    let mut hits = match found {
        Ok(Ok(hits)) => hits,
        Ok(Err(problem)) => return ToolOutput::failed(format!("cannot search: {problem}")),
        Err(_) => return ToolOutput::failed("the search ended without a result"),
    };
    let usable: BTreeSet<&str> = context.skills.iter().map(|skill| skill.name.as_str()).collect();
    hits.retain(|hit| usable.contains(hit.name.as_str()));
    hits.truncate(limit);
    match serde_json::to_string_pretty(&hits) {
        Ok(_) if hits.is_empty() => ToolOutput::done("no skill fits"),
        Ok(text) => ToolOutput::done(text),
        Err(error) => ToolOutput::failed(format!("cannot show what was found: {error}")),
    }
}
