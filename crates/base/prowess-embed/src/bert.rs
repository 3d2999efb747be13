//! Encoders of the BERT family: six layers of attention, whole-number products, one vector at the end.
//!
//! Weights are 8-bit, with a scale for each group of columns; activations are rounded, token by token, to as
//! many bits as the sums can hold. What rounds visibly in a float (softmax, norms, GELU) stays a float.

mod activations;
mod attention;
mod forward;
mod layers;
mod linear;
mod math;
mod nibbles;
mod reader;
mod weights;
mod words;

use std::sync::Mutex;

use prowess_types::IgnorePoison as _;

use self::activations::Precise;
use self::forward::Forward;
use self::layers::Scratch;
pub use self::reader::{ReadError, Reader, Tokens};
use self::weights::Weights;
use crate::encoder::{EncodeError, Encoder};
use crate::kernel::Path;
use crate::pack::{Pack, PackError};
use crate::parallel;
use crate::tokenizer::Tokenizer;

/// Goes up whenever the same pack would give other vectors than before.
const REVISION: u32 = 1;

/// An encoder of kind `bert`.
pub(crate) struct Bert {
    id: String,
    name: String,
    tokenizer: Tokenizer,
    weights: Weights,
    path: Path,
    /// Memory of finished calls, for the next ones.
    scratch: Mutex<Vec<Scratch<Precise>>>,
}

impl Bert {
    pub(crate) fn load(pack: &Pack) -> Result<Self, PackError> {
        Self::load_for(pack, Path::best())
    }

    /// With the instructions of a given path, which must be available.
    fn load_for(pack: &Pack, path: Path) -> Result<Self, PackError> {
        let weights = Weights::load(pack)?;
        let tokenizer = Tokenizer::load(pack, weights.vocabulary())?;
        let (id, name) = (pack.id(REVISION), pack.header().name.clone());
        Ok(Self { id, name, tokenizer, weights, path, scratch: Mutex::default() })
    }
}

impl Encoder for Bert {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.weights.width()
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        let tokens = self.tokenizer.tokens(text);
        let lock = || self.scratch.lock().ignore_poison();
        let mut scratch = lock().pop().unwrap_or_default();
        let forward = Forward { weights: &self.weights, tokens: &tokens, scratch: &mut scratch };
        let vector = self.path.run(forward);
        lock().push(scratch);
        vector.ok_or_else(|| EncodeError::Degenerate(self.name.clone()))
    }

    fn encode_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        parallel::encode_all(self, texts)
    }
}

#[cfg(test)]
#[path = "bert_tests.rs"]
mod tests;
