//! The tensors of a reader, checked once when it is loaded, and the pass through them.

use serde::Deserialize;

use super::super::activations::Fast;
use super::super::layers::{self, Layers, Scratch};
use super::super::words::Words;
use super::head::Head;
use crate::f16::F16;
use crate::kernel::{Job, Kernel};
use crate::pack::{Pack, PackError, Tensor};

/// The kind that the header of a reader pack names.
const KIND: &str = "reader";

/// Tokens around the two texts: one before the first, one after each.
const MARKS: usize = 3;

/// The reader, as the header describes it.
#[derive(Debug, Deserialize)]
struct Shape {
    /// The digest of the encoder that it belongs to.
    base: String,
    message_tokens: usize,
    document_tokens: usize,
    /// Width inside the head.
    hidden: usize,
    outputs: usize,
    #[serde(flatten)]
    layers: layers::Shape,
}

pub(super) struct Weights {
    shape: Shape,
    words: Words,
    /// In single precision: half would be turned into it for every pair.
    positions: Vec<f32>,
    /// The vectors that are added to the tokens of the message and to those of the document.
    segments: Tensor<f32>,
    layers: Layers,
    head: Head,
}

impl Weights {
    pub(super) fn load(pack: &Pack, base: &Pack) -> Result<Self, PackError> {
        let header = pack.header();
        if header.kind != KIND {
            return Err(PackError::Kind(header.kind.clone()));
        }
        let shape: Shape = serde_json::from_value(header.settings.clone()).map_err(PackError::Header)?;
        let words = super::super::weights::words(base)?;
        let found = words.digest();
        if found != shape.base {
            let (base, expected) = (base.header().name.clone(), shape.base);
            return Err(PackError::Base { base, found, expected });
        }
        let width = shape.layers.width;
        let limits = shape.message_tokens.checked_add(shape.document_tokens);
        let limit = limits.and_then(|limit| limit.checked_add(MARKS));
        let is_sound = words.width == width
            && limit == Some(header.max_tokens)
            // Activations of 8 bits are read four at a time.
            && shape.layers.group.is_multiple_of(4);
        if !is_sound {
            return Err(PackError::content("the shape of the reader does not add up"));
        }
        let layers = Layers::load(pack, shape.layers)?;
        let positions: Tensor<F16> = pack.tensor("positions", &[header.max_tokens, width])?;
        Ok(Self {
            words,
            positions: positions.iter().map(|number| number.to_f32()).collect(),
            segments: pack.tensor("segments", &[2, width])?,
            head: Head::load(pack, width, shape.hidden, shape.outputs, shape.layers.group)?,
            layers,
            shape,
        })
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.words.vocabulary
    }

    pub(super) fn message_tokens(&self) -> usize {
        self.shape.message_tokens
    }

    pub(super) fn document_tokens(&self) -> usize {
        self.shape.document_tokens
    }
}

/// The pass of one pair to the outputs of the head. Both texts must be within their limits.
pub(super) struct Read<'a> {
    pub(super) weights: &'a Weights,
    /// The tokens that stand before the first text and after each.
    pub(super) ends: [u32; 2],
    pub(super) message: &'a [u32],
    pub(super) document: &'a [u32],
    pub(super) scratch: &'a mut Scratch<Fast>,
}

impl Job for Read<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<K: Kernel>(self) -> Self::Output {
        let Self { weights, ends: [first, last], message, document, scratch } = self;
        let width = weights.words.width;
        scratch.rows.resize((message.len() + document.len() + MARKS) * width, 0.0);
        let message = std::iter::once(&first).chain(message).chain(std::iter::once(&last));
        let document = document.iter().chain(std::iter::once(&last));
        let (message_segment, document_segment) = weights.segments.split_at(width);
        let tokens = message
            .map(|token| (token, message_segment))
            .chain(document.map(|token| (token, document_segment)));
        let positions = weights.positions.chunks_exact(width);
        for (((token, segment), row), position) in
            tokens.zip(scratch.rows.chunks_exact_mut(width)).zip(positions)
        {
            weights.words.look_up(*token, row);
            for ((number, position), segment) in row.iter_mut().zip(position).zip(segment) {
                *number += position + segment;
            }
        }
        weights.words.normalise(&mut scratch.rows, weights.layers.shape.epsilon);
        weights.layers.run::<K, _>(scratch);
        weights.head.apply::<K>(&scratch.rows, width)
    }
}
