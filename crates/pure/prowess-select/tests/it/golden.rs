//! The same numbers as the reference implementation, `models/reference/selection.py`.
//!
//! The fixture has cosines instead of vectors: a skill with cosine `c` is put at `(c, √(1 − c²))` and the message at `(1, 0)`.

use prowess_select::{Feature, Gate, Index, Languages, Query, Route, SelectDocument, SelectOptions, Voice};
use serde::Deserialize;

const FIXTURE: &str = include_str!("../fixtures/golden.jsonl");
const ENCODER: &str = "reference";
/// How many sentences that ask for nothing there are; three of them count as the nearest.
const NULLS: usize = 64;

#[derive(Deserialize)]
struct Constants {
    mean: f32,
    deviation: f32,
    lexical: f32,
    gate: Coefficients,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Coefficients {
    intercept: f32,
    score: f32,
    null: f32,
    null_mean: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    message: String,
    null: f32,
    null_mean: f32,
    request: f32,
    top: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    name: String,
    description: String,
    body: String,
    cosine: f32,
    lexical: f32,
    score: f32,
    confidence: f32,
}

impl Constants {
    fn route(&self, request: f32) -> Route {
        let Coefficients { intercept, score, null, null_mean } = self.gate;
        let weights = [
            (Feature::Score, score),
            (Feature::Null, null),
            (Feature::NullMean, null_mean),
            (Feature::Request, 1.0),
        ];
        let gate = Gate { intercept, weights: weights.to_vec(), request: vec![request, 0.0] };
        let (encoder, mean, deviation) = (ENCODER.to_owned(), self.mean, self.deviation);
        let voices = vec![Voice { encoder, mean, deviation, weight: 1.0, bridge: None }];
        Route {
            languages: Languages::English,
            voices,
            lexical: self.lexical,
            gate,
            second: None,
            load: 0.5,
            suggest: 0.3,
        }
    }

    /// Sentences of which the nearest three and all have the given means, in deviations.
    fn nulls(&self, case: &Case) -> Vec<Vec<f32>> {
        let others = (case.null_mean * NULLS as f32 - case.null * 3.0) / (NULLS as f32 - 3.0);
        let value = |number: usize| if number < 3 { case.null } else { others };
        (0..NULLS).map(|number| at(self.mean + value(number) * self.deviation)).collect()
    }
}

/// A vector that has this cosine with `(1, 0)`.
fn at(cosine: f32) -> Vec<f32> {
    vec![cosine, (1.0 - cosine * cosine).sqrt()]
}

#[test]
fn scores_and_confidences_are_those_of_the_reference() {
    let mut lines = FIXTURE.lines();
    let constants: Constants = serde_json::from_str(lines.next().unwrap()).unwrap();
    let cases: Vec<Case> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() > 10);
    let mut compared = 0;
    for case in &cases {
        let document = |expected: &Expected| SelectDocument {
            name: expected.name.clone(),
            description: expected.description.clone(),
            body: expected.body.clone(),
            ..SelectDocument::default()
        };
        let mut index = Index::new(&case.top.iter().map(document).collect::<Vec<_>>());
        for (row, expected) in case.top.iter().enumerate() {
            index.set_vector(ENCODER, row, &at(expected.cosine)).unwrap();
        }
        index.set_nulls(ENCODER, &constants.nulls(case)).unwrap();
        let query = Query { text: &case.message, vectors: &[(ENCODER, &[1.0, 0.0])], ..Query::default() };
        let selection = index.select(&query, &constants.route(case.request), &SelectOptions::default());
        let order: Vec<usize> = selection.ranked.iter().map(|ranked| ranked.row).collect();
        assert_eq!(order, (0..case.top.len()).collect::<Vec<_>>(), "{}", case.message);
        for (ranked, expected) in selection.ranked.iter().zip(&case.top) {
            let near = |found: f32, expected: f32, tolerance: f32| (found - expected).abs() < tolerance;
            assert!(
                near(ranked.signals.lexical.value, expected.lexical, 1e-3),
                "{} {}",
                case.message,
                expected.name
            );
            assert!(near(ranked.score, expected.score, 2e-3), "{} {}", ranked.score, expected.score);
            // The reference lets words decide alone; here the gate takes no more from them than the meaning supports.
            let meaning = (expected.cosine - constants.mean) / constants.deviation;
            if expected.score < 2.0 * meaning + 1.0 {
                compared += 1;
                assert!(near(ranked.confidence, expected.confidence, 1e-3), "{}", case.message);
            }
        }
    }
    assert!(compared > 40, "{compared}");
}
