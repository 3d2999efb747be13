//! A draft among the skills of an agent, as if it were one: what it would find, and what it would take away.

use prowess_context::ChooseError;
use prowess_forge::{ParaphraseKind, foreign_messages, paraphrases, wording};
use prowess_inventory::{Inventory, MatchDecision, MatchRequest, SkillEntry};
use prowess_match::{Cases, Progress, Selector, cases_of, document};
use prowess_select::{SelectDocument, overlap};

use super::Forge;
use super::queue::StoredDraft;

/// As much of a skill's file as counts.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Skills whose own words are tried as messages: those nearest to the draft.
const NEAREST: usize = 50;
/// Messages that are tried.
const MESSAGES: usize = 2_000;
/// The share of the ways to ask for its task that must load a draft.
const ENOUGH: f64 = 0.5;

/// A message that the draft would take from a skill.
pub(super) struct Stolen {
    pub(super) skill: String,
    pub(super) message: String,
}

/// The measured selection of a draft among the skills of an agent.
pub(super) struct Measured {
    /// Its own messages, and how many of them find it first.
    pub(super) should: usize,
    pub(super) first: usize,
    /// Those that do not.
    pub(super) missed: Vec<String>,
    /// Messages that are not for it, and those that load it nevertheless.
    pub(super) should_not: usize,
    pub(super) false_loads: Vec<String>,
    /// The number of messages of other skills that were tried, and those it would take.
    pub(super) tried: usize,
    pub(super) stolen: Vec<Stolen>,
    /// The results of its own tasks, the newest first; empty if no session is left.
    pub(super) tasks: Vec<TaskMeasure>,
    /// The number of foreign messages that were tried, and those that load it.
    pub(super) foreign: usize,
    pub(super) foreign_loads: Vec<&'static str>,
}

/// A task of a draft, and other ways to ask for it. The texts stay in the session.
pub(super) struct TaskMeasure {
    /// True if it loads the draft; then the confidence and the threshold.
    pub(super) loads: bool,
    pub(super) confidence: f32,
    pub(super) threshold: f32,
    /// The ways to ask for it, and whether they load the draft.
    pub(super) others: Vec<(ParaphraseKind, bool)>,
}

impl Measured {
    /// Share of its own cases that come out right; without the draft only those are right that should not find it.
    pub(super) fn quality(&self) -> (f64, f64) {
        let all = (self.should + self.should_not).max(1) as f64;
        let right = self.first + self.should_not - self.false_loads.len();
        (self.should_not as f64 / all, right as f64 / all)
    }

    /// The ways to ask for its tasks, and how many of them load it.
    pub(super) fn others(&self) -> (usize, usize) {
        let all = || self.tasks.iter().flat_map(|task| &task.others);
        (all().filter(|(_, loads)| *loads).count(), all().count())
    }

    /// Returns true if it is found for what it is for, and for nothing else.
    pub(super) fn is_found(&self) -> bool {
        let is_foreign = !self.foreign_loads.is_empty() || !self.false_loads.is_empty();
        let (before, after) = self.quality();
        match self.tasks.first() {
            Some(task) => {
                let (loading, all) = self.others();
                task.loads && loading as f64 >= all as f64 * ENOUGH && !is_foreign
            }
            // Without its session only its own cases are left.
            None => after > before && !is_foreign,
        }
    }
}

impl Forge<'_> {
    pub(super) fn measure(
        &self,
        inventory: &Inventory,
        draft: &StoredDraft,
        cases: &Cases,
        mut progress: impl FnMut(Progress),
    ) -> Result<Measured, ChooseError> {
        let name = &draft.record.name;
        let rivals =
            inventory.entries.iter().filter(|entry| entry.is_model_visible() && entry.skill.name != *name);
        let rivals: Vec<&SkillEntry> = rivals.collect();
        let mut documents: Vec<SelectDocument> = rivals.iter().map(|entry| self.document(entry)).collect();
        let own = documents.len();
        let document = self.document_of(draft.skill_md(), name);
        let description = document.description.clone();
        documents.push(document);
        // The messages that each skill brings along, and its own words.
        let messages: Vec<(Vec<String>, Vec<String>)> = rivals
            .iter()
            .zip(&documents)
            .map(|(entry, document)| {
                (cases_of(&entry.origin.file, &mut Vec::new()).should, overlap::probes(document))
            })
            .collect();
        let selector = Selector::over_documents(self.context, documents)?;

        let mut measured = Measured {
            should: cases.should.len(),
            first: 0,
            missed: Vec::new(),
            should_not: cases.should_not.len(),
            false_loads: Vec::new(),
            tried: 0,
            stolen: Vec::new(),
            tasks: Vec::new(),
            foreign: 0,
            foreign_loads: Vec::new(),
        };
        let mut ask = |message: &str, top: usize| {
            selector.prepare_for(message, &mut progress)?;
            selector.find(&MatchRequest { top, ..MatchRequest::new(message) })
        };
        for message in &cases.should {
            let answer = ask(message, 5)?;
            if answer.results.first().is_some_and(|first| first.row == own) {
                measured.first += 1;
            } else {
                measured.missed.push(message.clone());
            }
        }
        for message in &cases.should_not {
            if ask(message, 5)?.results.iter().any(|result| result.row == own && result.loaded) {
                measured.false_loads.push(message.clone());
            }
        }
        let mut words: Vec<String> = draft.record.words.clone();
        for task in self.tasks(&draft.record) {
            let wording = wording(&task);
            words.extend(wording.iter().flat_map(|wording| wording.words.clone()));
            let answer = ask(&task, 5)?;
            let result = answer.results.iter().find(|result| result.row == own);
            let mut one = TaskMeasure {
                loads: result.is_some_and(|result| result.loaded),
                confidence: result.map_or(0.0, |result| result.confidence),
                threshold: answer.threshold,
                others: Vec::new(),
            };
            for other in paraphrases(&task, wording.as_ref()) {
                let answer = ask(&other.text, 5)?;
                let loads = answer.results.iter().any(|result| result.row == own && result.loaded);
                one.others.push((other.kind, loads));
            }
            measured.tasks.push(one);
        }
        for message in foreign_messages(&words) {
            measured.foreign += 1;
            if ask(message, 2)?.results.iter().any(|result| result.row == own && result.loaded) {
                measured.foreign_loads.push(message);
            }
        }
        let nearest = ask(&description, NEAREST + 1)?;
        let is_near = |row: usize| nearest.results.iter().any(|result| result.row == row);
        for (row, (cases, probes)) in messages.iter().enumerate() {
            let probes = probes.iter().filter(|_| is_near(row));
            for message in cases.iter().chain(probes).take(MESSAGES.saturating_sub(measured.tried)) {
                measured.tried += 1;
                let answer = ask(message, 2)?;
                let rows: Vec<usize> = answer.results.iter().map(|result| result.row).collect();
                // The score of a skill does not depend on the others: without the draft, the second would be first.
                if rows == [own, row] && answer.decision != MatchDecision::Nothing {
                    let skill = rivals[row].skill.name.clone();
                    measured.stolen.push(Stolen { skill, message: message.clone() });
                }
            }
        }
        Ok(measured)
    }

    fn document(&self, entry: &SkillEntry) -> SelectDocument {
        let bytes = prowess_fs::read_file(&entry.origin.real_file, MAX_FILE_BYTES).unwrap_or_default();
        let text = prowess_skill::decode(&bytes, self.context.parse_options().dialect).text;
        document(&entry.skill, text.get(entry.skill.body_start..).unwrap_or_default())
    }
}
