//! What the text of a failure says about its kind.

use prowess_types::OutcomeResult;

/// How many of the last lines are looked at: an error is said at the end, long logs say much before it.
const LINES: usize = 60;
/// Longer lines are looked at up to here.
const MAX_LINE_CHARS: usize = 2_000;

/// What an agent writes when the user did not let a call happen.
const REFUSALS: [&str; 5] = [
    "the user doesn't want to proceed with this tool use",
    "request interrupted by user",
    "denied by the user",
    "rejected by user",
    "aborted by user",
];

/// In lower case. The order of the three tables decides within a line.
const DEPENDENCY: [&str; 26] = [
    "command not found",
    "not recognized as an internal or external command",
    "is not recognized as the name of a cmdlet",
    "executable file not found",
    "modulenotfounderror",
    "no module named",
    "cannot find module",
    "cannot find package",
    "err_module_not_found",
    "error while loading shared libraries",
    "library not loaded",
    "bad interpreter",
    "cannot load such file",
    "can't locate object method",
    "unable to locate package",
    "no such program",
    "program not found",
    "executable not found",
    "binary not found",
    "is not installed",
    "not found in $path",
    "not found in path",
    "no such command",
    "no such subcommand",
    "could not find or load main class",
    "there is no package called",
];

/// Starting a program fails in these words, followed by one of [`MISSING`].
const STARTING: [&str; 8] = [
    "spawn",
    "execvp",
    "execve",
    "cannot run program",
    "failed to execute",
    "failed to run",
    "failed to start",
    "could not start",
];
const MISSING: [&str; 3] = ["enoent", "no such file or directory", "os error 2)"];

const AUTH: [&str; 39] = [
    "unauthorized",
    "unauthenticated",
    "invalid api key",
    "invalid_api_key",
    "incorrect api key",
    "invalid x-api-key",
    "api key not valid",
    "api key is missing",
    "missing api key",
    "no api key",
    "api key not found",
    "api_key must be set",
    "invalid token",
    "invalid_token",
    "bad credentials",
    "invalid credentials",
    "no credentials",
    "could not find credentials",
    "unable to locate credentials",
    "token expired",
    "expired token",
    "token has expired",
    "token is expired",
    "expiredtoken",
    "session expired",
    "not logged in",
    "not authenticated",
    "please log in",
    "please login",
    "login required",
    "authentication failed",
    "authentication required",
    "permission denied (publickey",
    "could not read username",
    "access denied",
    "accessdenied",
    "403 forbidden",
    "error: forbidden",
    "insufficient_scope",
];

const API: [&str; 36] = [
    "rate limit",
    "rate-limit",
    "ratelimit",
    "rate_limit",
    "too many requests",
    "quota exceeded",
    "insufficient_quota",
    "overloaded_error",
    "is overloaded",
    "currently overloaded",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "gateway timeout",
    "econnrefused",
    "econnreset",
    "etimedout",
    "enotfound",
    "eai_again",
    "connection refused",
    "connection reset",
    "connection timed out",
    "connection aborted",
    "connect timeout",
    "operation timed out",
    "request timed out",
    "read timed out",
    "connecttimeout",
    "readtimeout",
    "could not resolve host",
    "could not resolve hostname",
    "temporary failure in name resolution",
    "name or service not known",
    "no such host",
    "network is unreachable",
    "fetch failed",
];

/// Returns true if the user did not let the call happen.
pub(super) fn is_refusal(output: &str) -> bool {
    let start: String =
        output.chars().take(MAX_LINE_CHARS).collect::<String>().to_lowercase().replace('’', "'");
    REFUSALS.iter().any(|refusal| start.contains(refusal))
}

/// What the text says, and the line that says it; the last such line counts.
pub(super) fn find(output: &str) -> Option<(OutcomeResult, &str)> {
    output.lines().rev().take(LINES).find_map(|line| {
        let lower: String = line.chars().take(MAX_LINE_CHARS).collect::<String>().to_lowercase();
        Some((kind_of(&lower)?, line.trim()))
    })
}

fn kind_of(line: &str) -> Option<OutcomeResult> {
    let says = |signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let status = http_status(line);
    if says(&DEPENDENCY) || starting_failed(line) || shell_misses_program(line) {
        Some(OutcomeResult::DependencyMissing)
    } else if matches!(status, Some(401 | 403)) || says(&AUTH) {
        Some(OutcomeResult::AuthError)
    } else if matches!(status, Some(408 | 429 | 500..=599)) || says(&API) {
        Some(OutcomeResult::ApiError)
    } else {
        None
    }
}

/// `spawn jq ENOENT`, `env: ‘jq’: No such file or directory`.
fn starting_failed(line: &str) -> bool {
    let is_start = line.starts_with("env: ") || STARTING.iter().any(|word| line.contains(word));
    is_start && MISSING.iter().any(|word| line.contains(word))
}

/// `sh: 1: jq: not found`, as small shells say it.
fn shell_misses_program(line: &str) -> bool {
    line.strip_suffix(": not found").is_some_and(|start| {
        ["sh: ", "bash: ", "dash: ", "ash: ", "/bin/sh: "].iter().any(|shell| start.starts_with(shell))
    })
}

/// A number that the line presents as the status of an answer: `HTTP/1.1 401`, `status code: 503`, `error (429)`.
fn http_status(line: &str) -> Option<u16> {
    const BEFORE: [&str; 11] = [
        "http",
        "http/1.0",
        "http/1.1",
        "http/2",
        "http/3",
        "status",
        "code",
        "statuscode",
        "error",
        "returned",
        "response",
    ];
    let mut rest = line;
    let mut before = String::new();
    while let Some(start) = rest.find(|char: char| char.is_ascii_alphanumeric()) {
        let word = &rest[start..];
        let end = word
            .find(|char: char| !(char.is_ascii_alphanumeric() || "/._-".contains(char)))
            .unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let word = word.trim_end_matches(['.', '-', '/']);
        if word.len() == 3
            && BEFORE.contains(&before.as_str())
            && let Ok(status) = word.parse()
        {
            return Some(status);
        }
        word.clone_into(&mut before);
        rest = after;
    }
    None
}

#[cfg(test)]
#[path = "signs_tests.rs"]
mod tests;
