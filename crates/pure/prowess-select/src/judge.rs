//! The gate's features: what the message itself sounds like, once, and the score of each row.

use crate::calibration::SecondReading;
use crate::gate::{Feature, Gate, GateReport};
use crate::search::Search;
use crate::vectors;

/// The nearest sentences that ask for nothing.
const NEAREST: usize = 3;

/// What words alone can add to a score, as far as the gate is concerned.
const WORDS_ALONE: f32 = 1.0;

/// Judges the rows of one message.
pub(crate) struct Judge<'s> {
    pub(crate) search: &'s Search<'s>,
    null: f32,
    null_mean: f32,
    request: f32,
}

impl<'s> Judge<'s> {
    pub(crate) fn new(search: &'s Search<'s>) -> Self {
        let mut nulls: Vec<f32> = Vec::new();
        for speaker in &search.speakers {
            let values = speaker.nulls().map(|value| value * speaker.voice.weight);
            if nulls.is_empty() {
                nulls = values.collect();
            } else {
                nulls.iter_mut().zip(values).for_each(|(null, value)| *null += value);
            }
        }
        nulls.sort_by(|a, b| b.total_cmp(a));
        let request = request(search, &search.route.gate);
        Self { search, null: mean(&nulls[..nulls.len().min(NEAREST)]), null_mean: mean(&nulls), request }
    }

    /// How sure it is that a row with this score should load, certain signals aside.
    pub(crate) fn report(&self, row: usize, score: f32) -> GateReport {
        self.judge(&self.search.route.gate, row, score, self.request, 0.0)
    }

    /// The same for a row that was read again: `score` is that of the first look.
    pub(crate) fn report_read(
        &self,
        second: &SecondReading,
        row: usize,
        score: f32,
        answer: f32,
    ) -> GateReport {
        let request = request(self.search, &second.gate);
        self.judge(&second.gate, row, score, request, answer)
    }

    fn judge(&self, gate: &Gate, row: usize, score: f32, request: f32, reader: f32) -> GateReport {
        gate.judge(&Feature::ALL.map(|feature| match feature {
            Feature::Score => self.supported(row, score),
            Feature::Null => self.null,
            Feature::NullMean => self.null_mean,
            Feature::Request => request,
            Feature::Reader => reader,
            Feature::Action => 0.0,
        }))
    }

    /// A score as far as its meaning supports it: words may add as much again and a little more, but where the meaning
    /// says nothing they do not decide alone.
    fn supported(&self, row: usize, score: f32) -> f32 {
        match self.search.meaning(row) {
            Some(meaning) => score.min(meaning + meaning.max(0.0) + WORDS_ALONE),
            None => score,
        }
    }
}

/// Returns the likeness of the message to a request, along the direction of a gate.
fn request(search: &Search<'_>, gate: &Gate) -> f32 {
    search.speakers.first().map_or(0.0, |speaker| vectors::dot(&gate.request, &speaker.message))
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}
