//! What the text of a failure says about its kind.

use prowess_types::OutcomeResult;

use super::reading;

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

/// In lower case. The order of the tables decides within a line.
const DEPENDENCY: [&str; 30] = [
    "commandnotfoundexception",
    "module_not_found",
    "no such module",
    "cannot open shared object file",
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

/// Small shells end a line with this.
const NOT_FOUND: &str = "not found";
const SMALL_SHELLS: [&str; 10] =
    ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "busybox", "rbash", "yash"];
/// A variable is not set, in lower case.
const UNSET: [&str; 17] = [
    "not set",
    "is unset",
    "unbound variable",
    "parameter not set",
    "must be set",
    "is required",
    "is missing",
    "missing required",
    "missing environment",
    "not defined",
    "undefined",
    "not found in environment",
    "is empty",
    "keyerror:",
    "set the",
    "not provided",
    "no value for",
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

/// Words of a service that refuses for a while, also beside a status that means another thing.
const LIMITS: [&str; 17] = [
    "rate limit",
    "rate-limit",
    "ratelimit",
    "rate_limit",
    "too many requests",
    "too_many_requests",
    "quota exceeded",
    "quota_exceeded",
    "exceeded your current quota",
    "insufficient_quota",
    "quotaexceeded",
    "throttlingexception",
    "was throttled",
    "request throttled",
    "resource_exhausted",
    "resource has been exhausted",
    "usage limit",
];
/// Not a service.
const OWN_LIMITS: &str = "disk quota";

const AUTH: [&str; 60] = [
    "unauthorized",
    "unauthorised",
    "not authorized",
    "not authorised",
    "invalid_grant",
    "invalid_auth",
    "not_authed",
    "jwt expired",
    "expired api key",
    "api key expired",
    "api key has expired",
    "key has been revoked",
    "token has been revoked",
    "token is invalid",
    "invalid access token",
    "invalid bearer token",
    "authenticationerror",
    "requires authentication",
    "signaturedoesnotmatch",
    "client error: forbidden",
    "invalid authentication",
    "invalid apikey",
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

const API: [&str; 31] = [
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
    " enotfound",
    "'enotfound'",
    "\"enotfound\"",
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
    last_lines(output).find_map(|line| Some((kind_of(line)?, line.trim())))
}

/// The lines that are looked at, the last one first, each up to its limit.
pub(super) fn last_lines(output: &str) -> impl Iterator<Item = &str> {
    output.lines().rev().take(LINES).map(|line| {
        let end = line.char_indices().nth(MAX_LINE_CHARS).map_or(line.len(), |(end, _)| end);
        &line[..end]
    })
}

/// The kind of failure that a line says.
pub(super) fn kind_of(line: &str) -> Option<OutcomeResult> {
    let (original, line) = (line, line.to_lowercase());
    let says = |signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let status = http_status(&line);
    let is_missing = says(&DEPENDENCY)
        || starting_failed(&line)
        || missing_in_small_shell(original).is_some()
        || reading::says_missing(original);
    if is_missing && !is_own_words(&line) {
        Some(OutcomeResult::DependencyMissing)
    } else if says(&LIMITS) && !line.contains(OWN_LIMITS) {
        Some(OutcomeResult::ApiError)
    } else if matches!(status, Some(401 | 403)) || says(&AUTH) || lacks_credential(original) {
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

/// `sh: 1: jq: not found`, as small shells say it; the program.
pub(super) fn missing_in_small_shell(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let (start, end) = line.split_at_checked(line.len().checked_sub(NOT_FOUND.len())?)?;
    let start = start.trim_end().strip_suffix(':').filter(|_| end.eq_ignore_ascii_case(NOT_FOUND))?;
    let parts: Vec<&str> = start.split(": ").collect();
    let (name, before) = parts.split_last()?;
    let (shell, places) = before.split_first()?;
    let shell = shell.rsplit(['/', '\\']).next().unwrap_or(shell).trim_start_matches('-');
    let is_shell = SMALL_SHELLS.contains(&shell) || shell.to_ascii_lowercase().ends_with(".sh");
    let is_place = |part: &&str| {
        part.strip_prefix("line ").unwrap_or(part).bytes().all(|byte| byte.is_ascii_digit())
            || **part == *"exec"
    };
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    ((is_shell || !places.is_empty()) && places.iter().all(is_place) && is_name).then_some(*name)
}

/// Returns true if a line says that a variable with credentials is not set.
fn lacks_credential(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    UNSET.iter().any(|word| lower.contains(word)) && reading::credential(line).is_some()
}

/// Returns true if a line only speaks of what could be missing, such as a hint of a package manager.
fn is_own_words(line: &str) -> bool {
    line.contains("up to date") || line.contains("already installed")
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
