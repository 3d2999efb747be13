use proptest::prelude::*;
use prowess_types::Usage;
use serde_json::json;

use super::*;
use crate::test_support::{any_lines, call, ended, line, ran, result};

fn of(lines: &[TraceLine]) -> OutcomeResult {
    classify(lines).result
}

fn steps(steps: &[(&str, i32, &str)]) -> Vec<TraceLine> {
    // Every call has its own id, so that the same command may occur twice.
    let numbered = steps.iter().enumerate().flat_map(|(index, (command, code, output))| {
        let id = index.to_string();
        [call(&id, "exec", json!({ "command": command })), result(&id, *code == 0, output, Some(*code))]
    });
    numbered.collect()
}

#[test]
fn the_kinds_of_failure() {
    use OutcomeResult::{ApiError, AuthError, DependencyMissing, RuntimeError};
    let cases = [
        ("jq . a", 127, "sh: 1: jq: not found", DependencyMissing),
        ("x", 127, "", DependencyMissing),
        ("python a.py", 1, "Traceback …\nModuleNotFoundError: No module named 'requests'", DependencyMissing),
        ("node a.js", 1, "Error: Cannot find module 'left-pad'\n    at x", DependencyMissing),
        ("a.out", 127, "a.out: error while loading shared libraries: libx.so", DependencyMissing),
        ("make", 2, "/usr/bin/env: ‘node’: No such file or directory\nspawn node ENOENT", DependencyMissing),
        ("gh pr list", 4, "HTTP 401: Bad credentials", AuthError),
        ("git push", 128, "git@host: Permission denied (publickey).", AuthError),
        ("gh api x", 1, "error: not logged in to any hosts", AuthError),
        ("curl x", 22, "curl: (22) The requested URL returned error: 403", AuthError),
        ("curl x", 22, "curl: (22) The requested URL returned error: 503", ApiError),
        ("curl x", 6, "curl: (6) Could not resolve host: api.example", ApiError),
        ("node a.js", 1, "Error: connect ECONNREFUSED 127.0.0.1:80", ApiError),
        ("python a.py", 1, "openai.RateLimitError: Error code: 429 - slow down", ApiError),
        ("make", 2, "make: *** [all] Error 2", RuntimeError),
        ("cat a", 1, "cat: a: No such file or directory", RuntimeError),
        ("rm a", 1, "rm: a: Permission denied", RuntimeError),
        ("cargo test", 101, "test result: FAILED. 429 passed; 1 failed", RuntimeError),
    ];
    for (command, code, output, expected) in cases {
        let outcome = classify(&ran(command, code, output));
        assert_eq!(outcome.result, expected, "{output}");
        assert_eq!(outcome.by, OutcomeSource::Classifier);
    }
}

#[test]
fn a_failure_that_was_made_good_does_not_count() {
    type Commands = &'static [(&'static str, i32, &'static str)];
    let cases: [(Commands, OutcomeResult); 9] = [
        (
            &[("npm run build", 1, "boom"), ("npm install", 0, ""), ("npm run build", 0, "")],
            OutcomeResult::Unknown,
        ),
        (&[("npm run build", 1, "boom"), ("npm install", 0, "")], OutcomeResult::RuntimeError),
        (&[("jq . a", 127, ""), ("apt install jq", 0, ""), ("jq -r .x b", 0, "")], OutcomeResult::Unknown),
        (&[("python a.py", 1, "no module named x"), ("python3 a.py", 0, "")], OutcomeResult::Unknown),
        (&[("cd a && make all", 2, ""), ("cd b; make -j2 all", 0, "")], OutcomeResult::Unknown),
        (&[("make all", 2, ""), ("echo done", 0, "")], OutcomeResult::RuntimeError),
        (&[("curl a", 6, "Could not resolve host"), ("jq .", 127, "")], OutcomeResult::DependencyMissing),
        (
            &[("curl a", 6, "Could not resolve host"), ("jq .", 127, ""), ("jq .", 0, "")],
            OutcomeResult::ApiError,
        ),
        (&[("make all", 0, ""), ("make all", 2, "")], OutcomeResult::RuntimeError),
    ];
    for (commands, expected) in cases {
        assert_eq!(of(&steps(commands)), expected, "{commands:?}");
    }
}

