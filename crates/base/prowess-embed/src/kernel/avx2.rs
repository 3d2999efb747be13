//! Products with AVX2: sixteen to an instruction.
//!
//! No closures and no `map` below: the standard library is not compiled for AVX2, and what goes through it is
//! not inlined.

#![allow(
    unsafe_code,
    reason = "vector loads take pointers, and a caller must know that the machine has AVX2"
)]

use std::arch::x86_64::{
    __m256, __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi8_epi16,
    _mm256_cvtepi32_ps, _mm256_loadu_ps, _mm256_madd_epi16, _mm256_mul_ps, _mm256_set1_epi32,
    _mm256_setzero_ps, _mm256_setzero_si256, _mm256_storeu_ps,
};

use super::{Job, Kernel, Pair, Products, ROWS, Strip, Tile, cut};

/// Does a job with AVX2, which the machine must have.
pub(super) fn run<J: Job>(job: J) -> J::Output {
    // SAFETY: only reached through `Path::Avx2`, which is offered only where AVX2 was detected.
    unsafe { run_here(job) }
}

#[target_feature(enable = "avx2")]
fn run_here<J: Job>(job: J) -> J::Output {
    job.run::<Avx2>()
}

/// Only ever handed to a job that runs with AVX2.
struct Avx2;

impl Kernel for Avx2 {
    const BLOCK: usize = 4;

    #[inline(always)]
    fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
        // SAFETY: as for `run`: no other module can name this type.
        unsafe { dot(strip, tokens) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
    let mut totals = [[_mm256_setzero_ps(); 2]; TOKENS];
    for (index, scales) in strip.scales.iter().enumerate() {
        let columns = index * strip.group..(index + 1) * strip.group;
        let mut sums = [[_mm256_setzero_si256(); 2]; TOKENS];
        let rows = cut(tokens, columns.clone());
        for (column, tile) in strip.tiles[columns].iter().enumerate() {
            let weights = widen(tile);
            for token in 0..TOKENS {
                let pair = broadcast(rows[token][column]);
                for half in 0..2 {
                    let products = _mm256_madd_epi16(weights[half], pair);
                    sums[token][half] = _mm256_add_epi32(sums[token][half], products);
                }
            }
        }
        let scales = load(scales);
        for token in 0..TOKENS {
            for half in 0..2 {
                let scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[token][half]), scales[half]);
                totals[token][half] = _mm256_add_ps(totals[token][half], scaled);
            }
        }
    }
    let mut products = [[0.0; ROWS]; TOKENS];
    for token in 0..TOKENS {
        store(totals[token], &mut products[token]);
    }
    products
}

/// Rows 0 to 7 and rows 8 to 15 of a tile, in 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn widen(tile: &Tile) -> [__m256i; 2] {
    let start = tile.as_ptr();
    // SAFETY: a tile is 32 bytes, 16 to each load, which needs no alignment.
    let (upper, lower) = unsafe { (_mm_loadu_si128(start.cast()), _mm_loadu_si128(start.add(16).cast())) };
    [_mm256_cvtepi8_epi16(upper), _mm256_cvtepi8_epi16(lower)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn broadcast([left, right]: Pair) -> __m256i {
    _mm256_set1_epi32(i32::from(left.cast_unsigned()) | (i32::from(right) << 16))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(numbers: &[f32; ROWS]) -> [__m256; 2] {
    let start = numbers.as_ptr();
    // SAFETY: sixteen floats, eight to each load, which needs no alignment.
    unsafe { [_mm256_loadu_ps(start), _mm256_loadu_ps(start.add(8))] }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store([upper, lower]: [__m256; 2], stored: &mut [f32; ROWS]) {
    let start = stored.as_mut_ptr();
    // SAFETY: sixteen floats, eight to each store, which needs no alignment.
    unsafe {
        _mm256_storeu_ps(start, upper);
        _mm256_storeu_ps(start.add(8), lower);
    }
}
