//! Matrices that are stored in 4 bits, and computed with in 8.

use crate::f16::F16;
use crate::kernel::ROWS;
use crate::pack::{Pack, PackError, Tensor};

/// A matrix in tiles, as the kernels read it.
pub(super) struct Matrix {
    pub(super) codes: Vec<i8>,
    pub(super) scales: Vec<f32>,
}

/// The two numbers of a byte, the low half first, 8 being zero.
#[inline(always)]
pub(super) fn split(byte: u8) -> [f32; 2] {
    [f32::from(byte & 15) - 8.0, f32::from(byte >> 4) - 8.0]
}

/// Makes tiles of 8 bits, with a scale for `group` columns, of rows of 4 bits with a scale for 16 or 32.
#[expect(clippy::cast_possible_truncation, reason = "rounded numbers are at most 127")]
pub(super) fn expand(
    pack: &Pack,
    weight: &str,
    scales: &str,
    inputs: usize,
    outputs: usize,
    group: usize,
) -> Result<Matrix, PackError> {
    let codes: Tensor<u8> = pack.tensor(weight, &[outputs, inputs / 2])?;
    let steps: Tensor<F16> = pack.tensor_of_any_shape(scales)?;
    let small = match pack.shape(scales)? {
        [rows, columns] if *rows == outputs && *columns > 0 => inputs / columns,
        _ => 0,
    };
    if ![16, 32].contains(&small) || !inputs.is_multiple_of(small) {
        return Err(PackError::content(format!("tensor `{scales}` has no scale for each 16 or 32 columns")));
    }
    let groups = inputs / group;
    let mut matrix = Matrix { codes: vec![0; inputs * outputs], scales: vec![0.0; groups * outputs] };
    let mut row = Vec::with_capacity(inputs);
    let rows = codes.chunks_exact(inputs / 2).zip(steps.chunks_exact(inputs / small));
    for (index, (codes, steps)) in rows.enumerate() {
        row.clear();
        for (codes, step) in codes.chunks_exact(small / 2).zip(steps) {
            let step = step.to_f32();
            row.extend(codes.iter().flat_map(|code| split(*code).map(|number| number * step)));
        }
        let (strip, lane) = (index / ROWS, index % ROWS);
        for (part, numbers) in row.chunks_exact(group).enumerate() {
            let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let inverse = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            matrix.scales[(strip * groups + part) * ROWS + lane] = largest / 127.0;
            for (column, number) in (part * group..).zip(numbers) {
                let tile = (strip * inputs / 2 + column / 2) * 2 * ROWS;
                matrix.codes[tile + 2 * lane + column % 2] = (number * inverse).round_ties_even() as i8;
            }
        }
    }
    Ok(matrix)
}
