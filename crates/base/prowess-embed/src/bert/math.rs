//! Arithmetic on rows of floats, written so that a compiler turns every loop into vector instructions: no
//! branches, no library calls, sums in a fixed order, and therefore the same results on every path.

/// Numbers that are computed with at once.
const LANES: usize = 8;

/// Adding it to a float of moderate size rounds it to a whole number, which the low bits then hold.
const ROUND: f32 = 12_582_912.0;

/// Combines all numbers of a row, lane by lane and then across the lanes.
#[inline(always)]
fn fold(row: &[f32], start: f32, step: impl Fn(f32, f32) -> f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane = step(*lane, *number);
        }
    }
    for (lane, number) in lanes.iter_mut().zip(rest) {
        *lane = step(*lane, *number);
    }
    lanes.into_iter().fold(start, join)
}

#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn sum(row: &[f32]) -> f32 {
    fold(row, 0.0, |sum, number| sum + number, |a, b| a + b)
}

#[inline(always)]
pub(super) fn sum_of_squares(row: &[f32]) -> f32 {
    fold(row, 0.0, |sum, number| sum + number * number, |a, b| a + b)
}

/// The sum of the products of two rows.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest absolute value.
#[inline(always)]
pub(super) fn largest(row: &[f32]) -> f32 {
    fold(row, 0.0, |largest, number| greater(largest, number.abs()), greater)
}

/// The nearest whole numbers after scaling; they must fit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are the rounded number")]
pub(super) fn round(row: &[f32], scale: f32, rounded: &mut [i16]) {
    for (rounded, number) in rounded.iter_mut().zip(row) {
        *rounded = (number * scale + ROUND).to_bits() as i16;
    }
}

/// The nearest whole numbers after scaling, with 128 for zero; they must fit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low 8 bits are the rounded number")]
pub(super) fn round_bytes(row: &[f32], scale: f32, rounded: &mut [u8]) {
    for (rounded, number) in rounded.iter_mut().zip(row) {
        *rounded = (number * scale + ROUND).to_bits() as u8 ^ 0x80;
    }
}

/// Adds `update` to `row` and gives the result mean 0 and variance 1, then weight and bias.
#[inline(always)]
pub(super) fn add_and_normalise(row: &mut [f32], update: &[f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    for (number, update) in row.iter_mut().zip(update) {
        *number += update;
    }
    normalise(row, weight, bias, epsilon);
}

/// Gives the row mean 0 and variance 1, then weight and bias.
#[inline(always)]
pub(super) fn normalise(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row) / count;
    for number in row.iter_mut() {
        *number -= mean;
    }
    let scale = 1.0 / (sum_of_squares(row) / count + epsilon).sqrt();
    for ((number, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *number = *number * scale * weight + bias;
    }
}

/// Turns scores into shares that sum up to 1.
#[inline(always)]
pub(super) fn softmax(scores: &mut [f32]) {
    let top = fold(scores, f32::MIN, greater, greater);
    for score in scores.iter_mut() {
        *score = exp(*score - top);
    }
    let scale = 1.0 / sum(scores);
    for score in scores.iter_mut() {
        *score *= scale;
    }
}

/// `x · Φ(x)` with the exact normal distribution, in place.
#[inline(always)]
pub(super) fn gelu(row: &mut [f32]) {
    for number in row {
        *number *= 0.5 * (1.0 + erf(*number * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// The hyperbolic tangent, in place, to 2e-7.
#[inline(always)]
pub(super) fn tanh(row: &mut [f32]) {
    for number in row {
        // Beyond 10 the answer is 1; the size keeps the exponential within its range.
        let size = if number.abs() < 10.0 { number.abs() } else { 10.0 };
        *number = (1.0 - 2.0 / (exp(2.0 * size) + 1.0)).copysign(*number);
    }
}

/// The error function to 2e-7: Abramowitz and Stegun, 7.1.26.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let tail =
        ((((1.061_405_4 * t - 1.453_152_1) * t + 1.421_413_8) * t - 0.284_496_72) * t + 0.254_829_6) * t;
    (1.0 - tail * exp(-size * size)).copysign(x)
}

/// The exponential function to a few units in the last place, for numbers up to 88; below -87 it stays
/// near zero.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = greater(x, -87.0);
    // x = n ln 2 + r with |r| ≤ ln 2 / 2.
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let series = ((((1.987_569_1e-4 * r + 1.398_2e-3) * r + 8.333_452e-3) * r + 4.166_579_6e-2) * r
        + 0.166_666_65)
        * r
        + 0.5;
    let fraction = series * r * r + r + 1.0;
    // 2^n goes straight into the exponent.
    f32::from_bits(fraction.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close() {
        for step in -8_700_i16..=100 {
            let x = f32::from(step) * 0.01;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 3e-7, "exp({x})");
        }
        assert!(exp(f32::MIN) < 1e-37);
    }

    #[test]
    fn erf_is_close() {
        // Known values, and the limits.
        let known =
            [(0.0, 0.0), (0.1, 0.112_462_92), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)];
        for (x, exact) in known {
            assert!((erf(x) - exact).abs() < 3e-7, "erf({x})");
            assert!((erf(-x) + exact).abs() < 3e-7, "erf(-{x})");
        }
        assert_eq!(erf(10.0), 1.0);
    }

    #[test]
    fn tanh_is_close() {
        for step in -2_000_i16..=2_000 {
            let x = f32::from(step) * 0.01;
            let mut row = [x];
            tanh(&mut row);
            assert!((row[0] - x.tanh()).abs() < 3e-7, "tanh({x})");
        }
    }

    #[test]
    fn softmax_shares_sum_up() {
        let mut scores = [-3.0, 100.0, 99.0, f32::MIN, 98.0];
        softmax(&mut scores);
        assert!((sum(&scores) - 1.0).abs() < 1e-6);
        assert!((scores[1] / scores[2] - std::f32::consts::E).abs() < 1e-4);
        let mut negative = [-50.0, -51.0];
        softmax(&mut negative);
        assert!((negative[0] / negative[1] - std::f32::consts::E).abs() < 1e-4);
    }

    #[test]
    fn rounding_is_to_the_nearest() {
        let mut rounded = [0; 6];
        round(&[0.4, -0.6, 32_767.0, -32_767.0, 1.5, 2.5], 1.0, &mut rounded);
        assert_eq!(rounded, [0, -1, 32_767, -32_767, 2, 2]);
    }

    #[test]
    fn a_normalised_row_has_mean_and_variance() {
        let mut row = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        normalise(&mut row, &[1.0; 9], &[0.0; 9], 1e-12);
        assert!(sum(&row).abs() < 1e-5);
        assert!((sum_of_squares(&row) / 9.0 - 1.0).abs() < 1e-5);
    }
}
