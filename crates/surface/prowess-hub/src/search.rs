//! Searching: by meaning where the encoders are there, by words always.
//!
//! The index is rebuilt by the first search after a change. Vectors are computed beside the searches, never in front
//! of them: what has none yet is judged by its words.

use std::sync::{Arc, Mutex};
use std::thread;

use prowess::Engine;
use prowess_context::ChooseError;
use prowess_inventory::MatchRequest;
use prowess_match::Selector;
use prowess_select::{SelectDocument, has_known_word};
use prowess_store::registry::{Shelf, SkillRow};
use prowess_types::{IgnorePoison as _, ScanVerdict};

use crate::HubError;

/// Sentences that stand for their languages, to prepare the encoders that understand them.
const LANGUAGES: [&str; 2] = ["what will the weather be like tomorrow", "wie wird das Wetter morgen"];
/// From which confidence a meaning counts without a word in common.
const FLOOR: f32 = 0.05;
/// The maximum length of a query.
const MAX_QUESTION: usize = 400;

/// The query.
#[derive(Debug, Default)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) limit: usize,
    pub(crate) is_exact: bool,
    pub(crate) only_clean: bool,
    /// Only these, as owner and slug.
    pub(crate) only_of: Option<Vec<(String, String)>>,
}

impl Question {
    fn wants(&self, row: &SkillRow) -> bool {
        let skill = &row.skill;
        let is_one_of = |list: &Vec<(String, String)>| {
            list.iter().any(|(owner, slug)| *owner == skill.owner && *slug == skill.slug)
        };
        (!self.only_clean || skill.verdict.verdict() == ScanVerdict::Clean)
            && self.only_of.as_ref().is_none_or(is_one_of)
    }
}

/// Finds skills.
pub(crate) struct SearchIndex {
    engine: Option<Engine>,
    built: Mutex<Option<Arc<Built>>>,
}

struct Built {
    rows: Vec<SkillRow>,
    selector: Option<Selector>,
}

impl SearchIndex {
    pub(crate) fn new(engine: Option<Engine>) -> Self {
        Self { engine, built: Mutex::new(None) }
    }

    /// Something changed.
    pub(crate) fn forget(&self) {
        *self.built.lock().ignore_poison() = None;
    }

    /// The skills that fit, the best first.
    pub(crate) fn find(
        &self,
        question: &Question,
        shelf: &dyn Shelf,
    ) -> Result<Vec<(SkillRow, f64)>, HubError> {
        let built = self.built(shelf)?;
        let selector = built.selector.as_ref().filter(|_| !question.is_exact);
        let scores = scores(&built.rows, selector, &question.text, question.is_exact);
        let mut found: Vec<(usize, f64)> =
            scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        found.retain(|(row, _)| question.wants(&built.rows[*row]));
        let downloads = |row: usize| built.rows[row].skill.downloads;
        found.sort_by(|(one, score), (other, other_score)| {
            other_score.total_cmp(score).then_with(|| downloads(*other).cmp(&downloads(*one)))
        });
        found.truncate(question.limit);
        Ok(found.into_iter().map(|(row, score)| (built.rows[row].clone(), score)).collect())
    }

    fn built(&self, shelf: &dyn Shelf) -> Result<Arc<Built>, HubError> {
        let mut built = self.built.lock().ignore_poison();
        if let Some(built) = &*built {
            return Ok(Arc::clone(built));
        }
        let rows = shelf.catalogue()?;
        let documents = rows.iter().map(document).collect();
        // Without encoders there are still words.
        let selector =
            self.engine.as_ref().and_then(|engine| Selector::over_documents(engine, documents).ok());
        let new = Arc::new(Built { rows, selector });
        *built = Some(Arc::clone(&new));
        if new.selector.is_some() {
            let new = Arc::clone(&new);
            thread::spawn(move || {
                for language in LANGUAGES {
                    // A failure here fails in the search too, which then goes by words.
                    let _ = new.selector.as_ref().map(|selector| selector.prepare_for(language, |_| {}));
                }
            });
        }
        Ok(new)
    }
}

