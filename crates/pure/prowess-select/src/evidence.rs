//! What speaks for one row: the signals of its score, certain signals, and what rules it out.

use crate::lexical::TermSignal;
use crate::phrases::trigger_share;
use crate::search::{Search, Speaker, finite, number};
use crate::selection::{Certain, Eligibility};
use crate::signals::{LexicalSignal, Signals, TriggerSignal, VoiceSignal};
use crate::vectors;

impl Speaker<'_> {
    /// A cosine in deviations above an unrelated skill's.
    pub(crate) fn standard(&self, cosine: f32) -> f32 {
        (cosine - self.voice.mean) / self.voice.deviation
    }

    /// The row's cosine in deviations; zero while the row has no vector.
    pub(crate) fn value(&self, row: usize) -> f32 {
        self.encoded.table.cosine(row, &self.message).map_or(0.0, |cosine| self.standard(cosine))
    }

    /// How like each sentence that asks for nothing the message is, in deviations.
    pub(crate) fn nulls(&self) -> impl Iterator<Item = f32> {
        self.encoded.nulls.iter().map(|null| self.standard(vectors::dot(null, &self.message)))
    }

    fn signal(&self, row: usize) -> VoiceSignal {
        let cosine = self.encoded.table.cosine(row, &self.message);
        let value = cosine.map_or(0.0, |cosine| self.standard(cosine));
        VoiceSignal { encoder: self.voice.encoder.clone(), cosine, value, share: value * self.voice.weight }
    }
}

impl Search<'_> {
    /// The exact score of a row.
    pub(crate) fn score(&self, row: usize) -> f32 {
        let meaning = self.meaning(row).unwrap_or(0.0);
        meaning + self.lexical[row] * self.route.lexical + self.triggers(row) + self.prior(row).unwrap_or(0.0)
    }

    /// What the voices say of a row; none if there is no voice at all.
    pub(crate) fn meaning(&self, row: usize) -> Option<f32> {
        let share = |speaker: &Speaker<'_>| speaker.value(row) * speaker.voice.weight;
        (!self.speakers.is_empty()).then(|| self.speakers.iter().map(share).sum())
    }

    /// What the score of a row is made of.
    pub(crate) fn signals(&self, row: usize) -> Signals {
        let mut terms = self.index.lexical.explain(&self.lexical_query, row);
        let weigh = |signal: &mut TermSignal| signal.share *= self.route.lexical;
        terms.iter_mut().for_each(weigh);
        let share = self.lexical[row] * self.route.lexical;
        let triggers = self.triggered.get(&number(row)).filter(|triggered| !triggered.phrases.is_empty());
        Signals {
            voices: self.speakers.iter().map(|speaker| speaker.signal(row)).collect(),
            lexical: LexicalSignal { value: self.lexical[row], share, terms },
            triggers: triggers.map(|triggered| TriggerSignal {
                phrases: triggered.phrases.clone(),
                share: trigger_share(triggered),
            }),
            prior: self.prior(row),
            reader: None,
            action: None,
        }
    }

    /// What leaves no doubt about a row.
    pub(crate) fn certain(&self, row: usize) -> Option<Certain> {
        let row = number(row);
        if let Some(text) = self.called.get(&row) {
            return Some(Certain::Named { text: text.clone() });
        }
        if let Some(touched) = self.touched.get(&row) {
            return Some(Certain::Path { file: touched.file.clone(), glob: touched.glob.clone() });
        }
        let triggered = self.triggered.get(&row).filter(|triggered| triggered.is_settled)?;
        Some(Certain::Trigger { phrases: triggered.phrases.clone() })
    }

    /// Whether a row may be chosen. What the user calls by name, no phrase or file rules out.
    pub(crate) fn standing(&self, row: usize) -> Eligibility {
        if !self.is_eligible(row) {
            return Eligibility::Ineligible;
        }
        let row = number(row);
        if self.called.contains_key(&row) {
            return Eligibility::Open;
        }
        match self.triggered.get(&row).and_then(|triggered| triggered.vetoed_by.clone()) {
            Some(phrase) => Eligibility::Vetoed { phrase },
            None if self.index.paths.limits(row) && !self.touched.contains_key(&row) => {
                Eligibility::OutOfPath
            }
            None => Eligibility::Open,
        }
    }

    /// Returns true if a row may be chosen, asked of every row: most have nothing that could rule them out.
    pub(crate) fn is_open(&self, row: usize) -> bool {
        let has_exceptions = !(self.triggered.is_empty() && self.index.paths.is_empty());
        self.is_eligible(row) && (!has_exceptions || self.standing(row) == Eligibility::Open)
    }

    fn is_eligible(&self, row: usize) -> bool {
        self.query.eligible.is_none_or(|eligible| eligible.get(row).copied().unwrap_or(false))
    }

    fn triggers(&self, row: usize) -> f32 {
        self.triggered.get(&number(row)).map_or(0.0, trigger_share)
    }

    fn prior(&self, row: usize) -> Option<f32> {
        self.query.prior.and_then(|prior| prior.get(row)).map(|&prior| finite(prior))
    }
}
