//! English words to search for: which of them say together what a task says.
//!
//! All of them are common words or names of tools. The words of the task itself are candidates if they are in the
//! vocabulary; the others are those of a fixed table whose vectors are nearest to the vector of the filtered task. Words
//! are added one by one, each time the one with which they come nearest to the task.

use prowess_context::ChooseError;
use prowess_cortex::{tools, vocabulary_words};
use prowess_embed::{Encoder, Pack};

use super::recall::TaskMeaning;

/// Search words of a task.
const MOST_WORDS: usize = 5;
/// Names of tools among them.
const MOST_TOOLS: usize = 2;
/// Words of the table that are candidates.
const NEAREST: usize = 32;
/// Words of the task that are candidates.
const OWN: usize = 16;
/// The advantage of a word that the task itself has: a registry compares words, too.
const OWN_BONUS: f32 = 0.03;

/// English words with the vectors that an encoder made of them.
#[derive(Debug)]
pub struct WordTable {
    /// The id of the encoder.
    encoder: String,
    words: Vec<String>,
    dimensions: usize,
    values: Vec<i8>,
}

impl WordTable {
    /// The table in a pack; none if it does not hold together.
    pub fn read(pack: &Pack) -> Option<Self> {
        let text = pack.tensor_of_any_shape::<u8>("text").ok()?;
        let text = std::str::from_utf8(&text).ok()?;
        let (encoder, words) = text.split_once('\n')?;
        let words: Vec<String> = words.lines().map(ToOwned::to_owned).collect();
        let dimensions = pack.header().dimensions;
        let values = pack.tensor::<i8>("vectors", &[words.len(), dimensions]).ok()?;
        Some(Self { encoder: encoder.to_owned(), words, dimensions, values: values.to_vec() })
    }

    /// The words that are nearest to a vector, the nearest first.
    fn nearest(&self, target: &[f32], count: usize) -> Vec<&str> {
        if target.len() != self.dimensions || self.dimensions == 0 {
            return Vec::new();
        }
        let near = |row: &[i8]| {
            let (mut dot, mut square) = (0.0_f32, 0.0_f32);
            for (value, target) in row.iter().zip(target) {
                let value = f32::from(*value);
                dot += value * target;
                square += value * value;
            }
            if square > 0.0 { dot / square.sqrt() } else { 0.0 }
        };
        let mut found: Vec<(f32, &str)> = self
            .values
            .chunks_exact(self.dimensions)
            .zip(&self.words)
            .map(|(row, word)| (near(row), word.as_str()))
            .collect();
        found.sort_by(|(one, word), (other, other_word)| {
            other.total_cmp(one).then_with(|| word.cmp(other_word))
        });
        found.into_iter().take(count).map(|(_, word)| word).collect()
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }
}

/// Up to five English words that say what a task says. Fewer only if neither the task nor the table has more.
pub fn search_words(
    task: &str,
    meaning: Option<&TaskMeaning>,
    encoder: Option<&dyn Encoder>,
    table: Option<&WordTable>,
) -> Result<Vec<String>, ChooseError> {
    let is_english = meaning.is_none_or(|meaning| meaning.is_english);
    let mut own = vocabulary_words(task);
    let mut chosen = tools(task);
    chosen.truncate(MOST_TOOLS);
    let table = table.filter(|table| encoder.is_some_and(|encoder| encoder.id() == table.encoder));
    // Of another language, only words that are English as well.
    own.retain(|word| !chosen.contains(word) && (is_english || table.is_some_and(|table| table.has(word))));
    let target = meaning.and_then(|meaning| meaning.english.as_deref());
    let (Some(target), Some(encoder)) = (target, encoder) else {
        chosen.extend(own);
        chosen.truncate(MOST_WORDS);
        return Ok(chosen);
    };
    own.truncate(OWN);
    let near = table.map(|table| table.nearest(target, NEAREST)).unwrap_or_default();
    let near = near.into_iter().filter(|word| !own.iter().any(|own| own == word));
    let mut open: Vec<(String, f32)> = near.map(|word| (word.to_owned(), 0.0)).collect();
    open.extend(own.into_iter().map(|word| (word, OWN_BONUS)));
    while chosen.len() < MOST_WORDS && !open.is_empty() {
        let texts: Vec<String> = open.iter().map(|(word, _)| with(&chosen, word)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = encoder.encode_all(&texts)?;
        let scores = vectors.iter().zip(&open).map(|(vector, (_, bonus))| dot(vector, target) + bonus);
        let best = scores.enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        let Some((best, _)) = best else { break };
        let (word, _) = open.swap_remove(best);
        open.retain(|(other, _)| !is_form_of(other, &word));
        chosen.push(word);
    }
    Ok(chosen)
}

fn with(chosen: &[String], word: &str) -> String {
    let mut words: Vec<&str> = chosen.iter().map(String::as_str).collect();
    words.push(word);
    words.join(" ")
}

/// Returns true if two words are forms of the same one, as far as their beginnings tell.
fn is_form_of(one: &str, other: &str) -> bool {
    const STEM: usize = 5;
    let shared = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    shared >= STEM.min(one.len()).min(other.len()) && one.len().abs_diff(other.len()) <= 4
}

pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        assert!(
            is_form_of("schedule", "scheduling")
                && is_form_of("mail", "mails")
                && is_form_of("rain", "raining")
        );
        assert!(!is_form_of("mail", "main") && !is_form_of("weather", "wealth"));
    }

    #[test]
    fn without_an_encoder_the_words_of_the_task_are_searched() {
        let words = search_words("Look up Alice's Q3 sales report in Slack", None, None, None).unwrap();
        assert_eq!(words, ["slack", "query", "sales", "report"]);
    }
}
