//! Command lines, as far as they are simple: words, quotes, variables, pipes, lists and redirections.
//!
//! What goes beyond that (substitutions, loops, functions, here-documents) is not taken apart. A line that cannot be
//! taken apart cannot be cleaned either, so it stays out of a draft.

use std::iter::Peekable;
use std::str::CharIndices;

/// A command line in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A word.
    Word(Vec<Part>),
    /// What stands between words: `|`, `&&`, `>` ….
    Operator(&'static str),
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text, its quotes removed.
    Text(String),
    /// The value of a variable, in quotes.
    Variable(String),
    /// A pattern for file names.
    Pattern(String),
}

/// The reason a line cannot be taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotSimple;

/// Longest first, so that `>>` is not read as two `>`.
const OPERATORS: [&str; 14] =
    ["2>&1", "2>>", ">&2", "&&", "||", ">>", "2>", "&>", ">|", "|", ";", ">", "<", "\n"];
/// Words that begin something that is not simple, where a program could stand.
const KEYWORDS: [&str; 19] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function",
    "select", "time", "eval", "exec", "{", "!",
];

/// Returns true if a shell reads a bare word as part of its grammar where a program could stand.
pub(crate) fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || matches!(word, "in" | "}")
}

/// Takes a command line apart.
pub(crate) fn split(line: &str) -> Result<Vec<Piece>, NotSimple> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("\\\n") {
            rest = after;
        } else if rest.starts_with([' ', '\t', '\r']) {
            rest = rest.trim_start_matches([' ', '\t', '\r']);
        } else if rest.starts_with('#') {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            rest = &rest[operator.len()..];
            add_operator(&mut pieces, operator, rest)?;
        } else {
            let (word, length) = word(rest)?;
            if is_program_next(&pieces) && is_keyword(&word) {
                return Err(NotSimple);
            }
            pieces.push(Piece::Word(word));
            rest = &rest[length..];
        }
    }
    while pieces.last() == Some(&Piece::Operator(";")) {
        pieces.pop();
    }
    let is_open = matches!(pieces.last(), Some(Piece::Operator(operator)) if !is_whole(operator));
    if is_open || pieces.is_empty() { Err(NotSimple) } else { Ok(pieces) }
}

/// A line end separates commands, unless something is still to come.
fn add_operator(pieces: &mut Vec<Piece>, operator: &'static str, rest: &str) -> Result<(), NotSimple> {
    if operator == "<" && rest.starts_with(['<', '(', '&']) || operator == ">" && rest.starts_with(['(', '&'])
    {
        return Err(NotSimple);
    }
    let after_operator = matches!(pieces.last(), Some(Piece::Operator(last)) if !is_whole(last));
    match operator {
        "\n" if after_operator || pieces.is_empty() => Ok(()),
        "\n" => {
            pieces.push(Piece::Operator(";"));
            Ok(())
        }
        _ if is_whole(operator) && !pieces.is_empty() => {
            pieces.push(Piece::Operator(operator));
            Ok(())
        }
        // `;;`, `| |` and the like.
        _ if after_operator || (pieces.is_empty() && !is_redirection(operator)) => Err(NotSimple),
        _ => {
            pieces.push(Piece::Operator(operator));
            Ok(())
        }
    }
}

/// Returns true if an operator needs no word after it.
fn is_whole(operator: &str) -> bool {
    operator == "2>&1" || operator == ">&2"
}

/// Returns true if an operator takes the next word as a file.
pub(crate) fn is_redirection(operator: &str) -> bool {
    matches!(operator, ">" | ">>" | "<" | "2>" | "2>>" | "&>" | ">|")
}

/// Returns true if the next word is a program.
fn is_program_next(pieces: &[Piece]) -> bool {
    match pieces.last() {
        None => true,
        Some(Piece::Operator(operator)) => !is_whole(operator) && !is_redirection(operator),
        Some(Piece::Word(_)) => false,
    }
}

fn is_keyword(word: &[Part]) -> bool {
    matches!(word, [Part::Text(text)] if KEYWORDS.contains(&text.as_str()))
}

