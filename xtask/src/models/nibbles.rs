//! Matrices of 4-bit numbers: two to a byte, a scale in half precision for each few of them.

use anyhow::{Result, ensure};
use prowess_embed::{F16, PackWriter};

/// Factors that are tried on the scale of a group; the one with the least squared error is taken.
const FACTORS: [f32; 9] = [0.84, 0.88, 0.92, 0.96, 1.0, 1.04, 1.08, 1.12, 1.16];

/// A matrix in 4 bits, row by row.
pub(super) struct Nibbles {
    rows: usize,
    columns: usize,
    group: usize,
    /// The low half first; 8 stands for zero.
    codes: Vec<u8>,
    scales: Vec<F16>,
}

impl Nibbles {
    /// Rounds each group to sixteen steps.
    pub(super) fn round(numbers: &[f32], columns: usize, group: usize) -> Result<Self> {
        ensure!(
            group.is_multiple_of(2) && columns.is_multiple_of(group) && numbers.len().is_multiple_of(columns),
            "rows do not come out even"
        );
        let mut codes = Vec::with_capacity(numbers.len() / 2);
        let mut scales = Vec::with_capacity(numbers.len() / group);
        for numbers in numbers.chunks_exact(group) {
            let scale = best_scale(numbers);
            let code = |number: f32| (step(number, scale.to_f32()) + 8).cast_unsigned();
            codes.extend(numbers.as_chunks().0.iter().map(|[low, high]| code(*low) | (code(*high) << 4)));
            scales.push(scale);
        }
        Ok(Self { rows: numbers.len() / columns, columns, group, codes, scales })
    }

    /// Stores codes and scales under two names.
    pub(super) fn write(&self, writer: &mut PackWriter, codes: &str, scales: &str) -> Result<()> {
        writer.tensor(codes, &[self.rows, self.columns / 2], &self.codes)?;
        writer.tensor(scales, &[self.rows, self.columns / self.group], &self.scales)?;
        Ok(())
    }
}

/// The step of a number, from -8 to 7.
#[expect(clippy::cast_possible_truncation, reason = "clamped to four bits")]
fn step(number: f32, scale: f32) -> i8 {
    if scale == 0.0 { 0 } else { (number / scale).round_ties_even().clamp(-8.0, 7.0) as i8 }
}

/// The scale with the least squared error. There is one more step below zero than above, so a scale may be
/// negative: then the largest number gets that step.
fn best_scale(numbers: &[f32]) -> F16 {
    let largest = numbers.iter().copied().fold(0.0_f32, |a, b| if b.abs() > a.abs() { b } else { a });
    let candidates = [-largest / 8.0, largest / 7.0];
    let candidates = candidates.iter().flat_map(|scale| FACTORS.map(|factor| F16::from_f32(scale * factor)));
    let error = |scale: &F16| -> f32 {
        let scale = scale.to_f32();
        numbers.iter().map(|number| (number - f32::from(step(*number, scale)) * scale).powi(2)).sum()
    };
    let best = candidates.map(|scale| (error(&scale), scale)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(F16(0), |(_, scale)| scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_group_come_back() {
        let numbers: Vec<f32> = (-8_i8..8).map(|step| f32::from(step) * 0.5).collect();
        let nibbles = Nibbles::round(&numbers, 16, 16).unwrap();
        assert_eq!(nibbles.scales, [F16::from_f32(0.5)]);
        assert_eq!(nibbles.codes, [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
    }

    #[test]
    fn a_group_of_zeros_stays_zero() {
        let nibbles = Nibbles::round(&[0.0; 32], 16, 16).unwrap();
        assert_eq!(nibbles.codes, [0x88; 16]);
        assert!(nibbles.scales.iter().all(|scale| scale.to_f32() == 0.0));
        assert!(Nibbles::round(&[0.0; 32], 16, 12).is_err());
    }
}
