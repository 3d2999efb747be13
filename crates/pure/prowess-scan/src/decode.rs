//! Takes encodings off: base64, hex, escapes, character codes, percent signs, entities, rot13, reversal, gzip.
//!
//! Everything is bounded: how deep, how many, how much. What decodes to something that is not text is dropped,
//! unless it is a program.

use std::io::Read as _;
use std::ops::Range;
use std::sync::LazyLock;

use flate2::read::{GzDecoder, ZlibDecoder};
use regex::Regex;

use crate::observe::Observed;
use crate::rules::hints;
use crate::signal::{Signal, compile};
use crate::text::{Binary, binary_kind};

/// Encodings inside encodings.
pub(crate) const DEPTH: usize = 3;
/// Pieces that are decoded per text.
const PIECES: usize = 512;
/// Bytes that are decoded per text.
const BYTES: usize = 1 << 20;
/// What a string that is turned around must say to be worth a look.
const TURNED: &[&str] = &[
    "://",
    "curl",
    "wget",
    "bash",
    "sh -",
    "/bin",
    "/dev/",
    "eval",
    "exec",
    "import",
    "require",
    "powershell",
    "ignore",
    "instruction",
    "system",
    "token",
    "secret",
    ".ssh",
    "rm -",
];

/// A piece of a text that says something else once it is decoded.
pub(crate) struct Decoded {
    /// Its range in the text.
    pub(crate) range: Range<usize>,
    /// How it was encoded.
    pub(crate) encoding: &'static str,
    pub(crate) content: Inner,
}

/// The decoded content.
pub(crate) enum Inner {
    Text(String),
    Program,
}

/// Everything in a text that can be decoded.
pub(crate) struct Decodings {
    pub(crate) pieces: Vec<Decoded>,
    /// There was more than the bounds allow.
    pub(crate) is_partial: bool,
    /// Bytes that were looked at to find out.
    pub(crate) examined: usize,
}

/// Takes the encodings off.
pub(crate) fn decodings(observed: &Observed<'_>) -> Decodings {
    let mut found = Collector { examined: observed.text.len(), ..Collector::default() };
    base64_runs(&observed.text, &mut found);
    patterns(observed, &mut found);
    if observed.hints_at(hints::TURNS) {
        turned(&observed.text, &mut found);
    }
    Decodings { pieces: found.pieces, is_partial: found.is_full, examined: found.examined }
}

#[derive(Default)]
struct Collector {
    pieces: Vec<Decoded>,
    bytes: usize,
    /// Bytes that were decoded or searched, kept or not.
    examined: usize,
    is_full: bool,
}

impl Collector {
    fn accept(&mut self, range: Range<usize>, encoding: &'static str, bytes: Vec<u8>) {
        self.examined += bytes.len();
        let Some(content) = open(bytes) else { return };
        if self.pieces.len() >= PIECES || self.bytes >= BYTES {
            self.is_full = true;
            return;
        }
        self.bytes += match &content {
            Inner::Text(text) => text.len(),
            Inner::Program => 0,
        };
        self.pieces.push(Decoded { range, encoding, content });
    }
}

/// Bytes as text: unpacked where they are compressed, dropped where they are neither text nor program.
fn open(bytes: Vec<u8>) -> Option<Inner> {
    let bytes = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => inflate(GzDecoder::new(bytes.as_slice()))?,
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => inflate(ZlibDecoder::new(bytes.as_slice()))?,
        _ => bytes,
    };
    if binary_kind(&bytes) == Some(Binary::Program) && bytes.len() > 64 {
        return Some(Inner::Program);
    }
    let text = narrow(&bytes).map_or_else(|| String::from_utf8(bytes).ok(), Some)?;
    let odd = text.chars().filter(|char| char.is_control() && !char.is_whitespace()).count();
    (text.len() >= 6 && odd == 0).then_some(Inner::Text(text))
}

