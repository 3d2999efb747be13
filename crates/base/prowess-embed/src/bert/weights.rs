//! The tensors of a BERT, checked once when it is loaded.

use serde::Deserialize;

use super::attention::LANES;
use super::linear::Linear;
use crate::kernel::ROWS;
use crate::pack::{Pack, PackError, Tensor};

/// What the header says of the network.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Shape {
    pub(super) vocabulary: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// Width of the rows between the layers.
    pub(super) width: usize,
    /// Width inside the second half of a layer.
    pub(super) inner: usize,
    /// Columns that share a scale, in the matrices and in the word table.
    pub(super) group: usize,
    pub(super) word_group: usize,
    pub(super) epsilon: f32,
    pub(super) pooling: Pooling,
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

/// Weight and bias of a normalisation.
pub(super) struct Norm {
    pub(super) weight: Tensor<f32>,
    pub(super) bias: Tensor<f32>,
}

impl Norm {
    fn load(pack: &Pack, name: &str, width: usize) -> Result<Self, PackError> {
        let weight = pack.tensor(&format!("{name}.weight"), &[width])?;
        let bias = pack.tensor(&format!("{name}.bias"), &[width])?;
        Ok(Self { weight, bias })
    }
}

pub(super) struct Layer {
    /// Queries, keys and values, one after the other.
    pub(super) attention: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: Norm,
    pub(super) inner: Linear,
    pub(super) output: Linear,
    pub(super) output_norm: Norm,
}

/// The whole network.
pub(super) struct Weights {
    pub(super) shape: Shape,
    words: Tensor<i8>,
    word_scales: Tensor<f32>,
    /// What is added at each position; the segment is in it.
    positions: Tensor<f32>,
    pub(super) embedding_norm: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Weights {
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let header = pack.header();
        let shape: Shape = serde_json::from_value(header.settings.clone()).map_err(PackError::Header)?;
        let Shape { vocabulary, width, heads, inner, group, word_group, .. } = shape;
        let divides = |part: usize, whole: usize| part != 0 && whole != 0 && whole.is_multiple_of(part);
        let is_sound = header.dimensions == width
            && header.max_tokens >= 2
            && divides(ROWS, width)
            && divides(ROWS, inner)
            && divides(heads, width)
            && divides(LANES, width / heads)
            && divides(2, group)
            && divides(group, width)
            && divides(group, inner)
            && divides(word_group, width);
        if !is_sound {
            return Err(PackError::content("the shape of the network does not add up"));
        }
        let linear = |name: &str, inputs, outputs| Linear::load(pack, name, inputs, outputs, group);
        let layer = |index: usize| {
            let name = |part: &str| format!("layers.{index}.{part}");
            Ok(Layer {
                attention: linear(&name("attention"), width, 3 * width)?,
                attention_output: linear(&name("attention.output"), width, width)?,
                attention_norm: Norm::load(pack, &name("attention.norm"), width)?,
                inner: linear(&name("inner"), width, inner)?,
                output: linear(&name("output"), inner, width)?,
                output_norm: Norm::load(pack, &name("output.norm"), width)?,
            })
        };
        Ok(Self {
            words: pack.tensor("words", &[vocabulary, width])?,
            word_scales: pack.tensor("words.scales", &[vocabulary, width / word_group])?,
            positions: pack.tensor("positions", &[header.max_tokens, width])?,
            embedding_norm: Norm::load(pack, "embedding.norm", width)?,
            layers: (0..shape.layers).map(layer).collect::<Result<_, PackError>>()?,
            shape,
        })
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.shape.vocabulary
    }

    pub(super) fn width(&self) -> usize {
        self.shape.width
    }

    /// Writes what the network begins with: the row of each token at its position.
    #[inline(always)]
    pub(super) fn embed(&self, tokens: &[u32], rows: &mut [f32]) {
        let (width, group) = (self.shape.width, self.shape.word_group);
        let (words, scales, positions) = (&*self.words, &*self.word_scales, &*self.positions);
        for ((token, row), position) in
            tokens.iter().zip(rows.chunks_exact_mut(width)).zip(positions.chunks_exact(width))
        {
            let start = *token as usize * width;
            let word = words[start..start + width].chunks_exact(group);
            let scales = &scales[start / group..(start + width) / group];
            let position = position.chunks_exact(group);
            for (((row, word), scale), position) in
                row.chunks_exact_mut(group).zip(word).zip(scales).zip(position)
            {
                for ((out, code), position) in row.iter_mut().zip(word).zip(position) {
                    *out = f32::from(*code) * scale + position;
                }
            }
        }
    }
}
