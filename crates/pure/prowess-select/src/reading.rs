//! The second reading: the best rows again, message and skill together.

use crate::calibration::{Route, SecondReading};
use crate::judge::Judge;
use crate::judged::Judged;
use crate::query::{Query, SecondReader};
use crate::search::Candidate;
use crate::signals::ReaderSignal;

/// No answer of a reader counts more than this, so that a reader that is beside itself does not drown everything else.
const LOUDEST: f32 = 12.0;

/// The number of rows that are read together. What loads is often settled after that, and the rest need not be read.
const TOGETHER: usize = 2;

/// A reader and what its answers count.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    reader: &'a dyn SecondReader,
    second: &'a SecondReading,
}

impl<'a> Reading<'a> {
    /// The reading that a route provides for, if the caller brought a reader.
    pub(crate) fn of(query: &Query<'a>, route: &'a Route) -> Option<Self> {
        Some(Self { reader: query.reader?, second: route.second.as_ref()? })
    }

    /// Reads the best rows and puts them in order anew. A certain signal leaves no doubt, and a message that is almost
    /// certainly about nothing is not worth the time. `load` is the confidence from which a row is loaded.
    pub(crate) fn read(self, judge: &Judge<'_>, judged: &mut [Judged], load: f32) {
        let is_certain = judged.iter().any(|judged| judged.candidate.certain.is_some());
        let best = judged.iter().find(|judged| judged.candidate.is_open());
        if is_certain || best.is_none_or(|best| best.gate.confidence < self.second.doubt) {
            return;
        }
        let places = self.places(judged);
        // Few rows are all read, so that a new one among them reorders none of the others.
        let may_stop = places.len() < judged.len();
        let (mut read, mut rest) = places.split_at(0);
        while !rest.is_empty() {
            if may_stop && self.is_settled(judge, judged, rest, load) {
                break;
            }
            let next = &rest[..rest.len().min(TOGETHER)];
            let rows: Vec<usize> = next.iter().map(|&place| judged[place].candidate.row).collect();
            let Some(answers) = self.answers(judge, &rows) else { break };
            for (&place, answer) in next.iter().zip(answers) {
                self.hear(judge, &mut judged[place], answer);
            }
            (read, rest) = places.split_at(read.len() + next.len());
        }
        if read.is_empty() {
            return;
        }
        let least = |value: &dyn Fn(&Judged) -> f32| {
            read.iter().map(|&place| value(&judged[place])).fold(f32::INFINITY, f32::min)
        };
        let (score, confidence) = (least(&|it| it.candidate.score), least(&|it| it.gate.confidence));
        // The first look put them behind, so what stands before them holds them down.
        for unread in judged.iter_mut().filter(|judged| judged.reader.is_none()) {
            unread.candidate.score = unread.candidate.score.min(score);
            unread.gate.confidence = unread.gate.confidence.min(confidence);
        }
        // The rest keeps the order of the first look.
        judged.sort_by_key(|judged| judged.reader.is_none());
        judged[..read.len()].sort_by(|a, b| Candidate::order(&a.candidate, &b.candidate));
    }

    /// Returns true if the best row that was read will load whatever the reader says about the rest. The action of a
    /// message may prefer another row, so with one all of them are read.
    fn is_settled(self, judge: &Judge<'_>, judged: &[Judged], rest: &[usize], load: f32) -> bool {
        let read = judged.iter().filter(|judged| judged.reader.is_some() && judged.candidate.is_open());
        let best = read.max_by(|a, b| a.candidate.score.total_cmp(&b.candidate.score));
        let Some(best) = best.filter(|best| best.gate.confidence >= load) else { return false };
        let can_pass = |place: &usize| {
            let Candidate { row, score, .. } = judged[*place].candidate;
            score + support(judge, row) * self.second.weight >= best.candidate.score
        };
        judge.search.query.action.is_none() && !rest.iter().any(can_pass)
    }

    /// The best rows that may be chosen, and those before them that may not: they are named as what would have fitted.
    fn places(self, judged: &[Judged]) -> Vec<usize> {
        let open = (0..judged.len()).filter(|&place| judged[place].candidate.is_open());
        let last = open.take(self.second.rows).last().unwrap_or(0);
        (0..=last).take(2 * self.second.rows).collect()
    }

    /// Returns the confidence in one row for a part of the message, after reading it.
    pub(crate) fn confidence(self, judge: &Judge<'_>, row: usize, score: f32) -> Option<f32> {
        let answer = *self.answers(judge, &[row])?.first()?;
        Some(judge.report_read(self.second, row, score, answer).confidence)
    }

    /// Asks the reader. It reads instructions too, which may claim anything: praise counts as far as the meaning of the
    /// description supports it.
    fn answers(self, judge: &Judge<'_>, rows: &[usize]) -> Option<Vec<f32>> {
        let answers = self.reader.read(judge.search.query.text, rows);
        let answers = answers.filter(|answers| answers.len() == rows.len())?;
        let sound = |(&row, answer): (&usize, f32)| {
            if answer.is_finite() { answer.clamp(-LOUDEST, support(judge, row)) } else { 0.0 }
        };
        Some(rows.iter().zip(answers).map(sound).collect())
    }

    fn hear(self, judge: &Judge<'_>, judged: &mut Judged, value: f32) {
        let Candidate { row, score, .. } = judged.candidate;
        judged.gate = judge.report_read(self.second, row, score, value);
        let share = value * self.second.weight;
        judged.candidate.score += share;
        judged.reader = Some(ReaderSignal { reader: self.second.reader.clone(), value, share });
    }
}

/// The most that praise of a row counts.
fn support(judge: &Judge<'_>, row: usize) -> f32 {
    judge.search.meaning(row).map_or(LOUDEST, |meaning| meaning.clamp(0.0, LOUDEST))
}
