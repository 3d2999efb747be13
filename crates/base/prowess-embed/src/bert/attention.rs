//! Attention: every token looks at all others.

use super::math;

/// Numbers that are added up side by side; heads are a multiple of it wide.
pub(super) const LANES: usize = 16;

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
    work.scores.resize(blocks, [0.0; LANES]);
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
        for (row, mixed) in rows().zip(mixed.chunks_exact_mut(width)) {
            score(&row[part.clone()], &work.keys, &mut work.scores);
            let shares = &mut work.scores.as_flattened_mut()[..tokens];
            math::softmax(shares);
            mix(shares, &work.values, &mut mixed[part.clone()]);
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

/// The products of a query with all keys.
#[inline(always)]
fn score(query: &[f32], keys: &[[f32; LANES]], scores: &mut [[f32; LANES]]) {
    for (keys, scores) in keys.chunks_exact(query.len()).zip(scores) {
        *scores = weighted_sum(query, keys);
    }
}

/// The sum of all values, each by its share.
#[inline(always)]
fn mix(shares: &[f32], values: &[[f32; LANES]], mixed: &mut [f32]) {
    for (values, mixed) in values.chunks_exact(shares.len()).zip(mixed.as_chunks_mut().0) {
        *mixed = weighted_sum(shares, values);
    }
}

#[inline(always)]
fn weighted_sum(weights: &[f32], rows: &[[f32; LANES]]) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for (weight, row) in weights.iter().zip(rows) {
        for lane in 0..LANES {
            sums[lane] += weight * row[lane];
        }
    }
    sums
}
