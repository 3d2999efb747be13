//! The few rows that can be among the best, found by a look at all of them.
//!
//! All rows get a score that is off by a known amount at most; every row that could still be among the best
//! within that amount is scored exactly. So the result is that of an exact search.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::calibration::{Route, Voice};
use crate::index::{Encoded, Index};
use crate::lexical::LexicalQuery;
use crate::paths::Touched;
use crate::phrases::{Triggered, trigger_share};
use crate::query::Query;
use crate::selection::{Certain, Eligibility};
use crate::vectors;

/// Room for the rounding of the sums.
const ROUNDING: f32 = 1e-4;

/// A message against an index: everything that is computed once.
pub(crate) struct Search<'a> {
    pub(crate) index: &'a Index,
    pub(crate) route: &'a Route,
    pub(crate) query: &'a Query<'a>,
    /// The voices of the route that can speak.
    pub(crate) speakers: Vec<Speaker<'a>>,
    pub(crate) lexical_query: LexicalQuery,
    /// The lexical score by row, not weighed.
    pub(crate) lexical: Vec<f32>,
    pub(crate) triggered: BTreeMap<u32, Triggered>,
    pub(crate) touched: BTreeMap<u32, Touched>,
    pub(crate) called: BTreeMap<u32, String>,
}

/// A voice with the message and the rows as it knows them.
pub(crate) struct Speaker<'a> {
    pub(crate) voice: &'a Voice,
    pub(crate) encoded: &'a Encoded,
    /// Unit length.
    pub(crate) message: Vec<f32>,
}

/// A row with its exact score.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) row: usize,
    pub(crate) score: f32,
    pub(crate) standing: Eligibility,
    pub(crate) certain: Option<Certain>,
}

impl Candidate {
    /// Certain rows first, then by score; rows as good as each other keep their order.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let class = |candidate: &Self| candidate.certain.as_ref().map_or(Certain::CLASSES, Certain::class);
        let by_class = class(self).cmp(&class(other));
        by_class.then(other.score.total_cmp(&self.score)).then(self.row.cmp(&other.row))
    }

    pub(crate) fn is_open(&self) -> bool {
        self.standing == Eligibility::Open
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(index: &'a Index, query: &'a Query<'a>, route: &'a Route) -> Self {
        let speakers = route.voices.iter().filter_map(|voice| {
            let encoded = index.encoders.get(&voice.encoder)?;
            let (_, vector) = query.vectors.iter().find(|(encoder, _)| *encoder == voice.encoder)?;
            let fits = vector.len() == encoded.table.dimensions();
            Some(Speaker { voice, encoded, message: vectors::unit(vector).filter(|_| fits)? })
        });
        let lexical_query = index.lexical.query(query.text);
        let calls = index.names.called(query.text).into_iter();
        Self {
            index,
            route,
            query,
            speakers: speakers.collect(),
            lexical: index.lexical.scores(&lexical_query),
            triggered: index.phrases.find(query.text),
            touched: index.paths.touched(query.files, query.text),
            called: calls.map(|call| (call.row, call.text)).collect(),
            lexical_query,
        }
    }

    /// The same without trigger phrases, names and files: only what the texts say.
    pub(crate) fn plain(index: &'a Index, query: &'a Query<'a>, route: &'a Route) -> Self {
        let nothing = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (triggered, touched, called) = nothing;
        Self { triggered, touched, called, ..Self::new(index, query, route) }
    }

    /// The best rows, in order: at least `count` that may be chosen (if there are so many), every row that
    /// stands before them, and all certain ones.
    pub(crate) fn best(&self, count: usize) -> Vec<Candidate> {
        let (scores, error) = self.first_look();
        let open = scores.iter().enumerate().filter(|&(row, _)| self.is_open(row));
        let floor =
            nth_best(open.map(|(_, &score)| score), count).map_or(f32::MIN, |score| score - 2.0 * error);
        let special = self.called.keys().chain(self.touched.keys()).chain(self.triggered.keys());
        let good = scores.iter().enumerate().filter(|&(_, &score)| score >= floor).map(|(row, _)| row);
        let rows: BTreeSet<usize> = good.chain(special.map(|&row| row as usize)).collect();
        let mut candidates: Vec<Candidate> = rows.into_iter().map(|row| self.candidate(row)).collect();
        candidates.sort_by(Candidate::order);
        candidates
    }

    /// The score of every row, nearly, and how far off it can be.
    fn first_look(&self) -> (Vec<f32>, f32) {
        let mut scores: Vec<f32> = self.lexical.iter().map(|score| score * self.route.lexical).collect();
        let mut error = ROUNDING;
        for speaker in &self.speakers {
            let Voice { mean, deviation, weight, .. } = *speaker.voice;
            let factor = weight / deviation;
            let add = |row: usize, cosine: f32| scores[row] += (cosine - mean) * factor;
            error += factor.abs() * speaker.encoded.table.look(&speaker.message, add);
        }
        for (&row, triggered) in &self.triggered {
            scores[row as usize] += trigger_share(triggered);
        }
        if let Some(prior) = self.query.prior {
            scores.iter_mut().zip(prior).for_each(|(score, prior)| *score += finite(*prior));
        }
        (scores, error)
    }

    /// A row with its exact score.
    pub(crate) fn candidate(&self, row: usize) -> Candidate {
        let (standing, certain) = (self.standing(row), self.certain(row));
        Candidate { row, score: self.score(row), standing, certain }
    }
}

/// The `count`-th largest value; none if there are not more than that many.
fn nth_best(values: impl Iterator<Item = f32>, count: usize) -> Option<f32> {
    let mut best: BinaryHeap<Reverse<Total>> = BinaryHeap::with_capacity(count + 1);
    for value in values {
        if best.len() < count {
            best.push(Reverse(Total(value)));
        } else if best.peek().is_some_and(|Reverse(least)| value > least.0) {
            best.pop();
            best.push(Reverse(Total(value)));
        }
    }
    (best.len() == count).then(|| best.peek().map(|Reverse(least)| least.0)).flatten()
}

/// A float with a total order.
struct Total(f32);

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}

/// A row as the maps count it.
pub(crate) fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

/// A number from outside that cannot spoil a sum.
pub(crate) fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
