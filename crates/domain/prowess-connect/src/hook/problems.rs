//! The problems of hooks. The errors of a hook are not shown anywhere, so they are kept.

use std::path::PathBuf;
use std::time::Duration;

use prowess_context::{Clock, Context};
use serde::{Deserialize, Serialize};

use super::HookHarness;

/// A file of problems that is larger makes room for a new one.
const MAX_BYTES: u64 = 1024 * 1024;
/// The time that a hook waits to record its problem.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HookProblem {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Which harness it was.
    pub harness: String,
    /// What it was. It never holds what the user wrote.
    pub problem: String,
}

/// Keeps a problem. If even that fails, it is lost.
pub fn note_hook_problem(context: &Context, harness: HookHarness, problem: &str, clock: &Clock) {
    let problem =
        HookProblem { at: clock.now_ms(), harness: harness.name().to_owned(), problem: problem.to_owned() };
    let file = hook_problems_file(context);
    if matches!(prowess_fs::stamp(&file), Ok(Some(stamp)) if stamp.size > MAX_BYTES) {
        let _ = prowess_fs::put_aside(&file, &file.with_extension("old.jsonl"));
    }
    if let Ok(line) = serde_json::to_string(&problem) {
        let _ = prowess_fs::append_line(&file, &line, LOCK_TIMEOUT);
    }
}

/// Returns the problems, the oldest first.
pub fn hook_problems(context: &Context) -> Vec<HookProblem> {
    let bytes = prowess_fs::read_file(&hook_problems_file(context), 2 * MAX_BYTES).unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Returns the file of the problems.
pub fn hook_problems_file(context: &Context) -> PathBuf {
    context.own_home().join("hooks").join("problems.jsonl")
}
