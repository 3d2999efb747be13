//! The forward pass through the network, written once and compiled for each path.

use super::attention::{self, attend};
use super::linear::Rounded;
use super::math;
use super::weights::{Norm, Pooling, Weights};
use crate::kernel::{Job, Kernel};

/// Memory of a call that the next one can use.
#[derive(Default)]
pub(super) struct Scratch {
    rows: Vec<f32>,
    wide: Vec<f32>,
    update: Vec<f32>,
    rounded: Rounded,
    attention: attention::Work,
}

/// The forward pass of some tokens to their vector: of unit length, none if the numbers are not numbers.
pub(super) struct Forward<'a> {
    pub(super) weights: &'a Weights,
    pub(super) tokens: &'a [u32],
    pub(super) scratch: &'a mut Scratch,
}

impl Job for Forward<'_> {
    type Output = Option<Vec<f32>>;

    #[inline(always)]
    fn run<K: Kernel>(self) -> Self::Output {
        run::<K>(self.weights, self.tokens, self.scratch)
    }
}

#[inline(always)]
fn run<K: Kernel>(weights: &Weights, tokens: &[u32], scratch: &mut Scratch) -> Option<Vec<f32>> {
    let shape = &weights.shape;
    let (width, inner, group) = (shape.width, shape.inner, shape.group);
    let Scratch { rows, wide, update, rounded, attention } = scratch;
    rows.resize(tokens.len() * width, 0.0);
    update.resize(tokens.len() * width, 0.0);
    let settle = |rows: &mut [f32], update: &[f32], norm: &Norm| {
        for (row, update) in rows.chunks_exact_mut(width).zip(update.chunks_exact(width)) {
            math::add_and_normalise(row, update, &norm.weight, &norm.bias, shape.epsilon);
        }
    };

    weights.embed(tokens, rows);
    for row in rows.chunks_exact_mut(width) {
        let norm = &weights.embedding_norm;
        math::normalise(row, &norm.weight, &norm.bias, shape.epsilon);
    }
    for layer in &weights.layers {
        wide.resize(tokens.len() * 3 * width, 0.0);
        rounded.round(rows, width, group);
        layer.attention.apply::<K>(rounded, wide);
        attend(wide, width, shape.heads, update, attention);
        rounded.round(update, width, group);
        layer.attention_output.apply::<K>(rounded, update);
        settle(rows, update, &layer.attention_norm);

        wide.resize(tokens.len() * inner, 0.0);
        rounded.round(rows, width, group);
        layer.inner.apply::<K>(rounded, wide);
        math::gelu(wide);
        rounded.round(wide, inner, group);
        layer.output.apply::<K>(rounded, update);
        settle(rows, update, &layer.output_norm);
    }
    pool(rows, width, shape.pooling)
}

/// One row of unit length for all of them.
#[inline(always)]
fn pool(rows: &[f32], width: usize, pooling: Pooling) -> Option<Vec<f32>> {
    let mut pooled = rows.get(..width)?.to_vec();
    if pooling == Pooling::Mean {
        // The length does not matter, so neither does the number of rows.
        for row in rows.chunks_exact(width).skip(1) {
            for (sum, number) in pooled.iter_mut().zip(row) {
                *sum += number;
            }
        }
    }
    let length = math::sum_of_squares(&pooled).sqrt();
    if !length.is_normal() {
        return None;
    }
    for number in &mut pooled {
        *number /= length;
    }
    Some(pooled)
}
