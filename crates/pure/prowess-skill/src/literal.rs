//! Values as they were written: for text that YAML reads as something else.

use prowess_types::Span;

use crate::fields::{WrittenField, is_prose, is_text};
use crate::reading::{Repair, RepairKind};
use crate::repair::is_block_header;
use crate::yaml::{Kind, Node};

/// Opening quotes that YAML does not know.
pub(crate) const SMART_QUOTES: [char; 5] = ['“', '„', '‘', '«', '”'];

/// Pairs of quotes around a whole value.
const QUOTES: [(char, char); 8] =
    [('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('„', '”'), ('‘', '’'), ('«', '»'), ('”', '”')];

/// Replaces the value of a field of text by what was written, if YAML reads something else.
pub(crate) fn take_literally(
    block: &str,
    field: &WrittenField<'_>,
    pair: &mut (Node, Node),
) -> Option<Repair> {
    if !is_text(field.key) {
        return None;
    }
    let text = misread(block, field, &pair.1, is_prose(field.key))?;
    pair.1 = Node::from_text(Span::new(field.value.start, field.value.end), text.clone());
    Some(Repair {
        kind: RepairKind::Misread,
        key: field.key.to_owned(),
        span: pair.0.span,
        read_as: Some(text),
    })
}

/// The text of a field of text, where YAML reads something else; none where it reads the same.
fn misread(block: &str, field: &WrittenField<'_>, value: &Node, is_prose: bool) -> Option<String> {
    let raw = field.raw(block);
    let is_other = match &value.kind {
        Kind::Sequence(items) => raw.is_empty() || raw.starts_with('[') || items.is_empty(),
        Kind::Mapping(_) => true,
        Kind::Scalar { tag: Some(tag), .. } => raw.starts_with('!') && !tag.starts_with("tag:yaml.org,2002:"),
        Kind::Scalar { plain: true, .. } => {
            let has_comment = is_prose && (raw.contains(" #") || raw.contains("\t#"));
            has_comment && !is_block_header(raw) || has_unused_anchor(raw, block) || is_in_smart_quotes(raw)
        }
        Kind::Scalar { plain: false, .. } => has_windows_path(raw),
    };
    is_other.then(|| text_of(block, field))
}

/// The text of a field, whatever it looks like: its line and those below, without quotes around the whole.
pub(crate) fn text_of(block: &str, field: &WrittenField<'_>) -> String {
    let raw = field.raw(block);
    let below = || field.lines_below(block).filter(|line| !line.starts_with('#') || !raw.is_empty());
    if raw.is_empty() || raw.starts_with('|') && is_block_header(raw) || field.key == "metadata" {
        let own = (!raw.is_empty() && !is_block_header(raw)).then_some(raw);
        return own.into_iter().chain(below()).collect::<Vec<_>>().join("\n");
    }
    let own = (!is_block_header(raw)).then_some(raw);
    let text = own.into_iter().chain(below()).collect::<Vec<_>>().join(" ");
    unquoted(field.key, &text)
}

/// Drops the quotes around a whole text, and one that has no partner where a text of that kind has none.
fn unquoted(key: &str, text: &str) -> String {
    for (open, close) in QUOTES {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !closes_early(inner, close)) {
            return if open == '"' { inner.replace("\\\"", "\"") } else { inner.to_owned() };
        }
    }
    let quotes = ['"', '\''];
    if !is_prose(key) && text.matches(quotes).count() == 1 {
        return text.trim_matches(quotes).trim().to_owned();
    }
    text.to_owned()
}

/// Returns true if the first quote inside closes what was opened before it, as in `"a" and "b"`.
fn closes_early(inner: &str, close: char) -> bool {
    let Some(at) = inner.find(close) else { return false };
    let before = inner[..at].chars().next_back();
    let after = inner[at + close.len_utf8()..].chars().next();
    before.is_some_and(|before| !before.is_whitespace() && before != '\\' && before != '(')
        && after.is_none_or(|after| !after.is_alphanumeric())
}

/// `&name text`, of which YAML keeps the text only, although nothing refers to the name.
fn has_unused_anchor(raw: &str, block: &str) -> bool {
    let Some(rest) = raw.strip_prefix('&') else { return false };
    let name = rest.split(char::is_whitespace).next().unwrap_or_default();
    !block.contains(&format!("*{name}"))
}

fn is_in_smart_quotes(raw: &str) -> bool {
    QUOTES
        .iter()
        .skip(2)
        .any(|(open, close)| raw.len() > open.len_utf8() && raw.starts_with(*open) && raw.ends_with(*close))
}

/// A path such as `C:\temp\new`, in which YAML takes the backslashes for escapes.
fn has_windows_path(raw: &str) -> bool {
    let Some(inner) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    inner.match_indices(":\\").any(|(at, _)| {
        let mut before = inner[..at].chars().rev();
        let is_drive = before.next().is_some_and(|drive| drive.is_ascii_alphabetic())
            && before.next().is_none_or(|before| !before.is_alphanumeric());
        let path = inner[at + 1..].split(char::is_whitespace).next().unwrap_or_default();
        let mut names = path.split('\\').skip(1);
        // Line breaks after a letter and a colon are not a path.
        is_drive
            && !path.contains("\\\\")
            && !path.contains("\\\"")
            && !names.all(|name| name.starts_with('n'))
    })
}
