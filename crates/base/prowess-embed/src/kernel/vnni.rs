//! Products with AVX-512 and VNNI: thirty-two to an instruction, and added at once.
//!
//! No closures and no `map` below: the standard library is not compiled for AVX-512, and what goes through it
//! is not inlined.

#![allow(
    unsafe_code,
    reason = "vector loads take pointers, and a caller must know that the machine has VNNI"
)]

use std::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_add_ps, _mm512_cvtepi8_epi16, _mm512_cvtepi32_ps,
    _mm512_dpwssd_epi32, _mm512_loadu_ps, _mm512_mul_ps, _mm512_set1_epi32, _mm512_setzero_ps,
    _mm512_setzero_si512, _mm512_storeu_ps,
};

use super::{Job, Kernel, Pair, Products, ROWS, Strip, Tile, cut};

/// Returns true if the machine has all that is used below.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

/// Does a job with VNNI, which the machine must have.
pub(super) fn run<J: Job>(job: J) -> J::Output {
    // SAFETY: only reached through `Path::Vnni`, which is offered only where `is_available` said so.
    unsafe { run_here(job) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn run_here<J: Job>(job: J) -> J::Output {
    job.run::<Vnni>()
}

/// Only ever handed to a job that runs with VNNI.
struct Vnni;

impl Kernel for Vnni {
    const BLOCK: usize = 16;

    #[inline(always)]
    fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
        // SAFETY: as for `run`: no other module can name this type.
        unsafe { dot(strip, tokens) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
    let mut totals = [_mm512_setzero_ps(); TOKENS];
    for (index, scales) in strip.scales.iter().enumerate() {
        let columns = index * strip.group..(index + 1) * strip.group;
        let mut sums = [_mm512_setzero_si512(); TOKENS];
        let rows = cut(tokens, columns.clone());
        for (column, tile) in strip.tiles[columns].iter().enumerate() {
            let weights = widen(tile);
            for token in 0..TOKENS {
                sums[token] = _mm512_dpwssd_epi32(sums[token], weights, broadcast(rows[token][column]));
            }
        }
        // SAFETY: sixteen floats, and the load needs no alignment.
        let scales = unsafe { _mm512_loadu_ps(scales.as_ptr()) };
        for token in 0..TOKENS {
            let scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[token]), scales);
            totals[token] = _mm512_add_ps(totals[token], scaled);
        }
    }
    let mut products = [[0.0; ROWS]; TOKENS];
    for token in 0..TOKENS {
        // SAFETY: sixteen floats, and the store needs no alignment.
        unsafe { _mm512_storeu_ps(products[token].as_mut_ptr(), totals[token]) };
    }
    products
}

/// A tile in 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn widen(tile: &Tile) -> __m512i {
    // SAFETY: a tile is 32 bytes, and the load needs no alignment.
    _mm512_cvtepi8_epi16(unsafe { _mm256_loadu_si256(tile.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn broadcast([left, right]: Pair) -> __m512i {
    _mm512_set1_epi32(i32::from(left.cast_unsigned()) | (i32::from(right) << 16))
}
