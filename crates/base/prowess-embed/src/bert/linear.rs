//! A matrix of 8-bit weights, and rows of activations rounded to whole numbers for it.

use super::math;
use crate::kernel::{Kernel, Pair, ROWS, Strip};
use crate::pack::{Pack, PackError, Tensor};

/// `outputs = weights · inputs + bias`.
pub(super) struct Linear {
    inputs: usize,
    pub(super) outputs: usize,
    /// Columns that share a scale.
    group: usize,
    weights: Tensor<i8>,
    scales: Tensor<f32>,
    bias: Tensor<f32>,
}

impl Linear {
    pub(super) fn load(
        pack: &Pack,
        name: &str,
        inputs: usize,
        outputs: usize,
        group: usize,
    ) -> Result<Self, PackError> {
        let weights = pack.tensor(&format!("{name}.weight"), &[outputs / ROWS, inputs / 2, ROWS, 2])?;
        let scales = pack.tensor(&format!("{name}.scales"), &[outputs / ROWS, inputs / group, ROWS])?;
        let bias = pack.tensor(&format!("{name}.bias"), &[outputs])?;
        Ok(Self { inputs, outputs, group, weights, scales, bias })
    }

    /// Multiplies every row of the input.
    #[inline(always)]
    pub(super) fn apply<K: Kernel>(&self, input: &Rounded, output: &mut [f32]) {
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
            while token < input.scales.len() {
                let left = (input.scales.len() - token).min(K::BLOCK);
                token += match left {
                    16.. => target.fill::<K, 16>(strip, input, token),
                    8.. => target.fill::<K, 8>(strip, input, token),
                    4.. => target.fill::<K, 4>(strip, input, token),
                    2.. => target.fill::<K, 2>(strip, input, token),
                    _ => target.fill::<K, 1>(strip, input, token),
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
    fn fill<K: Kernel, const TOKENS: usize>(
        &mut self,
        strip: Strip<'_>,
        input: &Rounded,
        first: usize,
    ) -> usize {
        let pairs = strip.tiles.len();
        let rows = std::array::from_fn(|token| &input.pairs[(first + token) * pairs..][..pairs]);
        let products = K::dot::<TOKENS>(strip, rows);
        for (token, products) in (first..).zip(&products) {
            let start = token * self.outputs + self.column;
            let scale = input.scales[token];
            for (row, number) in self.numbers[start..start + ROWS].iter_mut().enumerate() {
                *number = products[row] * scale + self.bias[row];
            }
        }
        TOKENS
    }
}

/// Rows of activations as whole numbers, each row with its own scale.
#[derive(Default)]
pub(super) struct Rounded {
    pairs: Vec<Pair>,
    scales: Vec<f32>,
}

impl Rounded {
    /// Rounds rows of the given width for a matrix whose sums run over `group` columns.
    ///
    /// The largest number of a row becomes the largest whole number with which no sum can overflow.
    #[inline(always)]
    pub(super) fn round(&mut self, rows: &[f32], width: usize, group: usize) {
        let largest = (i32::MAX as usize / (128 * group)).min(i16::MAX as usize) as f32;
        self.pairs.clear();
        self.pairs.resize(rows.len() / 2, [0; 2]);
        self.scales.clear();
        for (row, pairs) in rows.chunks_exact(width).zip(self.pairs.chunks_exact_mut(width / 2)) {
            let scale = math::largest(row) / largest;
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            math::round(row, inverse, pairs.as_flattened_mut());
            self.scales.push(scale);
        }
    }
}
