//! The second reading: what a reader of message and skill together changes.

use std::cell::RefCell;

use prowess_select::{
    Feature, Gate, Index, Query, Ranked, Route, SecondReader, SecondReading, SelectDecision, SelectOptions,
    Selection,
};

use crate::support::{ENCODER, encode, index, route, skill};

/// Answers with fixed numbers by row, and remembers what it was asked.
#[derive(Debug, Default)]
struct Fixed {
    answers: Vec<f32>,
    is_silent: bool,
    asked: RefCell<Vec<Vec<usize>>>,
}

impl Fixed {
    fn new(answers: &[f32]) -> Self {
        Self { answers: answers.to_vec(), ..Self::default() }
    }
}

impl SecondReader for Fixed {
    fn read(&self, _text: &str, rows: &[usize]) -> Option<Vec<f32>> {
        self.asked.borrow_mut().push(rows.to_vec());
        (!self.is_silent).then(|| rows.iter().map(|&row| self.answers[row]).collect())
    }
}

fn skills() -> Index {
    index(&[
        skill("vault", "Look up a password in the vault"),
        skill("jumps", "Records of athletes, vault and high jump"),
        skill("gym", "Exercises for the gym, vault among them"),
        skill("bank", "Bank accounts"),
    ])
}

/// Reads so many rows; sure of a row when its answer is above 0.
fn reading(rows: usize) -> Route {
    let gate = Gate { intercept: 0.0, weights: vec![(Feature::Reader, 4.0)], request: Vec::new() };
    let second = SecondReading { reader: "fixed".to_owned(), rows, weight: 1.0, doubt: 0.0, gate };
    Route { second: Some(second), ..route() }
}

fn ask(index: &Index, text: &str, route: &Route, reader: Option<&dyn SecondReader>) -> Selection {
    let vector = encode(text);
    let vectors = [(ENCODER, &vector[..])];
    let query = Query { vectors: &vectors, reader, ..Query::new(text) };
    index.select(&query, route, &SelectOptions::default())
}

fn rows(selection: &Selection) -> Vec<usize> {
    selection.ranked.iter().map(|ranked| ranked.row).collect()
}

#[test]
fn the_reader_decides_between_the_best_rows_and_whether_any_loads() {
    let (index, route) = (skills(), reading(2));
    let text = "a password from the vault";
    let first = ask(&index, text, &route, None);
    let [best, next] = rows(&first)[..2] else { panic!("{first:?}") };

    let mut answers = [-5.0; 4];
    answers[next] = 5.0;
    let reader = Fixed::new(&answers);
    let read = ask(&index, text, &route, Some(&reader));
    assert_eq!(rows(&read)[..2], [next, best], "the reader prefers the second");
    assert_eq!(read.decision, SelectDecision::Load { rows: vec![next] });
    assert_eq!(*reader.asked.borrow(), [vec![best, next]], "two rows are read, in one go");

    let refused = ask(&index, text, &route, Some(&Fixed::new(&[-5.0; 4])));
    assert_eq!(refused.decision, SelectDecision::Nothing);
    assert_eq!(refused.gate.features[0].feature, Feature::Reader, "the decision names what spoke against");
}

#[test]
fn what_was_read_stands_before_what_was_not_and_shares_add_up() {
    let (index, route) = (skills(), reading(2));
    let read = ask(&index, "a password from the vault", &route, Some(&Fixed::new(&[-5.0; 4])));
    let is_read: Vec<bool> = read.ranked.iter().map(|ranked| ranked.signals.reader.is_some()).collect();
    assert_eq!(is_read, [true, true, false, false]);
    for pair in read.ranked.windows(2) {
        assert!(pair[0].score >= pair[1].score, "{read:?}");
    }
    for ranked in read.ranked.iter().take(2) {
        assert!((ranked.signals.total() - ranked.score).abs() < 1e-3, "{ranked:?}");
    }
}

