//! The action of a request against its topic.

use prowess_select::{
    Clause, Feature, Gate, Index, Query, ReasonKind, Route, SelectDecision, SelectOptions, Selection, action,
};

use crate::support::skill;

const MESSAGE: &str = "Search the web for Akka.NET";

fn skills() -> Index {
    Index::new(&[
        skill("akka-net", "Akka NET clustering and Akka NET hosting, latest release"),
        skill("citations", "Search the web: how to search, cite and quote web pages"),
        skill("weather", "Show the weather forecast"),
    ])
}

/// Half sure at this score.
fn sure_from(score: f32) -> Route {
    Route {
        gate: Gate { intercept: -score * 1.5, weights: vec![(Feature::Score, 1.5)], request: Vec::new() },
        load: 0.5,
        suggest: 0.3,
        ..Route::words_alone()
    }
}

fn ask(index: &Index, message: &str, action: Option<&str>) -> Selection {
    let action = action.map(|text| Clause { text, vectors: &[] });
    index.select(&Query { action, ..Query::new(message) }, &sure_from(1.5), &SelectOptions::default())
}

#[test]
fn an_action_that_asks_for_another_skill_than_its_topic_counts_one_half() {
    let index = skills();
    let whole = ask(&index, MESSAGE, None);
    assert_eq!(whole.decision.rows(), [0], "the topic has the rarer words: {whole:#?}");

    let halves = ask(&index, MESSAGE, action(MESSAGE));
    assert_eq!(halves.decision, SelectDecision::Load { rows: vec![1] }, "{halves:#?}");
    for ranked in &halves.ranked {
        assert!((ranked.signals.total() - ranked.score).abs() < 1e-3, "{ranked:?}");
        let reason = ranked.reasons.iter().find(|reason| reason.kind == ReasonKind::Action).unwrap();
        assert!(reason.text.starts_with("“Search the web” by itself "), "{reason:?}");
        let sum: f32 = ranked.reasons.iter().map(|reason| reason.share).sum();
        let of_confidence = (ranked.confidence / (1.0 - ranked.confidence)).ln();
        assert!((sum - of_confidence).abs() < 0.01, "{ranked:?}");
    }
}

#[test]
fn an_action_that_agrees_or_asks_for_nothing_changes_nothing() {
    let index = skills();
    for (message, action) in [
        ("Search and cite web pages about Anna", "Search and cite web pages"),
        ("Make something for the latest Akka.NET clustering release", "Make something"),
        ("Explain the Akka clustering for the latest NET release", "Explain the Akka clustering"),
    ] {
        let with = ask(&index, message, Some(action));
        let without = ask(&index, message, None);
        assert_eq!(with, without, "{message}");
    }
}

#[test]
fn a_named_skill_is_not_weighed() {
    let message = "/akka-net Search the web for the latest Akka.NET clustering release";
    let named = ask(&skills(), message, Some("Search the web"));
    assert_eq!(named.decision, SelectDecision::Load { rows: vec![0] });
}