#[test]
fn other_tools_fail_and_recover_by_name() {
    let failed = [call("1", "read", json!({ "path": "a" })), result("1", false, "no such file", None)];
    assert_eq!(of(&failed), OutcomeResult::RuntimeError);
    let again = [call("2", "read", json!({ "path": "b" })), result("2", true, "text", None)];
    assert_eq!(of(&[failed.to_vec(), again.to_vec()].concat()), OutcomeResult::Unknown);
    let other = [call("2", "write", json!({ "path": "b" })), result("2", true, "text", None)];
    assert_eq!(of(&[failed.to_vec(), other.to_vec()].concat()), OutcomeResult::RuntimeError);
}

#[test]
fn what_is_no_failure() {
    // What a successful call prints means nothing.
    assert_eq!(of(&ran("cat log", 0, "HTTP 401 unauthorized: command not found")), OutcomeResult::Unknown);
    // Programs that answer no.
    assert_eq!(of(&ran("grep -q needle hay", 1, "")), OutcomeResult::Unknown);
    assert_eq!(of(&ran("diff a b", 1, "1c1")), OutcomeResult::Unknown);
    assert_eq!(of(&ran("command -v jq", 1, "")), OutcomeResult::Unknown);
    assert_eq!(of(&ran("diff a b", 2, "diff: a: No such file")), OutcomeResult::RuntimeError);
    // The user said no.
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    assert_eq!(
        of(&[call("1", "Bash", json!({ "command": "rm x" })), result("1", false, refused, None)]),
        OutcomeResult::Unknown
    );
    // The user stopped the run.
    let mut stopped = ran("make", 130, "interrupted").to_vec();
    stopped.push(line(TraceEvent::RunEnded {
        outcome: Outcome::default(),
        usage: Usage::default(),
        ms: None,
        stopped: true,
    }));
    assert_eq!(of(&stopped), OutcomeResult::Unknown);
    // A good end is not a success.
    let mut good = ran("make", 0, "").to_vec();
    good.push(ended(OutcomeResult::Unknown, OutcomeSource::Nobody));
    assert_eq!(classify(&good), Outcome::default());
    assert_eq!(classify(&[]), Outcome::default());
}

#[test]
fn the_detail_is_the_line_that_tells() {
    let detail = |output| classify(&ran("x y", 1, output)).detail.unwrap();
    assert_eq!(detail("first\nHTTP 401: Bad credentials\nsee the manual\n"), "HTTP 401: Bad credentials");
    assert_eq!(detail("first\nsecond\n\n"), "second");
    assert_eq!(detail(""), "`x` failed without a word");
    assert_eq!(detail(&"é".repeat(500)).chars().count(), MAX_DETAIL);
}

#[test]
fn a_result_without_a_call_is_a_tool_without_a_name() {
    assert_eq!(of(&[result("9", false, "boom", Some(1))]), OutcomeResult::RuntimeError);
}

proptest! {
    #[test]
    fn neither_success_nor_mismatch_is_ever_guessed(lines in any_lines()) {
        let outcome = classify(&lines);
        prop_assert!(!matches!(outcome.result, OutcomeResult::Success | OutcomeResult::TaskMismatch));
        prop_assert_eq!(outcome.by == OutcomeSource::Classifier, outcome.result.is_failure());
        prop_assert_eq!(outcome.detail.is_some(), outcome.result.is_failure());
    }

    #[test]
    fn what_successful_calls_print_changes_nothing(mut lines in any_lines(), text in ".{0,40}") {
        let before = classify(&lines);
        for line in &mut lines {
            if let TraceEvent::ToolResult { ok: true, exit_code: None | Some(0), output, .. } = &mut line.event {
                output.clone_from(&text);
            }
        }
        prop_assert_eq!(classify(&lines), before);
    }

    #[test]
    fn doing_it_again_clears_it(program in "[a-z]{1,6}", word in "[a-z]{0,6}", output in ".{0,60}", code in 1..127_i32) {
        let command = format!("{program} {word}");
        let failed = steps(&[(&command, code, &output)]);
        let again = steps(&[(&command, code, &output), (&command, 0, "")]);
        prop_assert_eq!(of(&again), OutcomeResult::Unknown);
        prop_assert!(of(&failed).is_failure() || code == 1 || super::signs::is_refusal(&output) || command.starts_with("cd "));
    }
}
