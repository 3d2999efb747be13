//! WordPiece, as BERT without case reads a text: clean, without accents, lower case, cut at white space and
//! punctuation, each word spelt with the longest pieces that fit.

use unicode_normalization::UnicodeNormalization as _;

use super::lexicon::Lexicon;
use super::unicode;
use crate::pack::{Pack, PackError};

/// A longer word is not spelt.
const MAX_WORD: usize = 100;

pub(super) struct WordPiece {
    /// Pieces that begin a word.
    first: Lexicon,
    /// Pieces that go on with it, without their `##`.
    next: Lexicon,
    unknown: u32,
}

impl WordPiece {
    pub(super) fn load(pack: &Pack, vocabulary: usize, unknown: u32) -> Result<Self, PackError> {
        let first = Lexicon::load(pack, "wordpiece.first", vocabulary)?;
        let next = Lexicon::load(pack, "wordpiece.next", vocabulary)?;
        Ok(Self { first, next, unknown })
    }

    /// Adds the tokens of a text until there are `limit` of them, or a few more.
    pub(super) fn tokenize(&self, text: &str, limit: usize, tokens: &mut Vec<u32>) {
        let mut word = Word::default();
        for c in letters(text) {
            let stands_alone = unicode::is_punctuation(c) || unicode::is_ideograph(c);
            if stands_alone || c.is_whitespace() {
                self.spell(&mut word, tokens);
            }
            if !c.is_whitespace() {
                word.push(c);
            }
            if stands_alone {
                self.spell(&mut word, tokens);
            }
            if tokens.len() >= limit {
                return;
            }
        }
        self.spell(&mut word, tokens);
    }

    /// Adds the pieces of the word, or the one token for what cannot be spelt, and empties it.
    fn spell(&self, word: &mut Word, tokens: &mut Vec<u32>) {
        let start = tokens.len();
        let mut rest = if word.length > MAX_WORD { "" } else { word.text.as_str() };
        while !rest.is_empty() {
            let lexicon = if tokens.len() == start { &self.first } else { &self.next };
            let Some((id, length)) = lexicon.longest_prefix(rest) else { break };
            tokens.push(id);
            rest = &rest[length..];
        }
        if !rest.is_empty() || word.length > MAX_WORD {
            tokens.truncate(start);
            tokens.push(self.unknown);
        }
        word.text.clear();
        word.length = 0;
    }
}

/// A word while it is read; what is too long to be spelt is counted, not kept.
#[derive(Default)]
struct Word {
    text: String,
    length: usize,
}

impl Word {
    fn push(&mut self, c: char) {
        self.length += 1;
        if self.length <= MAX_WORD {
            self.text.push(c);
        }
    }
}

/// The letters of a text: without control characters and accents, in lower case.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| !unicode::is_removed(*c))
        .nfd()
        .filter(|c| !unicode::is_mark(*c))
        .flat_map(char::to_lowercase)
}
