//! The one loop that decides how long an encoder takes: products of 8-bit weights and activations of 16 or 8 bits.
//!
//! Weights lie in tiles of 16 rows × 2 columns, so that one load feeds sixteen 32-bit sums, each for a row, and
//! no sum is ever taken across a vector. The sums are whole numbers and therefore the same on every path; so is
//! the rest of the arithmetic, which is written once and compiled for each ([`Job`]).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod vnni;

use std::ops::Range;

/// Rows of a tile.
pub(crate) const ROWS: usize = 16;

/// Sixteen rows by two columns of weights: `[row 0 column 0, row 0 column 1, row 1 column 0, …]`.
pub(crate) type Tile = [i8; 2 * ROWS];

/// Two neighbouring activations.
pub(crate) type Pair = [i16; 2];

/// Four neighbouring activations of 8 bits, 128 being zero.
pub(crate) type Quad = [u8; 4];

/// A row of activations of 8 bits: as bytes or as pairs, whichever the kernel reads, and the scale of each group.
#[derive(Clone, Copy)]
pub(crate) struct Small<'a> {
    pub(crate) bytes: &'a [Quad],
    pub(crate) pairs: &'a [Pair],
    pub(crate) scales: &'a [f32],
}

/// Sixteen rows of a matrix: a tile for every pair of columns, scales for every group of them.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a> {
    pub(crate) tiles: &'a [Tile],
    pub(crate) scales: &'a [[f32; ROWS]],
    /// Pairs of columns that share a scale.
    pub(crate) group: usize,
}

/// A number for each row of a strip.
pub(crate) type Products = [f32; ROWS];

/// How products are computed.
pub(crate) trait Kernel {
    /// The best number of tokens at once: their sums stay in registers. At most sixteen.
    const BLOCK: usize;

    /// The products of a strip with the activations of each token, which have as many pairs as a row has.
    ///
    /// Within a group the sums are whole numbers (and wrap around); groups are added as floats, in order.
    fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS];

    /// True if activations of 8 bits are read as bytes, false if they are read as pairs.
    const READS_BYTES: bool = false;

    /// The products of a strip with activations of 8 bits, which have a scale for each group as well.
    ///
    /// Only as many bits as that fit an instruction for bytes, where there is one; the sums are the same
    /// whole numbers on every path.
    #[inline(always)]
    fn dot_small<const TOKENS: usize>(strip: Strip<'_>, tokens: [Small<'_>; TOKENS]) -> [Products; TOKENS] {
        let mut totals = [[0.0; ROWS]; TOKENS];
        for (index, scales) in strip.scales.chunks_exact(1).enumerate() {
            let columns = index * strip.group..(index + 1) * strip.group;
            let part = Strip { tiles: &strip.tiles[columns.clone()], scales, group: strip.group };
            let mut rows: [&[Pair]; TOKENS] = [&[]; TOKENS];
            for token in 0..TOKENS {
                rows[token] = &tokens[token].pairs[columns.clone()];
            }
            let products = Self::dot(part, rows);
            for token in 0..TOKENS {
                let scale = tokens[token].scales[index];
                for row in 0..ROWS {
                    totals[token][row] += products[token][row] * scale;
                }
            }
        }
        totals
    }
}

/// Works on every machine.
struct Portable;

impl Kernel for Portable {
    const BLOCK: usize = 1;

    #[inline(always)]
    fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
        let mut products = [[0.0; ROWS]; TOKENS];
        for (products, token) in products.iter_mut().zip(tokens) {
            let groups = strip.tiles.chunks_exact(strip.group).zip(token.chunks_exact(strip.group));
            for ((tiles, pairs), scales) in groups.zip(strip.scales) {
                let mut sums = [0_i32; ROWS];
                for (tile, pair) in tiles.iter().zip(pairs) {
                    let [left, right] = pair.map(i32::from);
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let product = i32::from(tile[2 * row]) * left + i32::from(tile[2 * row + 1]) * right;
                        *sum = sum.wrapping_add(product);
                    }
                }
                for ((product, sum), scale) in products.iter_mut().zip(sums).zip(scales) {
                    *product += sum as f32 * scale;
                }
            }
        }
        products
    }
}

/// The same columns of every token: checked here, so that the loop over them needs no checks.
#[inline(always)]
fn cut<const TOKENS: usize>(mut tokens: [&[Pair]; TOKENS], columns: Range<usize>) -> [&[Pair]; TOKENS] {
    for token in &mut tokens {
        *token = &token[columns.clone()];
    }
    tokens
}

/// Work that is written once and compiled for each path.
pub(crate) trait Job {
    type Output;

    /// Must be inlined, so that all of it is compiled for the path.
    fn run<K: Kernel>(self) -> Self::Output;
}

/// Which instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Path {
    /// All that this machine can do, the fastest first.
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        let paths = [
            #[cfg(target_arch = "x86_64")]
            vnni::is_available().then_some(Self::Vnni),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(Self::Avx2),
            #[cfg(target_arch = "aarch64")]
            std::arch::is_aarch64_feature_detected!("neon").then_some(Self::Neon),
            Some(Self::Portable),
        ];
        paths.into_iter().flatten()
    }

    /// Does the job with the instructions of this path.
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => vnni::run(job),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::run(job),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => neon::run(job),
            Self::Portable => job.run::<Portable>(),
        }
    }

    /// The fastest that this machine can do.
    pub(crate) fn best() -> Self {
        Self::available().next().unwrap_or(Self::Portable)
    }
}

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;