/// The word at the beginning of a text, and how many bytes it takes.
fn word(text: &str) -> Result<(Vec<Part>, usize), NotSimple> {
    let mut parts = Parts::default();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.peek().copied() {
        match character {
            ' ' | '\t' | '\r' | '\n' | '|' | ';' | '<' | '>' => break,
            '&' => {
                if text[at..].starts_with("&&") || text[at..].starts_with("&>") {
                    break;
                }
                return Err(NotSimple);
            }
            '`' | '(' | ')' | '{' | '}' => return Err(NotSimple),
            '\'' => {
                characters.next();
                single(&mut characters, &mut parts)?;
                continue;
            }
            '"' => {
                characters.next();
                double(&mut characters, &mut parts)?;
                continue;
            }
            '$' => {
                characters.next();
                let name = variable(&mut characters)?;
                parts.add(Part::Variable(name));
                continue;
            }
            '~' if at == 0 => {
                let next = text[1..].chars().next();
                if !matches!(next, None | Some('/' | ' ')) {
                    return Err(NotSimple);
                }
                parts.add(Part::Variable("HOME".to_owned()));
            }
            '*' | '?' | '[' => parts.pattern(character),
            '\\' => {
                characters.next();
                match characters.peek() {
                    Some((_, '\n')) => {}
                    Some((_, escaped)) => parts.text(*escaped),
                    None => return Err(NotSimple),
                }
            }
            character => parts.text(character),
        }
        characters.next();
    }
    let length = characters.peek().map_or(text.len(), |(at, _)| *at);
    let word = parts.finish()?;
    let is_number = text[..length].bytes().all(|byte| byte.is_ascii_digit());
    // `3>file` redirects another stream.
    if is_number && text[length..].starts_with(['<', '>']) { Err(NotSimple) } else { Ok((word, length)) }
}

fn single(characters: &mut Peekable<CharIndices<'_>>, parts: &mut Parts) -> Result<(), NotSimple> {
    parts.open();
    for (_, character) in characters {
        if character == '\'' {
            return Ok(());
        }
        parts.text(character);
    }
    Err(NotSimple)
}

fn double(characters: &mut Peekable<CharIndices<'_>>, parts: &mut Parts) -> Result<(), NotSimple> {
    parts.open();
    while let Some((_, character)) = characters.next() {
        match character {
            '"' => return Ok(()),
            '`' => return Err(NotSimple),
            '$' => match characters.peek() {
                Some((_, next)) if next.is_ascii_alphabetic() || "_{(".contains(*next) => {
                    let name = variable(characters)?;
                    parts.add(Part::Variable(name));
                }
                _ => parts.text('$'),
            },
            '\\' => match characters.next() {
                Some((_, '\n')) => {}
                Some((_, escaped)) if "$`\"\\".contains(escaped) => parts.text(escaped),
                Some((_, other)) => {
                    parts.text('\\');
                    parts.text(other);
                }
                None => return Err(NotSimple),
            },
            character => parts.text(character),
        }
    }
    Err(NotSimple)
}

/// `NAME` or `{NAME}`, after the dollar sign.
fn variable(characters: &mut Peekable<CharIndices<'_>>) -> Result<String, NotSimple> {
    let in_braces = characters.next_if(|(_, next)| *next == '{').is_some();
    let mut name = String::new();
    while let Some((_, letter)) = characters.next_if(|(_, next)| next.is_ascii_alphanumeric() || *next == '_')
    {
        name.push(letter);
    }
    let is_closed = !in_braces || characters.next_if(|(_, next)| *next == '}').is_some();
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if is_closed && is_name { Ok(name) } else { Err(NotSimple) }
}

/// A word while it is read.
#[derive(Default)]
struct Parts {
    found: Vec<Part>,
    is_open: bool,
    is_pattern: bool,
}

impl Parts {
    /// There is a word, even if nothing is in its quotes.
    fn open(&mut self) {
        self.is_open = true;
    }

    fn text(&mut self, character: char) {
        self.is_open = true;
        match self.found.last_mut() {
            Some(Part::Text(text)) => text.push(character),
            _ => self.found.push(Part::Text(character.into())),
        }
    }

    fn pattern(&mut self, character: char) {
        self.is_pattern = true;
        self.text(character);
    }

    fn add(&mut self, part: Part) {
        self.found.push(part);
    }

    fn finish(mut self) -> Result<Vec<Part>, NotSimple> {
        if self.is_pattern {
            return match self.found.as_slice() {
                [Part::Text(text)] if is_general(text) => Ok(vec![Part::Pattern(text.clone())]),
                _ => Err(NotSimple),
            };
        }
        if self.found.is_empty() {
            if !self.is_open {
                return Err(NotSimple);
            }
            self.found.push(Part::Text(String::new()));
        }
        Ok(self.found)
    }
}

/// `*` or `*.ending`: patterns that name no file in particular.
fn is_general(pattern: &str) -> bool {
    pattern == "*"
        || pattern.strip_prefix("*.").is_some_and(|ending| {
            (1..=5).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