fn inflate(reader: impl std::io::Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(BYTES as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Text of two bytes a letter, as PowerShell takes it.
fn narrow(bytes: &[u8]) -> Option<String> {
    let is_wide = bytes.len() >= 8
        && bytes.len().is_multiple_of(2)
        && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    is_wide.then(|| bytes.iter().step_by(2).map(|byte| char::from(*byte)).collect())
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// Runs of base64 letters, lines that continue one another included.
fn base64_runs(text: &str, found: &mut Collector) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let Some(start) = next_run(bytes, at) else { return };
        at = start;
        let length = run_length(&bytes[at..]);
        at += length;
        if !starts_like_text(&bytes[start..at]) {
            continue;
        }
        let mut letters: Vec<u32> = bytes[start..at].iter().copied().filter_map(sextet).collect();
        let mut line = length;
        while let Some(next) = continues(bytes, line, at) {
            line = run_length(&bytes[next..]);
            letters.extend(bytes[next..next + line].iter().copied().filter_map(sextet));
            at = next + line;
        }
        if bytes[start..at].iter().all(u8::is_ascii_hexdigit) {
            found.accept(start..at, "hex", hex(&bytes[start..at]));
        } else {
            found.accept(start..at, "base64", base64(&letters));
        }
    }
}

/// Letters that a run must have to be looked at.
const RUN: usize = 16;

/// The start of the next run. Looks at every sixteenth byte, because a run cannot hide between two of them.
fn next_run(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let window = bytes[at..].first_chunk::<RUN>()?;
        let last =
            last_gap(window).or_else(|| window.iter().rposition(|byte| !IS_LETTER[usize::from(*byte)]));
        match last {
            None => return Some(at),
            Some(last) => at += last + 1,
        }
    }
}

/// The last byte that is a blank, a quote or beyond ASCII: what ends most words, found without a branch per byte.
fn last_gap(window: &[u8; RUN]) -> Option<usize> {
    const HIGH: u128 = u128::from_ne_bytes([0x80; RUN]);
    const FIRST: u128 = u128::from_ne_bytes([b'+'; RUN]);
    let bytes = u128::from_le_bytes(*window);
    let gaps = (!((bytes | HIGH) - FIRST) | bytes) & HIGH;
    (gaps != 0).then(|| RUN - 1 - gaps.leading_zeros() as usize / 8)
}

fn run_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !IS_LETTER[usize::from(*byte)]).unwrap_or(bytes.len())
}

static IS_LETTER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
};

/// Where a wrapped run goes on: on the next line, after a full one.
fn continues(bytes: &[u8], line: usize, at: usize) -> Option<usize> {
    if line < 56 || !matches!(bytes.get(at), Some(b'\n' | b'\r')) {
        return None;
    }
    let next =
        bytes[at..].iter().take(8).position(|byte| !matches!(byte, b'\n' | b'\r' | b' ' | b'\t'))? + at;
    (run_length(&bytes[next..bytes.len().min(next + 8)]) == 8).then_some(next)
}

/// A cheap look at the first letters: most runs are words and paths, not encodings.
fn starts_like_text(run: &[u8]) -> bool {
    let mut head = [0; HEAD];
    for (bytes, letters) in head.chunks_exact_mut(3).zip(run.chunks_exact(4)) {
        let value =
            letters.iter().filter_map(|byte| sextet(*byte)).fold(0, |value, letter| (value << 6) | letter);
        bytes.copy_from_slice(&value.to_be_bytes()[1..]);
    }
    let plain = head.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t'));
    let wide = head.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    let packed = matches!(head, [0x1f, 0x8b, ..] | [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..]);
    let program =
        head.starts_with(b"\x7fELF") || head.starts_with(b"MZ") || head.starts_with(b"\xcf\xfa\xed\xfe");
    // Hex digits decode to nothing as base64, but are an encoding of their own.
    plain || wide || packed || program || run.iter().all(u8::is_ascii_hexdigit)
}

/// Bytes that the shortest run decodes to.
const HEAD: usize = RUN / 4 * 3;

fn base64(letters: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for group in letters.chunks(4) {
        let value = group.iter().fold(0, |value, letter| (value << 6) | letter) << (6 * (4 - group.len()));
        let [_, first, second, third] = value.to_be_bytes();
        bytes.extend(&[first, second, third][..group.len().saturating_sub(1)]);
    }
    bytes
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let value =
        |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0);
    digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])).collect()
}

