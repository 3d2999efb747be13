//! Rows of activations, rounded to whole numbers for a matrix.

use super::math;
use crate::kernel::{Kernel, Pair, Products, Quad, Small, Strip};

/// Rows of whole numbers with their scales.
pub(super) trait Activations: Default {
    /// Tokens at once, as the kernel likes it best.
    fn block<K: Kernel>() -> usize;

    /// Rounds rows of the given width for a matrix whose sums run over `group` columns.
    fn round<K: Kernel>(&mut self, rows: &[f32], width: usize, group: usize);

    /// The number of rows.
    fn count(&self) -> usize;

    /// The products of a strip with some rows.
    fn dot<K: Kernel, const TOKENS: usize>(&self, strip: Strip<'_>, first: usize) -> [Products; TOKENS];

    /// The factor of the products of a row.
    fn scale(&self, row: usize) -> f32;
}

/// As many bits as the sums can hold, up to 16; each row has one scale.
#[derive(Default)]
pub(super) struct Precise {
    pairs: Vec<Pair>,
    scales: Vec<f32>,
}

impl Activations for Precise {
    #[inline(always)]
    fn block<K: Kernel>() -> usize {
        K::BLOCK
    }

    /// The largest number of a row becomes the largest whole number with which no sum can overflow.
    #[inline(always)]
    fn round<K: Kernel>(&mut self, rows: &[f32], width: usize, group: usize) {
        let largest = (i32::MAX as usize / (128 * group)).min(i16::MAX as usize) as f32;
        self.pairs.clear();
        self.pairs.resize(rows.len() / 2, [0; 2]);
        self.scales.clear();
        for (row, pairs) in rows.chunks_exact(width).zip(self.pairs.chunks_exact_mut(width / 2)) {
            let (scale, inverse) = scales(row, largest);
            math::round(row, inverse, pairs.as_flattened_mut());
            self.scales.push(scale);
        }
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.scales.len()
    }

    #[inline(always)]
    fn dot<K: Kernel, const TOKENS: usize>(&self, strip: Strip<'_>, first: usize) -> [Products; TOKENS] {
        let pairs = strip.tiles.len();
        let mut rows: [&[Pair]; TOKENS] = [&[]; TOKENS];
        for (token, row) in (first..).zip(&mut rows) {
            *row = &self.pairs[token * pairs..][..pairs];
        }
        K::dot(strip, rows)
    }

    #[inline(always)]
    fn scale(&self, row: usize) -> f32 {
        self.scales[row]
    }
}

/// Eight bits; each group of columns has its own scale, so that one large number does not cost the others
/// their precision.
#[derive(Default)]
pub(super) struct Fast {
    count: usize,
    /// One of these two is filled, as the kernel reads it.
    bytes: Vec<Quad>,
    pairs: Vec<Pair>,
    scales: Vec<f32>,
}

impl Activations for Fast {
    #[inline(always)]
    fn block<K: Kernel>() -> usize {
        // With the scales of the groups sixteen tokens no longer fit the registers.
        K::BLOCK.min(12)
    }

    #[inline(always)]
    fn round<K: Kernel>(&mut self, rows: &[f32], width: usize, group: usize) {
        self.count = rows.len() / width;
        self.scales.resize(rows.len() / group, 0.0);
        let groups = rows.chunks_exact(group).zip(&mut self.scales);
        if K::READS_BYTES {
            self.bytes.resize(rows.len() / 4, [0; 4]);
            for ((row, kept), bytes) in groups.zip(self.bytes.chunks_exact_mut(group / 4)) {
                let (scale, inverse) = scales(row, 127.0);
                math::round_bytes(row, inverse, bytes.as_flattened_mut());
                *kept = scale;
            }
        } else {
            self.pairs.resize(rows.len() / 2, [0; 2]);
            for ((row, kept), pairs) in groups.zip(self.pairs.chunks_exact_mut(group / 2)) {
                let (scale, inverse) = scales(row, 127.0);
                math::round(row, inverse, pairs.as_flattened_mut());
                *kept = scale;
            }
        }
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn dot<K: Kernel, const TOKENS: usize>(&self, strip: Strip<'_>, first: usize) -> [Products; TOKENS] {
        let (pairs, groups) = (strip.tiles.len(), strip.scales.len());
        let mut rows = [Small { bytes: &[], pairs: &[], scales: &[] }; TOKENS];
        for (token, row) in (first..).zip(&mut rows) {
            row.scales = &self.scales[token * groups..][..groups];
            if K::READS_BYTES {
                row.bytes = &self.bytes[token * pairs / 2..][..pairs / 2];
            } else {
                row.pairs = &self.pairs[token * pairs..][..pairs];
            }
        }
        K::dot_small(strip, rows)
    }

    #[inline(always)]
    fn scale(&self, _row: usize) -> f32 {
        1.0
    }
}

/// The scale with which the largest number becomes `largest`, and its inverse.
#[inline(always)]
fn scales(row: &[f32], largest: f32) -> (f32, f32) {
    let scale = math::largest(row) / largest;
    (scale, if scale > 0.0 { 1.0 / scale } else { 0.0 })
}
