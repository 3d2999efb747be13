//! What is decided, and the reasons given for it.

use prowess_select::{
    Certain, Clause, Counterfactual, Eligibility, Feature, Gate, Index, Query, Route, SelectDecision,
    SelectDocument, SelectOptions,
};
use prowess_types::Triggers;

use crate::support::{index, select, skill};

fn world() -> Vec<SelectDocument> {
    vec![
        skill("weather", "Forecasts and current weather for a place"),
        skill("release-notes", "Write release notes from a list of commits"),
        SelectDocument {
            triggers: Triggers {
                any: vec!["log expense".to_owned()],
                none: vec!["draft".to_owned()],
                ..Triggers::default()
            },
            ..skill("expenses", "Keeps track of money spent")
        },
        SelectDocument { paths: vec!["*.tf".to_owned()], ..skill("terraform", "Infrastructure as code") },
    ]
}

#[test]
fn a_name_is_loaded_whatever_else_is_said() {
    let index = index(&world());
    let selection = select(&index, &Query::new("/release-notes weather in Oslo"), &SelectOptions::default());
    assert_eq!(selection.decision, SelectDecision::Load { rows: vec![1] });
    assert_eq!(selection.ranked[0].certain, Some(Certain::Named { text: "/release-notes".to_owned() }));
    assert!((selection.confidence - 1.0).abs() < f32::EPSILON);
}

#[test]
fn a_name_does_not_open_what_may_not_run() {
    let index = index(&world());
    let query = Query { eligible: Some(&[false, true, true, true]), ..Query::new("/weather") };
    let selection = select(&index, &query, &SelectOptions::default());
    assert_eq!(selection.ranked[0].standing, Eligibility::Ineligible);
    assert!(!selection.decision.rows().contains(&0));
}

#[test]
fn files_bring_their_skill_in_and_keep_it_out() {
    let index = index(&world());
    let message = "Explain this infrastructure as code";
    let touched = Query { files: &["main.tf"], ..Query::new(message) };
    let selection = select(&index, &touched, &SelectOptions::default());
    assert_eq!(selection.decision.rows(), [3]);
    let selection = select(&index, &Query::new(message), &SelectOptions::default());
    let terraform = selection.ranked.iter().find(|ranked| ranked.row == 3).unwrap();
    assert_eq!(terraform.standing, Eligibility::OutOfPath);
    assert!(!selection.decision.rows().contains(&3));
    let selection = select(&index, &Query::new("$terraform"), &SelectOptions::default());
    assert_eq!(selection.decision.rows(), [3]);
}

#[test]
fn a_phrase_of_the_author_settles_or_rules_out() {
    let index = index(&world());
    let selection = select(&index, &Query::new("log expense 12 euros"), &SelectOptions::default());
    assert_eq!(selection.decision.rows(), [2]);
    assert_eq!(
        selection.ranked[0].certain,
        Some(Certain::Trigger { phrases: vec!["log expense".to_owned()] })
    );
    let selection = select(&index, &Query::new("log expense, as a draft"), &SelectOptions::default());
    let expenses = selection.ranked.iter().find(|ranked| ranked.row == 2).unwrap();
    assert_eq!(expenses.standing, Eligibility::Vetoed { phrase: "draft".to_owned() });
    assert!(!selection.decision.rows().contains(&2));
}

#[test]
fn nothing_loads_from_nothing() {
    let selection = select(&index(&[]), &Query::new("anything"), &SelectOptions::default());
    assert_eq!(selection.decision, SelectDecision::Nothing);
    assert!(selection.ranked.is_empty() && selection.confidence.abs() < f32::EPSILON);
}

/// A route that is sure of every row with a score, and of none below.
fn sure_from(score: f32) -> Route {
    Route {
        gate: Gate { intercept: -score * 20.0, weights: vec![(Feature::Score, 20.0)], request: Vec::new() },
        load: 0.5,
        suggest: 0.3,
        ..Route::words_alone()
    }
}

