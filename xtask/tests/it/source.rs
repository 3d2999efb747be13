//! Rust source files as tokens, without comments, literals, and tests.

use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// A source file of a crate.
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    /// Identifiers, `::`, and single characters of punctuation.
    pub(crate) tokens: Vec<String>,
}

/// The source folders of all crates in `crates/`, as (name of the crate, folder), by name.
pub(crate) fn crates() -> Vec<(String, PathBuf)> {
    let mut crates: Vec<_> = entries(&crate::root().join("crates"))
        .iter()
        .flat_map(|layer| entries(layer))
        .map(|folder| (stem(&folder), folder.join("src")))
        .filter(|(_, sources)| sources.is_dir())
        .collect();
    crates.sort();
    crates
}

/// The layer of a crate, by its source folder.
pub(crate) fn layer(sources: &Path) -> String {
    sources.ancestors().nth(2).map(stem).unwrap_or_default()
}

/// The files below a source folder that are not tests.
pub(crate) fn files(folder: &Path) -> Vec<SourceFile> {
    let mut files = Vec::new();
    for path in entries(folder) {
        let name = stem(&path);
        if path.is_dir() && name != "tests" {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&name) {
            let text = std::fs::read_to_string(&path).expect("a source file");
            files.push(SourceFile { path, tokens: without_tests(&tokens(&text)) });
        }
    }
    files
}

/// Returns true for the file stem of a test module.
fn is_test(stem: &str) -> bool {
    ["_tests", "_properties"].iter().any(|end| stem.ends_with(end))
        || ["tests", "properties", "test_support"].contains(&stem)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = read.map(|entry| entry.expect("a folder entry").path()).collect();
    paths.sort();
    paths
}

pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '/' if rest.peek() == Some(&'/') => skip_line(&mut rest),
            '/' if rest.peek() == Some(&'*') => skip_block(&mut rest),
            '"' => skip_string(&mut rest),
            '\'' => skip_quote(&mut rest),
            ':' if rest.next_if_eq(&':').is_some() => tokens.push("::".to_owned()),
            letter if letter == '_' || letter.is_alphanumeric() => {
                let mut word = letter.to_string();
                while let Some(next) = rest.next_if(|next| *next == '_' || next.is_alphanumeric()) {
                    word.push(next);
                }
                let is_raw = matches!(word.as_str(), "r" | "br" | "cr");
                if !(is_raw && skip_raw_string(&mut rest)) {
                    tokens.push(word);
                }
            }
            letter if letter.is_whitespace() => {}
            letter => tokens.push(letter.to_string()),
        }
    }
    tokens
}

fn skip_line(rest: &mut Peekable<Chars<'_>>) {
    while rest.next().is_some_and(|letter| letter != '\n') {}
}

fn skip_block(rest: &mut Peekable<Chars<'_>>) {
    while let Some(letter) = rest.next() {
        if letter == '*' && rest.next_if_eq(&'/').is_some() {
            return;
        }
    }
}

fn skip_string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

/// Skips a character literal; of a lifetime, only the quote.
fn skip_quote(rest: &mut Peekable<Chars<'_>>) {
    let mut ahead = rest.clone();
    match (ahead.next(), ahead.next()) {
        (Some('\\'), _) => {
            rest.next();
            rest.next();
            while rest.next().is_some_and(|letter| letter != '\'') {}
        }
        (Some(_), Some('\'')) => {
            rest.next();
            rest.next();
        }
        _ => {}
    }
}

/// Skips a raw string after its `r`; false if none begins here.
fn skip_raw_string(rest: &mut Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    let mut hashes = 0;
    while ahead.next_if_eq(&'#').is_some() {
        hashes += 1;
    }
    if ahead.next() != Some('"') {
        return false;
    }
    let mut closing = None;
    for letter in ahead.by_ref() {
        closing = match (letter, closing) {
            ('"', _) => Some(0),
            ('#', Some(count)) => Some(count + 1),
            _ => None,
        };
        if closing == Some(hashes) {
            break;
        }
    }
    *rest = ahead;
    true
}

/// Drops every item below a `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(MARK.len()).eq(MARK) {
            at = item_end(tokens, at + MARK.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The index after the item that begins at `start`: after its `;` or its closing brace.
fn item_end(tokens: &[String], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" if depth <= 1 => return at + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[test]
#[expect(clippy::needless_raw_string_hashes, reason = "the text has a quote before a hash")]
fn tokens_leave_out_comments_literals_and_tests() {
    let text = r##"
        use crate::a; // crate::b
        /* crate::c */ fn f<'a>(x: &'a str) { g("crate::d", 'x', '\'', r#"crate::"e""#) }
        #[cfg(test)]
        mod tests { use crate::f; fn t() { {} } }
        #[cfg(test)]
        mod other;
        type T = u8;
    "##;
    let words = without_tests(&tokens(text)).join(" ");
    assert_eq!(words, "use crate :: a ; fn f < a > ( x : & a str ) { g ( , , , ) } type T = u8 ;");
}
