//! A row with the report of the gate, before and after the second reading.

use crate::gate::GateReport;
use crate::judge::Judge;
use crate::reasons::SelectReason;
use crate::search::{Candidate, Search};
use crate::selection::Ranked;
use crate::signals::{ReaderSignal, Signals};

/// A row and the report of the gate on it.
pub(crate) struct Judged {
    pub(crate) candidate: Candidate,
    pub(crate) gate: GateReport,
    /// The answer of the second reader, if it read the row; the score includes its share.
    pub(crate) reader: Option<ReaderSignal>,
}

impl Judged {
    pub(crate) fn new(judge: &Judge<'_>, candidate: Candidate) -> Self {
        Self { gate: judge.report(candidate.row, candidate.score), candidate, reader: None }
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
        Signals { reader: self.reader.clone(), ..search.signals(self.candidate.row) }
    }
}