/// The score of each row for a query.
fn scores(rows: &[SkillRow], selector: Option<&Selector>, text: &str, is_exact: bool) -> Vec<f64> {
    let text: String = text.trim().chars().take(MAX_QUESTION).collect();
    let mut scores: Vec<f64> = rows.iter().map(|row| score(row, &text, is_exact)).collect();
    if let Some(selector) = selector {
        add_meaning(&mut scores, selector, &text);
    }
    scores
}

/// A catalogue that is searched like that of a registry, for measurements.
pub struct SearchSample {
    rows: Vec<SkillRow>,
    selector: Selector,
}

impl SearchSample {
    /// Prepares the search over skills.
    pub fn new(engine: &Engine, rows: Vec<SkillRow>) -> Result<Self, ChooseError> {
        let selector = Selector::over_documents(engine, rows.iter().map(document).collect())?;
        for language in LANGUAGES {
            selector.prepare_for(language, |_| {})?;
        }
        Ok(Self { rows, selector })
    }

    /// The place of a skill among the results for a query, from 0; none if it is not among them.
    pub fn place(&self, text: &str, owner: &str, slug: &str) -> Option<usize> {
        let scores = scores(&self.rows, Some(&self.selector), text, false);
        let own = self.rows.iter().position(|row| row.skill.owner == owner && row.skill.slug == slug)?;
        let score = *scores.get(own).filter(|score| **score > 0.0)?;
        Some(scores.iter().filter(|other| **other > score).count())
    }
}

/// Adds how well each row fits by its meaning.
fn add_meaning(scores: &mut [f64], selector: &Selector, text: &str) {
    let request = MatchRequest { top: scores.len(), ..MatchRequest::new(text) };
    let Ok(answer) = selector.find(&request) else { return };
    // An encoder puts letters that are not a word somewhere too, though not with much confidence.
    let floor = if has_known_word(text) { FLOOR } else { answer.suggest_threshold };
    for result in answer.results.iter().filter(|result| result.confidence >= floor) {
        if let Some(score) = scores.get_mut(result.row) {
            *score += f64::from(result.confidence);
        }
    }
}

fn document(row: &SkillRow) -> SelectDocument {
    SelectDocument {
        name: row.skill.slug.clone(),
        description: row.skill.summary.clone(),
        keywords: row.skill.topics.clone(),
        ..SelectDocument::default()
    }
}

/// The lexical score of a skill: more than 1 for its name, up to 1 for its words, 0 for nothing.
fn score(row: &SkillRow, text: &str, is_exact: bool) -> f64 {
    let skill = &row.skill;
    let wanted = text.trim_start_matches('@').to_lowercase();
    let is_named = wanted == skill.slug
        || wanted == format!("{}/{}", skill.owner, skill.slug)
        || wanted == skill.display_name.to_lowercase();
    match (is_named, is_exact) {
        (true, _) => return 2.0,
        (false, true) => return 0.0,
        (false, false) => {}
    }
    let words = words(&wanted);
    if words.is_empty() {
        return 0.0;
    }
    let name = format!("{} {} {}", skill.slug, skill.display_name, skill.owner).to_lowercase();
    let said = format!("{} {}", skill.summary, skill.topics.join(" ")).to_lowercase();
    let weight = |word: &String| {
        if has_word(&name, word) {
            1.0
        } else if has_word(&said, word) {
            0.6
        } else {
            0.0
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "a question has few words")]
    let count = words.len() as f64;
    words.iter().map(weight).sum::<f64>() / count
}

/// The words of a text that mean something on their own.
fn words(text: &str) -> Vec<String> {
    const EMPTY: [&str; 22] = [
        "a", "an", "and", "are", "for", "from", "how", "i", "in", "is", "it", "me", "my", "of", "on", "or",
        "that", "the", "to", "what", "with", "you",
    ];
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let meant: Vec<String> =
        words.clone().filter(|word| !EMPTY.contains(word)).map(ToOwned::to_owned).collect();
    if meant.is_empty() { words.map(ToOwned::to_owned).collect() } else { meant }
}

/// Returns true if a word of a text begins with this one.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|other| other.starts_with(word))
}
