//! A draft among the skills of an agent, as if it were one: what it would find, and what it would take away.

use prowess_context::ChooseError;
use prowess_inventory::{Inventory, MatchDecision, MatchRequest, SkillEntry};
use prowess_match::{Cases, Progress, Selector, cases_of, document};
use prowess_select::{SelectDocument, overlap};
use prowess_skill::SkillInput;

use super::Forge;
use super::queue::StoredDraft;

/// As much of a skill's file as counts.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Skills whose own words are tried as messages: those nearest to the draft.
const NEAREST: usize = 50;
/// Messages that are tried.
const MESSAGES: usize = 2_000;

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
}

impl Measured {
    /// Share of its own cases that come out right; without the draft only those are right that should not find it.
    pub(super) fn quality(&self) -> (f64, f64) {
        let all = (self.should + self.should_not).max(1) as f64;
        let right = self.first + self.should_not - self.false_loads.len();
        (self.should_not as f64 / all, right as f64 / all)
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
        let text = draft.skill_md();
        let skill =
            prowess_skill::parse(&SkillInput::folder(text.as_bytes(), name), &self.context.parse_options());
        documents.push(document(&skill, text.get(skill.body_start..).unwrap_or_default()));
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
        let nearest = ask(&skill.description, NEAREST + 1)?;
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
