//! The unigram tokenizer of sentencepiece: of all ways to cut the text into pieces of the vocabulary, the
//! one whose pieces are the most likely together.

use super::double_array::DoubleArray;
use super::normalizer::{Normalizer, char_length};
use crate::pack::{Pack, PackError, Tensor};

const UNKNOWN: usize = 0;
const BEGIN: usize = 1;
const END: usize = 2;

/// What a character that no piece covers costs, beyond the least likely piece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// No piece is longer (16 characters).
const LONGEST_PIECE: usize = 64;

/// See the [module](self).
pub(super) struct Unigram {
    normalizer: Normalizer,
    pieces: DoubleArray,
    /// Logarithm of the probability of each piece.
    scores: Tensor<f32>,
    unknown_score: f64,
    max_tokens: usize,
}

impl Unigram {
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        let scores: Tensor<f32> = pack.tensor_of_any_shape("tokenizer.scores")?;
        let lowest = scores.iter().copied().fold(f32::INFINITY, f32::min);
        Ok(Self {
            normalizer: Normalizer::load(pack)?,
            pieces: DoubleArray::new(pack.tensor_of_any_shape("tokenizer.pieces")?),
            scores,
            unknown_score: f64::from(lowest) - UNKNOWN_PENALTY,
            max_tokens: pack.header().max_tokens,
        })
    }

    /// The number of pieces; every id is smaller.
    pub(super) fn vocabulary(&self) -> usize {
        self.scores.len()
    }

    /// The ids of the pieces, between those that begin and end a text.
    pub(super) fn tokens(&self, text: &str) -> Vec<usize> {
        let room = self.max_tokens.saturating_sub(2).max(1);
        let normal = self.normalizer.normalize(text, room.saturating_mul(LONGEST_PIECE));
        let mut ids = vec![BEGIN];
        if normal.is_empty() {
            ids.push(UNKNOWN);
        } else {
            ids.extend(self.best_pieces(&normal).into_iter().take(room));
        }
        ids.push(END);
        ids
    }

    fn best_pieces(&self, text: &[u8]) -> Vec<usize> {
        let mut ends = vec![Arrival::UNREACHED; text.len() + 1];
        ends[0].score = 0.0;
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let character = char_length(rest);
            let score = ends[start].score;
            let mut covers_character = false;
            let mut node = self.pieces.root();
            for (index, byte) in rest.iter().enumerate() {
                let Some(next) = self.pieces.child(node, *byte) else { break };
                node = next;
                if let Some(piece) = self.pieces.value(node)
                    && let Some(likelihood) = self.scores.get(piece)
                {
                    let length = index + 1;
                    ends[start + length].offer(score + f64::from(*likelihood), start, piece);
                    covers_character |= length == character;
                }
            }
            if !covers_character {
                ends[start + character].offer(score + self.unknown_score, start, UNKNOWN);
            }
            start += character;
        }
        let mut pieces = Vec::new();
        let mut end = text.len();
        while end > 0 {
            pieces.push(ends[end].piece);
            end = ends[end].start;
        }
        pieces.reverse();
        pieces
    }
}

/// The best way to cut the text up to some place: its score, and where and what its last piece is.
#[derive(Clone, Copy)]
struct Arrival {
    score: f64,
    start: usize,
    piece: usize,
}

impl Arrival {
    const UNREACHED: Self = Self { score: f64::NEG_INFINITY, start: 0, piece: UNKNOWN };

    /// Takes the way if it is better; of equals, the one that was offered first stays.
    fn offer(&mut self, score: f64, start: usize, piece: usize) {
        if score > self.score {
            *self = Self { score, start, piece };
        }
    }
}
