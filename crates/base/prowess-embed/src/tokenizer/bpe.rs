//! Byte pair encoding over bytes: pieces of text are joined from single bytes, the pair with the lowest rank
//! first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pattern;
use crate::pack::{Pack, PackError, Tensor};

/// The merges, sorted by left and right token: those of a left token lie between two entries of `starts`.
pub(super) struct Bpe {
    bytes: Tensor<u32>,
    starts: Tensor<u32>,
    rights: Tensor<u32>,
    ranks: Tensor<u32>,
    merged: Tensor<u32>,
}

impl Bpe {
    pub(super) fn load(pack: &Pack, vocabulary: usize) -> Result<Self, PackError> {
        let rights: Tensor<u32> = pack.tensor_of_any_shape("bpe.rights")?;
        let merges = rights.len();
        let bpe = Self {
            bytes: pack.tensor("bpe.bytes", &[256])?,
            starts: pack.tensor("bpe.starts", &[vocabulary + 1])?,
            ranks: pack.tensor("bpe.ranks", &[merges])?,
            merged: pack.tensor("bpe.merged", &[merges])?,
            rights,
        };
        let is_token = |id: &u32| (*id as usize) < vocabulary;
        let is_rising =
            bpe.starts.is_sorted() && bpe.starts.last().is_some_and(|end| *end as usize <= merges);
        if is_rising && bpe.bytes.iter().all(is_token) && bpe.merged.iter().all(is_token) {
            Ok(bpe)
        } else {
            Err(PackError::content("the merges point outside their tables"))
        }
    }

    /// Adds the tokens of a text until there are `limit` of them, or a few more.
    pub(super) fn tokenize(&self, text: &str, limit: usize, tokens: &mut Vec<u32>) {
        let mut work = Work::default();
        for piece in pattern::pieces(text) {
            self.merge(piece.as_bytes(), &mut work);
            tokens.extend(work.symbols.iter().filter(|symbol| symbol.is_alive).map(|symbol| symbol.id));
            if tokens.len() >= limit {
                return;
            }
        }
    }

    /// Rank and result of joining two tokens, if they can be joined.
    fn merge_of(&self, left: u32, right: u32) -> Option<(u32, u32)> {
        let left = left as usize;
        let (start, end) = (*self.starts.get(left)? as usize, *self.starts.get(left + 1)? as usize);
        let place = start + self.rights.get(start..end)?.binary_search(&right).ok()?;
        Some((*self.ranks.get(place)?, *self.merged.get(place)?))
    }

    /// Leaves the tokens of a piece in `work`.
    fn merge(&self, piece: &[u8], work: &mut Work) {
        let id = |byte: &u8| self.bytes.get(usize::from(*byte)).copied().unwrap_or_default();
        work.symbols.clear();
        work.symbols.extend(piece.iter().enumerate().map(|(index, byte)| Symbol {
            id: id(byte),
            before: index.wrapping_sub(1),
            after: index + 1,
            is_alive: true,
        }));
        work.candidates.clear();
        for place in 1..work.symbols.len() {
            self.consider(place - 1, work);
        }
        while let Some(Reverse((rank, place))) = work.candidates.pop() {
            // The neighbours may have been joined otherwise since; ranks are unique, so they tell.
            let Some((now, merged)) = work.pair(place).and_then(|(left, right)| self.merge_of(left, right))
            else {
                continue;
            };
            if now == rank {
                work.join(place, merged);
                let before = work.symbols[place].before;
                self.consider(before, work);
                self.consider(place, work);
            }
        }
    }

    fn consider(&self, place: usize, work: &mut Work) {
        if let Some((left, right)) = work.pair(place)
            && let Some((rank, _)) = self.merge_of(left, right)
        {
            work.candidates.push(Reverse((rank, place)));
        }
    }
}

/// A token of a piece, and its neighbours; places outside the piece are not neighbours.
struct Symbol {
    id: u32,
    before: usize,
    after: usize,
    is_alive: bool,
}

/// Memory that is used again for every piece.
#[derive(Default)]
struct Work {
    symbols: Vec<Symbol>,
    /// Rank, and place of the left token: the lowest rank first, then from the left.
    candidates: BinaryHeap<Reverse<(u32, usize)>>,
}

impl Work {
    /// The token at a place and the one after it.
    fn pair(&self, place: usize) -> Option<(u32, u32)> {
        let left = self.symbols.get(place).filter(|symbol| symbol.is_alive)?;
        let right = self.symbols.get(left.after)?;
        Some((left.id, right.id))
    }

    /// Replaces the token at a place and the one after it.
    fn join(&mut self, place: usize, merged: u32) {
        let right = self.symbols[place].after;
        let after = self.symbols[right].after;
        self.symbols[right].is_alive = false;
        self.symbols[place].id = merged;
        self.symbols[place].after = after;
        if let Some(next) = self.symbols.get_mut(after) {
            next.before = place;
        }
    }
}
