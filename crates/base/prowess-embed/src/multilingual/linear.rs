//! A matrix of 8-bit weights, applied to rows or to overlapping windows of activations.

#![allow(clippy::inline_always, reason = "all of a job must be compiled for the path that runs it")]

use crate::kernel::{Job, Kernel, Pair, Path, ROWS, Strip};
use crate::pack::{Pack, PackError, Tensor};

/// Windows that share one pass over the weights; their sums stay in registers.
const BLOCK: usize = 4;

/// A matrix in tiles, and a scale for each output.
pub(super) struct Linear {
    weights: Tensor<i8>,
    scales: Tensor<f32>,
    inputs: usize,
}

impl Linear {
    /// There must be an even number of inputs, and a multiple of 16 outputs.
    pub(super) fn load(pack: &Pack, name: &str, inputs: usize, outputs: usize) -> Result<Self, PackError> {
        Ok(Self {
            weights: pack.tensor(&format!("{name}.weights"), &[outputs / ROWS, inputs / 2, ROWS, 2])?,
            scales: pack.tensor(&format!("{name}.scales"), &[outputs])?,
            inputs,
        })
    }

    /// The outputs for each row of inputs.
    pub(super) fn apply(&self, path: Path, rows: &[f32]) -> Vec<f32> {
        self.apply_to_windows(path, rows, self.inputs)
    }

    /// The outputs for each window of inputs, each of which begins `step` numbers after the one before.
    pub(super) fn apply_to_windows(&self, path: Path, numbers: &[f32], step: usize) -> Vec<f32> {
        let (pairs, scale) = self.round(numbers);
        let windows: Vec<&[Pair]> = pairs.windows(self.inputs / 2).step_by(step / 2).collect();
        let mut out = vec![0.0; windows.len() * self.scales.len()];
        path.run(Multiply { linear: self, windows: &windows, scale, out: &mut out });
        out
    }

    #[inline(always)]
    fn block<K: Kernel, const N: usize>(&self, windows: [&[Pair]; N], scale: f32, out: &mut [f32]) {
        let columns = self.inputs / 2;
        let strips = self.weights.as_chunks().0.chunks_exact(columns);
        let scales = self.scales.as_chunks().0.chunks_exact(1);
        for (index, (tiles, scales)) in strips.zip(scales).enumerate() {
            let products = K::dot(Strip { tiles, scales, group: columns }, windows);
            for (products, out) in products.iter().zip(out.chunks_exact_mut(self.scales.len())) {
                let out = &mut out[index * ROWS..][..ROWS];
                for (number, product) in out.iter_mut().zip(products) {
                    *number = product * scale;
                }
            }
        }
    }

    /// The numbers as whole multiples of a step, and that step: the smallest with which no sum can overflow.
    fn round(&self, numbers: &[f32]) -> (Vec<Pair>, f32) {
        // Beside this number, neighbours in single precision differ by one: adding it rounds.
        const ROUND: f32 = 12_582_912.0;
        let most = (i32::MAX as usize / (128 * self.inputs)).min(i16::MAX as usize) as f32;
        let greater = |a: f32, b: f32| if a > b { a } else { b };
        let largest = numbers.iter().fold(0.0, |largest, number| greater(largest, number.abs()));
        let factor = if largest > 0.0 { most / largest } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are the rounded number")]
        let round = |number: f32| (number * factor + ROUND).to_bits() as i16;
        (numbers.as_chunks().0.iter().map(|pair: &[f32; 2]| pair.map(round)).collect(), largest / most)
    }
}

/// The products of all windows, block by block, so that their activations stay close.
struct Multiply<'a> {
    linear: &'a Linear,
    windows: &'a [&'a [Pair]],
    /// Of the activations.
    scale: f32,
    out: &'a mut [f32],
}

impl Job for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { linear, windows, scale, out } = self;
        for (windows, out) in windows.chunks(BLOCK).zip(out.chunks_mut(BLOCK * linear.scales.len())) {
            match *windows {
                [a, b, c, d] => linear.block::<K, 4>([a, b, c, d], scale, out),
                [a, b, c] => linear.block::<K, 3>([a, b, c], scale, out),
                [a, b] => linear.block::<K, 2>([a, b], scale, out),
                [a] => linear.block::<K, 1>([a], scale, out),
                _ => {}
            }
        }
    }
}
