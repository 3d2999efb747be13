//! The agent says how its task went.

use std::borrow::Cow;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_types::{Outcome, OutcomeResult, OutcomeSource};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::clean;
use crate::{RunContext, Tool, ToolInput, ToolOutput};

/// Bytes of the detail that are kept.
const MAX_DETAIL: usize = 500;
/// Bytes of the key that are kept.
const MAX_KEY: usize = 120;

/// The tool `report_outcome`: its last call is the outcome of the run, unless the user rates it.
#[derive(Debug)]
pub struct ReportOutcome {
    spec: ToolSpec,
}

impl Default for ReportOutcome {
    fn default() -> Self {
        let spec = ToolSpec {
            name: "report_outcome".to_owned(),
            description: "Report honestly how a task that used a skill went, once, when it has ended. \
                          dependency_missing: a program or library is not there; auth_error: a key is missing or \
                          refused; api_error: a service refused or failed; task_mismatch: the skill is for something \
                          else; runtime_error: anything else went wrong."
                .to_owned(),
            input: json!({
                "type": "object",
                "properties": {
                    "result": {
                        "type": "string",
                        "enum": ["success", "dependency_missing", "auth_error", "api_error", "task_mismatch",
                            "runtime_error"],
                    },
                    "key": {
                        "type": "string",
                        "description": "Name of the cause: the missing program or module, the environment variable \
                                        (never its value), the service, or the ability that the skill lacks.",
                    },
                    "detail": {"type": "string", "description": "What went wrong, in a few words."},
                },
                "required": ["result"],
            }),
        };
        Self { spec }
    }
}

impl Tool for ReportOutcome {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, _: &Value, _: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        async move { report(input) }.boxed()
    }
}

fn report(input: ToolInput<'_>) -> ToolOutput {
    let ToolInput { value, context } = input;
    let result = value.get("result").and_then(|result| OutcomeResult::deserialize(result).ok());
    let Some(result) = result.filter(|result| *result != OutcomeResult::Unknown) else {
        return ToolOutput::failed(
            "`result` must be one of success, dependency_missing, auth_error, api_error, task_mismatch, runtime_error",
        );
    };
    let text = |name: &str, max: usize| {
        let text = value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())?;
        Some(clean::cut(Cow::Owned(context.redactor.redact(text).into_owned()), max).0)
    };
    let (detail, key) = (text("detail", MAX_DETAIL), text("key", MAX_KEY));
    let key = key.filter(|_| result.is_failure()).and_then(|key| prowess_trace::cause_key(result, &key));
    context.state.report_outcome(Outcome { result, by: OutcomeSource::Agent, detail, key });
    ToolOutput::done("noted")
}
