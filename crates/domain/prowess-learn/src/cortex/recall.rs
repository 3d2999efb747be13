//! Recognising tasks by their meaning: vectors of filtered texts, compared across languages.
//!
//! A vector is made by the encoder of the task's language, and vectors of the multilingual one are carried over the bridge
//! where they are compared with English ones. What an encoder of another id made cannot be compared: such a
//! region, and one from a log without vectors, is recognised by its words, which are encoded again.

use std::collections::BTreeMap;

use prowess_context::{ChooseError, Context, Encoders};
use prowess_cortex::{Pattern, TaskVector, gist, lexical_similarity, signals};
use prowess_match::{TextVectors, likeness_to};
use prowess_select::detect;

use super::keywords::{WordTable, dot, search_words};

/// The likeness from which a task belongs to a region. The lines below are laid so that it is the same for all vectors.
pub const NEAR: f64 = 0.5;

/// Cosines of two vectors: where a task becomes one of the region ([`NEAR`]), and where it is the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CosineLine {
    /// The cosine that is [`NEAR`].
    pub near: f32,
    /// The cosine that is 1.
    pub same: f32,
}

/// Both tasks are in English. Measured by `cargo xtask recall`, like the two below.
pub const ENGLISH: CosineLine = CosineLine { near: 0.40, same: 0.9 };
/// One of them is in English.
pub const ACROSS: CosineLine = CosineLine { near: 0.42, same: 0.8 };
/// Neither is; the mean of the cosines before and after the bridge.
pub const OTHER: CosineLine = CosineLine { near: 0.5, same: 0.9 };

/// The addition to a likeness if a region knows all words of a task.
const SHARED_WORDS: f64 = 0.12;

impl CosineLine {
    /// The likeness of two tasks, 0 to 1.
    pub fn likeness(self, cosine: f32) -> f64 {
        let value = if cosine < self.near {
            0.5 * cosine / self.near
        } else {
            0.5 + 0.5 * (cosine - self.near) / (self.same - self.near)
        };
        f64::from(value.clamp(0.0, 1.0))
    }
}

/// The meaning of a task, after the entity filter.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskMeaning {
    /// True if the task is in English.
    pub is_english: bool,
    /// The id of the encoder of its language.
    encoder: String,
    /// The vector of that encoder.
    own: Vec<f32>,
    /// The vector among those of English tasks.
    pub(super) english: Option<Vec<f32>>,
}

impl TaskMeaning {
    /// The meaning of a task; none if nothing of it is left by the filter, or there is no encoder.
    pub fn of(encoders: &Encoders, task: &str) -> Result<Option<Self>, ChooseError> {
        let is_english = detect(task).is_english;
        let text = gist(task, is_english);
        let route = encoders.route(is_english);
        let Some(voice) =
            route.voices.iter().find(|voice| voice.bridge.is_none()).filter(|_| !text.is_empty())
        else {
            return Ok(None);
        };
        let encoder = encoders.get(&voice.encoder)?;
        let own = encoder.encode(&text)?;
        let english = if english_voice(encoders) == Some(voice.encoder.as_str()) {
            Some(own.clone())
        } else {
            encoders.carry(&own)
        };
        Ok(Some(Self { is_english, encoder: encoder.id().to_owned(), own, english }))
    }

    /// The vector that is kept.
    pub fn kept(&self) -> Option<TaskVector> {
        TaskVector::new(&self.encoder, &self.own)
    }

    /// The likeness with a task of which the vector was kept; none if they cannot be compared.
    pub fn likeness(&self, encoders: &Encoders, kept: &TaskVector) -> Result<Option<f64>, ChooseError> {
        let Some(vector) = kept.unit() else { return Ok(None) };
        let is_own = kept.encoder == self.encoder && vector.len() == self.own.len();
        if is_own && self.english.as_ref() == Some(&self.own) {
            return Ok(Some(ENGLISH.likeness(dot(&self.own, &vector))));
        }
        let theirs = if is_of(encoders, english_voice(encoders), kept)? {
            Some(vector.clone())
        } else if is_own || is_of(encoders, other_voice(encoders), kept)? {
            encoders.carry(&vector)
        } else {
            return Ok(None);
        };
        let carried = self.english.as_ref().zip(theirs).filter(|(one, other)| one.len() == other.len());
        let carried = carried.map(|(one, other)| dot(one, &other));
        Ok(match (is_own, carried) {
            (true, Some(carried)) => Some(OTHER.likeness(f32::midpoint(carried, dot(&self.own, &vector)))),
            (true, None) => Some(OTHER.likeness(dot(&self.own, &vector))),
            (false, carried) => carried.map(|cosine| ACROSS.likeness(cosine)),
        })
    }
}

/// The encoder of English tasks.
fn english_voice(encoders: &Encoders) -> Option<&str> {
    encoders.route(true).voices.first().map(|voice| voice.encoder.as_str())
}

