//! Comments and texts of source files, found without parsing them whole.

/// The role of a piece of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Comment,
    DocComment,
    /// A string literal, or the text of a page.
    Text,
}

/// One comment line or one literal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// The comments and literals of Rust code.
pub(super) fn rust_pieces(code: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut place = 0;
    while let Some(rest) = code.get(place..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let is_doc = rest.starts_with("///") || rest.starts_with("//!");
            let kind = if is_doc { PieceKind::DocComment } else { PieceKind::Comment };
            let text = rest[..end].trim_start_matches(['/', '!']).trim().to_owned();
            pieces.push(Piece { kind, line: line_of(code, place), text });
            end
        } else if let Some((start, end)) = literal(rest, code[..place].chars().next_back()) {
            let text = unfolded(&rest[start..end]);
            pieces.push(Piece { kind: PieceKind::Text, line: line_of(code, place), text });
            (end + start).min(rest.len())
        } else if rest.starts_with('\'') {
            character_length(rest)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        place += length.max(1);
    }
    pieces
}

/// The bounds of the text of a literal that starts here. Its closing mark is as long as its opening one, so the literal
/// ends at `end + start`, or one earlier for a raw one.
fn literal(rest: &str, before: Option<char>) -> Option<(usize, usize)> {
    if let Some(inner) = rest.strip_prefix('"') {
        return Some((1, 1 + quoted_length(inner)));
    }
    let is_in_word = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let raw = rest.strip_prefix('r').filter(|_| !is_in_word)?;
    let marks = raw.len() - raw.trim_start_matches('#').len();
    let inner = raw[marks..].strip_prefix('"')?;
    let start = marks + 2;
    let close = format!("\"{}", "#".repeat(marks));
    Some((start, start + inner.find(&close).unwrap_or(inner.len())))
}

/// The length of a quoted text up to its closing mark.
fn quoted_length(inner: &str) -> usize {
    let mut letters = inner.char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '"' => return place,
            '\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    inner.len()
}

/// The length of a character literal; of a lifetime, its mark alone.
fn character_length(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => {
            rest[2..].char_indices().skip(1).find(|(_, letter)| *letter == '\'').map_or(1, |at| at.0 + 3)
        }
        Some((place, letter)) if rest[place + letter.len_utf8()..].starts_with('\'') => {
            place + letter.len_utf8() + 1
        }
        _ => 1,
    }
}

/// A literal with its folded lines joined.
fn unfolded(text: &str) -> String {
    let mut lines = text.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |joined, line| joined + line.trim_start())
}

/// The comments, literals and visible texts of TypeScript with JSX.
pub(super) fn script_pieces(code: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut in_block = false;
    for (number, line) in code.lines().enumerate() {
        let trimmed = line.trim();
        let is_comment = in_block || ["//", "/*", "*"].iter().any(|mark| trimmed.starts_with(mark));
        if trimmed.starts_with("/*") {
            in_block = true;
        }
        if trimmed.ends_with("*/") {
            in_block = false;
        }
        let text = if is_comment { trimmed.trim_matches(['/', '*', ' ']) } else { trimmed };
        let kind = if is_comment { PieceKind::Comment } else { PieceKind::Text };
        pieces.push(Piece { kind, line: number + 1, text: text.to_owned() });
    }
    pieces
}

fn line_of(code: &str, place: usize) -> usize {
    code[..place].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<(PieceKind, String)> {
        rust_pieces(code).into_iter().map(|piece| (piece.kind, piece.text)).collect()
    }

    #[test]
    fn pieces_of_rust_are_found() {
        let code = "/// Doc.\nlet a = \"one \\\"two\\\"\"; // why\nlet b = r#\"raw \"x\"\"#;\nlet c = '\"'; let d = '\\''; \
                    fn f<'a>() {}\nlet e = \"three\";";
        let expected = [
            (PieceKind::DocComment, "Doc."),
            (PieceKind::Text, "one \\\"two\\\""),
            (PieceKind::Comment, "why"),
            (PieceKind::Text, "raw \"x\""),
            (PieceKind::Text, "three"),
        ];
        assert_eq!(texts(code), expected.map(|(kind, text)| (kind, text.to_owned())));
    }

    #[test]
    fn folded_literals_are_joined() {
        assert_eq!(texts("\"one \\\n    two\""), [(PieceKind::Text, "one two".to_owned())]);
    }

    #[test]
    fn pieces_of_a_page_are_its_lines() {
        let pieces = script_pieces("// why\nconst a = <p>Nobody waits</p>;");
        let kinds: Vec<_> = pieces.iter().map(|piece| piece.kind).collect();
        assert_eq!(kinds, [PieceKind::Comment, PieceKind::Text]);
    }
}
