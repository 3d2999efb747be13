//! The head of a reader: two small layers over the first row and the mean of all rows.

use super::super::activations::{Activations as _, Precise};
use super::super::linear::Linear;
use super::super::math;
use crate::kernel::{Kernel, ROWS};
use crate::pack::{Pack, PackError, Tensor};

pub(super) struct Head {
    group: usize,
    inner: Linear,
    /// One row an output.
    weight: Tensor<f32>,
    bias: Tensor<f32>,
}

impl Head {
    /// Reads `head.inner` and `head.output`.
    pub(super) fn load(
        pack: &Pack,
        width: usize,
        hidden: usize,
        outputs: usize,
        group: usize,
    ) -> Result<Self, PackError> {
        if hidden == 0 || !hidden.is_multiple_of(ROWS) || outputs == 0 {
            return Err(PackError::content("the head of the reader has an impossible shape"));
        }
        Ok(Self {
            group,
            inner: Linear::load(pack, "head.inner", 2 * width, hidden, group)?,
            weight: pack.tensor("head.output.weight", &[outputs, hidden])?,
            bias: pack.tensor("head.output.bias", &[outputs])?,
        })
    }

    /// The outputs for the rows of all tokens.
    #[inline(always)]
    pub(super) fn apply<K: Kernel>(&self, rows: &[f32], width: usize) -> Vec<f32> {
        let count = (rows.len() / width) as f32;
        let mut pooled = rows[..width].to_vec();
        pooled.resize(2 * width, 0.0);
        let mean = &mut pooled[width..];
        for row in rows.chunks_exact(width) {
            for (sum, number) in mean.iter_mut().zip(row) {
                *sum += number;
            }
        }
        for sum in mean {
            *sum /= count;
        }
        let mut hidden = vec![0.0; self.inner.outputs];
        let mut rounded = Precise::default();
        rounded.round::<K>(&pooled, 2 * width, self.group);
        self.inner.apply::<K, _>(&rounded, &mut hidden);
        math::tanh(&mut hidden);
        let outputs = self.weight.chunks_exact(hidden.len()).zip(&*self.bias);
        outputs.map(|(weight, bias)| bias + math::dot(weight, &hidden)).collect()
    }
}
