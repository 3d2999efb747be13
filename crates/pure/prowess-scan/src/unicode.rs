//! Characters that hide text: tags, zero-width runs, direction marks, letters of other scripts.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use crate::file::TextKind;

/// A run of invisible characters this long spells something.
const RUN_LIMIT: usize = 6;
/// At most so many places are reported per kind.
const PLACES: usize = 8;

/// One odd thing in a text.
pub(crate) struct Oddity {
    pub(crate) rule: &'static str,
    pub(crate) range: Range<usize>,
    /// What the characters say, where they say something.
    pub(crate) message: Option<String>,
    /// True if it is as bad as its rule says.
    pub(crate) grave: bool,
}

/// What the characters of a text reveal.
#[derive(Default)]
pub(crate) struct Characters {
    pub(crate) oddities: Vec<Oddity>,
    /// The text as it is meant to be read, if that differs from how it is written. Lines stay lines.
    pub(crate) folded: Option<String>,
    /// Bytes that were looked at again, around a character.
    pub(crate) examined: usize,
}

/// Looks at every character of a text.
pub(crate) fn look(text: &str, kind: TextKind) -> Characters {
    let mut found = Characters::default();
    if text.is_ascii() {
        return found;
    }
    let mut fold = false;
    let mut at = 0;
    let mut line = Line::default();
    while let Some(next) = next_foreign(text, at) {
        let Some(char) = text[next..].chars().next() else { break };
        at = next + char.len_utf8();
        match class(char) {
            Class::Plain if looks_latin(char).is_some() => {
                let word = word_around(text, next);
                at = at.max(word.end);
                found.examined += word.len();
                fold |= is_disguised(text, word, &mut found);
            }
            Class::Plain => {}
            Class::Compatible => fold = true,
            Class::Direction => {
                found.examined += line.move_to(text, next);
                direction(next, char, line.is_rtl, kind, &mut found);
            }
            class => {
                let rest = text[next..].chars().take_while(|more| self::class(*more) == class);
                let (count, length) =
                    rest.fold((0, 0), |(count, length), more| (count + 1, length + more.len_utf8()));
                at = next + length;
                fold |= run(text, next..at, class, count, &mut found);
            }
        }
    }
    if fold {
        found.folded = Some(fold_text(text));
    }
    found
}

/// The next byte that is not ASCII, eight at a time.
fn next_foreign(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let mut at = 0;
    for word in bytes.chunks_exact(8) {
        let word: [u8; 8] = word.try_into().ok()?;
        if u64::from_ne_bytes(word) & 0x8080_8080_8080_8080 != 0 {
            break;
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| *byte >= 0x80).map(|place| from + at + place)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    /// Another way to write a plain letter.
    Compatible,
    Tag,
    Selector,
    ZeroWidth,
    Direction,
}

fn class(char: char) -> Class {
    match char {
        '\u{e0000}'..='\u{e007f}' => Class::Tag,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Class::Selector,
        '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{180e}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' => Class::ZeroWidth,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Class::Direction,
        '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}' => Class::Compatible,
        _ => Class::Plain,
    }
}

/// A run of characters of one class; says whether the text must be folded.
fn run(text: &str, range: Range<usize>, class: Class, count: usize, found: &mut Characters) -> bool {
    let before = text[..range.start].chars().next_back().unwrap_or('\n');
    let after = text[range.end..].chars().next().unwrap_or('\n');
    let mut report =
        |rule, message, grave| push(found, Oddity { rule, range: range.clone(), message, grave });
    match class {
        Class::Tag => {
            let slice = &text[range.clone()];
            if is_flag(before, slice) {
                return false;
            }
            let message = slice.chars().filter_map(|char| char::from_u32(char as u32 - 0xe0000)).collect();
            report("hidden/invisible-text", Some(message), true);
            true
        }
        Class::Selector if count >= 3 => {
            report("hidden/invisible-text", selector_bytes(&text[range.clone()]), true);
            true
        }
        Class::ZeroWidth if count >= RUN_LIMIT => {
            report("hidden/invisible-text", zero_width_bits(&text[range.clone()]), true);
            true
        }
        Class::ZeroWidth if before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric() => {
            report("hidden/split-word", None, true);
            true
        }
        _ => false,
    }
}

/// The flags that are written with tag characters: a black flag, a region, an end.
fn is_flag(before: char, tags: &str) -> bool {
    let region: Vec<u32> = tags.chars().map(|char| char as u32 - 0xe0000).collect();
    before == '\u{1f3f4}'
        && (4..=7).contains(&region.len())
        && region.last() == Some(&0x7f)
        && region[..region.len() - 1].iter().all(|tag| matches!(tag, 0x61..=0x7a | 0x30..=0x39))
}

fn selector_bytes(slice: &str) -> Option<String> {
    let bytes: Vec<u8> = slice
        .chars()
        .filter_map(|char| match char as u32 {
            code @ 0xfe00..=0xfe0f => u8::try_from(code - 0xfe00).ok(),
            code @ 0xe0100..=0xe01ef => u8::try_from(code - 0xe0100 + 16).ok(),
            _ => None,
        })
        .collect();
    readable(&bytes)
}

/// Two kinds of zero-width characters are two digits.
fn zero_width_bits(slice: &str) -> Option<String> {
    let zero = slice.chars().next()?;
    [false, true].into_iter().find_map(|swap| {
        let bits: Vec<u8> = slice.chars().map(|char| u8::from((char != zero) != swap)).collect();
        let bytes: Vec<u8> =
            bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |value, bit| (value << 1) | bit)).collect();
        readable(&bytes)
    })
}