#[test]
fn the_rest_is_read_only_where_it_can_change_what_loads() {
    let (index, route) = (skills(), reading(3));
    let text = "a password from the vault";
    let first = rows(&ask(&index, text, &route, None));
    let asked = |route: &Route, answers: [f32; 4]| {
        let mut by_row = [0.0; 4];
        for (&row, answer) in first.iter().zip(answers) {
            by_row[row] = answer;
        }
        let reader = Fixed::new(&by_row);
        let selection = ask(&index, text, route, Some(&reader));
        (selection, reader.asked.into_inner().concat())
    };

    let (settled, read) = asked(&route, [9.0, 0.0, 9.0, 9.0]);
    assert_eq!(read, first[..2], "praise counts as far as the meaning goes, and theirs is less");
    assert_eq!(settled.decision, SelectDecision::Load { rows: vec![first[0]] });
    assert_eq!(rows(&settled), first, "what was not read stands behind");

    let (refused, read) = asked(&route, [-9.0, -9.0, 9.0, -9.0]);
    assert_eq!(read, first[..3], "nothing loads yet, so the third is read");
    assert_eq!(rows(&refused)[0], first[2]);

    let (_, read) = asked(&reading(4), [9.0, 0.0, 9.0, 9.0]);
    assert_eq!(read, first, "where all can be read, all are: a new skill reorders none of the others");
}

#[test]
fn what_loads_is_what_reading_all_would_load() {
    let (index, route) = (skills(), reading(3));
    let text = "a password from the vault";
    let first = ask(&index, text, &route, None).ranked;
    let values = [-9.0, 0.0, 1.0, 9.0];
    let (mut early, mut loads) = (0, 0);
    for code in 0..64_usize {
        let mut answers = [0.0; 4];
        for (place, ranked) in first[..3].iter().enumerate() {
            answers[ranked.row] = values[code >> (2 * place) & 3];
        }
        let reader = Fixed::new(&answers);
        let selection = ask(&index, text, &route, Some(&reader));
        let read = |ranked: &Ranked| {
            let meaning: f32 = ranked.signals.voices.iter().map(|voice| voice.share).sum();
            let answer = answers[ranked.row].min(meaning.max(0.0));
            (ranked.score + answer, answer)
        };
        let best = first[..3].iter().max_by(|a, b| read(a).0.total_cmp(&read(b).0)).expect("three rows");
        let confidence = 1.0 / (1.0 + (-4.0 * read(best).1).exp());
        let expected = if confidence >= selection.load { vec![best.row] } else { Vec::new() };
        let loaded = match &selection.decision {
            SelectDecision::Load { rows } => rows.clone(),
            _ => Vec::new(),
        };
        assert_eq!(loaded, expected, "{answers:?}");
        early += usize::from(reader.asked.borrow().len() == 1);
        loads += usize::from(!loaded.is_empty());
    }
    assert!(early > 0 && early < loads, "{early} of {loads}");
}

#[test]
fn a_named_skill_is_not_read() {
    let reader = Fixed::new(&[-5.0; 4]);
    let named = ask(&skills(), "/vault my password", &reading(2), Some(&reader));
    assert_eq!(named.decision, SelectDecision::Load { rows: vec![0] });
    assert!(reader.asked.borrow().is_empty());
}

#[test]
fn nothing_is_read_below_the_doubt() {
    let mut route = reading(2);
    if let Some(second) = &mut route.second {
        second.doubt = 1.0;
    }
    let reader = Fixed::new(&[5.0; 4]);
    let first = ask(&skills(), "a password from the vault", &route, None);
    let read = ask(&skills(), "a password from the vault", &route, Some(&reader));
    assert!(reader.asked.borrow().is_empty());
    assert_eq!(first, read);
}

#[test]
fn a_reader_that_cannot_answer_changes_nothing() {
    let (index, route) = (skills(), reading(2));
    let text = "a password from the vault";
    let silent = Fixed { is_silent: true, ..Fixed::default() };
    assert_eq!(ask(&index, text, &route, Some(&silent)), ask(&index, text, &route, None));
    let nonsense = ask(&index, text, &route, Some(&Fixed::new(&[f32::NAN; 4])));
    assert!(nonsense.ranked.iter().all(|ranked| ranked.score.is_finite()));
}
