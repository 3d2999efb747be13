//! The layers of a BERT: loaded and checked once, run for every text.

use serde::Deserialize;

use super::activations::Activations;
use super::attention::{self, LANES, attend};
use super::linear::Linear;
use super::math;
use crate::kernel::{Kernel, ROWS};
use crate::pack::{Pack, PackError, Tensor};

/// The layers, as the header describes them.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Shape {
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// Width of the rows between the layers.
    pub(super) width: usize,
    /// Width inside the second half of a layer.
    pub(super) inner: usize,
    /// Columns of a matrix that share a scale.
    pub(super) group: usize,
    pub(super) epsilon: f32,
}

impl Shape {
    /// Returns true if heads, groups and tiles come out even.
    pub(super) fn is_sound(&self) -> bool {
        let Self { heads, width, inner, group, .. } = *self;
        let divides = |part: usize, whole: usize| part != 0 && whole != 0 && whole.is_multiple_of(part);
        divides(ROWS, width)
            && divides(ROWS, inner)
            && divides(heads, width)
            && divides(LANES, width / heads)
            && divides(2, group)
            && divides(group, width)
            && divides(group, inner)
    }
}

/// Weight and bias of a normalisation.
pub(super) struct Norm {
    pub(super) weight: Tensor<f32>,
    pub(super) bias: Tensor<f32>,
}

impl Norm {
    pub(super) fn load(pack: &Pack, name: &str, width: usize) -> Result<Self, PackError> {
        let weight = pack.tensor(&format!("{name}.weight"), &[width])?;
        let bias = pack.tensor(&format!("{name}.bias"), &[width])?;
        Ok(Self { weight, bias })
    }
}

struct Layer {
    /// Queries, keys and values, one after the other.
    attention: Linear,
    attention_output: Linear,
    attention_norm: Norm,
    inner: Linear,
    output: Linear,
    output_norm: Norm,
}

/// Memory of a call that the next one can use.
#[derive(Default)]
pub(super) struct Scratch<A> {
    /// One row per token: what goes into the layers, and what comes out of them.
    pub(super) rows: Vec<f32>,
    rounded: A,
    wide: Vec<f32>,
    update: Vec<f32>,
    attention: attention::Work,
}

/// All layers of a network.
pub(super) struct Layers {
    pub(super) shape: Shape,
    layers: Vec<Layer>,
}

impl Layers {
    /// Reads the layers of a pack; the shape must be sound.
    pub(super) fn load(pack: &Pack, shape: Shape) -> Result<Self, PackError> {
        if !shape.is_sound() {
            return Err(PackError::content("the shape of the network does not add up"));
        }
        let Shape { width, inner, group, .. } = shape;
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
        let layers = (0..shape.layers).map(layer).collect::<Result<_, PackError>>()?;
        Ok(Self { shape, layers })
    }

    /// Sends the rows of the scratch through all layers.
    #[inline(always)]
    pub(super) fn run<K: Kernel, A: Activations>(&self, scratch: &mut Scratch<A>) {
        let Shape { width, inner, group, heads, epsilon, .. } = self.shape;
        let Scratch { rows, rounded, wide, update, attention } = scratch;
        let tokens = rows.len() / width;
        update.resize(tokens * width, 0.0);
        let settle = |rows: &mut [f32], update: &[f32], norm: &Norm| {
            for (row, update) in rows.chunks_exact_mut(width).zip(update.chunks_exact(width)) {
                math::add_and_normalise(row, update, &norm.weight, &norm.bias, epsilon);
            }
        };
        for layer in &self.layers {
            wide.resize(tokens * 3 * width, 0.0);
            rounded.round::<K>(rows, width, group);
            layer.attention.apply::<K, A>(rounded, wide);
            attend(wide, width, heads, update, attention);
            rounded.round::<K>(update, width, group);
            layer.attention_output.apply::<K, A>(rounded, update);
            settle(rows, update, &layer.attention_norm);

            wide.resize(tokens * inner, 0.0);
            rounded.round::<K>(rows, width, group);
            layer.inner.apply::<K, A>(rounded, wide);
            math::gelu(wide);
            rounded.round::<K>(wide, inner, group);
            layer.output.apply::<K, A>(rounded, update);
            settle(rows, update, &layer.output_norm);
        }
    }
}
