//! Attention: every token looks at all others.

use std::ops::Range;

use super::math;

/// Numbers that are added up side by side; heads are a multiple of it wide.
pub(super) const LANES: usize = 16;

/// Queries that are computed with at once: their sums stay in registers.
const QUERIES: usize = 4;

/// Memory for one head, and for the scores of one token.
#[derive(Default)]
pub(super) struct Work {
    /// For each sixteen tokens: number 0 of their keys, number 1, and so on.
    keys: Vec<[f32; LANES]>,
    /// For each sixteen numbers of a value: those of token 0, of token 1, and so on.
    values: Vec<[f32; LANES]>,
    scores: Vec<[f32; LANES]>,
}

/// Mixes the values of all tokens for each token. `projected` holds queries, keys and values of a token side
/// by side, `mixed` receives one row per token.
#[inline(always)]
pub(super) fn attend(projected: &[f32], width: usize, heads: usize, mixed: &mut [f32], work: &mut Work) {
    let size = width / heads;
    let tokens = mixed.len() / width;
    let blocks = tokens.div_ceil(LANES);
    work.keys.resize(blocks * size, [0.0; LANES]);
    work.values.resize(tokens * (size / LANES), [0.0; LANES]);
    work.scores.resize(blocks * QUERIES, [0.0; LANES]);
    for head in 0..heads {
        let part = head * size..(head + 1) * size;
        let rows = || projected.chunks_exact(3 * width);
        gather(rows().map(|row| &row[width..][part.clone()]), &mut work.keys);
        for (token, row) in rows().enumerate() {
            let value = row[2 * width..][part.clone()].as_chunks::<LANES>().0;
            for (values, value) in work.values[token..].iter_mut().step_by(tokens).zip(value) {
                *values = *value;
            }
        }
        let queries = projected.chunks(QUERIES * 3 * width).zip(mixed.chunks_mut(QUERIES * width));
        for (queries, mixed) in queries {
            if mixed.len() == QUERIES * width {
                attend_block::<QUERIES>(queries, width, part.clone(), tokens, mixed, work);
            } else {
                for (query, mixed) in queries.chunks_exact(3 * width).zip(mixed.chunks_exact_mut(width)) {
                    attend_block::<1>(query, width, part.clone(), tokens, mixed, work);
                }
            }
        }
    }
}

/// Mixes the values for some queries at once, so that every key and value is loaded once for all of them.
#[inline(always)]
fn attend_block<const N: usize>(
    queries: &[f32],
    width: usize,
    part: Range<usize>,
    tokens: usize,
    mixed: &mut [f32],
    work: &mut Work,
) {
    let Work { keys, values, scores } = work;
    let blocks = scores.len() / QUERIES;
    let mut query: [&[f32]; N] = [&[]; N];
    for index in 0..N {
        query[index] = &queries[index * 3 * width..][part.clone()];
    }
    for (block, keys) in keys.chunks_exact(part.len()).enumerate() {
        let sums = weighted_sums(query, keys);
        for index in 0..N {
            scores[index * blocks + block] = sums[index];
        }
    }
    let mut shares: [&[f32]; N] = [&[]; N];
    let mut rest = scores.as_flattened_mut();
    for share in &mut shares {
        let (scores, others) = rest.split_at_mut(blocks * LANES);
        rest = others;
        math::softmax(&mut scores[..tokens]);
        *share = &scores[..tokens];
    }
    for (chunk, values) in values.chunks_exact(tokens).enumerate() {
        let sums = weighted_sums(shares, values);
        for index in 0..N {
            mixed[index * width..][part.clone()].as_chunks_mut::<LANES>().0[chunk] = sums[index];
        }
    }
}

/// Lays the keys out as they are read, scaled down by the square root of their length.
#[inline(always)]
fn gather<'a>(tokens: impl Iterator<Item = &'a [f32]>, keys: &mut [[f32; LANES]]) {
    for (token, key) in tokens.enumerate() {
        let size = key.len();
        let scale = 1.0 / (size as f32).sqrt();
        let block = &mut keys[token / LANES * size..][..size];
        for (lanes, number) in block.iter_mut().zip(key) {
            lanes[token % LANES] = number * scale;
        }
    }
}

/// For each of some rows of weights the sum of all rows, each by its weight.
#[inline(always)]
fn weighted_sums<const N: usize>(weights: [&[f32]; N], rows: &[[f32; LANES]]) -> [[f32; LANES]; N] {
    let mut sums = [[0.0; LANES]; N];
    let mut cut: [&[f32]; N] = [&[]; N];
    for index in 0..N {
        cut[index] = &weights[index][..rows.len()];
    }
    for (column, row) in rows.iter().enumerate() {
        for index in 0..N {
            let weight = cut[index][column];
            for lane in 0..LANES {
                sums[index][lane] += weight * row[lane];
            }
        }
    }
    sums
}
