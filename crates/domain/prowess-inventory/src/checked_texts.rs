//! The texts of skills as they were checked, kept in memory by their hash.
//!
//! A file may change at any time; the version that was gated, scanned and trusted stays readable for as long as a live
//! view uses it. So a broken edit takes nothing away from an agent.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, RwLock};

use prowess_types::{ContentHash, IgnorePoison as _};

/// A longer text is read from the disk each time.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// Size of all texts together.
const MAX_TOTAL_BYTES: usize = 128 * 1024 * 1024;

/// Texts by their hash. Cheap to share.
#[derive(Default)]
pub struct CheckedTexts {
    kept: RwLock<Kept>,
}

#[derive(Default)]
struct Kept {
    texts: HashMap<ContentHash, Arc<[u8]>>,
    bytes: usize,
}

impl CheckedTexts {
    /// The bytes with this hash, if they are kept.
    pub(crate) fn get(&self, hash: &ContentHash) -> Option<Arc<[u8]>> {
        self.kept.read().ignore_poison().texts.get(hash).cloned()
    }

    /// Keeps bytes under their hash, unless they are too many.
    pub fn keep(&self, hash: ContentHash, bytes: &[u8]) {
        let mut kept = self.kept.write().ignore_poison();
        let is_too_much = bytes.len() > MAX_TEXT_BYTES || kept.bytes + bytes.len() > MAX_TOTAL_BYTES;
        if !is_too_much && kept.texts.insert(hash, bytes.into()).is_none() {
            kept.bytes += bytes.len();
        }
    }

    /// Drops every text that is no longer used.
    pub fn retain(&self, used: &HashSet<ContentHash>) {
        let mut kept = self.kept.write().ignore_poison();
        kept.texts.retain(|hash, _| used.contains(hash));
        kept.bytes = kept.texts.values().map(|text| text.len()).sum();
    }
}

impl fmt::Debug for CheckedTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.read().ignore_poison();
        f.debug_struct("CheckedTexts").field("texts", &kept.texts.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_in_use_stay_and_long_ones_are_never_kept() {
        let texts = CheckedTexts::default();
        let hash = |number: u8| ContentHash([number; 32]);
        texts.keep(hash(1), b"one");
        texts.keep(hash(1), b"one");
        texts.keep(hash(2), b"two");
        texts.keep(hash(3), &vec![b'x'; MAX_TEXT_BYTES + 1]);
        assert_eq!(texts.get(&hash(1)).as_deref(), Some(&b"one"[..]));
        assert_eq!(texts.get(&hash(3)), None);
        texts.retain(&HashSet::from([hash(2)]));
        assert_eq!(texts.get(&hash(1)), None);
        assert_eq!(texts.get(&hash(2)).as_deref(), Some(&b"two"[..]));
    }
}
