//! The word table: one row a token, only ever looked up.

use sha2::{Digest as _, Sha256};

use super::layers::Norm;
use super::nibbles;
use crate::f16::F16;
use crate::pack::{DType, Pack, PackError, Tensor};

/// Numbers that share a scale in a table of 4 bits.
const SMALL_GROUP: usize = 16;

/// The digest contains the codes of every row whose number is a multiple of this.
const DIGEST_STEP: usize = 64;

/// The rows of the words, and the normalisation of what they begin with.
pub(super) struct Words {
    pub(super) width: usize,
    pub(super) vocabulary: usize,
    codes: Codes,
    norm: Norm,
}

enum Codes {
    /// Signed bytes; `group` of them share a scale.
    Bytes { codes: Tensor<i8>, scales: Tensor<f32>, group: usize },
    /// Two to a byte, the low half first, 8 being zero.
    Nibbles { codes: Tensor<u8>, scales: Tensor<F16> },
}

impl Words {
    /// Reads `words`, `words.scales` and `embedding.norm`. The type of `words` tells its bits.
    pub(super) fn load(
        pack: &Pack,
        vocabulary: usize,
        width: usize,
        group: usize,
    ) -> Result<Self, PackError> {
        let is_small = pack.dtype("words")? == DType::U8;
        let group = if is_small { SMALL_GROUP } else { group };
        if group == 0 || width == 0 || !width.is_multiple_of(group) {
            return Err(PackError::content("the rows of the word table do not come out even"));
        }
        let scales = [vocabulary, width / group];
        let codes = if is_small {
            let codes = pack.tensor("words", &[vocabulary, width / 2])?;
            Codes::Nibbles { codes, scales: pack.tensor("words.scales", &scales)? }
        } else {
            let codes = pack.tensor("words", &[vocabulary, width])?;
            Codes::Bytes { codes, scales: pack.tensor("words.scales", &scales)?, group }
        };
        Ok(Self { width, vocabulary, codes, norm: Norm::load(pack, "embedding.norm", width)? })
    }

    /// Writes the row of a token, which must be in the vocabulary.
    #[inline(always)]
    pub(super) fn look_up(&self, token: u32, row: &mut [f32]) {
        let start = token as usize * self.width;
        match &self.codes {
            Codes::Bytes { codes, scales, group } => {
                let codes = codes[start..start + self.width].chunks_exact(*group);
                let scales = &scales[start / group..(start + self.width) / group];
                for ((row, codes), scale) in row.chunks_exact_mut(*group).zip(codes).zip(scales) {
                    for (number, code) in row.iter_mut().zip(codes) {
                        *number = f32::from(*code) * scale;
                    }
                }
            }
            Codes::Nibbles { codes, scales } => {
                let codes = codes[start / 2..][..self.width / 2].chunks_exact(SMALL_GROUP / 2);
                let scales = &scales[start / SMALL_GROUP..(start + self.width) / SMALL_GROUP];
                for ((row, codes), scale) in row.chunks_exact_mut(SMALL_GROUP).zip(codes).zip(scales) {
                    let scale = scale.to_f32();
                    for (pair, code) in row.chunks_exact_mut(2).zip(codes) {
                        let [low, high] = nibbles::split(*code);
                        pair[0] = low * scale;
                        pair[1] = high * scale;
                    }
                }
            }
        }
    }

    /// Normalises the sums of words and positions.
    #[inline(always)]
    pub(super) fn normalise(&self, rows: &mut [f32], epsilon: f32) {
        for row in rows.chunks_exact_mut(self.width) {
            super::math::normalise(row, &self.norm.weight, &self.norm.bias, epsilon);
        }
    }

    /// A digest that tells tables apart: all scales, the norm, and the codes of one row in 64, so that it
    /// costs no pass over the whole table. Damage is the business of the pack's checksum.
    pub(super) fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for size in [self.vocabulary, self.width] {
            digest.update((size as u64).to_le_bytes());
        }
        match &self.codes {
            Codes::Bytes { codes, scales, .. } => {
                digest.update(b"int8");
                scales.iter().for_each(|scale| digest.update(scale.to_le_bytes()));
                for row in codes.chunks_exact(self.width).step_by(DIGEST_STEP) {
                    digest.update(row.iter().map(|code| code.cast_unsigned()).collect::<Vec<_>>());
                }
            }
            Codes::Nibbles { codes, scales } => {
                digest.update(b"int4");
                scales.iter().for_each(|scale| digest.update(scale.0.to_le_bytes()));
                codes.chunks_exact(self.width / 2).step_by(DIGEST_STEP).for_each(|row| digest.update(row));
            }
        }
        for number in self.norm.weight.iter().chain(&*self.norm.bias) {
            digest.update(number.to_le_bytes());
        }
        data_encoding::HEXLOWER.encode(&digest.finalize())
    }
}