/// The encoder of tasks in other languages.
fn other_voice(encoders: &Encoders) -> Option<&str> {
    encoders
        .route(false)
        .voices
        .iter()
        .find(|voice| voice.bridge.is_none())
        .map(|voice| voice.encoder.as_str())
}

/// Returns true if an encoder made a vector. It is loaded only if its name says that it may have.
fn is_of(encoders: &Encoders, name: Option<&str>, kept: &TaskVector) -> Result<bool, ChooseError> {
    let Some(name) = name.filter(|name| kept.encoder.starts_with(*name)) else { return Ok(false) };
    Ok(encoders.get(name)?.id() == kept.encoder)
}

/// Patterns with the vectors of their words, for tasks that are compared with them often.
#[derive(Default)]
pub(super) struct PatternWords {
    texts: Vec<String>,
    vectors: TextVectors,
}

impl PatternWords {
    pub(super) fn of(patterns: &[Pattern]) -> Self {
        let texts = patterns.iter().map(|pattern| pattern.signal.join(" ")).collect();
        Self { texts, vectors: TextVectors::default() }
    }
}

/// The likeness of a task with each pattern, 0 to 1, in their order.
pub(super) fn likeness(
    context: &Context,
    task: &str,
    patterns: &[Pattern],
    words: &PatternWords,
) -> Result<Vec<f64>, ChooseError> {
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let encoders = context.encoders()?;
    let meaning = TaskMeaning::of(&encoders, task)?;
    let mut values: Vec<Option<f64>> = vec![None; patterns.len()];
    if let Some(meaning) = &meaning {
        let own = signals(task);
        for (value, pattern) in values.iter_mut().zip(patterns) {
            *value = pattern_likeness(&encoders, meaning, &own, pattern)?;
        }
    }
    if values.iter().any(Option::is_none) {
        let by_words = by_words(context, &encoders, task, patterns, words)?;
        for (value, by_words) in values.iter_mut().zip(by_words) {
            value.get_or_insert(by_words);
        }
    }
    Ok(values.into_iter().map(Option::unwrap_or_default).collect())
}

/// The likeness of a task with the vectors of a pattern; none if there is none that can be compared. Words that both have
/// count a little.
pub fn pattern_likeness(
    encoders: &Encoders,
    meaning: &TaskMeaning,
    words: &[String],
    pattern: &Pattern,
) -> Result<Option<f64>, ChooseError> {
    let mut nearest: Option<f64> = None;
    for kept in &pattern.vectors {
        if let Some(found) = meaning.likeness(encoders, kept)? {
            nearest = Some(nearest.map_or(found, |known| known.max(found)));
        }
    }
    let shared = SHARED_WORDS * lexical_similarity(words, &pattern.signal);
    Ok(nearest.map(|nearest| (nearest + shared).min(1.0)))
}

/// The likeness of a task with the words of each pattern: by meaning if there is an encoder.
fn by_words(
    context: &Context,
    encoders: &Encoders,
    task: &str,
    patterns: &[Pattern],
    words: &PatternWords,
) -> Result<Vec<f64>, ChooseError> {
    let has_words: Vec<bool> = patterns.iter().map(|pattern| !pattern.signal.is_empty()).collect();
    let values = if encoders.route(detect(task).is_english).voices.is_empty() {
        let task = signals(task);
        patterns.iter().map(|pattern| lexical_similarity(&task, &pattern.signal)).collect()
    } else {
        likeness_to(context, task, &[], &words.texts, &words.vectors)?
    };
    Ok(values
        .into_iter()
        .zip(has_words)
        .map(|(value, has_words)| if has_words { value } else { 0.0 })
        .collect())
}

/// The likeness of a task with each region.
pub(super) fn likeness_by_region(
    context: &Context,
    task: &str,
    patterns: &[Pattern],
) -> Result<BTreeMap<String, f64>, ChooseError> {
    let values = likeness(context, task, patterns, &PatternWords::of(patterns))?;
    Ok(patterns.iter().map(|pattern| pattern.region.clone()).zip(values).collect())
}

/// English words to search for a task with.
pub fn keywords(encoders: &Encoders, task: &str) -> Result<Vec<String>, ChooseError> {
    let meaning = TaskMeaning::of(encoders, task)?;
    let encoder = english_voice(encoders).map(|name| encoders.get(name)).transpose()?;
    let table = encoders.words().and_then(WordTable::read);
    search_words(task, meaning.as_ref(), encoder.as_deref(), table.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_near_and_same() {
        let line = CosineLine { near: 0.4, same: 0.9 };
        for (cosine, likeness) in [(-0.2, 0.0), (0.0, 0.0), (0.2, 0.25), (0.4, NEAR), (0.9, 1.0), (1.0, 1.0)]
        {
            assert!((line.likeness(cosine) - likeness).abs() < 1e-6, "{cosine}");
        }
        assert!(line.likeness(0.399) < NEAR);
    }
}
