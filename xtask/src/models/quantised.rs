//! Matrices of 8-bit numbers with scales, and the order in which the inference reads them.

use anyhow::{Result, ensure};
use prowess_embed::PackWriter;

/// Rows that are stored together.
const TILE_ROWS: usize = 16;

/// A matrix whose neighbouring columns share a scale, row by row.
pub(super) struct Quantised {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) group: usize,
    pub(super) codes: Vec<i8>,
    pub(super) scales: Vec<f32>,
}

impl Quantised {
    /// Rounds to the nearest of 255 steps, the largest number of a group being the last one.
    #[expect(clippy::cast_possible_truncation, reason = "rounded numbers are at most 127")]
    pub(super) fn round(numbers: &[f32], columns: usize, group: usize) -> Result<Self> {
        ensure!(
            columns.is_multiple_of(group) && numbers.len().is_multiple_of(columns),
            "rows do not come out even"
        );
        let mut codes = Vec::with_capacity(numbers.len());
        let mut scales = Vec::with_capacity(numbers.len() / group);
        for numbers in numbers.chunks_exact(group) {
            let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let scale = largest / 127.0;
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            codes.extend(numbers.iter().map(|number| (number * inverse).round_ties_even() as i8));
            scales.push(scale);
        }
        Ok(Self { rows: numbers.len() / columns, columns, group, codes, scales })
    }

    /// What the numbers stand for.
    pub(super) fn dequantised(&self) -> Vec<f32> {
        let groups = self.codes.chunks_exact(self.group).zip(&self.scales);
        groups.flat_map(|(codes, scale)| codes.iter().map(move |code| f32::from(*code) * scale)).collect()
    }

    /// Stores the matrix row by row: `{name}` and `{name}.scales`.
    pub(super) fn write_rows(&self, writer: &mut PackWriter, name: &str) -> Result<()> {
        writer.tensor(name, &[self.rows, self.columns], &self.codes)?;
        let shape = [self.rows, self.columns / self.group];
        writer.tensor(&format!("{name}.scales"), &shape, &self.scales)?;
        Ok(())
    }

    /// Stores the matrix in tiles of sixteen rows and two columns: `{name}.weight` and `{name}.scales`.
    pub(super) fn write_tiles(&self, writer: &mut PackWriter, name: &str) -> Result<()> {
        let strips = self.rows / TILE_ROWS;
        ensure!(
            self.rows.is_multiple_of(TILE_ROWS) && self.columns.is_multiple_of(2),
            "no whole tiles in `{name}`"
        );
        let groups = self.columns / self.group;
        let codes = interleave(&self.codes, self.columns, 2);
        let scales = interleave(&self.scales, groups, 1);
        let shape = [strips, self.columns / 2, TILE_ROWS, 2];
        writer.tensor(&format!("{name}.weight"), &shape, &codes)?;
        writer.tensor(&format!("{name}.scales"), &[strips, groups, TILE_ROWS], &scales)?;
        Ok(())
    }
}

/// Takes sixteen rows at a time and lays their blocks of columns side by side.
fn interleave<T: Copy>(numbers: &[T], columns: usize, block: usize) -> Vec<T> {
    let mut laid = Vec::with_capacity(numbers.len());
    for strip in numbers.chunks_exact(TILE_ROWS * columns) {
        for column in (0..columns).step_by(block) {
            for row in strip.chunks_exact(columns) {
                laid.extend_from_slice(&row[column..column + block]);
            }
        }
    }
    laid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_uses_the_whole_range() {
        let matrix = Quantised::round(&[1.0, -0.5, 0.0, 0.0, 254.0, 1.0, -254.0, 3.0], 4, 2).unwrap();
        assert_eq!((matrix.rows, matrix.columns), (2, 4));
        assert_eq!(matrix.codes, [127, -64, 0, 0, 127, 0, -127, 2]);
        assert_eq!(matrix.scales, [1.0 / 127.0, 0.0, 2.0, 2.0]);
        assert_eq!(matrix.dequantised()[4..], [254.0, 0.0, -254.0, 4.0]);
    }

    #[test]
    fn tiles_lay_rows_side_by_side() {
        let numbers: Vec<usize> = (0..64).collect();
        let laid = interleave(&numbers, 4, 2);
        assert_eq!(laid[..6], [0, 1, 4, 5, 8, 9]);
        assert_eq!(laid[32..36], [2, 3, 6, 7]);
    }
}
