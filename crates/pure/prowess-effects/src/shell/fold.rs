//! Words after quotes, escapes and constant variables.

use tree_sitter::Node;

use super::CallWord;
use super::session::unmark;
use super::variables::ShellVariables;
use crate::tree::{children, named, text_of};

/// Words inside words that are folded.
const MAX_FOLD: usize = 12;
/// Characters of a part that is not folded.
const MAX_WRITTEN: usize = 400;

/// Folds a node into a word.
pub(super) fn fold(node: Node<'_>, text: &str, variables: &ShellVariables) -> CallWord {
    let mut word = fold_part(node, text, variables, 0);
    word.text = unmark(&word.text);
    word
}

fn fold_part(node: Node<'_>, text: &str, variables: &ShellVariables, depth: usize) -> CallWord {
    let written = text_of(node, text);
    if depth > MAX_FOLD {
        return as_written(written);
    }
    match node.kind() {
        "word" | "number" | "command_name" | "extglob_pattern" | "regex" => match named(node).as_slice() {
            [] => CallWord::constant(unescape(written)),
            [only] if node.kind() == "command_name" => fold_part(*only, text, variables, depth + 1),
            _ => join(node, text, variables, depth),
        },
        "raw_string" => {
            CallWord::constant(written.strip_prefix('\'').unwrap_or(written).trim_end_matches('\''))
        }
        "ansi_c_string" => {
            let inner = written.strip_prefix("$'").unwrap_or(written);
            CallWord::constant(decode_ansi(inner.strip_suffix('\'').unwrap_or(inner)))
        }
        "string_content" => CallWord::constant(unescape_quoted(written)),
        "string" => fold_string(node, text, variables, depth),
        "concatenation" | "translated_string" => join(node, text, variables, depth),
        "simple_expansion" => {
            let name = written.trim_start_matches('$');
            variables.constant(name).map_or_else(|| CallWord::dynamic(written), CallWord::constant)
        }
        "expansion" => {
            let name = written.trim_start_matches("${").trim_end_matches('}');
            variables.constant(name).map_or_else(|| CallWord::dynamic(written), CallWord::constant)
        }
        _ => as_written(written),
    }
}

/// A part that is not known before it runs. Its begin stands for it: parts inside parts would cost the square of their number.
fn as_written(written: &str) -> CallWord {
    CallWord::dynamic(written.chars().take(MAX_WRITTEN).collect::<String>())
}

fn join(node: Node<'_>, text: &str, variables: &ShellVariables, depth: usize) -> CallWord {
    let mut whole = CallWord::constant("");
    for (_, child) in children(node) {
        let part = if child.is_named() {
            fold_part(child, text, variables, depth + 1)
        } else {
            CallWord::constant(text_of(child, text))
        };
        whole.text += &part.text;
        whole.is_constant &= part.is_constant;
    }
    whole
}

/// A string in double quotes; the spaces between its parts belong to it.
fn fold_string(node: Node<'_>, text: &str, variables: &ShellVariables, depth: usize) -> CallWord {
    let mut whole = CallWord::constant("");
    let mut at = node.start_byte() + 1;
    for child in named(node) {
        whole.text += text.get(at..child.start_byte()).unwrap_or_default();
        let part = fold_part(child, text, variables, depth + 1);
        whole.text += &part.text;
        whole.is_constant &= part.is_constant;
        at = child.end_byte();
    }
    let end = if text_of(node, text).len() > 1 { node.end_byte().saturating_sub(1) } else { node.end_byte() };
    whole.text += text.get(at..end).unwrap_or_default();
    whole
}

fn unescape(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut chars = word.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(next) => plain.push(next),
            },
            _ => plain.push(char),
        }
    }
    plain
}

fn unescape_quoted(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('\\', Some(next @ ('"' | '\\' | '$' | '`'))) => {
                plain.push(*next);
                chars.next();
            }
            _ => plain.push(char),
        }
    }
    plain
}

/// Decodes the escapes of `$'…'`, which C and Python have as well.
pub(crate) fn decode_ansi(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let digits =
        |chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize, first: u32| {
            let mut value = first;
            for _ in 0..most {
                let Some(digit) = chars.peek().and_then(|char| char.to_digit(radix)) else { break };
                value = value.saturating_mul(radix).saturating_add(digit);
                chars.next();
            }
            char::from_u32(value).unwrap_or('\u{fffd}')
        };
    while let Some(char) = chars.next() {
        if char != '\\' {
            plain.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('a' | 'b' | 'e' | 'E' | 'f' | 'v' | 'c') => plain.push(' '),
            Some('x') => plain.push(digits(&mut chars, 16, 2, 0)),
            Some('u') => plain.push(digits(&mut chars, 16, 4, 0)),
            Some('U') => plain.push(digits(&mut chars, 16, 8, 0)),
            Some(digit @ '0'..='7') => {
                plain.push(digits(&mut chars, 8, 2, digit.to_digit(8).unwrap_or_default()));
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decode_ansi(r"\x72m\t\162m\u0072"), "rm\trmr");
        assert_eq!(unescape(r"r\m a\ b"), "rm a b");
        assert_eq!(unescape_quoted(r#"a \"b\" \n"#), r#"a "b" \n"#);
    }
}
