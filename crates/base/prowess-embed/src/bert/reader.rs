//! Readers: a message and a document read together, and one number for how well they fit.
//!
//! A reader is a BERT over `[CLS] message [SEP] document [SEP]` with a small head on the first row and the mean
//! of all rows. It shares words, tokenizer and the first normalisation with the encoder it was trained on top
//! of, so its pack holds only what differs, and a digest of that encoder's word table.

mod head;
mod weights;

use std::sync::{Arc, Mutex};

use prowess_types::IgnorePoison as _;

use self::weights::{Read, Weights};
use super::activations::Fast;
use super::layers::Scratch;
use crate::kernel::Path;
use crate::pack::{Pack, PackError};
use crate::parallel;
use crate::tokenizer::Tokenizer;

/// Goes up whenever the same packs would give other logits than before.
const REVISION: u32 = 1;

/// Tells how well documents answer a message; cheap to clone.
///
/// ```no_run
/// use std::path::Path;
/// use prowess_embed::{Pack, Reader};
///
/// let base = Pack::open(Path::new("models/prowess-minilm.pack"))?;
/// let reader = Reader::load(&Pack::open(Path::new("reader.pack"))?, &base)?;
/// let logits = reader.read("will it rain tomorrow?", &["weather: Forecasts for any city", "git: Commits"])?;
/// assert!(logits[0] > logits[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Reader(Arc<Shared>);

struct Shared {
    id: String,
    name: String,
    tokenizer: Tokenizer,
    weights: Weights,
    path: Path,
    /// Memory of finished calls, for the next ones.
    scratch: Mutex<Vec<Scratch<Fast>>>,
}

/// The tokens of a document, so that it need not be cut anew for every message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens(Vec<u32>);

impl Tokens {
    /// Tokens that were kept elsewhere, as [`Tokens::ids`] gave them.
    pub fn from_ids(ids: impl Into<Vec<u32>>) -> Self {
        Self(ids.into())
    }

    /// The numbers of the tokens in the vocabulary.
    pub fn ids(&self) -> &[u32] {
        &self.0
    }
}

/// The reason a document has no logit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The reader computed something that is not a number: its weights are damaged.
    #[error("reader `{0}` gives no usable number; its pack is damaged")]
    Degenerate(String),
    /// The tokens were made with another vocabulary.
    #[error("token {id} is not in the vocabulary of reader `{name}`, which has {vocabulary}")]
    UnknownToken {
        /// The token.
        id: u32,
        /// The reader.
        name: String,
        /// Tokens that the reader knows.
        vocabulary: usize,
    },
}

impl Reader {
    /// The reader of a pack, on top of the pack of the encoder that it was trained with. Fails with
    /// [`PackError::Base`] on any other encoder.
    pub fn load(pack: &Pack, base: &Pack) -> Result<Self, PackError> {
        Self::load_for(pack, base, Path::best())
    }

    /// With the instructions of a given path, which must be available.
    fn load_for(pack: &Pack, base: &Pack, path: Path) -> Result<Self, PackError> {
        let weights = Weights::load(pack, base)?;
        let tokenizer = Tokenizer::load(base, weights.vocabulary())?;
        let (id, name) = (pack.id(REVISION), pack.header().name.clone());
        Ok(Self(Arc::new(Shared { id, name, tokenizer, weights, path, scratch: Mutex::default() })))
    }

    /// The digest by which a reader pack names the encoder it belongs to.
    pub fn base_digest(base: &Pack) -> Result<String, PackError> {
        Ok(super::weights::words(base)?.digest())
    }

    /// Changes whenever the weights or the arithmetic do: logits may be kept by it.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The family that calibration speaks of.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Cuts a document into tokens, at most as many as are read of it.
    pub fn tokens(&self, document: &str) -> Tokens {
        Tokens(self.0.tokenizer.bare_tokens(document, self.0.weights.document_tokens()))
    }

    /// The logits of documents for a message, in their order.
    pub fn read(&self, message: &str, documents: &[&str]) -> Result<Vec<f32>, ReadError> {
        let message = self.message(message);
        parallel::map_all(documents, |document| self.logit(&message, self.tokens(document).ids()))
    }

    /// The logits of documents that were cut into tokens before, in their order.
    pub fn read_tokens(&self, message: &str, documents: &[&Tokens]) -> Result<Vec<f32>, ReadError> {
        let message = self.message(message);
        parallel::map_all(documents, |document| self.logit(&message, document.ids()))
    }

    fn message(&self, text: &str) -> Vec<u32> {
        self.0.tokenizer.bare_tokens(text, self.0.weights.message_tokens())
    }

    /// The first output of the head for one pair.
    fn logit(&self, message: &[u32], document: &[u32]) -> Result<f32, ReadError> {
        let Shared { name, tokenizer, weights, path, scratch, .. } = &*self.0;
        let vocabulary = weights.vocabulary();
        if let Some(id) = document.iter().copied().find(|id| *id as usize >= vocabulary) {
            return Err(ReadError::UnknownToken { id, name: name.clone(), vocabulary });
        }
        let document = &document[..document.len().min(weights.document_tokens())];
        let lock = || scratch.lock().ignore_poison();
        let mut scratch = lock().pop().unwrap_or_default();
        let outputs =
            path.run(Read { weights, ends: tokenizer.ends(), message, document, scratch: &mut scratch });
        lock().push(scratch);
        let logit = outputs.first().copied().filter(|logit| logit.is_finite());
        logit.ok_or_else(|| ReadError::Degenerate(name.clone()))
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reader").field(&self.0.id).finish()
    }
}

#[cfg(test)]
#[path = "../reader_tests.rs"]
mod tests;
