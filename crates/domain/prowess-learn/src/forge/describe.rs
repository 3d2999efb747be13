//! The description of a draft: of those that rules make, the one that the selector understands best.

use prowess_context::ChooseError;
use prowess_forge::{
    DraftOptions, Episode, Wording, describe, descriptions, draft, foreign_messages, general_requests,
    paraphrases, wording,
};
use prowess_inventory::MatchRequest;
use prowess_match::{Selector, document};
use prowess_select::SelectDocument;
use prowess_skill::SkillInput;

use super::Forge;

/// Foreign messages that a description is tried with. A test tries all.
const FOREIGN: usize = 12;
/// Requests that stand for a task whose words are in no list.
const NEAREST: usize = 2;
/// The weight of a foreign message that loads a skill, against one that should.
const FOREIGN_WEIGHT: i32 = 3;

/// A description with the words that it was made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    pub(super) description: Option<String>,
    /// The general words of a task that has none itself.
    pub(super) wording: Option<Wording>,
}

impl Forge<'_> {
    /// The description that the task of a run finds. What the selector cannot answer leaves the fullest one.
    pub(super) fn described(&self, found: &Episode, options: &DraftOptions<'_>) -> Described {
        let own = wording(&found.task);
        let by_rules = descriptions(found);
        let chosen = self.best_of(found, options, &by_rules, own.as_ref());
        match chosen {
            Ok(Some((description, true))) => {
                return Described { description: Some(description), wording: None };
            }
            Err(_) => return Described { description: by_rules.into_iter().next(), wording: None },
            Ok(_) => {}
        }
        // Nothing that rules say finds the task: the nearest requests say what kind of task it is.
        let nearest = self.nearest_requests(&found.task).unwrap_or_default();
        let more: Vec<String> = nearest.iter().flat_map(|wording| describe(wording, "")).collect();
        let more: Vec<String> = if let Some(first) = by_rules.first() {
            more.iter().map(|text| format!("{first} {text}")).collect()
        } else {
            more
        };
        let all: Vec<String> = by_rules.into_iter().chain(more).collect();
        let wording = nearest.into_iter().next().filter(|_| own.is_none());
        let best = self.best_of(found, options, &all, own.as_ref().or(wording.as_ref())).ok().flatten();
        Described {
            description: best.map(|(description, _)| description).or_else(|| all.into_iter().next()),
            wording,
        }
    }

    /// The best of some descriptions, and true if the task loads it. None if there are none.
    pub(super) fn best_of(
        &self,
        found: &Episode,
        options: &DraftOptions<'_>,
        list: &[String],
        wording: Option<&Wording>,
    ) -> Result<Option<(String, bool)>, ChooseError> {
        if list.is_empty() || found.task.trim().is_empty() {
            return Ok(list.first().map(|first| (first.clone(), false)));
        }
        let documents: Vec<SelectDocument> = list
            .iter()
            .map(|description| {
                let options = DraftOptions { description: Some(description), ..*options };
                self.document_of(&draft(found, &options).draft.skill_md, "draft")
            })
            .collect();
        let rows = documents.len();
        let selector = Selector::over_documents(self.context, documents)?;
        let loads = |message: &str| -> Result<Vec<bool>, ChooseError> {
            selector.prepare_for(message, |_| {})?;
            let answer = selector.find(&MatchRequest { top: rows, ..MatchRequest::new(message) })?;
            let mut loads = vec![false; rows];
            for result in &answer.results {
                if let Some(row) = loads.get_mut(result.row) {
                    *row = result.loaded || result.confidence >= answer.threshold;
                }
            }
            Ok(loads)
        };
        let own = loads(&found.task)?;
        let mut points: Vec<i32> = vec![0; rows];
        let mut count = |loads: &[bool], weight: i32| {
            for (points, loads) in points.iter_mut().zip(loads) {
                *points += i32::from(*loads) * weight;
            }
        };
        let others = paraphrases(&found.task, wording);
        count(&own, i32::try_from(others.len()).unwrap_or(i32::MAX) + 1);
        for other in &others {
            count(&loads(&other.text)?, 1);
        }
        let words = wording.map(|wording| wording.words.clone()).unwrap_or_default();
        for message in foreign_messages(&words).into_iter().take(FOREIGN) {
            count(&loads(message)?, -FOREIGN_WEIGHT);
        }
        // Of equal ones the first is the fullest.
        let best = (0..rows).rev().max_by_key(|row| points[*row]).unwrap_or(0);
        Ok(Some((list[best].clone(), own[best])))
    }

    /// Returns true if a description alone makes a skill likely for a task.
    pub(super) fn is_about(&self, task: &str, description: &str) -> Result<bool, ChooseError> {
        let document = SelectDocument { description: description.to_owned(), ..SelectDocument::default() };
        let selector = Selector::over_documents(self.context, vec![document])?;
        selector.prepare_for(task, |_| {})?;
        let answer = selector.find(&MatchRequest::new(task))?;
        Ok(answer.results.iter().any(|result| result.confidence >= answer.suggest_threshold))
    }

    /// The general requests that are most like a task, in any language that the encoder reads.
    fn nearest_requests(&self, task: &str) -> Result<Vec<Wording>, ChooseError> {
        let requests = general_requests();
        let documents = requests.iter().map(|request| SelectDocument {
            description: (*request).to_owned(),
            ..SelectDocument::default()
        });
        let selector = Selector::over_documents(self.context, documents.collect())?;
        selector.prepare_for(task, |_| {})?;
        let answer = selector.find(&MatchRequest { top: NEAREST, ..MatchRequest::new(task) })?;
        let near = answer.results.iter().filter(|result| result.confidence >= answer.suggest_threshold);
        Ok(near.filter_map(|result| wording(requests.get(result.row)?)).collect())
    }

    /// The text of a skill as the selector takes it.
    pub(super) fn document_of(&self, text: &str, name: &str) -> SelectDocument {
        let skill =
            prowess_skill::parse(&SkillInput::folder(text.as_bytes(), name), &self.context.parse_options());
        document(&skill, text.get(skill.body_start..).unwrap_or_default())
    }
}