fn readable(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    (bytes.len() >= 4 && text.chars().all(|char| !char.is_control() || char == '\n')).then(|| text.to_owned())
}

/// Direction marks belong to lines of right-to-left scripts; elsewhere they reorder what is shown.
fn direction(at: usize, char: char, is_rtl: bool, kind: TextKind, found: &mut Characters) {
    let overrides = matches!(char, '\u{202d}' | '\u{202e}');
    if is_rtl && !(overrides && kind == TextKind::Script) {
        return;
    }
    let grave = overrides || kind == TextKind::Script;
    push(found, Oddity { rule: "hidden/direction", range: at..at + char.len_utf8(), message: None, grave });
}

/// How far a word or a line is followed from a character, in bytes.
const NEAR: usize = 1024;

/// The line around a place, or as much of it as is near; kept while places stay in it.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    /// It has letters that are written from right to left.
    is_rtl: bool,
}

impl Line {
    /// Moves on if the place lies elsewhere; says how much was looked at.
    fn move_to(&mut self, text: &str, at: usize) -> usize {
        if self.range.contains(&at) {
            return 0;
        }
        let (floor, ceiling) =
            (floor_boundary(text, at.saturating_sub(NEAR)), floor_boundary(text, text.len().min(at + NEAR)));
        let start = text[floor..at].rfind('\n').map_or(floor, |end| floor + end + 1);
        let end = text[at..ceiling].find('\n').map_or(ceiling, |end| at + end);
        let is_rtl = |char: char| matches!(char as u32, 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfefc);
        *self = Self { range: start..end, is_rtl: text[start..end].chars().any(is_rtl) };
        end - start
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The word around a place, or as much of it as is near.
fn word_around(text: &str, at: usize) -> Range<usize> {
    let (floor, ceiling) =
        (floor_boundary(text, at.saturating_sub(NEAR)), floor_boundary(text, text.len().min(at + NEAR)));
    let is_part = |char: &char| char.is_alphanumeric();
    let before: usize = text[floor..at].chars().rev().take_while(is_part).map(char::len_utf8).sum();
    let after: usize = text[at..ceiling].chars().take_while(is_part).map(char::len_utf8).sum();
    at - before..at + after
}

fn push(found: &mut Characters, oddity: Oddity) {
    if found.oddities.iter().filter(|other| other.rule == oddity.rule).count() < PLACES {
        found.oddities.push(oddity);
    }
}

/// Returns true if letters that only look Latin stand in a word of Latin letters.
fn is_disguised(text: &str, range: Range<usize>, found: &mut Characters) -> bool {
    let word = &text[range.clone()];
    let latin = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let foreign = word.chars().filter(|char| !char.is_ascii()).count();
    let alike = word.chars().filter(|char| looks_latin(*char).is_some()).count();
    let is_ending = foreign == 1 && word.chars().next_back().is_some_and(|char| !char.is_ascii());
    if latin < 2 || alike != foreign || foreign > latin || is_ending {
        return false;
    }
    push(found, Oddity { rule: "hidden/mixed-script", range, message: None, grave: true });
    true
}

/// Letters of other scripts, and the Latin ones that they look like.
const PAIRS: &[(&str, &str)] = &[
    ("аеорсухіјѕԁһԛԝкмтвнгпєАВЕКМНОРСТУХІЈЅԌ", "aeopcyxijsdhqwkmtbhrneABEKMHOPCTYXIJSG"),
    ("οανικρτυχεΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavikptuxeABEZHIKMNOPTYX"),
    ("ıɑɡⅼօոսցһⲟ", "iaglonugho"),
];

/// The Latin letter that a letter of another script looks like.
pub(crate) fn looks_latin(char: char) -> Option<char> {
    if !matches!(char, '\u{131}'..='\u{58a}' | '\u{217c}' | '\u{2c9f}') {
        return None;
    }
    PAIRS.iter().find_map(|(foreign, latin)| {
        foreign.chars().position(|other| other == char).and_then(|place| latin.chars().nth(place))
    })
}

/// The text as it is read: no invisible characters, plain letters. Line ends stay where they are.
pub(crate) fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for char in text.chars() {
        match (class(char), looks_latin(char)) {
            (Class::Tag | Class::Selector | Class::ZeroWidth | Class::Direction, _) => {}
            (_, Some(latin)) => folded.push(latin),
            (Class::Compatible, None) => folded.extend(char.nfkc()),
            (Class::Plain, None) => folded.push(char),
        }
    }
    folded
}
