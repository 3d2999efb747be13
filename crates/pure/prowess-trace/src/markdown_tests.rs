use insta::assert_snapshot;
use proptest::prelude::*;
use prowess_types::{OutcomeSource, Usage};
use serde_json::json;

use super::*;
use crate::test_support::{any_lines, call, line, result};
use crate::{UnreadReason, read};

#[test]
fn a_session_reads_well() {
    let session = Session {
        lines: vec![
            TraceLine {
                at: 1_700_000_000_000,
                run: String::new(),
                event: TraceEvent::Session {
                    format: 1,
                    session: "s1".into(),
                    agent: "main".into(),
                    workspace: "/w".into(),
                    imported_from: Some("codex".into()),
                },
            },
            line(TraceEvent::RunStarted {
                message: "Is it raining?\n```\n# no heading\n```".into(),
                snapshot: None,
                catalogue: None,
                backend: prowess_types::Backend {
                    name: "local".into(),
                    model: Some("m".into()),
                    ..Default::default()
                },
                parent: None,
            }),
            call("1", "exec", json!({ "command": "curl wttr.in" })),
            result("1", false, "could not resolve host", Some(6)),
            line(TraceEvent::Answer { text: "I cannot tell.".into() }),
            line(TraceEvent::RunEnded {
                outcome: Outcome {
                    result: OutcomeResult::ApiError,
                    by: OutcomeSource::Classifier,
                    detail: Some("could not `resolve`".into()),
                    key: None,
                },
                usage: Usage { input_tokens: 12, output_tokens: 3, ..Usage::default() },
                ms: Some(1_500),
                stopped: false,
            }),
        ],
        unread: vec![crate::UnreadLine { line: 9, reason: UnreadReason::NotText, raw: String::new() }],
        ..Session::default()
    };
    assert_snapshot!(markdown(&session), @r#"
    # Session `s1`

    - agent: `main`
    - workspace: `/w`
    - started: 2023-11-14T22:13:20Z
    - imported from: `codex`

    ## Run `r1`

    1970-01-01T00:00:01Z, `local`, model `m`

    **User**

    ````
    Is it raining?
    ```
    # no heading
    ```
    ````

    **Call** `exec`

    ```json
    {
      "command": "curl wttr.in"
    }
    ```

    **Result** (failed, exit code 6)

    ```
    could not resolve host
    ```

    **Agent**

    ```
    I cannot tell.
    ```

    **End**: api_error (`` could not `resolve` ``), 1500 ms, 12 tokens in, 3 out

    ## Not read

    - line 9: `not valid UTF-8`
    "#);
}

proptest! {
    #[test]
    fn texts_stay_in_their_fences(lines in any_lines()) {
        let text: String = lines.iter().map(|line| crate::write(line) + "\n").collect();
        let shown = markdown(&read(text.as_bytes()).unwrap());
        let mut fence: Option<&str> = None;
        for line in shown.split('\n') {
            let marks = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                None if marks.len() >= 3 && !line[marks.len()..].contains('`') => fence = Some(marks),
                Some(open) if line == open => fence = None,
                _ => {}
            }
        }
        prop_assert_eq!(fence, None);
    }
}

#[test]
fn the_ranking_and_the_prompt_are_told_apart() {
    use prowess_types::RankedSkill;
    let prompted = |name: &str, how| PromptedSkill {
        name: name.into(),
        path: format!("/{name}/SKILL.md"),
        content_hash: None,
        how,
    };
    let ranked = RankedSkill { name: "maps".into(), score: 1.0, confidence: 0.9, loaded: true };
    let session = Session {
        lines: vec![
            line(TraceEvent::Selection {
                decision: prowess_types::SelectionDecision::Load,
                confidence: 0.9,
                ranked: vec![ranked],
                follow_up: None,
            }),
            line(TraceEvent::Prompt {
                system: "aa".into(),
                context: None,
                message: None,
                chars: 700,
                listed: 1,
                skills: vec![
                    prompted("weather", PromptedAs::Listed),
                    prompted("radar", PromptedAs::Text),
                    prompted("tides", PromptedAs::Map),
                ],
                empty: None,
            }),
        ],
        ..Session::default()
    };
    assert_snapshot!(markdown(&session), @r"
    ## Run `r1` (continued)

    **Ranking**: `load` (0.90)

    - `maps` 0.90

    **Prompt**: 700 characters, skills listed: 1

    - `radar`: whole text
    - `tides`: map of its sections
    ");
}
