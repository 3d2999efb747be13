//! The vectors of one encoder: every row exactly searchable, in two bytes per number.
//!
//! A row is stored as 16-bit numbers with one scale, split into a plane of high bytes and a plane of low bytes.
//! A search reads the high bytes of all rows (an i8 search) and then looks at both planes of the few rows that
//! can still win. How far the first look can be off is known, so nothing is lost by it: see [`VectorTable::look`].

#![expect(
    clippy::cast_possible_truncation,
    reason = "quantising rounds to fewer digits, within limits it keeps to"
)]

use crate::kernel;

/// The largest number of a row: its high byte is then 127.
const ROW_LIMIT: f32 = 127.0 * 256.0;

/// A vector that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The row does not exist.
    #[error("there is no row {row}; the index has {rows}")]
    NoSuchRow {
        /// The requested row.
        row: usize,
        /// The number of rows.
        rows: usize,
    },
    /// An encoder's vectors all have the same length.
    #[error("a vector of `{encoder}` has {found} numbers instead of {expected}")]
    Dimensions {
        /// Whose vector.
        encoder: String,
        /// Its length.
        found: usize,
        /// The length of the others.
        expected: usize,
    },
    /// No direction can be made of it.
    #[error("a vector of `{encoder}` is empty, zero or not finite")]
    NoDirection {
        /// Whose vector.
        encoder: String,
    },
}

/// The vectors of one encoder, one per row; rows may still lack theirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorTable {
    dimensions: usize,
    high: Vec<i8>,
    low: Vec<i8>,
    /// What the row's numbers are multiplied by; zero while the row has no vector.
    scales: Vec<f32>,
    /// The longest part of any row that the high bytes do not show.
    residual: f32,
}

/// Rows that are looked at together: their sums stay near the processor.
const BLOCK: usize = 256;

impl VectorTable {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(crate) fn has(&self, row: usize) -> bool {
        self.scales.get(row).is_some_and(|&scale| scale > 0.0)
    }

    /// Copies the vector of a row of another table, bit for bit. The other table has the same dimensions.
    pub(crate) fn copy(&mut self, row: usize, from: &Self, from_row: usize) {
        debug_assert_eq!(from.dimensions, self.dimensions);
        if !from.has(from_row) {
            return;
        }
        self.grow_to(row + 1);
        let span = |row: usize| row * self.dimensions..(row + 1) * self.dimensions;
        let (here, there) = (span(row), span(from_row));
        self.high[here.clone()].copy_from_slice(&from.high[there.clone()]);
        self.low[here].copy_from_slice(&from.low[there]);
        self.scales[row] = from.scales[from_row];
        self.residual = self.residual.max(from.residual);
    }

    fn grow_to(&mut self, rows: usize) {
        if rows > self.scales.len() {
            self.scales.resize(rows, 0.0);
            self.high.resize(rows * self.dimensions, 0);
            self.low.resize(rows * self.dimensions, 0);
        }
    }

    /// Puts a vector of unit length into a row, making room for it.
    pub(crate) fn set(&mut self, row: usize, unit: &[f32]) {
        debug_assert_eq!(unit.len(), self.dimensions);
        self.grow_to(row + 1);
        let largest = unit.iter().fold(f32::MIN_POSITIVE, |largest, number| largest.max(number.abs()));
        let scale = largest / ROW_LIMIT;
        let span = row * self.dimensions..(row + 1) * self.dimensions;
        let mut hidden = 0.0_f32;
        for ((high, low), number) in self.high[span.clone()].iter_mut().zip(&mut self.low[span]).zip(unit) {
            let (top, rest) = split(number / scale);
            (*high, *low) = (top, rest);
            hidden += (number - f32::from(top) * 256.0 * scale).powi(2);
        }
        self.scales[row] = scale;
        self.residual = self.residual.max(hidden.sqrt());
    }

    /// The exact cosine with a message of unit length.
    pub(crate) fn cosine(&self, row: usize, query: &[f32]) -> Option<f32> {
        let scale = self.scales.get(row).copied().filter(|&scale| scale > 0.0)?;
        let span = row * self.dimensions..(row + 1) * self.dimensions;
        Some(kernel::dot(&self.high[span.clone()], &self.low[span], query) * scale)
    }

