use proptest::prelude::*;

use super::*;

#[test]
fn a_status_needs_a_word_that_makes_it_one() {
    for (line, expected) in [
        ("http/1.1 401 unauthorized", Some(401)),
        ("http 503", Some(503)),
        ("status code: 429,", Some(429)),
        ("error (502)", Some(502)),
        ("{\"status\":403}", Some(403)),
        ("statuscode=500", Some(500)),
        ("returned error: 404", Some(404)),
        ("passed 401 tests", None),
        ("error at src/a.rs:503:5", None),
        ("status 4010", None),
        ("http://host:500/x", None),
        ("http", None),
        ("", None),
    ] {
        assert_eq!(http_status(line), expected, "{line}");
    }
}

#[test]
fn words_that_only_look_like_signs_are_none() {
    for line in [
        "error: call of overloaded ‘f(int)’ is ambiguous",
        "cat: .env: No such file or directory",
        "error executing query: relation not found",
        "assertion failed: left == right",
        "timed out after 120 s",
        "fatal: not a git repository",
    ] {
        assert_eq!(find(line), None, "{line}");
    }
}

#[test]
fn the_last_sign_counts_and_within_a_line_the_first_table() {
    let text = "HTTP 429\nretrying\n  HTTP 401  \nbye";
    assert_eq!(find(text), Some((OutcomeResult::AuthError, "HTTP 401")));
    assert_eq!(
        find("HTTP 429: gh is not installed").map(|found| found.0),
        Some(OutcomeResult::DependencyMissing)
    );
    let far = format!("HTTP 401\n{}", "fine\n".repeat(LINES));
    assert_eq!(find(&far), None);
}

proptest! {
    #[test]
    fn any_text_is_judged(text in "(?s).{0,200}") {
        if let Some((result, line)) = find(&text) {
            prop_assert!(result.is_failure());
            prop_assert!(text.contains(line));
        }
        let _ = http_status(&text);
    }
}
