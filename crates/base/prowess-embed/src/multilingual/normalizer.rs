//! What sentencepiece does to a text before it looks for pieces: compatibility normalisation by rules that
//! the model carries, spaces folded to one, each written as `▁`, and one put in front.

use super::double_array::DoubleArray;
use crate::pack::{Pack, PackError, Tensor};

/// How a space looks inside a piece.
const SPACE: &str = "▁";

/// See the [module](self).
pub(super) struct Normalizer {
    rules: DoubleArray,
    /// What the rules write, each text ended by a zero byte; the value of a rule is where its text begins.
    replacements: Tensor<u8>,
}

impl Normalizer {
    pub(super) fn load(pack: &Pack) -> Result<Self, PackError> {
        Ok(Self {
            rules: DoubleArray::new(pack.tensor_of_any_shape("normalizer.rules")?),
            replacements: pack.tensor_of_any_shape("normalizer.replacements")?,
        })
    }

    /// The bytes in which pieces are looked for; nothing if the text holds nothing but spaces. Stops early
    /// once there are `limit` bytes.
    pub(super) fn normalize(&self, text: &str, limit: usize) -> Vec<u8> {
        let mut normal = SPACE.as_bytes().to_vec();
        let mut after_space = true;
        let mut rest = text.as_bytes();
        while !rest.is_empty() && normal.len() < limit {
            let (mut written, length) = self.rewrite(rest);
            rest = rest.get(length..).unwrap_or_default();
            while after_space && let Some(trimmed) = written.strip_prefix(b" ") {
                written = trimmed;
            }
            for byte in written {
                match byte {
                    b' ' => normal.extend_from_slice(SPACE.as_bytes()),
                    byte => normal.push(*byte),
                }
            }
            after_space = written.last().map_or(after_space, |last| *last == b' ');
        }
        while let Some(shorter) = normal.strip_suffix(SPACE.as_bytes()) {
            normal.truncate(shorter.len());
        }
        normal
    }

    /// What the beginning of the text becomes, by the longest rule that fits, and how much of it that is.
    fn rewrite<'a>(&'a self, text: &'a [u8]) -> (&'a [u8], usize) {
        let mut node = self.rules.root();
        let mut best = None;
        for (index, byte) in text.iter().enumerate() {
            let Some(next) = self.rules.child(node, *byte) else { break };
            if let Some(value) = self.rules.value(next) {
                best = Some((value, index + 1));
            }
            node = next;
        }
        let replacement = best.and_then(|(value, length)| {
            let written = self.replacements.get(value..)?.split(|byte| *byte == 0).next()?;
            Some((written, length))
        });
        replacement.unwrap_or_else(|| {
            let length = char_length(text);
            (text.get(..length).unwrap_or_default(), length)
        })
    }
}

/// Bytes of the character that the text begins with.
pub(super) fn char_length(text: &[u8]) -> usize {
    let length = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => 1,
    };
    length.min(text.len())
}
