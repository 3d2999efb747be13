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

/// Printable ASCII but the letters, in collation order. Letters follow, both cases in one place.
const ASCII_ORDER: &[u8] = b" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// Sorts by rank, then by name. Most lists are plain ASCII, for which the collation is a small table; one other
/// name in the list, and the whole list is sorted by [`SortKey`].
pub(crate) fn sort_by_name<T>(items: &mut [T], rank: impl Fn(&T) -> usize, name: impl Fn(&T) -> &str) {
    if items.iter().all(|item| name(item).bytes().all(|byte| matches!(byte, b' '..=b'~'))) {
        items.sort_by_cached_key(|item| (rank(item), ascii_key(name(item))));
    } else {
        items.sort_by_cached_key(|item| (rank(item), SortKey::new(name(item))));
    }
}

/// Places of all characters first; only then does case decide, lower case first.
fn ascii_key(name: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(2 * name.len() + 1);
    key.extend(name.bytes().map(|byte| ASCII_PLACES[usize::from(byte & 0x7F)]));
    key.push(0);
    key.extend(name.bytes().map(|byte| u8::from(byte.is_ascii_uppercase())));
    key
}

/// The place of each ASCII character, counted from one.
const ASCII_PLACES: [u8; 128] = {
    let mut places = [0; 128];
    let mut place = 1;
    let mut index = 0;
    while index < ASCII_ORDER.len() {
        places[ASCII_ORDER[index] as usize] = place;
        place += 1;
        index += 1;
    }
    let mut letter = b'a';
    while letter <= b'z' {
        places[letter as usize] = place;
        places[letter.to_ascii_uppercase() as usize] = place;
        place += 1;
        letter += 1;
    }
    places
};

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

        #[test]
        fn plain_names_sort_as_all_others(left in "[ -~]{0,6}", right in "[ -~]{0,6}") {
            prop_assert_eq!(ascii_key(&left).cmp(&ascii_key(&right)), compare(&left, &right));
        }
    }
}
