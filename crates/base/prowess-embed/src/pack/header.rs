//! What a pack says of itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bytes::ALIGNMENT;
use super::{DType, PackError};

/// The header of a pack, stored as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The family that calibration speaks of, such as `prowess-minilm`.
    pub name: String,
    /// Which inference reads the tensors: `bert`, `roberta`, `use-multilingual`.
    pub kind: String,
    /// Length of the vectors.
    pub dimensions: usize,
    /// Texts are cut after this many tokens, the special ones included.
    pub max_tokens: usize,
    /// Which tokenizer reads the text, such as `wordpiece`.
    pub tokenizer: String,
    /// SPDX expression of the licence of the weights.
    pub licence: String,
    /// The source of the weights, by public names and digests.
    pub source: String,
    /// What else the kind needs: numbers of layers, ids of special tokens, and so on.
    #[serde(default)]
    pub settings: Value,
    /// The tensors by name; in a file the order of their places is that of their names.
    #[serde(default)]
    pub tensors: BTreeMap<String, TensorInfo>,
}

/// Where a tensor lies, and as what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorInfo {
    /// Type of the numbers.
    pub dtype: DType,
    /// Size of each dimension, the slowest first.
    pub shape: Vec<usize>,
    /// First byte, counted from the end of the header.
    pub offset: usize,
    /// Number of bytes.
    pub length: usize,
}

impl Header {
    /// Whether every tensor lies within so many bytes of data and has the length that its shape gives.
    pub(super) fn check(&self, data: usize) -> Result<(), PackError> {
        for (name, tensor) in &self.tensors {
            let length = tensor.shape.iter().try_fold(tensor.dtype.size(), |size, n| size.checked_mul(*n));
            let is_sound = length == Some(tensor.length) && tensor.offset.is_multiple_of(ALIGNMENT);
            if !is_sound {
                return Err(PackError::Layout(name.clone()));
            }
            if tensor.offset.checked_add(tensor.length).is_none_or(|end| end > data) {
                return Err(PackError::Truncated);
            }
        }
        Ok(())
    }
}
