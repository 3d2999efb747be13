//! Sorted words in a pack, each with a number.

use crate::pack::{Pack, PackError, Tensor};

/// Words in the order of their bytes: `text` holds them one after the other, `offsets` where each begins and
/// the last ends, `ids` their numbers.
pub(super) struct Lexicon {
    text: Tensor<u8>,
    offsets: Tensor<u32>,
    ids: Tensor<u32>,
    longest: usize,
}

impl Lexicon {
    /// Reads the three tensors `{name}.text`, `{name}.offsets` and `{name}.ids`.
    pub(super) fn load(pack: &Pack, name: &str, vocabulary: usize) -> Result<Self, PackError> {
        let ids: Tensor<u32> = pack.tensor_of_any_shape(&format!("{name}.ids"))?;
        let offsets: Tensor<u32> = pack.tensor(&format!("{name}.offsets"), &[ids.len() + 1])?;
        let text: Tensor<u8> = pack.tensor_of_any_shape(&format!("{name}.text"))?;
        let is_rising = offsets.is_sorted() && offsets.last().is_some_and(|end| *end as usize <= text.len());
        if !is_rising || !ids.iter().all(|id| (*id as usize) < vocabulary) {
            return Err(PackError::content(format!("the lexicon `{name}` points outside its tables")));
        }
        let longest = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0);
        Ok(Self { text, offsets, ids, longest })
    }

    /// The longest word that the text begins with: its number and its length in bytes.
    pub(super) fn longest_prefix(&self, text: &str) -> Option<(u32, usize)> {
        let (words, offsets, ids) = (&*self.text, &*self.offsets, &*self.ids);
        let word = |index: usize| words.get(*offsets.get(index)? as usize..*offsets.get(index + 1)? as usize);
        let find = |wanted: &[u8]| {
            let (mut low, mut high) = (0, ids.len());
            while low < high {
                let middle = usize::midpoint(low, high);
                match word(middle)?.cmp(wanted) {
                    std::cmp::Ordering::Less => low = middle + 1,
                    std::cmp::Ordering::Equal => return ids.get(middle).copied(),
                    std::cmp::Ordering::Greater => high = middle,
                }
            }
            None
        };
        let longest = text.floor_char_boundary(self.longest);
        let mut ends = text[..longest].char_indices().rev().map(|(start, c)| start + c.len_utf8());
        ends.find_map(|end| Some((find(&text.as_bytes()[..end])?, end)))
    }
}
