//! Bytes to text: what every later span counts in.
//!
//! Decoding never fails. Invalid UTF-8 becomes U+FFFD, a byte order mark is dropped where the dialect says
//! so, and every line end becomes LF, so that the rest of the crate sees one kind of text.

use std::borrow::Cow;

use prowess_types::{Diagnostic, Dialect, Span};

use crate::rules;

/// Text ready to be parsed, and what was odd about its bytes.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    /// The text; spans of diagnostics are byte offsets into it.
    pub text: Cow<'a, str>,
    /// What was odd about the bytes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Decodes a file.
///
/// ```
/// use prowess_types::Dialect;
/// let decoded = prowess_skill::decode(b"\xEF\xBB\xBFa\r\nb\rc", Dialect::Prowess);
/// assert_eq!(decoded.text, "a\nb\nc");
/// ```
pub fn decode(bytes: &[u8], dialect: Dialect) -> Decoded<'_> {
    let lossy = String::from_utf8_lossy(bytes);
    let is_invalid = matches!(lossy, Cow::Owned(_));
    let has_mark = dialect != Dialect::Openpocket && lossy.starts_with('\u{FEFF}');
    let text = normalise_line_ends(if has_mark { strip_bom(lossy) } else { lossy }, dialect);
    // Only now do offsets mean what the reader of a span takes them for.
    let mut diagnostics = Vec::new();
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        diagnostics.push(
            rules::ENCODING_UTF16.at(Span::new(0, 0), "the file is UTF-16; skills are UTF-8".to_owned()),
        );
    }
    if is_invalid {
        let first = text.find('\u{FFFD}').unwrap_or(0);
        diagnostics.push(rules::ENCODING_INVALID_UTF8.at(
            Span::new(first, first + '\u{FFFD}'.len_utf8()),
            "some bytes are not UTF-8; they read as U+FFFD".to_owned(),
        ));
    }
    if has_mark {
        diagnostics.push(
            rules::ENCODING_BOM.at(Span::new(0, 0), "the file starts with a byte order mark".to_owned()),
        );
    }
    if let Some(position) = text.find('\0') {
        diagnostics.push(
            rules::ENCODING_NUL
                .at(Span::new(position, position + 1), "the text contains a NUL character".to_owned()),
        );
    }
    Decoded { text, diagnostics }
}

fn strip_bom(text: Cow<'_, str>) -> Cow<'_, str> {
    let mark = '\u{FEFF}'.len_utf8();
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[mark..]),
        Cow::Owned(text) => Cow::Owned(text[mark..].to_owned()),
    }
}

/// CRLF becomes LF; a lone CR does too, except for OpenPocket, which leaves it alone.
fn normalise_line_ends(text: Cow<'_, str>, dialect: Dialect) -> Cow<'_, str> {
    if !text.contains('\r') {
        return text;
    }
    let text = text.replace("\r\n", "\n");
    Cow::Owned(match dialect {
        Dialect::Openpocket => text,
        Dialect::Prowess | Dialect::Openclaw => text.replace('\r', "\n"),
    })
}

/// Trims what JavaScript trims: white space and the byte order mark, but not U+0085.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|next: char| next == '\u{FEFF}' || (next.is_whitespace() && next != '\u{85}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_the_text_that_is_returned() {
        for dialect in [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket] {
            let decoded = decode(b"\xEF\xBB\xBFa\r\nb\r\n\xFF\0", dialect);
            let marked = |diagnostic: &Diagnostic| {
                diagnostic.span.and_then(|span| decoded.text.get(span.start..span.end))
            };
            let places: Vec<_> = decoded.diagnostics.iter().filter_map(marked).collect();
            match dialect {
                Dialect::Openpocket => assert_eq!(places, ["\u{FFFD}", "\0"]),
                Dialect::Prowess | Dialect::Openclaw => assert_eq!(places, ["\u{FFFD}", "", "\0"]),
            }
        }
    }
}