#[test]
fn several_requests_load_several_skills() {
    let index = Index::new(&world());
    let message = "Show the weather forecast for Oslo and write release notes from the commits";
    let clauses = prowess_select::clauses(message);
    let clauses: Vec<Clause<'_>> = clauses.iter().map(|text| Clause { text, vectors: &[] }).collect();
    assert_eq!(clauses.len(), 2);
    let route = sure_from(1.5);
    let whole = index.select(&Query::new(message), &route, &SelectOptions::default());
    assert_eq!(whole.decision.rows(), [1]);
    let query = Query { clauses: &clauses, ..Query::new(message) };
    let parts = index.select(&query, &route, &SelectOptions::default());
    assert_eq!(parts.decision, SelectDecision::Load { rows: vec![1, 0] });
}

#[test]
fn one_skill_for_all_requests_loads_once() {
    let index = Index::new(&world());
    let message = "Write release notes. List the commits of the release.";
    let clauses = ["Write release notes", "List the commits of the release"];
    let clauses = clauses.map(|text| Clause { text, vectors: &[] });
    let query = Query { clauses: &clauses, ..Query::new(message) };
    let selection = index.select(&query, &sure_from(1.5), &SelectOptions::default());
    assert_eq!(selection.decision, SelectDecision::Load { rows: vec![1] });
}

#[test]
fn the_levels_part_load_suggest_and_nothing() {
    let index = Index::new(&world());
    let query = Query::new("weather in Oslo");
    let decide = |load: f32, suggest: f32| {
        let options = SelectOptions { load: Some(load), suggest: Some(suggest), ..SelectOptions::default() };
        let selection = index.select(&query, &Route::words_alone(), &options);
        (selection.decision, selection.confidence)
    };
    let (decision, confidence) = decide(0.0, 0.0);
    assert_eq!(decision, SelectDecision::Load { rows: vec![0] });
    assert_eq!(decide(confidence + 0.01, confidence).0, SelectDecision::Suggest { rows: vec![0] });
    assert_eq!(decide(confidence + 0.01, confidence + 0.01).0, SelectDecision::Nothing);
}

#[test]
fn an_answer_says_what_would_have_changed_it() {
    let index = Index::new(&world());
    let options = SelectOptions { load: Some(0.99), suggest: Some(0.98), ..SelectOptions::default() };
    let query =
        Query { eligible: Some(&[true, false, true, true]), ..Query::new("release the weather notes") };
    let selection = index.select(&query, &Route::words_alone(), &options);
    let said: Vec<String> = selection
        .counterfactuals
        .iter()
        .map(|change| change.describe(|row| world()[row].name.clone()))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    a suggest threshold of 0.68 instead of 0.98 would have been reached
    with the score at 4.81 instead of 1.76 the suggest threshold would be crossed
    expenses would be first with 1.758 more
    release-notes would be first if it were eligible
    ");
    let named = index.select(&Query::new("/weather"), &Route::words_alone(), &options);
    let change = named.counterfactuals[0].to_string();
    assert!(
        change.starts_with("without the certain signal, row 0 would have a confidence of 0."),
        "{change}"
    );
}

/// The score that the gate asks for is the score that flips the decision.
#[test]
fn the_needed_value_is_the_one_that_flips_the_decision() {
    let index = Index::new(&world());
    let query = Query::new("weather in Oslo");
    let selection = index.select(&query, &Route::words_alone(), &SelectOptions::default());
    let needed = selection.counterfactuals.iter().find_map(|change| match change {
        Counterfactual::Feature { feature: Feature::Score, needed, .. } => Some(*needed),
        _ => None,
    });
    let lift = needed.unwrap() - selection.ranked[0].score;
    let decide = |lift: f32| {
        let query = Query { prior: Some(&[lift]), ..query };
        index.select(&query, &Route::words_alone(), &SelectOptions::default()).decision
    };
    assert_eq!(decide(lift - 0.01), selection.decision);
    assert_ne!(decide(lift + 0.01), selection.decision);
}
