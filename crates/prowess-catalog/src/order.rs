//! The order of names: ICU collation, root locale.
//!
//! Punctuation comes first, then digits as text, then letters ignoring case with lower case first on a
//! tie, CJK last. This is what `localeCompare(…, "en")` gives in the peers, so lists that are cut to a
//! size are cut at the same skill.

use std::cmp::Ordering;
use std::sync::OnceLock;

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;

/// A name prepared for sorting: comparing two keys is comparing bytes.
///
/// ```
/// # use prowess_catalog::SortKey;
/// let mut names = ["b", "A", "a", "_u", "10", "9"];
/// names.sort_by_cached_key(|name| SortKey::new(name));
/// assert_eq!(names, ["_u", "10", "9", "a", "A", "b"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortKey(Vec<u8>);

impl SortKey {
    /// The key of a name.
    pub fn new(name: &str) -> Self {
        let mut bytes = Vec::with_capacity(2 * name.len() + 4);
        match collator() {
            Some(collator) => {
                let Ok(()) = collator.write_sort_key_to(name, &mut bytes);
            }
            None => bytes.extend_from_slice(name.as_bytes()),
        }
        Self(bytes)
    }
}

/// Compares two names. For whole lists, sort by [`SortKey`] instead.
pub fn compare(left: &str, right: &str) -> Ordering {
    match collator() {
        Some(collator) => collator.compare(left, right),
        None => left.cmp(right),
    }
}

/// The collator, built once. Its data are compiled in; should a build lack them, bytes are compared.
fn collator() -> Option<&'static CollatorBorrowed<'static>> {
    static COLLATOR: OnceLock<Option<CollatorBorrowed<'static>>> = OnceLock::new();
    let build = || {
        let options = CollatorOptions::default();
        CollatorBorrowed::try_new(icu_collator::CollatorPreferences::default(), options).ok()
    };
    COLLATOR.get_or_init(build).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As `localeCompare` with locale `en` sorts them in ICU 78.
    #[rustfmt::skip]
    const SORTED: &[&str] = &[
        "", " x", "_u", "--__--", "-m", "!e", "@x", "#h", "~t", "🎉", "$d", "02", "1", "①", "½", "10", "2", "9",
        "9lives", "a", "A", "á", "ä", "a b", "a_b", "a-b", "a.b", "ab", "aB", "Ab", "AB", "ae", "æ", "af", "b",
        "B", "café", "e", "é", "f", "fi", "ﬁ", "i", "I", "İ", "ı", "My Skill", "my_skill", "my-skill", "n",
        "ñ", "o", "ø", "skill", "ss", "sS", "ß", "sz", "UPPER Case", "x y", "x/y", "xy", "z", "Z", "zz", "αβ",
        "ы", "я", "한국어", "あ", "ア", "中", "日本語",
    ];

    #[test]
    fn names_sort_as_in_icu() {
        let mut names = SORTED.to_vec();
        names.reverse();
        names.sort_by(|left, right| compare(left, right));
        assert_eq!(names, SORTED);
    }

    proptest! {
        #[test]
        fn keys_and_comparison_agree(left in "\\PC{0,12}", right in "\\PC{0,12}") {
            prop_assert_eq!(SortKey::new(&left).cmp(&SortKey::new(&right)), compare(&left, &right));
        }
    }
}
