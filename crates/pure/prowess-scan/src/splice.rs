//! Undoes splicing: quotes inside words, strings that are added up or listed, blanks that are spelled out.

use std::ops::Range;

use crate::blocks::{Block, Kind};
use crate::observe::Observed;
use crate::rules::{hints, words};

/// The blocks that change when splices are undone, with the lines that do.
pub(crate) fn unsplice(observed: &Observed<'_>) -> Vec<(Range<usize>, String)> {
    observed
        .candidates(hints::SPLICES)
        .iter()
        .copied()
        .filter_map(|block| block_unspliced(observed, block))
        .collect()
}

fn block_unspliced(observed: &Observed<'_>, block: usize) -> Option<(Range<usize>, String)> {
    let Block { range, kind, .. } = &observed.blocks[block];
    let is_program = match kind {
        Kind::Code | Kind::Script => true,
        Kind::Prose => observed.sight(words::SPAWN, block).is_some(),
        Kind::Hidden | Kind::Front | Kind::Data => false,
    };
    if !is_program {
        return None;
    }
    let start = range.start;
    let mut text = String::new();
    let mut changed: Option<Range<usize>> = None;
    let mut at = start;
    for line in observed.slice(block).split_inclusive('\n') {
        let end = at + line.trim_end().len();
        match line_unspliced(line) {
            Some(joined) => {
                changed = Some(changed.map_or(at, |range| range.start)..end);
                text.push_str(&joined);
            }
            None => text.push_str(line),
        }
        at += line.len();
    }
    changed.map(|range| (range, text))
}

fn line_unspliced(line: &str) -> Option<String> {
    let bytes = line.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'\\' | b'$' | b'^')) {
        return None;
    }
    let mut joined: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut splices = 0;
    while at < bytes.len() {
        let (length, is_blank) = splice_at(bytes, at, joined.last().copied());
        if length == 0 {
            joined.push(bytes[at]);
            at += 1;
        } else {
            if is_blank {
                joined.push(b' ');
            }
            splices += 1;
            at += length;
        }
    }
    (splices > 0).then(|| String::from_utf8(joined).ok()).flatten()
}

/// The number of bytes of splicing that stand at a place, and whether they stand for a blank.
fn splice_at(bytes: &[u8], at: usize, before: Option<u8>) -> (usize, bool) {
    let after = |length: usize| bytes.get(at + length).copied();
    let is_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    match bytes[at] {
        // $IFS and ${IFS}
        b'$' if bytes[at..].starts_with(b"${IFS}") => (6, true),
        b'$' if bytes[at..].starts_with(b"$IFS") && !is_word(after(4)) => (4, true),
        // "gh", "auth"
        quote @ (b'"' | b'\'') if after(1) == Some(b',') && after(2) == Some(quote) => (3, true),
        quote @ (b'"' | b'\'')
            if after(1) == Some(b',') && after(2) == Some(b' ') && after(3) == Some(quote) =>
        {
            (4, true)
        }
        // "…\ncurl …"
        b'\\' if matches!(after(1), Some(b'n' | b't' | b'r')) && is_word(after(2)) => (2, true),
        _ => (joint_at(bytes, at, before), false),
    }
}

/// How many bytes there only keep two pieces of a word apart.
fn joint_at(bytes: &[u8], at: usize, before: Option<u8>) -> usize {
    let word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let after = |length: usize| bytes.get(at + length).copied();
    match bytes[at] {
        // cu""rl
        quote @ (b'"' | b'\'') if word(before) && after(1) == Some(quote) && word(after(2)) => 2,
        // cu'r'l
        quote @ (b'"' | b'\'')
            if word(before) && word(after(1)) && after(2) == Some(quote) && word(after(3)) =>
        {
            1
        }
        quote @ (b'"' | b'\'')
            if word(before)
                && bytes.get(at.wrapping_sub(2)) == Some(&quote)
                && word(after(1))
                && at >= 3
                && word(Some(bytes[at - 3])) =>
        {
            1
        }
        // "ev" + "al"
        b'"' | b'\'' => added_string(bytes, at),
        // c\url
        b'\\'
            if word(before)
                && matches!(after(1), Some(b'a'..=b'z'))
                && !matches!(
                    after(1),
                    Some(b'n' | b't' | b'r' | b's' | b'd' | b'w' | b'b' | b'x' | b'u')
                ) =>
        {
            1
        }
        // p^owershell
        b'^' if word(before) && after(1).is_some_and(|byte| byte.is_ascii_alphabetic()) => 1,
        _ => 0,
    }
}

/// A string ends, a plus sign follows, and another of the same kind begins.
fn added_string(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    let mut plus = 0;
    while let Some(byte) = bytes.get(end).copied().filter(|byte| matches!(byte, b' ' | b'+')) {
        plus += usize::from(byte == b'+');
        end += 1;
        if end - at > 8 {
            return 0;
        }
    }
    if plus == 1 && bytes.get(end) == Some(&bytes[at]) { end + 1 - at } else { 0 }
}
