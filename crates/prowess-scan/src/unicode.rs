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
    /// Whether it is as bad as its rule says.
    pub(crate) grave: bool,
}

/// What the characters of a text reveal.
#[derive(Default)]
pub(crate) struct Characters {
    pub(crate) oddities: Vec<Oddity>,
    /// The text as it is meant to be read, if that differs from how it is written. Lines stay lines.
    pub(crate) folded: Option<String>,
}

/// Looks at every character of a text.
pub(crate) fn look(text: &str, kind: TextKind) -> Characters {
    let mut found = Characters::default();
    if text.is_ascii() {
        return found;
    }
    let mut fold = false;
    let mut at = 0;
    while let Some(next) = next_foreign(text, at) {
        let Some(char) = text[next..].chars().next() else { break };
        at = next + char.len_utf8();
        match class(char) {
            Class::Plain => fold |= looks_latin(char).is_some() && mixed_word(text, next, &mut found),
            Class::Compatible => fold = true,
            Class::Direction => direction(text, next, char, kind, &mut found),
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
fn direction(text: &str, at: usize, char: char, kind: TextKind, found: &mut Characters) {
    let line = &text[line_around(text, at)];
    let overrides = matches!(char, '\u{202d}' | '\u{202e}');
    let is_rtl =
        line.chars().any(|char| matches!(char as u32, 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfefc));
    if is_rtl && !(overrides && kind == TextKind::Script) {
        return;
    }
    let grave = overrides || kind == TextKind::Script;
    push(found, Oddity { rule: "hidden/direction", range: at..at + char.len_utf8(), message: None, grave });
}

/// The line around an offset, or as much of it as is near.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let near = |mut place: usize| {
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let (floor, ceiling) = (near(at.saturating_sub(1024)), near(text.len().min(at + 1024)));
    let start = text[floor..at].rfind('\n').map_or(floor, |end| floor + end + 1);
    let end = text[at..ceiling].find('\n').map_or(ceiling, |end| at + end);
    start..end
}

fn push(found: &mut Characters, oddity: Oddity) {
    if found.oddities.iter().filter(|other| other.rule == oddity.rule).count() < PLACES {
        found.oddities.push(oddity);
    }
}

/// Whether a letter that only looks Latin stands in a word of Latin letters.
fn mixed_word(text: &str, at: usize, found: &mut Characters) -> bool {
    let line = line_around(text, at);
    let (near, offset, place) = (&text[line.clone()], line.start, at - line.start);
    let is_part = |char: &char| char.is_alphanumeric();
    let start = place - near[..place].chars().rev().take_while(is_part).map(char::len_utf8).sum::<usize>();
    let end = place + near[place..].chars().take_while(is_part).map(char::len_utf8).sum::<usize>();
    let word = &near[start..end];
    let latin = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let foreign = word.chars().filter(|char| !char.is_ascii()).count();
    let alike = word.chars().filter(|char| looks_latin(*char).is_some()).count();
    let is_ending = foreign == 1 && word.chars().next_back().is_some_and(|char| !char.is_ascii());
    if latin < 2 || alike != foreign || foreign > latin || is_ending {
        return false;
    }
    let range = offset + start..offset + end;
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
