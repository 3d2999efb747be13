//! Lessons: structured, of three types, made by counting what structured data says.

use prowess_types::OutcomeResult;
use serde_json::Map;

use crate::constants::{LESSON_CONFIDENCE, LESSON_OBSERVATIONS, LESSON_SETBACK, LESSON_STEP};
use crate::document::check_action;
use crate::state::CortexState;
use crate::{Day, LedgerEntry, Lesson, LessonKind, LessonRef, OutcomeEvent};

const DEPENDENCY: &str = "dependency_missing";
const ENV: &str = "env_ready";

impl CortexState {
    /// Counts what an outcome says about programs, variables and abilities.
    pub(crate) fn observe(&mut self, outcome: &OutcomeEvent, today: Day) {
        let region = &outcome.region;
        match (outcome.result, &outcome.key) {
            (OutcomeResult::DependencyMissing, Some(key)) => {
                let count = self.count(region, DEPENDENCY, key, today);
                let kind = LessonKind::DependencyWarning {
                    region: region.clone(),
                    key: key.clone(),
                    action: check_action(),
                };
                self.learn_lesson(
                    count,
                    LessonRef::DependencyWarning { region: region.clone(), key: key.clone() },
                    kind,
                    today,
                );
            }
            // The mismatch itself is the observation: one is enough.
            (OutcomeResult::TaskMismatch, Some(key)) => {
                let (slug, detail) = (outcome.slug.clone(), key.clone());
                let meant =
                    LessonRef::SkillQualityWarning { slug: slug.clone(), detail: Some(detail.clone()) };
                let kind = LessonKind::SkillQualityWarning { slug, detail };
                self.learn_lesson(LESSON_OBSERVATIONS, meant, kind, today);
            }
            _ => {}
        }
        for key in &outcome.env_missing {
            self.contradict(&LessonRef::EnvReady { region: region.clone(), key: key.clone() });
        }
        for key in outcome.env_ready.iter().filter(|key| !outcome.env_missing.contains(key)) {
            let count = self.count(region, ENV, key, today);
            let kind = LessonKind::EnvReady { region: region.clone(), key: key.clone() };
            self.learn_lesson(
                count,
                LessonRef::EnvReady { region: region.clone(), key: key.clone() },
                kind,
                today,
            );
        }
    }

    /// Adds one to a row of the ledger, which moves to its end: the rows that rest longest fall out first.
    fn count(&mut self, region: &str, kind: &str, key: &str, today: Day) -> u64 {
        let ledger = &mut self.document.ledger;
        let known = ledger.iter().position(|entry| is_entry(entry, region, kind, key));
        let mut entry = match known {
            Some(position) => ledger.remove(position),
            None => LedgerEntry {
                region: region.to_owned(),
                kind: kind.to_owned(),
                key: key.to_owned(),
                count: 0,
                last: None,
            },
        };
        entry.count = entry.count.saturating_add(1);
        entry.last = Some(today);
        let count = entry.count;
        ledger.push(entry);
        count
    }

    /// The second observation makes a lesson, every later one validates it.
    fn learn_lesson(&mut self, count: u64, meant: LessonRef, kind: LessonKind, today: Day) {
        if self.lessons().iter().any(|lesson| lesson.kind.is(&meant)) {
            self.validate(&meant);
        } else if count >= LESSON_OBSERVATIONS {
            let lesson =
                Lesson { kind, confidence: LESSON_CONFIDENCE, created: Some(today), extra: Map::new() };
            self.document.cortex.prefrontal.lessons.push(lesson);
        }
    }

    pub(crate) fn validate(&mut self, meant: &LessonRef) {
        for lesson in self.lessons_mut(meant) {
            lesson.confidence = (lesson.confidence + LESSON_STEP).min(1.0);
        }
    }

    pub(crate) fn contradict(&mut self, meant: &LessonRef) {
        for lesson in self.lessons_mut(meant) {
            lesson.confidence = (lesson.confidence - LESSON_SETBACK).max(0.0);
        }
        // What was counted for it no longer counts: the next lesson needs as much as the first.
        let counted = match meant {
            LessonRef::DependencyWarning { region, key } => (region, DEPENDENCY, key),
            LessonRef::EnvReady { region, key } => (region, ENV, key),
            LessonRef::SkillQualityWarning { .. } => return,
        };
        self.document.ledger.retain(|entry| !is_entry(entry, counted.0, counted.1, counted.2));
    }

    fn lessons_mut(&mut self, meant: &LessonRef) -> impl Iterator<Item = &mut Lesson> {
        let lessons = &mut self.document.cortex.prefrontal.lessons;
        lessons.iter_mut().filter(move |lesson| lesson.kind.is(meant))
    }
}

fn is_entry(entry: &LedgerEntry, region: &str, kind: &str, key: &str) -> bool {
    entry.region == region && entry.kind == kind && entry.key == key
}