    /// Calls `each` with the cosine, nearly, of every row that has a vector with a message of unit length. Returns how far off a
    /// cosine can be.
    pub(crate) fn look(&self, query: &[f32], mut each: impl FnMut(usize, f32)) -> f32 {
        let (numbers, step) = whole_numbers(query);
        let mut sums = [0; BLOCK];
        let blocks = self.high.chunks(BLOCK * self.dimensions).zip(self.scales.chunks(BLOCK));
        for (block, (high, scales)) in blocks.enumerate() {
            kernel::scan(high, &numbers, &mut sums);
            for (at, (&sum, &scale)) in sums.iter().zip(scales).enumerate() {
                if scale > 0.0 {
                    each(block * BLOCK + at, sum as f32 * (step * 256.0 * scale));
                }
            }
        }
        // Rounding the message moves each of its numbers by half a step; the last term covers float rounding.
        self.residual + step * 0.5 * (self.dimensions as f32).sqrt() + 1e-5
    }
}

/// High and low byte of a number within the limit.
fn split(number: f32) -> (i8, i8) {
    let number = number.round().clamp(-ROW_LIMIT, ROW_LIMIT) as i32;
    let high = (number + 128) >> 8;
    (high as i8, (number - high * 256) as i8)
}

/// The message as integers that cannot overflow a sum with a row, and the size of one step.
fn whole_numbers(query: &[f32]) -> (Vec<i16>, f32) {
    let limit = (i32::MAX as f32 / (128.0 * query.len() as f32)).min(32_000.0);
    let largest = query.iter().fold(f32::MIN_POSITIVE, |largest, number| largest.max(number.abs()));
    let step = largest / limit;
    (query.iter().map(|number| (number / step).round() as i16).collect(), step)
}

/// The same direction with length one; none if there is no direction.
pub(crate) fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let length = vector.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt();
    (length.is_finite() && length > 1e-12)
        .then(|| vector.iter().map(|&number| (f64::from(number) / length) as f32).collect())
}

/// The dot product of two plain vectors.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors that look random and are the same every time.
    fn noise(dimensions: usize, seed: u64) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let step = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / 8_388_608.0 - 1.0
        };
        unit(&(0..dimensions).map(step).collect::<Vec<f32>>()).expect("a direction")
    }

    #[test]
    fn cosines_are_exact_and_the_first_look_keeps_its_word() {
        for dimensions in [2, 17, 384, 512, 3072] {
            let mut table = VectorTable::new(dimensions);
            let rows: Vec<Vec<f32>> = (0..600).map(|seed| noise(dimensions, seed + 1)).collect();
            rows.iter().enumerate().for_each(|(row, vector)| table.set(row, vector));
            let query = noise(dimensions, 99);
            let mut looked = Vec::new();
            let error = table.look(&query, |row, cosine| looked.push((row, cosine)));
            assert!(error < 0.03, "{error}");
            assert_eq!(looked.len(), rows.len());
            for (row, vector) in rows.iter().enumerate() {
                let exact = dot(vector, &query);
                let cosine = table.cosine(row, &query).expect("a vector");
                assert!((cosine - exact).abs() < 1e-4, "{dimensions}: {cosine} {exact}");
                assert_eq!(looked[row].0, row);
                assert!((looked[row].1 - cosine).abs() <= error);
            }
        }
    }

    #[test]
    fn rows_may_lack_their_vector() {
        let mut table = VectorTable::new(2);
        table.set(2, &[1.0, 0.0]);
        assert!(!table.has(0) && table.has(2) && !table.has(3));
        assert_eq!(table.cosine(1, &[1.0, 0.0]), None);
        let mut rows = Vec::new();
        table.look(&[1.0, 0.0], |row, _| rows.push(row));
        assert_eq!(rows, [2]);
    }

    #[test]
    fn only_a_direction_is_a_vector() {
        assert_eq!(unit(&[]), None);
        assert_eq!(unit(&[0.0, 0.0]), None);
        assert_eq!(unit(&[f32::NAN]), None);
        assert_eq!(unit(&[f32::INFINITY, 1.0]), None);
        let huge = unit(&[3.0e30, 4.0e30]).expect("a direction");
        assert!((huge[0] - 0.6).abs() < 1e-6 && (huge[1] - 0.8).abs() < 1e-6);
    }
}
