//! `prowess cortex`: tasks that are recognised in other words, regions of their own, and words to search with.

use prowess_testkit::web::{Answer, Web};
use serde_json::{Value, json};

use crate::support::{Home, Program as _};

fn learn(home: &Home, task: &str, skill: &str) -> Value {
    home.json(&["cortex", "record", "--task", task, "--skill", skill, "--result", "success", "--json"])
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn file(home: &Home) -> Value {
    value(&std::fs::read_to_string(home.tree.path(".prowess/cortex.json")).expect("the export"))
}

/// The region that a task is recognised as.
fn recognised(home: &Home, task: &str) -> Value {
    let ran = home.run(&["cortex", "perceive", task, "--offline", "--anyway", "--json"]);
    value(&ran.stdout)["region"]["region"].clone()
}

/// An export without vectors, as an earlier version or another program wrote it.
fn earlier() -> Value {
    json!({
        "version": 1,
        "cortex": {
            "sensory": { "patterns": [{ "signal": ["query", "todos"], "region": "todos" }] },
            "motor": { "todos": { "last_used": "2026-11-01", "candidates": [{
                "slug": "todo-a", "source": "clawhub", "version": "1.2.0", "weight": 0.96,
                "runs": { "success": 24, "fail": 1, "recent_successes_7d": 1 },
                "last_fail": null, "side_effects": [], "skill_md_chars": 900, "reflex": false,
            }] } },
            "prefrontal": { "lessons": [] },
        },
        "blacklist": [], "stats": { "searches": 0, "installs": 0, "cache_hits": 0, "reflexes_fired": 0 },
    })
}

#[test]
fn a_task_is_recognised_in_other_words_and_languages() {
    let home = Home::new();
    let learned = learn(&home, "will it rain tomorrow?", "x");
    assert!(learned["signals"].as_array().is_some_and(|words| words.len() >= 2), "{learned}");
    for task in [
        "will it rain tomorrow?",
        "do I need an umbrella tomorrow",
        "is it going to be wet tomorrow",
        "wird es morgen regnen?",
    ] {
        assert_eq!(recognised(&home, task), learned["region"], "{task}");
    }
    for task in ["Dim the TRADFRI bulbs", "send the invoice to my customers"] {
        assert_eq!(recognised(&home, task), Value::Null, "{task}");
    }
    learn(&home, "look up the open todos", "todo");
    assert_eq!(recognised(&home, "list outstanding to-dos"), "query-todos");
}

#[test]
fn unrelated_tasks_never_share_a_region() {
    let home = Home::new();
    let tasks =
        ["Dim the TRADFRI bulbs", "will it rain tomorrow?", "帮我点一杯奶茶", "4711 0815", "4712 0816"];
    let regions: Vec<Value> = tasks.iter().map(|task| learn(&home, task, "x")["region"].clone()).collect();
    for (at, region) in regions.iter().enumerate() {
        assert_ne!(*region, "general");
        assert!(!regions[..at].contains(region), "{regions:?}");
        assert_eq!(recognised(&home, tasks[at]), *region, "{}", tasks[at]);
    }
}

#[test]
fn what_was_learned_without_vectors_is_recognised_by_its_words() {
    let home = Home::new();
    home.tree.write(".prowess/cortex.json", earlier().to_string());
    assert_eq!(recognised(&home, "query my open todos"), "todos");
    // A vector of an encoder that is not here says nothing, and is kept.
    let mut other = earlier();
    other["cortex"]["sensory"]["patterns"][0]["vectors"] =
        json!([{ "encoder": "other-encoder-1", "values": "fwAAAA==" }]);
    let home = Home::new();
    home.tree.write(".prowess/cortex.json", other.to_string());
    assert_eq!(recognised(&home, "query my open todos"), "todos");
    assert_eq!(file(&home)["cortex"]["sensory"]["patterns"][0]["vectors"][0]["encoder"], "other-encoder-1");
}

#[test]
fn a_registry_is_searched_with_english_words_and_no_names() {
    let web = Web::start(|request| match request.path.split('?').next() {
        Some("/api/v1/search") => {
            Answer::ok(json!({ "results": [] }).to_string()).header("content-type", "application/json")
        }
        Some("/search/repositories") => {
            Answer::ok(json!({ "items": [] }).to_string()).header("content-type", "application/json")
        }
        _ => Answer::status(404, "not found"),
    });
    let home = Home::new();
    home.config(&format!("{{cortex: {{githubApi: '{}'}}}}", web.url("")));
    for (task, names) in [
        ("will it rain tomorrow?", &["tomorrow"][..]),
        (
            "remind Alice Meyer to call bob@example.org about order 4711",
            &["alice", "meyer", "bob", "example"],
        ),
        (
            "Wie wird das Wetter am Dienstag bei Peter Koch in Hamburg?",
            &["koch", "peter", "hamburg", "dienstag"],
        ),
        ("明天北京会下雨吗，给张伟发个消息", &["beijing"]),
    ] {
        let mut command = home.command();
        command.env("PROWESS_REGISTRY", web.url(""));
        let ran = home.finish(command.args(["cortex", "perceive", task, "--json"]));
        let seen = value(&ran.stdout);
        let words = seen["keywords"].as_array().expect("words");
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        assert!((3..=5).contains(&words.len()), "{task}: {words:?}");
        assert!(words.iter().all(|word| word.chars().all(|letter| letter.is_ascii_lowercase())), "{words:?}");
        assert!(!words.iter().any(|word| names.contains(word)), "{task}: {words:?}");
    }
    assert!(!web.requests().is_empty());
    for request in web.requests() {
        let path = request.path.to_lowercase();
        for name in ["alice", "meyer", "4711", "koch", "hamburg", "%e5"] {
            assert!(!path.contains(name), "{path}");
        }
    }
}
