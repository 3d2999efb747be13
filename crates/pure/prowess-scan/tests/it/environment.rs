//! The recorded vectors of variable names.

use prowess_scan::environment::{Judgement, judge_name, judge_value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    name: String,
    value: Option<String>,
    value_repeat: Option<(String, usize)>,
    expect: String,
}

#[test]
fn every_vector_comes_out_as_recorded() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../fixtures/environment.json")).expect("JSON");
    assert_eq!(vectors.len(), 500);
    for vector in vectors {
        let value =
            vector.value_repeat.map(|(text, times)| text.repeat(times)).or(vector.value).unwrap_or_default();
        let word = |is_own_primary| match (judge_name(&vector.name, is_own_primary), judge_value(&value)) {
            (Judgement::Refused { .. }, _) => "blocked",
            (Judgement::Invalid { .. }, _) | (_, Judgement::Invalid { .. }) => "invalid",
            _ => "allowed",
        };
        let (foreign, own) = (word(false), word(true));
        match vector.expect.as_str() {
            "blocked_unless_declared_primary" => {
                assert_eq!((foreign, own), ("blocked", "allowed"), "{}", vector.name);
            }
            expected => assert_eq!(foreign, expected, "`{}`", vector.name.escape_debug()),
        }
    }
}

#[test]
fn code_loading_names_are_refused_whatever_is_declared() {
    for name in ["LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "PATH", "PROWESS_HOME", "GIT_SSH_COMMAND"] {
        assert!(matches!(judge_name(name, true), Judgement::Refused { .. }), "{name}");
    }
    assert_eq!(judge_name("GIT_AUTHOR_NAME", false), Judgement::Allowed);
}
