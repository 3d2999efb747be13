//! Dot products of a message with every row of a table, as fast as the machine allows.
//!
//! The loops are ordinary code that the compiler turns into vector instructions. On x86-64 they are compiled a
//! second time for AVX2 and chosen at run time; on other processors the one version uses what every machine
//! of that kind has (NEON on 64-bit ARM). Integer sums do not depend on the order of addition, and the one
//! sum of floats has its order written down, so every version gives the same bits.

#![allow(unsafe_code, reason = "a function compiled for AVX2 may only be called where AVX2 was found")]

/// Floats are summed in this many lanes, on every processor.
const LANES: usize = 16;

/// Writes the dot product of `query` with each row of `rows` (rows of `query.len()` bytes, one after another).
pub(crate) fn scan(rows: &[i8], query: &[i16], sums: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the line above found AVX2 on this processor, which is all that the function asks for.
        return unsafe { scan_avx2(rows, query, sums) };
    }
    scan_rows(rows, query, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_avx2(rows: &[i8], query: &[i16], sums: &mut [i32]) {
    scan_rows(rows, query, sums);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "must be compiled anew inside the AVX2 version")]
fn scan_rows(rows: &[i8], query: &[i16], sums: &mut [i32]) {
    for (row, sum) in rows.chunks_exact(query.len().max(1)).zip(sums) {
        *sum = row.iter().zip(query).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
    }
}

/// The dot product of `query` with a row of 16-bit numbers that is kept as high and low bytes.
pub(crate) fn dot(high: &[i8], low: &[i8], query: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    for ((high, low), query) in high.chunks(LANES).zip(low.chunks(LANES)).zip(query.chunks(LANES)) {
        for (((lane, &high), &low), &query) in lanes.iter_mut().zip(high).zip(low).zip(query) {
            *lane += f32::from(i16::from(high) * 256 + i16::from(low)) * query;
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random and are the same every time.
    fn noise(count: usize, seed: u32) -> Vec<i32> {
        let mut state = seed;
        let step = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(state >> 8).unwrap()
        };
        (0..count).map(step).collect()
    }

    #[test]
    fn every_version_gives_the_same_sums() {
        for dimensions in [1, 7, 16, 31, 384, 512, 1000] {
            let rows: Vec<i8> =
                noise(dimensions * 5, 1).iter().map(|&n| i8::try_from(n % 255 - 127).unwrap()).collect();
            let query: Vec<i16> =
                noise(dimensions, 2).iter().map(|&n| i16::try_from(n % 60_001 - 30_000).unwrap()).collect();
            let (mut chosen, mut plain) = ([0; 5], [0; 5]);
            scan(&rows, &query, &mut chosen);
            scan_rows(&rows, &query, &mut plain);
            let exact: Vec<i64> = rows
                .chunks_exact(dimensions)
                .map(|row| row.iter().zip(&query).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum())
                .collect();
            assert_eq!(chosen, plain);
            assert_eq!(plain.map(i64::from).to_vec(), exact);
        }
    }

    #[test]
    fn the_two_bytes_make_one_number() {
        assert!((dot(&[1, -127], &[-128, 127], &[1.0, 0.5]) - (128.0 + 0.5 * -32385.0)).abs() < 1e-3);
        assert!(dot(&[], &[], &[]).abs() < f32::EPSILON);
    }
}
