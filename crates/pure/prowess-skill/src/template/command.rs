//! Commands in a text: where they are, how they are shown, and which values may be part of one.

use std::ops::Range;

/// A command in a text.
pub(super) struct Found<'a> {
    /// All of it, with its signs.
    pub(super) span: Range<usize>,
    /// What would be run.
    pub(super) command: &'a str,
}

/// The first command of a text: `` !`…` `` at the start of a line or after a blank, or a block whose fence ends in
/// an exclamation mark.
pub(super) fn next(text: &str) -> Option<Found<'_>> {
    text.match_indices('!').find_map(|(place, _)| inline(text, place).or_else(|| fenced(text, place)))
}

fn inline(text: &str, place: usize) -> Option<Found<'_>> {
    let is_apart = text[..place].chars().next_back().is_none_or(char::is_whitespace);
    let rest = text[place + 1..].strip_prefix('`').filter(|_| is_apart)?;
    let (command, _) = rest.split_once('`').filter(|(command, _)| !command.trim().is_empty())?;
    let end = place + 2 + command.len() + 1;
    // Two signs open a code span that may hold one, and a command has no line breaks.
    let is_command = !command.contains('\n') && !text[end..].starts_with('`');
    is_command.then_some(Found { span: place..end, command })
}

/// A block that starts on the line of an exclamation mark and ends at a fence that is at least as long.
fn fenced(text: &str, place: usize) -> Option<Found<'_>> {
    let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let fence = text[line..place].trim_start_matches([' ', '\t']);
    let is_fence = fence.len() >= 3 && fence.bytes().all(|byte| byte == b'`');
    let (blank, _) = text[place + 1..].split_once('\n').filter(|_| is_fence)?;
    if !blank.trim().is_empty() {
        return None;
    }
    let start = place + 1 + blank.len() + 1;
    let mut end = start;
    for line in text[start..].split_inclusive('\n') {
        let closing = line.trim();
        if closing.len() >= fence.len() && closing.bytes().all(|byte| byte == b'`') {
            let span_end = end + line.trim_end_matches(['\n', '\r']).len();
            let command = text[start..end].trim_matches(['\n', '\r']);
            let opening = place - fence.len();
            return (!command.trim().is_empty()).then_some(Found { span: opening..span_end, command });
        }
        end += line.len();
    }
    None
}

/// A command as code, with a note. No command can close its own code.
pub(super) fn shown(command: &str, note: &str) -> String {
    let longest = command.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    if command.contains('\n') {
        let fence = "`".repeat(longest.max(2) + 1);
        return format!("{fence}sh\n{command}\n{fence}\n({note})");
    }
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{command}{blank}{fence} ({note})")
}

/// Returns true if a shell takes a value as nothing but words: no quotes, no expansions, no second command.
pub(super) fn is_plain(value: &str) -> bool {
    value.chars().all(|letter| letter.is_alphanumeric() || " _-./:=@%+,".contains(letter))
}

/// Explains why a command with a value that is not plain must not run.
pub(super) fn why_unsafe(value: &str) -> String {
    let odd = value.chars().find(|letter| !is_plain(letter.encode_utf8(&mut [0; 4])));
    let odd = odd.map(|letter| letter.escape_debug().to_string()).unwrap_or_default();
    format!("a value in it has `{odd}`, which a shell would not take as text")
}
