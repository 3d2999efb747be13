//! The words that a message and a skill share, weighed by field (BM25F over an inverted index).
//!
//! What a word is worth comes from a fixed table and not from the skills at hand, and so do the lengths that
//! texts are compared with: the score of a skill depends on the message and that skill alone.

use std::collections::HashMap;

use serde::Serialize;

use crate::document::{Field, SelectDocument};
use crate::rarity::rarity;
use crate::terms::terms;

/// How soon another occurrence of a word stops mattering.
const SATURATION: f32 = 0.9;
/// Number of fields.
const FIELDS: usize = 4;

/// How a field counts.
struct Shape {
    field: Field,
    weight: f32,
    /// How much longer texts are discounted, from 0 to 1.
    normalisation: f32,
    /// The usual number of terms.
    usual_length: f32,
}

const SHAPES: [Shape; FIELDS] = [
    Shape { field: Field::Name, weight: 2.0, normalisation: 0.3, usual_length: 2.0 },
    Shape { field: Field::Description, weight: 1.0, normalisation: 0.5, usual_length: 25.0 },
    Shape { field: Field::Triggers, weight: 1.0, normalisation: 0.5, usual_length: 25.0 },
    Shape { field: Field::Body, weight: 1.0, normalisation: 0.5, usual_length: 150.0 },
];

/// The terms of all rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct LexicalIndex {
    numbers: HashMap<Box<str>, u32>,
    /// By term, in the order of the rows.
    postings: Vec<Vec<Posting>>,
    /// By row, what one occurrence in each field is worth.
    worth: Vec<[f32; FIELDS]>,
}

#[derive(Clone, Copy, Debug)]
struct Posting {
    row: u32,
    counts: [u8; FIELDS],
}

/// A message as terms that are worth something.
#[derive(Clone, Debug, Default)]
pub(crate) struct LexicalQuery {
    terms: Vec<QueryTerm>,
}

#[derive(Clone, Debug)]
struct QueryTerm {
    text: String,
    /// The word as the message has it, in lower case.
    word: String,
    /// What the term can add to a score.
    worth: f32,
    /// The term's number in the index, if any row has it.
    number: Option<u32>,
}

/// What one term added to a row's lexical score.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermSignal {
    /// The message's word.
    pub word: String,
    /// The field that did most for it.
    pub field: Field,
    /// Its part of the row's score.
    pub share: f32,
}

impl LexicalIndex {
    /// Adds the next row.
    pub(crate) fn push(&mut self, document: &SelectDocument) {
        let row = u32::try_from(self.worth.len()).unwrap_or(u32::MAX);
        let mut lengths = [0_usize; FIELDS];
        for (index, shape) in SHAPES.iter().enumerate() {
            for text in document.texts(shape.field) {
                terms(text, |term| {
                    lengths[index] += 1;
                    let postings = self.postings_of(term.text);
                    if postings.last().is_none_or(|posting| posting.row != row) {
                        postings.push(Posting { row, counts: [0; FIELDS] });
                    }
                    if let Some(posting) = postings.last_mut() {
                        posting.counts[index] = posting.counts[index].saturating_add(1);
                    }
                });
            }
        }
        self.worth.push(std::array::from_fn(|index| {
            let Shape { weight, normalisation, usual_length, .. } = SHAPES[index];
            weight / (1.0 - normalisation + normalisation * lengths[index] as f32 / usual_length)
        }));
    }

    fn postings_of(&mut self, term: &str) -> &mut Vec<Posting> {
        let number = if let Some(&number) = self.numbers.get(term) {
            number as usize
        } else {
            let number = self.postings.len();
            self.numbers.insert(term.into(), u32::try_from(number).unwrap_or(u32::MAX));
            self.postings.push(Vec::new());
            number
        };
        &mut self.postings[number]
    }

    /// The terms of a message, each once, in its order.
    pub(crate) fn query(&self, message: &str) -> LexicalQuery {
        let mut query = LexicalQuery::default();
        terms(message, |term| {
            if !query.terms.iter().any(|known| known.text == term.text) {
                let number = self.numbers.get(term.text).copied();
                let (text, word) = (term.text.to_owned(), term.word.to_lowercase());
                query.terms.push(QueryTerm { worth: rarity(&text), text, word, number });
            }
        });
        // A long message shares words with everything; its words count less each.
        let total: f32 = query.terms.iter().map(|term| term.worth).sum();
        query.terms.iter_mut().for_each(|term| term.worth /= total.sqrt());
        query
    }

    /// The score of every row.
    pub(crate) fn scores(&self, query: &LexicalQuery) -> Vec<f32> {
        let mut scores = vec![0.0; self.worth.len()];
        for (term, postings) in self.found(query) {
            for posting in postings {
                scores[posting.row as usize] += term.worth * self.saturated(posting);
            }
        }
        scores
    }

    /// What each term adds to the score of a row, the most first.
    pub(crate) fn explain(&self, query: &LexicalQuery, row: usize) -> Vec<TermSignal> {
        let mut signals: Vec<TermSignal> = self
            .found(query)
            .filter_map(|(term, postings)| {
                let at = postings.binary_search_by_key(&row, |posting| posting.row as usize).ok()?;
                let posting = &postings[at];
                let strongest = (0..FIELDS).max_by(|&a, &b| {
                    let part = |index: usize| f32::from(posting.counts[index]) * self.worth[row][index];
                    part(a).total_cmp(&part(b)).then(b.cmp(&a))
                })?;
                let share = term.worth * self.saturated(posting);
                Some(TermSignal { word: term.word.clone(), field: SHAPES[strongest].field, share })
            })
            .collect();
        signals.sort_by(|a, b| b.share.total_cmp(&a.share));
        signals
    }

    fn found<'a>(&'a self, query: &'a LexicalQuery) -> impl Iterator<Item = (&'a QueryTerm, &'a [Posting])> {
        query.terms.iter().filter_map(|term| Some((term, &self.postings[term.number? as usize][..])))
    }

    /// How much of a term a row has, from 0 towards `SATURATION + 1`.
    fn saturated(&self, posting: &Posting) -> f32 {
        let worth = &self.worth[posting.row as usize];
        let occurrences: f32 =
            posting.counts.iter().zip(worth).map(|(&count, &worth)| f32::from(count) * worth).sum();
        occurrences * (SATURATION + 1.0) / (SATURATION + occurrences)
    }
}
