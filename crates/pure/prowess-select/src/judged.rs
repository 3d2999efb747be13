//! A row with the report of the gate, before and after the second reading.

use crate::gate::{Feature, GateReport};
use crate::judge::Judge;
use crate::reasons::SelectReason;
use crate::search::{Candidate, Search};
use crate::selection::Ranked;
use crate::signals::{ActionSignal, ReaderSignal, Signals};

/// A row and the report of the gate on it.
pub(crate) struct Judged {
    pub(crate) candidate: Candidate,
    pub(crate) gate: GateReport,
    /// The answer of the second reader, if it read the row; the score includes its share.
    pub(crate) reader: Option<ReaderSignal>,
    /// The action by itself, if it counted; the score includes its share.
    pub(crate) action: Option<ActionSignal>,
}

impl Judged {
    pub(crate) fn new(judge: &Judge<'_>, candidate: Candidate) -> Self {
        Self { gate: judge.report(candidate.row, candidate.score), candidate, reader: None, action: None }
    }

    /// Counts the action: its share of the score and of the log odds.
    pub(crate) fn count_action(&mut self, text: &str, score: f32, log_odds: f32) {
        self.candidate.score += score;
        self.gate.add(Feature::Action, log_odds);
        self.action = Some(ActionSignal { text: text.to_owned(), share: score });
    }

    pub(crate) fn confidence(&self) -> f32 {
        if self.candidate.certain.is_some() { 1.0 } else { self.gate.confidence }
    }

    pub(crate) fn ranked(&self, search: &Search<'_>, best_score: f32) -> Ranked {
        let Candidate { row, score, standing, certain } = self.candidate.clone();
        let (confidence, signals) = (self.confidence(), self.signals(search));
        let reasons = SelectReason::all(&signals, &self.gate);
        Ranked { row, score, confidence, behind: best_score - score, standing, certain, signals, reasons }
    }

    pub(crate) fn signals(&self, search: &Search<'_>) -> Signals {
        Signals {
            reader: self.reader.clone(),
            action: self.action.clone(),
            ..search.signals(self.candidate.row)
        }
    }
}
