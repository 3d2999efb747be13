//! What holds for every message and every set of skills.

use proptest::prelude::*;
use prowess_select::{Eligibility, Index, Query, Ranked, SelectDocument, SelectOptions, Selection};
use prowess_types::Triggers;

use crate::support::{ENCODER, encode, index, route, select};

/// Words that meet often enough to share terms, phrases, names and files.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "deploy", "deploys", "the", "weather", "invoice", "invoices", "pdf", "report.pdf", "/pdf", "$weather",
            "查天气", "Wetter", "camelCase", "merge-two", "…", "please", "send mail",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(word(), words).prop_map(|words| words.join(" "))
}

fn phrases() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(text(1..3), 0..3)]
}

fn globs() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        6 => Just(Vec::new()),
        1 => prop::collection::vec(
            prop::sample::select(vec!["*.pdf", "src/**", "a[", "**/*"]).prop_map(str::to_owned), 1..3),
    ]
}

prop_compose! {
    fn document()(
        name in text(0..3), description in text(0..12), body in text(0..20),
        when_to_use in prop::option::of(text(0..6)), any in phrases(), all in phrases(), none in phrases(),
        keywords in phrases(), paths in globs(),
    ) -> SelectDocument {
        let triggers = Triggers { any, all, none };
        SelectDocument { name, description, when_to_use, triggers, keywords, body, paths }
    }
}

fn documents() -> impl Strategy<Value = Vec<SelectDocument>> {
    prop::collection::vec(document(), 0..14)
}

fn order(selection: &Selection) -> Vec<usize> {
    selection.ranked.iter().map(|ranked| ranked.row).collect()
}

fn check_ranked(ranked: &Ranked) {
    assert!(ranked.score.is_finite() && ranked.behind.is_finite());
    assert!((0.0..=1.0).contains(&ranked.confidence), "{}", ranked.confidence);
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 * (1.0 + a.abs());
    assert!(near(ranked.signals.total(), ranked.score), "{ranked:?}");
    let words: f32 = ranked.signals.lexical.terms.iter().map(|term| term.share).sum();
    assert!(near(words, ranked.signals.lexical.share), "{ranked:?}");
}

fn check(selection: &Selection, rows: usize, options: &SelectOptions) {
    selection.ranked.iter().for_each(check_ranked);
    assert!((0.0..=1.0).contains(&selection.confidence));
    let shown = order(selection);
    let decided = selection.decision.rows();
    assert!(shown.len() <= options.top + decided.len());
    assert!(shown.iter().all(|&row| row < rows));
    for row in decided {
        let ranked =
            selection.ranked.iter().find(|ranked| ranked.row == *row).expect("decided rows are shown");
        assert_eq!(ranked.standing, Eligibility::Open);
    }
    let doubtful: Vec<f32> = selection
        .ranked
        .iter()
        .filter(|ranked| ranked.certain.is_none())
        .map(|ranked| ranked.score)
        .collect();
    assert!(doubtful.is_sorted_by(|a, b| a >= b), "{doubtful:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_message_gets_one_sound_answer(
        documents in documents(), message in text(0..10), top in 0_usize..12,
        eligible in prop::option::of(prop::collection::vec(any::<bool>(), 0..14)),
        prior in prop::option::of(prop::collection::vec(any::<f32>(), 0..14)),
    ) {
        let index = index(&documents);
        let options = SelectOptions { top, ..SelectOptions::default() };
        let prior: Option<Vec<f32>> = prior.map(|prior| prior.iter().map(|prior| prior % 4.0).collect());
        let query = Query {
            text: &message,
            files: &["src/report.pdf"],
            eligible: eligible.as_deref(),
            prior: prior.as_deref(),
            ..Query::default()
        };
        let selection = select(&index, &query, &options);
        check(&selection, documents.len(), &options);
        prop_assert_eq!(&selection, &select(&index, &query, &options));
    }

    #[test]
    fn an_added_skill_does_not_reorder_the_others(
        documents in documents(), added in document(), message in text(0..10), at in 0_usize..14,
    ) {
        let options = SelectOptions { top: 20, ..SelectOptions::default() };
        let query = Query::new(&message);
        let before = select(&index(&documents), &query, &options);
        let at = at.min(documents.len());
        let mut more = documents;
        more.insert(at, added);
        let after = select(&index(&more), &query, &options);
        let others = after.ranked.iter().filter(|ranked| ranked.row != at);
        let others: Vec<(usize, f32)> =
            others.map(|ranked| (ranked.row - usize::from(ranked.row > at), ranked.score)).collect();
        let expected: Vec<(usize, f32)> = before.ranked.iter().map(|ranked| (ranked.row, ranked.score)).collect();
        prop_assert_eq!(others, expected);
    }

    #[test]
    fn rows_without_vectors_are_judged_by_their_words(
        documents in documents(), message in text(0..10), known in prop::collection::vec(any::<bool>(), 14),
    ) {
        let mut index = Index::new(&documents);
        for (row, document) in documents.iter().enumerate().filter(|&(row, _)| known[row]) {
            index.set_vector(ENCODER, row, &encode(&document.passage())).expect("a vector");
        }
        let options = SelectOptions { top: 20, ..SelectOptions::default() };
        let selection = select(&index, &Query::new(&message), &options);
        check(&selection, documents.len(), &options);
        for ranked in &selection.ranked {
            if let Some(voice) = ranked.signals.voices.first() {
                prop_assert_eq!(voice.cosine.is_some(), known[ranked.row]);
                prop_assert!(known[ranked.row] || voice.share.abs() < f32::EPSILON);
            }
        }
    }
}

/// The short list must contain what a look at every row finds.
#[test]
fn the_best_of_many_are_the_best_of_all() {
    let documents: Vec<SelectDocument> = (0..400)
        .map(|row: u32| SelectDocument {
            name: format!("skill-{row}"),
            description: format!("word{} word{} word{}", row % 7, row % 31, row % 97),
            ..SelectDocument::default()
        })
        .collect();
    let index = index(&documents);
    for message in ["word3 word12", "word96", "something else", ""] {
        let vector = encode(message);
        let query = Query { text: message, vectors: &[(ENCODER, &vector)], ..Query::default() };
        let all = index.select(&query, &route(), &SelectOptions { top: 400, ..SelectOptions::default() });
        let best = index.select(&query, &route(), &SelectOptions { top: 5, ..SelectOptions::default() });
        assert_eq!(order(&best), order(&all)[..5]);
    }
}
