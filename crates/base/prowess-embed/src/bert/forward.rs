//! The forward pass through the network, written once and compiled for each path.

use super::activations::Precise;
use super::layers::Scratch;
use super::math;
use super::weights::{Pooling, Weights};
use crate::kernel::{Job, Kernel};

/// The forward pass of some tokens to their vector: of unit length, none if the numbers are not numbers.
pub(super) struct Forward<'a> {
    pub(super) weights: &'a Weights,
    pub(super) tokens: &'a [u32],
    pub(super) scratch: &'a mut Scratch<Precise>,
}

impl Job for Forward<'_> {
    type Output = Option<Vec<f32>>;

    #[inline(always)]
    fn run<K: Kernel>(self) -> Self::Output {
        let Self { weights, tokens, scratch } = self;
        weights.embed(tokens, &mut scratch.rows);
        weights.layers.run::<K, _>(scratch);
        pool(&scratch.rows, weights.width(), weights.pooling)
    }
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
