//! Finds thousands of short words in one pass.
//!
//! Each word is known by its rarest four letters (two, if it is shorter). The pass asks one bit per byte whether
//! such letters may begin there, and compares words only then. The bits fit into the first-level cache and no step
//! waits for the one before, so this is several times faster than an automaton over all words.

use std::collections::{BTreeMap, HashMap};

use crate::signal::Signal;

/// A word, and the signals that wait for it.
struct Word {
    /// In lower case.
    bytes: Box<[u8]>,
    /// The offset of its rarest letters.
    offset: usize,
    /// Those letters, in lower case; the rest is compared only if they are there.
    letters: u32,
    signals: Vec<Signal>,
    /// Another word with letters of the same hash.
    next: Option<u16>,
}

/// Words that are known by letters of one length, with `N` words of 64 bits: one bit per hash.
struct Index<const N: usize> {
    bits: Box<[u64; N]>,
    /// The first word of a hash.
    heads: Box<[Option<u16>]>,
}

/// All words.
pub(crate) struct Cues {
    words: Vec<Word>,
    quads: Index<QUAD_WORDS>,
    pairs: Index<PAIR_WORDS>,
}

/// Bits of the hash of four letters; two letters are their own hash.
const QUAD_BITS: u32 = 18;
const QUAD_WORDS: usize = 1 << (QUAD_BITS - 6);
const PAIR_WORDS: usize = 1 << (16 - 6);
/// Chains of words; the low bits of a hash choose one.
const CHAINS: usize = 1 << 14;

/// The commonest four letters in skills, the commonest first. The words are known by others, as far as they have any.
const COMMON: &str = include_str!("letters.txt");
/// More than the weight of any letters that are not among them.
const COMMON_WEIGHT: u32 = 64;

/// How common a byte is in text, roughly.
fn weight(byte: u8) -> u32 {
    match byte {
        b' ' | b'e' => 9,
        b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 7,
        b'h' | b'l' | b'd' | b'c' | b'u' | b'm' | b'p' => 5,
        b'a'..=b'z' | b'-' | b'.' | b'/' | b'"' | b'\'' => 3,
        _ => 1,
    }
}

/// Four letters in any case.
fn quad(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes) | 0x2020_2020
}

/// The first two of four letters.
fn pair(quad: u32) -> u32 {
    quad & 0xffff
}

fn quad_hash(letters: u32) -> usize {
    (letters.wrapping_mul(0x9e37_79b1) >> (32 - QUAD_BITS)) as usize
}

impl<const N: usize> Index<N> {
    fn new() -> Self {
        Self { bits: Box::new([0; N]), heads: vec![None; CHAINS].into() }
    }

    fn is_set(&self, hash: usize) -> bool {
        self.bits[(hash >> 6) % N] >> (hash & 63) & 1 == 1
    }

    /// Notes a word; gives the word that had the place before.
    fn insert(&mut self, hash: usize, number: u16) -> Option<u16> {
        self.bits[(hash >> 6) % N] |= 1 << (hash & 63);
        self.heads[hash % CHAINS].replace(number)
    }

    fn head(&self, hash: usize) -> Option<u16> {
        self.heads[hash % CHAINS]
    }
}

impl Cues {
    /// Takes words of at least two bytes, in lower case.
    pub(crate) fn new(words: &BTreeMap<String, Vec<Signal>>) -> Self {
        let common: HashMap<&[u8], u32> =
            COMMON.lines().rev().map(str::as_bytes).zip(COMMON_WEIGHT..).collect();
        let mut cues = Self { words: Vec::new(), quads: Index::new(), pairs: Index::new() };
        for (word, signals) in words {
            cues.add(word.as_bytes(), signals.clone(), &common);
        }
        cues
    }

    fn add(&mut self, bytes: &[u8], signals: Vec<Signal>, common: &HashMap<&[u8], u32>) {
        let Ok(number) = u16::try_from(self.words.len()) else { return };
        let letters = if bytes.len() >= 4 { 4 } else { 2 };
        let commonness = |at: &usize| {
            let letters = &bytes[*at..at + letters];
            // Lines are drawn with one letter.
            let is_line = letters.iter().all(|letter| *letter == letters[0]);
            let weight = letters.iter().map(|byte| weight(*byte)).sum::<u32>();
            weight + common.get(letters).unwrap_or(&0) + u32::from(is_line) * COMMON_WEIGHT
        };
        let Some(offset) = (0..(bytes.len() + 1).saturating_sub(letters)).min_by_key(commonness) else {
            return;
        };
        let (letters, next) = match bytes[offset..] {
            [first, second, third, fourth, ..] if letters == 4 => {
                let letters = quad([first, second, third, fourth]);
                (letters, self.quads.insert(quad_hash(letters), number))
            }
            [first, second, ..] => {
                let letters = pair(quad([first, second, 0, 0]));
                (letters, self.pairs.insert(letters as usize, number))
            }
            _ => return,
        };
        self.words.push(Word { bytes: bytes.into(), offset, letters, signals, next });
    }

    /// Calls for every word in a text, with its place. Places come almost, but not quite, in order.
    pub(crate) fn each<'l>(&'l self, text: &str, mut report: impl FnMut(usize, usize, &'l [Signal])) {
        let bytes = text.as_bytes();
        for (at, window) in bytes.windows(4).enumerate() {
            let four = quad([window[0], window[1], window[2], window[3]]);
            let (hash, two) = (quad_hash(four), pair(four));
            // One branch for both, which is almost never taken.
            let (is_quad, is_pair) = (self.quads.is_set(hash), self.pairs.is_set(two as usize));
            if is_quad | is_pair {
                if is_quad {
                    self.compare(bytes, at, four, self.quads.head(hash), &mut report);
                }
                if is_pair {
                    self.compare(bytes, at, two, self.pairs.head(two as usize), &mut report);
                }
            }
        }
        for at in bytes.len().saturating_sub(3)..bytes.len().saturating_sub(1) {
            let two = pair(quad([bytes[at], bytes[at + 1], 0, 0]));
            self.compare(bytes, at, two, self.pairs.head(two as usize), &mut report);
        }
    }

    #[cold]
    fn compare<'l>(
        &'l self,
        bytes: &[u8],
        at: usize,
        letters: u32,
        mut number: Option<u16>,
        report: &mut impl FnMut(usize, usize, &'l [Signal]),
    ) {
        while let Some(word) = number.map(|number| &self.words[usize::from(number)]) {
            number = word.next;
            if word.letters != letters {
                continue;
            }
            let Some(start) = at.checked_sub(word.offset) else { continue };
            let end = start + word.bytes.len();
            if bytes.get(start..end).is_some_and(|slice| slice.eq_ignore_ascii_case(&word.bytes)) {
                report(start, end, &word.signals);
            }
        }
    }
}
