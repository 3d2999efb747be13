//! Products with NEON: eight to two instructions.

#![allow(
    unsafe_code,
    reason = "vector loads take pointers, and a caller must know that the machine has NEON"
)]

use std::arch::aarch64::{
    vaddq_f32, vcvtq_f32_s32, vdupq_n_f32, vdupq_n_s32, vget_low_s8, vget_low_s16, vld1q_f32, vld2q_s8,
    vmlal_high_n_s16, vmlal_n_s16, vmovl_high_s8, vmovl_s8, vmulq_f32, vst1q_f32,
};

use super::{Job, Kernel, Pair, Products, ROWS, Strip, cut};

/// Does a job with NEON, which the machine must have.
pub(super) fn run<J: Job>(job: J) -> J::Output {
    // SAFETY: only reached through `Path::Neon`, which is offered only where NEON was detected.
    unsafe { run_here(job) }
}

#[target_feature(enable = "neon")]
fn run_here<J: Job>(job: J) -> J::Output {
    job.run::<Neon>()
}

/// A vector holds four of the sixteen rows.
const QUARTERS: usize = ROWS / 4;

/// Only ever handed to a job that runs with NEON.
struct Neon;

impl Kernel for Neon {
    const BLOCK: usize = 4;

    #[inline(always)]
    fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
        // SAFETY: as for `run`: no other module can name this type.
        unsafe { dot(strip, tokens) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn dot<const TOKENS: usize>(strip: Strip<'_>, tokens: [&[Pair]; TOKENS]) -> [Products; TOKENS] {
    let mut totals = [[vdupq_n_f32(0.0); QUARTERS]; TOKENS];
    for (index, scales) in strip.scales.iter().enumerate() {
        let columns = index * strip.group..(index + 1) * strip.group;
        let mut sums = [[vdupq_n_s32(0); QUARTERS]; TOKENS];
        let rows = cut(tokens, columns.clone());
        for (column, tile) in strip.tiles[columns].iter().enumerate() {
            // SAFETY: a tile is 32 bytes, and the load needs no alignment. It parts the two columns.
            let sides = unsafe { vld2q_s8(tile.as_ptr()) };
            let sides = [
                [vmovl_s8(vget_low_s8(sides.0)), vmovl_high_s8(sides.0)],
                [vmovl_s8(vget_low_s8(sides.1)), vmovl_high_s8(sides.1)],
            ];
            for token in 0..TOKENS {
                for side in 0..2 {
                    let activation = rows[token][column][side];
                    let [upper, lower] = sides[side];
                    let [a, b, c, d] = sums[token];
                    sums[token] = [
                        vmlal_n_s16(a, vget_low_s16(upper), activation),
                        vmlal_high_n_s16(b, upper, activation),
                        vmlal_n_s16(c, vget_low_s16(lower), activation),
                        vmlal_high_n_s16(d, lower, activation),
                    ];
                }
            }
        }
        for token in 0..TOKENS {
            for quarter in 0..QUARTERS {
                // SAFETY: sixteen floats, four to each load.
                let scales = unsafe { vld1q_f32(scales.as_ptr().add(4 * quarter)) };
                let scaled = vmulq_f32(vcvtq_f32_s32(sums[token][quarter]), scales);
                totals[token][quarter] = vaddq_f32(totals[token][quarter], scaled);
            }
        }
    }
    let mut products = [[0.0; ROWS]; TOKENS];
    for token in 0..TOKENS {
        for (stored, total) in products[token].as_chunks_mut::<4>().0.iter_mut().zip(totals[token]) {
            // SAFETY: four floats, and the store needs no alignment.
            unsafe { vst1q_f32(stored.as_mut_ptr(), total) };
        }
    }
    products
}
