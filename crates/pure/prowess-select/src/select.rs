//! From scores to a decision that explains itself.

use crate::action::Action;
use crate::calibration::Route;
use crate::counterfactual::Decided;
use crate::decision::SelectDecision;
use crate::index::Index;
use crate::judge::Judge;
use crate::judged::Judged;
use crate::query::{Query, SelectOptions};
use crate::reading::Reading;
use crate::reasons::SelectReason;
use crate::search::{Candidate, Search};
use crate::selection::{Certain, Ranked, Selection};

/// At most this many skills load or are suggested at once, unless the user names more.
const AT_ONCE: usize = 3;
/// How sure it must be of a skill for one of several requests.
const SURE_OF_CLAUSE: f32 = 0.8;

impl Index {
    /// Ranks the rows for a message and decides what to do with the best ones.
    ///
    /// The same question always gets the same answer. A row's score depends on the message and that row alone, so
    /// adding a row never reorders others; rows as good as each other keep their order. Of the rows that a second reader
    /// read this holds too; they stand before those that it did not.
    pub fn select(&self, query: &Query<'_>, route: &Route, options: &SelectOptions) -> Selection {
        let search = Search::new(self, query, route);
        let judge = Judge::new(&search);
        let reading = Reading::of(query, route);
        let read = route.second.as_ref().filter(|_| reading.is_some()).map_or(0, |second| second.rows);
        let candidates = search.best(options.top.max(AT_ONCE).max(read));
        let mut judged: Vec<Judged> =
            candidates.into_iter().map(|candidate| Judged::new(&judge, candidate)).collect();
        let load = options.load.unwrap_or(route.load);
        if let Some(reading) = reading {
            reading.read(&judge, &mut judged, load);
        }
        if let Some(action) = Action::of(self, query, route) {
            action.weigh(&judge, &mut judged);
        }
        let suggest = options.suggest.unwrap_or(route.suggest);
        let decision =
            Levels { load, suggest }.decide(&judged, || self.asked_for(query, route, &judge, suggest));
        let best = judged.iter().find(|judged| judged.candidate.is_open());
        let confidence = best.map_or(0.0, Judged::confidence);
        let gate = best.map(|best| best.gate.clone()).unwrap_or_default();
        let reasons = best.map(|best| SelectReason::all(&best.signals(&search), &gate)).unwrap_or_default();
        let against = SelectReason::against(&reasons, &decision, load, suggest);
        let ranked = shown(&search, &judge, &judged, &decision, options.top);
        let decided = Decided { ranked: &ranked, decision: &decision, gate: &gate, load, suggest };
        let counterfactuals = decided.counterfactuals();
        Selection { ranked, confidence, decision, gate, load, suggest, against, counterfactuals }
    }

    /// The skills that the requests of a message ask for, if they ask for different ones; the surest first.
    fn asked_for(&self, query: &Query<'_>, route: &Route, whole: &Judge<'_>, suggest: f32) -> Vec<usize> {
        // A reader of the whole message hears the loudest request alone, so the first look speaks for the message.
        let of_message = |row: usize| whole.report(row, whole.search.score(row)).confidence;
        let mut asked: Vec<(usize, f32)> = Vec::new();
        for clause in query.clauses {
            let query =
                Query { text: clause.text, vectors: clause.vectors, clauses: &[], action: None, ..*query };
            let search = Search::plain(self, &query, route);
            let Some(best) = search.best(1).into_iter().find(Candidate::is_open) else { continue };
            let judge = Judge::new(&search);
            let confidence = judge.report(best.row, best.score).confidence;
            if confidence < SURE_OF_CLAUSE || of_message(best.row) < suggest {
                continue;
            }
            let read = Reading::of(&query, route)
                .and_then(|reading| reading.confidence(&judge, best.row, best.score));
            let confidence = read.unwrap_or(confidence);
            if confidence < SURE_OF_CLAUSE {
                continue;
            }
            match asked.iter_mut().find(|(row, _)| *row == best.row) {
                Some((_, known)) => *known = known.max(confidence),
                None => asked.push((best.row, confidence)),
            }
        }
        asked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let rows = asked.into_iter().map(|(row, _)| row).take(AT_ONCE);
        Some(rows.collect()).filter(|rows: &Vec<usize>| rows.len() > 1).unwrap_or_default()
    }
}

/// The thresholds.
struct Levels {
    load: f32,
    suggest: f32,
}

impl Levels {
    /// `asked_for` tells which skills the single requests of the message ask for.
    fn decide(&self, judged: &[Judged], asked_for: impl FnOnce() -> Vec<usize>) -> SelectDecision {
        let open = || judged.iter().filter(|judged| judged.candidate.is_open());
        let rows = |wanted: &dyn Fn(&Judged) -> bool| -> Vec<usize> {
            open().filter(|judged| wanted(judged)).map(|judged| judged.candidate.row).collect()
        };
        // What the user names is what the user wants, and nothing beside it.
        let named = rows(&|judged| matches!(judged.candidate.certain, Some(Certain::Named { .. })));
        if !named.is_empty() {
            return SelectDecision::Load { rows: named };
        }
        let mut load = rows(&|judged| judged.candidate.certain.is_some());
        if load.is_empty() {
            let best = open().next().filter(|best| best.gate.confidence >= self.load);
            let best = best.map(|best| best.candidate.row);
            load = best.into_iter().chain(asked_for().into_iter().filter(|row| Some(*row) != best)).collect();
        }
        load.truncate(AT_ONCE);
        if !load.is_empty() {
            return SelectDecision::Load { rows: load };
        }
        let mut likely = rows(&|judged| judged.gate.confidence >= self.suggest);
        likely.truncate(AT_ONCE);
        if likely.is_empty() { SelectDecision::Nothing } else { SelectDecision::Suggest { rows: likely } }
    }
}

/// The rows to report: the best ones, and those that were decided on.
fn shown(
    search: &Search<'_>,
    judge: &Judge<'_>,
    judged: &[Judged],
    decision: &SelectDecision,
    top: usize,
) -> Vec<Ranked> {
    let best_score =
        judged.iter().find(|judged| judged.candidate.is_open()).map_or(0.0, |best| best.candidate.score);
    let is_shown = |rank: usize, row: usize| rank < top || decision.rows().contains(&row);
    let ranked = judged.iter().enumerate().filter(|(rank, judged)| is_shown(*rank, judged.candidate.row));
    let mut shown: Vec<Ranked> = ranked.map(|(_, judged)| judged.ranked(search, best_score)).collect();
    let is_missing = |row: &&usize| !judged.iter().any(|judged| judged.candidate.row == **row);
    let missing = decision.rows().iter().filter(is_missing);
    let mut missing: Vec<Candidate> = missing.map(|&row| search.candidate(row)).collect();
    missing.sort_by(Candidate::order);
    shown.extend(
        missing.into_iter().map(|candidate| Judged::new(judge, candidate).ranked(search, best_score)),
    );
    shown
}
