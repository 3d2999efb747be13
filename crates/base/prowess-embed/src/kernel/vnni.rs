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
    _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mul_ps,
    _mm512_permutexvar_epi16, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps,
    _mm512_setzero_si512, _mm512_storeu_ps, _mm512_sub_epi32,
};

use super::{Job, Kernel, Pair, Products, Quad, ROWS, Small, Strip, Tile, cut};

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

    const READS_BYTES: bool = true;

    #[inline(always)]
    fn dot_small<const TOKENS: usize>(strip: Strip<'_>, tokens: [Small<'_>; TOKENS]) -> [Products; TOKENS] {
        // SAFETY: as for `run`: no other module can name this type.
        unsafe { dot_small(strip, tokens) }
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

/// Products of bytes: sixty-four to an instruction. Groups must hold a multiple of four columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot_small<const TOKENS: usize>(strip: Strip<'_>, tokens: [Small<'_>; TOKENS]) -> [Products; TOKENS] {
    let mut totals = [_mm512_setzero_ps(); TOKENS];
    // SAFETY: 64 bytes, and the load needs no alignment.
    let order = unsafe { _mm512_loadu_si512(ORDER.as_ptr().cast()) };
    let zero = _mm512_set1_epi8(i8::MIN);
    for (index, scales) in strip.scales.iter().enumerate() {
        let columns = index * strip.group..(index + 1) * strip.group;
        let quads = columns.start / 2..columns.end / 2;
        let tiles = &strip.tiles[columns].as_chunks::<2>().0[..quads.len()];
        let mut rows: [&[Quad]; TOKENS] = [&[]; TOKENS];
        for token in 0..TOKENS {
            rows[token] = &tokens[token].bytes[quads.clone()];
        }
        let mut sums = [_mm512_setzero_si512(); TOKENS];
        // Activations lie 128 too high: the products of as many 128s are taken off again.
        let mut surplus = _mm512_setzero_si512();
        for (column, tiles) in tiles.iter().enumerate() {
            // SAFETY: two tiles are 64 bytes, and the load needs no alignment.
            let weights = unsafe { _mm512_loadu_si512(tiles.as_ptr().cast()) };
            let weights = _mm512_permutexvar_epi16(order, weights);
            surplus = _mm512_dpbusd_epi32(surplus, zero, weights);
            for token in 0..TOKENS {
                let quad = _mm512_set1_epi32(i32::from_le_bytes(rows[token][column]));
                sums[token] = _mm512_dpbusd_epi32(sums[token], quad, weights);
            }
        }
        // SAFETY: sixteen floats, and the load needs no alignment.
        let scales = unsafe { _mm512_loadu_ps(scales.as_ptr()) };
        for token in 0..TOKENS {
            let sum = _mm512_sub_epi32(sums[token], surplus);
            let scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scales);
            let scale = _mm512_set1_ps(tokens[token].scales[index]);
            totals[token] = _mm512_add_ps(totals[token], _mm512_mul_ps(scaled, scale));
        }
    }
    let mut products = [[0.0; ROWS]; TOKENS];
    for token in 0..TOKENS {
        // SAFETY: sixteen floats, and the store needs no alignment.
        unsafe { _mm512_storeu_ps(products[token].as_mut_ptr(), totals[token]) };
    }
    products
}

/// Lays two tiles into each other: four neighbouring columns of row 0, of row 1, and so on.
static ORDER: [u16; 2 * ROWS] = {
    let mut order = [0; 2 * ROWS];
    let mut row = 0;
    while row < 16 {
        order[2 * row as usize] = row;
        order[2 * row as usize + 1] = row + 16;
        row += 1;
    }
    order
};

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
