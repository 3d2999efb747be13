//! The tensors of a BERT, checked once when it is loaded.

use serde::Deserialize;

use super::layers::{self, Layers};
use super::words::Words;
use crate::pack::{Pack, PackError, Tensor};

/// What the header says of the network.
#[derive(Clone, Debug, Deserialize)]
struct Shape {
    vocabulary: usize,
    /// Columns of the word table that share a scale; means nothing to a table of 4 bits.
    word_group: usize,
    pooling: Pooling,
    #[serde(flatten)]
    layers: layers::Shape,
}

/// How the rows of the tokens become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Pooling {
    /// The mean of all rows.
    Mean,
    /// The row of the first token.
    First,
}

/// The whole network.
pub(super) struct Weights {
    words: Words,
    /// What is added at each position; the segment is in it.
    positions: Tensor<f32>,
    pub(super) layers: Layers,
    pub(super) pooling: Pooling,
}

impl Weights {
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let header = pack.header();
        let shape = Shape::read(pack)?;
        let width = shape.layers.width;
        if header.dimensions != width || header.max_tokens < 2 {
            return Err(PackError::content("the shape of the network does not add up"));
        }
        Ok(Self {
            words: words(pack)?,
            positions: pack.tensor("positions", &[header.max_tokens, width])?,
            layers: Layers::load(pack, shape.layers)?,
            pooling: shape.pooling,
        })
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.words.vocabulary
    }

    pub(super) fn width(&self) -> usize {
        self.words.width
    }

    /// Writes what the layers begin with: the row of each token at its position.
    #[inline(always)]
    pub(super) fn embed(&self, tokens: &[u32], rows: &mut Vec<f32>) {
        let width = self.width();
        rows.resize(tokens.len() * width, 0.0);
        for ((token, row), position) in
            tokens.iter().zip(rows.chunks_exact_mut(width)).zip(self.positions.chunks_exact(width))
        {
            self.words.look_up(*token, row);
            for (number, position) in row.iter_mut().zip(position) {
                *number += position;
            }
        }
        self.words.normalise(rows, self.layers.shape.epsilon);
    }
}

impl Shape {
    fn read(pack: &Pack) -> Result<Self, PackError> {
        serde_json::from_value(pack.header().settings.clone()).map_err(PackError::Header)
    }
}

/// The word table of a BERT, without its layers.
pub(super) fn words(pack: &Pack) -> Result<Words, PackError> {
    let shape = Shape::read(pack)?;
    Words::load(pack, shape.vocabulary, shape.layers.width, shape.word_group)
}