struct Patterns {
    escapes: Regex,
    percent: Regex,
    entities: Regex,
    codes: Regex,
    turns: Regex,
    rotates: Regex,
    quoted: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        escapes: compile(r"(?:\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\[0-3]?[0-7]{2}){4,}").ok()?,
        percent: compile(r"(?:[\w.~/:?=&+-]*%[0-9a-f]{2}){6,}[\w.~/:?=&+-]*").ok()?,
        entities: compile(r"(?:&#x?[0-9a-f]{2,6};\s?){4,}").ok()?,
        codes: compile(r"\b(?:0x)?[0-9a-f]{2,3}\b(?:[\s,;+.)]+(?:(?:chr|string\.fromcharcode|\[char\])\(?)?(?:0x)?[0-9a-f]{2,3}\b){7,}").ok()?,
        turns: compile(r"\|\s*rev\b|\[::-1\]|\.reverse\(\)|\bstrrev\b|\.reverse\b").ok()?,
        rotates: compile(r"rot_?13|[\x22']a-za-z[\x22']\s+[\x22']n-za-mn-za-m|a-z\S*\s+\S*n-za-m").ok()?,
        quoted: compile(r"\x22[^\x22\n]{12,}\x22|'[^'\n]{12,}'|`[^`\n]{12,}`").ok()?,
    })
});

/// A way to decode what a pattern matches.
type Decoder = fn(&str) -> Vec<u8>;

fn patterns(observed: &Observed<'_>, found: &mut Collector) {
    let Some(patterns) = PATTERNS.as_ref() else { return };
    let kinds: [(Signal, &Regex, &'static str, Decoder); 4] = [
        (hints::ESCAPES, &patterns.escapes, "escapes", unescape),
        (hints::PERCENT, &patterns.percent, "percent", unpercent),
        (hints::ENTITIES, &patterns.entities, "entities", entities),
        (hints::CODES, &patterns.codes, "character codes", codes),
    ];
    for (hint, regex, encoding, decode) in kinds {
        for block in observed.candidates(hint).iter().copied() {
            let range = observed.blocks[block].range.clone();
            found.examined += range.len();
            for piece in regex.find_iter(&observed.text[range.clone()]) {
                let place = range.start + piece.start()..range.start + piece.end();
                found.accept(place, encoding, decode(piece.as_str()));
            }
        }
    }
}

fn unescape(piece: &str) -> Vec<u8> {
    piece
        .split('\\')
        .filter_map(|code| match code.as_bytes() {
            [b'x' | b'X', ..] => u8::from_str_radix(code.get(1..)?, 16).ok(),
            [b'u' | b'U', ..] => u8::from_str_radix(code.get(3..)?, 16).ok(),
            [] => None,
            _ => u8::from_str_radix(code, 8).ok(),
        })
        .collect()
}

fn unpercent(piece: &str) -> Vec<u8> {
    let bytes = piece.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| piece.get(at + 1..at + 3)).flatten();
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            decoded.push(byte);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    decoded
}

fn entities(piece: &str) -> Vec<u8> {
    let chars = piece.split(';').filter_map(|entity| {
        let code = entity.trim().strip_prefix("&#")?;
        let hex = code.strip_prefix(['x', 'X']);
        char::from_u32(hex.map_or_else(|| code.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?)
    });
    chars.collect::<String>().into_bytes()
}

/// A list of numbers, each the code of a letter.
fn codes(piece: &str) -> Vec<u8> {
    let numbers = piece
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|word| word.starts_with(|char: char| char.is_ascii_digit()));
    let numbers =
        numbers.map(|digits| match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u8::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u8>().ok(),
        });
    let bytes: Option<Vec<u8>> = numbers.collect();
    bytes
        .filter(|bytes| bytes.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t')))
        .unwrap_or_default()
}

/// Strings that a reversal or a rotation in the same text turns into something else.
fn turned(text: &str, found: &mut Collector) {
    let Some(patterns) = PATTERNS.as_ref() else { return };
    let reverses = patterns.turns.is_match(text);
    let rotates = patterns.rotates.is_match(text);
    found.examined += 2 * text.len();
    if !reverses && !rotates {
        return;
    }
    found.examined += text.len();
    for piece in patterns.quoted.find_iter(text) {
        let inner = &piece.as_str()[1..piece.len() - 1];
        let mut accept = |encoding, turned: String| {
            let lower = turned.to_ascii_lowercase();
            if TURNED.iter().any(|word| lower.contains(word)) {
                found.accept(piece.range(), encoding, turned.into_bytes());
            }
        };
        if reverses {
            accept("reversal", inner.chars().rev().collect());
        }
        if rotates {
            accept("rot13", inner.chars().map(rotate).collect());
        }
    }
}

fn rotate(char: char) -> char {
    let turn = |byte: u8, first: u8| char::from((byte - first + 13) % 26 + first);
    match u8::try_from(char) {
        Ok(byte @ b'a'..=b'z') => turn(byte, b'a'),
        Ok(byte @ b'A'..=b'Z') => turn(byte, b'A'),
        _ => char,
    }
}
