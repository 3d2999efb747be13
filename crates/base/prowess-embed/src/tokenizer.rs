//! From a text to the numbers of its tokens.
//!
//! Two tokenizers, each equal token for token to the public one its model was trained with. Their tables are
//! used where they lie in the pack, sorted, so that nothing is built when an encoder is loaded.
//!
//! Any text has tokens, and a long one costs no more than it must: reading stops when the limit is reached.

mod bpe;
mod lexicon;
mod pattern;
mod special;
mod unicode;
mod wordpiece;

use serde::Deserialize;

use self::bpe::Bpe;
use self::special::{Part, Special};
use self::wordpiece::WordPiece;
use crate::pack::{Pack, PackError};

/// What the header says of the tokenizer.
#[derive(Debug, Deserialize)]
struct Settings {
    /// Stands before every text.
    first: u32,
    /// Stands after every text.
    last: u32,
    /// Stands for a word that cannot be spelt.
    unknown: u32,
    /// Tokens that a text may spell out, such as `[SEP]`.
    #[serde(default)]
    special: Vec<Special>,
}

enum Model {
    WordPiece(WordPiece),
    Bpe(Bpe),
}

/// Cuts texts into tokens.
pub(crate) struct Tokenizer {
    model: Model,
    settings: Settings,
    max_tokens: usize,
}

impl Tokenizer {
    /// The tokenizer of a pack whose vocabulary has so many tokens.
    pub(crate) fn load(pack: &Pack, vocabulary: usize) -> Result<Self, PackError> {
        let header = pack.header();
        let settings = header.settings.get("tokenizer").cloned().unwrap_or_default();
        let settings: Settings = serde_json::from_value(settings).map_err(PackError::Header)?;
        let special = settings.special.iter().map(|special| special.id);
        let is_known = |id: u32| usize::try_from(id).is_ok_and(|id| id < vocabulary);
        if ![settings.first, settings.last, settings.unknown].into_iter().chain(special).all(is_known) {
            return Err(PackError::content("a special token is not in the vocabulary"));
        }
        if settings.special.iter().any(|special| special.text.is_empty()) {
            return Err(PackError::content("a special token has no text"));
        }
        let model = match header.tokenizer.as_str() {
            "wordpiece" => Model::WordPiece(WordPiece::load(pack, vocabulary, settings.unknown)?),
            "byte-bpe" => Model::Bpe(Bpe::load(pack, vocabulary)?),
            other => return Err(PackError::content(format!("unknown tokenizer `{other}`"))),
        };
        Ok(Self { model, settings, max_tokens: header.max_tokens.max(2) })
    }

    /// The tokens of a text between the first and the last one; never more than the header allows.
    pub(crate) fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = vec![self.settings.first];
        self.extend(text, self.max_tokens - 1, &mut tokens);
        tokens.push(self.settings.last);
        tokens
    }

    /// The tokens of a text without the first and the last one, cut at the limit.
    pub(crate) fn bare_tokens(&self, text: &str, limit: usize) -> Vec<u32> {
        let mut tokens = Vec::new();
        self.extend(text, limit, &mut tokens);
        tokens
    }

    /// The tokens that stand before and after every text.
    pub(crate) fn ends(&self) -> [u32; 2] {
        [self.settings.first, self.settings.last]
    }

    /// Adds the tokens of a text until there are `limit` of them.
    fn extend(&self, text: &str, limit: usize, tokens: &mut Vec<u32>) {
        for part in special::parts(text, &self.settings.special) {
            if tokens.len() >= limit {
                break;
            }
            match part {
                Part::Token(id) => tokens.push(id),
                Part::Text(text) => match &self.model {
                    Model::WordPiece(model) => model.tokenize(text, limit, tokens),
                    Model::Bpe(model) => model.tokenize(text, limit, tokens),
                },
            }
        }
        tokens.truncate(limit);
    }
}

#[cfg(test)]
#[path = "tokenizer_tests.rs"]
mod tests;
