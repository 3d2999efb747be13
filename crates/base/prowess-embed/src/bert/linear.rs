//! A matrix of 8-bit weights, applied to rows of activations that were rounded for it.

use std::ops::Deref;

use super::activations::Activations;
use super::nibbles;
use crate::kernel::{Kernel, ROWS, Strip};
use crate::pack::{DType, Element, Pack, PackError, Tensor};

/// `outputs = weights · inputs + bias`.
pub(super) struct Linear {
    inputs: usize,
    pub(super) outputs: usize,
    /// Columns that share a scale.
    group: usize,
    weights: Numbers<i8>,
    scales: Numbers<f32>,
    bias: Tensor<f32>,
}

/// Numbers where they lie in the pack, or made of them when it was loaded.
enum Numbers<T> {
    Stored(Tensor<T>),
    Made(Vec<T>),
}

impl<T: Element> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Stored(tensor) => tensor,
            Self::Made(numbers) => numbers,
        }
    }
}

impl Linear {
    /// Reads a matrix of 8 bits, in tiles, or of 4 bits, row by row; the type of its numbers tells which.
    pub(super) fn load(
        pack: &Pack,
        name: &str,
        inputs: usize,
        outputs: usize,
        group: usize,
    ) -> Result<Self, PackError> {
        let (weight, scales) = (format!("{name}.weight"), format!("{name}.scales"));
        let bias = pack.tensor(&format!("{name}.bias"), &[outputs])?;
        let (weights, scales) = if pack.dtype(&weight)? == DType::U8 {
            let matrix = nibbles::expand(pack, &weight, &scales, inputs, outputs, group)?;
            (Numbers::Made(matrix.codes), Numbers::Made(matrix.scales))
        } else {
            let weights = pack.tensor(&weight, &[outputs / ROWS, inputs / 2, ROWS, 2])?;
            let scales = pack.tensor(&scales, &[outputs / ROWS, inputs / group, ROWS])?;
            (Numbers::Stored(weights), Numbers::Stored(scales))
        };
        Ok(Self { inputs, outputs, group, weights, scales, bias })
    }

    /// Multiplies every row of the input.
    #[inline(always)]
    pub(super) fn apply<K: Kernel, A: Activations>(&self, input: &A, output: &mut [f32]) {
        let pairs = self.inputs / 2;
        let groups = self.inputs / self.group;
        let tiles = self.weights.as_chunks().0;
        let scales = self.scales.as_chunks().0;
        let bias = self.bias.as_chunks().0;
        let strips = tiles.chunks_exact(pairs).zip(scales.chunks_exact(groups)).zip(bias);
        for (index, ((tiles, scales), bias)) in strips.enumerate() {
            let strip = Strip { tiles, scales, group: self.group / 2 };
            let mut target = Target { outputs: self.outputs, column: index * ROWS, bias, numbers: output };
            let mut token = 0;
            while token < input.count() {
                let left = (input.count() - token).min(A::block::<K>());
                token += match left {
                    16.. => target.fill::<K, A, 16>(strip, input, token),
                    12.. => target.fill::<K, A, 12>(strip, input, token),
                    8.. => target.fill::<K, A, 8>(strip, input, token),
                    4.. => target.fill::<K, A, 4>(strip, input, token),
                    2.. => target.fill::<K, A, 2>(strip, input, token),
                    _ => target.fill::<K, A, 1>(strip, input, token),
                };
            }
        }
    }
}

/// The destination of the products of a strip.
struct Target<'a> {
    /// Width of a row.
    outputs: usize,
    /// The column at which the strip begins in each row.
    column: usize,
    bias: &'a [f32; ROWS],
    numbers: &'a mut [f32],
}

impl Target<'_> {
    /// Fills in the rows of some tokens; returns their number.
    #[inline(always)]
    fn fill<K: Kernel, A: Activations, const TOKENS: usize>(
        &mut self,
        strip: Strip<'_>,
        input: &A,
        first: usize,
    ) -> usize {
        let products = input.dot::<K, TOKENS>(strip, first);
        for (token, products) in (first..).zip(&products) {
            let start = token * self.outputs + self.column;
            let scale = input.scale(token);
            for (row, number) in self.numbers[start..start + ROWS].iter_mut().enumerate() {
                *number = products[row] * scale + self.bias[row];
            }
        }
        TOKENS
    }
}
