//! The result of a run, derived from its errors when it was not recorded.
//!
//! The rules, in order:
//!
//! 1. A run that the user stopped is *unknown*: an interrupted program proves nothing.
//! 2. Only failed calls count: a tool that says it failed, or a program that ended with a code other than 0. What a
//!    successful call prints is never looked at. A call that the user refused did not fail. A program that answers
//!    *no* with code 1 (`grep`, `diff`, `test` …) did not fail.
//! 3. A failure is cleared by a later success of the same step: the same program with the same first argument (a
//!    program that was missing: the same program at all); for a tool that runs no programs, the same tool.
//! 4. The last failure that was not cleared decides. Its text, read from its last lines upwards, says which of
//!    `dependency_missing`, `auth_error` and `api_error` it is; exit code 127 is `dependency_missing` whatever the
//!    text says; everything else is `runtime_error`. What it is about (program, module, variable, service) is its key.
//! 5. Without such a failure the run is *unknown*. Success is never guessed, and neither is `task_mismatch`: both need
//!    somebody who says so.

mod command;
mod reading;
mod signs;
mod wordings;

use std::collections::HashMap;

use prowess_types::{Outcome, OutcomeResult, OutcomeSource, TraceEvent, TraceLine};
use serde_json::Value;

use command::Step;
pub use reading::{FailureReading, cause_key, read_failure};

/// Characters of the detail.
const MAX_DETAIL: usize = 200;
/// What shells answer when there is no such program.
const COMMAND_NOT_FOUND: i32 = 127;

/// A failure that nothing has cleared yet.
struct Failure {
    step: Step,
    result: OutcomeResult,
    detail: String,
    key: Option<String>,
}

/// Tells from the errors of a run how it went.
///
/// ```
/// use prowess_types::{OutcomeResult, TraceEvent, TraceLine};
/// let line = |event| TraceLine { at: 0, run: "r".into(), event };
/// let input = serde_json::json!({ "command": "jq . data.json" });
/// let call = TraceEvent::ToolCall { id: "1".into(), tool: "exec".into(), input, step: None };
/// let output = "sh: jq: command not found".to_owned();
/// let result =
///     TraceEvent::ToolResult { id: "1".into(), ok: false, output, omitted_bytes: 0, exit_code: Some(127), ms: None };
/// let outcome = prowess_trace::classify(&[line(call), line(result)]);
/// assert_eq!(outcome.result, OutcomeResult::DependencyMissing);
/// ```
pub fn classify<'a>(lines: impl IntoIterator<Item = &'a TraceLine>) -> Outcome {
    let mut calls: HashMap<(&str, &str), (&str, &Value)> = HashMap::new();
    let mut open: Vec<Failure> = Vec::new();
    for line in lines {
        match &line.event {
            TraceEvent::ToolCall { id, tool, input, .. } => {
                calls.insert((&line.run, id), (tool, input));
            }
            TraceEvent::ToolResult { id, ok, output, exit_code, .. } => {
                let (tool, input) =
                    calls.get(&(line.run.as_str(), id.as_str())).copied().unwrap_or(("", &Value::Null));
                let step = Step::of(tool, input);
                if *ok && exit_code.unwrap_or_default() == 0 {
                    open.retain(|failure| !step.repeats(&failure.step, failure.result));
                } else if !signs::is_refusal(output) && !step.answers_no(*exit_code) {
                    open.push(judge(step, input, output, *exit_code));
                }
            }
            TraceEvent::RunEnded { stopped: true, .. } => open.clear(),
            _ => {}
        }
    }
    open.pop().map_or_else(Outcome::default, |failure| Outcome {
        result: failure.result,
        by: OutcomeSource::Classifier,
        detail: Some(failure.detail),
        key: failure.key,
    })
}

/// The key of a failure that was reported without one: the words of the report say it, or the errors of the run if
/// they are of the same kind.
pub fn key_of_failure<'a>(
    outcome: &Outcome,
    lines: impl IntoIterator<Item = &'a TraceLine>,
) -> Option<String> {
    let read = outcome.detail.as_deref().and_then(read_failure);
    let said = read.filter(|read| read.result == outcome.result).and_then(|read| read.key);
    said.or_else(|| {
        let seen = classify(lines);
        seen.key.filter(|_| seen.result == outcome.result)
    })
}

fn judge(step: Step, input: &Value, output: &str, exit_code: Option<i32>) -> Failure {
    let sign = signs::find(output);
    let result = match (exit_code, &sign) {
        (Some(COMMAND_NOT_FOUND), _) => OutcomeResult::DependencyMissing,
        (_, Some((result, _))) => *result,
        _ => OutcomeResult::RuntimeError,
    };
    let key = reading::key_of(output, result, step.program()).or_else(|| match result {
        OutcomeResult::DependencyMissing if exit_code == Some(COMMAND_NOT_FOUND) => {
            command::last_program(input)
        }
        OutcomeResult::AuthError | OutcomeResult::ApiError => command::host(input),
        _ => None,
    });
    let said = sign
        .map(|(_, line)| line)
        .or_else(|| output.lines().rev().map(str::trim).find(|line| !line.is_empty()));
    let detail = said.map_or_else(
        || format!("{step} failed without a word"),
        |said| said.chars().take(MAX_DETAIL).collect(),
    );
    Failure { step, result, detail, key }
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
