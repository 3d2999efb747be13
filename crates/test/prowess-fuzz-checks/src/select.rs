//! Any skills and any message give one sound answer that explains itself.

use prowess_select::overlap::{Probe, overlaps, probes};
use prowess_select::{
    Calibration, Clause, Eligibility, Index, Query, SelectDocument, SelectOptions, Selection, Voice, clauses,
};
use prowess_types::Triggers;

/// Ends a skill in the input.
const RECORD: char = '\u{1e}';
/// Ends a field of a skill.
const FIELD: char = '\u{1f}';

/// A message, then skills of the fields name, description, body, and one of phrases, exclusions or globs.
pub fn check(text: &str) {
    let mut records = text.split(RECORD);
    let message = records.next().unwrap_or_default();
    let documents: Vec<SelectDocument> = records.map(document).collect();
    let mut index = Index::new(&documents);
    for (row, document) in documents.iter().enumerate().step_by(2) {
        index.set_vector("bytes", row, &vector(&document.passage())).expect("a direction");
    }
    let voice = Voice::measured("bytes", &index.null_cosines("bytes"));
    let route = &Calibration::default().route_with(voice);
    let eligible: Vec<bool> = documents.iter().map(|document| document.body.len() % 3 != 1).collect();
    let vector = vector(message);
    let vectors = [("bytes", &vector[..])];
    let parts = clauses(message);
    let parts: Vec<Clause<'_>> = parts.iter().map(|text| Clause { text, vectors: &[] }).collect();
    let query = Query {
        text: message,
        vectors: &vectors,
        files: &["src/main.rs"],
        eligible: Some(&eligible),
        clauses: &parts,
        ..Query::default()
    };
    let selection = index.select(&query, route, &SelectOptions::default());
    check_selection(&selection, &eligible);
    assert_eq!(selection, index.select(&query, route, &SelectOptions::default()), "the same answer twice");

    for (row, document) in documents.iter().enumerate() {
        let messages = probes(document);
        let probes: Vec<Probe<'_>> = messages.iter().map(|text| Probe { row, text, vectors: &[] }).collect();
        for overlap in overlaps(&index, &documents, &probes, route) {
            assert!(overlap.meant == row && overlap.rival != row && overlap.ahead.is_finite());
        }
    }
}

fn document(record: &str) -> SelectDocument {
    let mut fields = record.split(FIELD);
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let (name, description, body) = (field(), field(), field());
    let mut document = SelectDocument { name, description, body, ..SelectDocument::default() };
    let lists: [fn(&mut SelectDocument) -> &mut Vec<String>; 5] = [
        |document| &mut document.triggers.any,
        |document| &mut document.triggers.all,
        |document| &mut document.triggers.none,
        |document| &mut document.paths,
        |document| &mut document.keywords,
    ];
    for (text, list) in fields.zip(lists.iter().cycle()) {
        list(&mut document).push(text.to_owned());
    }
    let Triggers { any, all, none } = &document.triggers;
    assert!(any.len() >= all.len() && all.len() >= none.len());
    document
}

/// A vector that depends on the text and is never zero.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![1.0; 8];
    for (at, byte) in text.bytes().enumerate() {
        vector[at % 8] += f32::from(byte);
    }
    vector
}

fn check_selection(selection: &Selection, eligible: &[bool]) {
    assert!((0.0..=1.0).contains(&selection.confidence));
    for ranked in &selection.ranked {
        assert!(ranked.score.is_finite() && (0.0..=1.0).contains(&ranked.confidence));
        assert!((ranked.signals.total() - ranked.score).abs() <= 1e-3 * (1.0 + ranked.score.abs()));
        assert_eq!(ranked.standing == Eligibility::Ineligible, !eligible[ranked.row]);
    }
    for row in selection.decision.rows() {
        let ranked =
            selection.ranked.iter().find(|ranked| ranked.row == *row).expect("decided rows are shown");
        assert_eq!(ranked.standing, Eligibility::Open);
    }
}
