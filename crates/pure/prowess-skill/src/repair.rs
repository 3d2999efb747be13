//! YAML that real skills contain and strict parsers refuse, made readable.
//!
//! Two forms are legal for the engine that most skills were written for, so they are rewritten without a word:
//! a flow collection that closes at the start of a line, and surrogate pairs in escapes. One is a mistake that
//! is repaired and reported: a description whose line is not YAML is taken as plain text.

use prowess_types::Span;
use serde_json::Value;

use crate::lines::{self, Line};
use crate::simple;
use crate::yaml::{self, ErrorKind, Kind, Node, YamlError};

/// Most lines that are repaired before the block is given up.
const MAX_REPAIRS: usize = 3;

/// What came out of it.
pub(crate) struct Repaired<'a> {
    pub(crate) result: Result<Option<Node>, YamlError>,
    /// Lines that were taken as plain text.
    pub(crate) lines: Vec<Line<'a>>,
    /// Maps offsets of the result to the block as it was written.
    pub(crate) shift: Shift,
}

/// Parses text that may have the forms which are legal elsewhere; the result has the places of the text as it was
/// written.
pub(crate) fn parse_tolerantly(block: &str) -> Result<(Option<Node>, Vec<Span>), YamlError> {
    let result = yaml::parse_repeated(block);
    let Err(error) = result else { return result };
    let tolerated = tolerated(block);
    if tolerated.is_empty() {
        return Err(error);
    }
    let (text, shift) = rewrite(block, &tolerated);
    match yaml::parse_repeated(&text) {
        Ok((node, repeated)) => {
            let node = node.map(|node| shift.place_node(node));
            Ok((node, repeated.into_iter().map(|span| shift.place(span, 0)).collect()))
        }
        Err(mut error) => {
            error.offset = shift.original(error.offset).min(block.len());
            Err(error)
        }
    }
}

/// Parses; while the error sits on a line that may be repaired, quotes that line and tries again.
pub(crate) fn parse<'a>(block: &'a str, lines: &[Line<'a>]) -> Repaired<'a> {
    let mut repaired: Vec<Line<'a>> = Vec::new();
    let mut shift = Shift::default();
    if let Some(pairs) = simple::parse(block) {
        let root = Node { span: Span::new(0, block.len()), kind: Kind::Mapping(pairs) };
        return Repaired { result: Ok(Some(root)), lines: repaired, shift };
    }
    let mut result = yaml::parse(block);
    if result.is_ok() {
        return Repaired { result, lines: repaired, shift };
    }
    let tolerated = tolerated(block);
    if !tolerated.is_empty() {
        let (text, new_shift) = rewrite(block, &tolerated);
        shift = new_shift;
        result = yaml::parse(&text);
    }
    while let Err(error) = &result {
        let Some(line) = faulty_line(block, lines, error, &shift, &repaired) else {
            break;
        };
        if repaired.len() == MAX_REPAIRS {
            break;
        }
        repaired.push(line);
        let quoted = repaired.iter().map(|line| quote(block, line));
        let inside = |one: &Rewrite| {
            repaired.iter().any(|line| line.start <= one.start && one.end <= end_of(block, line))
        };
        let mut rewrites: Vec<Rewrite> =
            tolerated.iter().filter(|one| !inside(one)).cloned().chain(quoted).collect();
        rewrites.sort_by_key(|one| one.start);
        let (text, new_shift) = rewrite(block, &rewrites);
        shift = new_shift;
        result = yaml::parse(&text);
    }
    match &mut result {
        Ok(_) => {}
        Err(error) => {
            // Nothing was saved by the repairs, so nothing is said about them.
            repaired.clear();
            error.offset = shift.original(error.offset).min(block.len());
        }
    }
    Repaired { result, lines: repaired, shift }
}

/// The line that an error sits on, if it is one that may be taken as plain text.
fn faulty_line<'a>(
    block: &str,
    lines: &[Line<'a>],
    error: &YamlError,
    shift: &Shift,
    repaired: &[Line<'_>],
) -> Option<Line<'a>> {
    let offset = shift.original(error.offset).min(block.len());
    let error_line = block.get(..offset).map_or(0, |before| before.matches('\n').count());
    let mut candidates = lines
        .iter()
        .filter(|line| !line.raw.is_empty() && !is_block_header(line.raw) && !repaired.contains(line));
    let here = candidates.clone().find(|line| {
        line.number == error_line
            && match line.key {
                "description" => true,
                "summary" | "read_when" => error.kind == ErrorKind::NestedMapping && line.raw.contains(": "),
                _ => false,
            }
    });
    // An open quote or bracket is noticed further down, so the line itself is asked.
    here.or_else(|| {
        candidates.find(|line| {
            line.key == "description"
                && line.number <= error_line
                && yaml::parse(&block[line.start..end_of(block, line)]).is_err()
        })
    })
    .cloned()
}

/// `|`, `>-`, `|2 # comment`: the header of a block scalar.
pub(crate) fn is_block_header(raw: &str) -> bool {
    let Some(rest) = raw.strip_prefix(['|', '>']) else {
        return false;
    };
    let rest = rest.trim_start_matches(|next: char| next.is_ascii_digit() || matches!(next, '+' | '-'));
    rest.is_empty() || rest.trim_start().starts_with('#')
}

fn end_of(block: &str, line: &Line<'_>) -> usize {
    block[line.start..].find('\n').map_or(block.len(), |offset| line.start + offset)
}

#[derive(Clone, Debug)]
struct Rewrite {
    start: usize,
    end: usize,
    text: String,
}

fn quote(block: &str, line: &Line<'_>) -> Rewrite {
    let text = format!("{}: {}", line.key, Value::from(lines::strip_quotes(line.raw)));
    Rewrite { start: line.start, end: end_of(block, line), text }
}

/// Forms that are legal elsewhere: closing brackets at the start of a line, and surrogate pairs.
fn tolerated(block: &str) -> Vec<Rewrite> {
    let mut rewrites = Vec::new();
    let mut start = 0;
    for line in block.split_inclusive('\n') {
        if line.starts_with(['}', ']']) {
            rewrites.push(Rewrite { start, end: start, text: " ".to_owned() });
        }
        start += line.len();
    }
    let mut from = 0;
    while let Some(position) = block[from..].find("\\u").map(|offset| from + offset) {
        from = position + 2;
        let unit = |at: usize| block.get(at..at + 4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let low_at = position + 6;
        if let Some(high) = unit(position + 2)
            && block.get(low_at..low_at + 2) == Some("\\u")
            && let Some(low) = unit(low_at + 2)
            && let Some(character) = joined(high, low)
        {
            from = low_at + 6;
            rewrites.push(Rewrite { start: position, end: from, text: character.to_string() });
        }
    }
    rewrites.sort_by_key(|one| one.start);
    rewrites
}

/// The character of a surrogate pair; none if the two units are not one.
fn joined(high: u16, low: u16) -> Option<char> {
    let mut characters = char::decode_utf16([high, low]);
    characters.next()?.ok().filter(|_| characters.next().is_none())
}

fn rewrite(block: &str, rewrites: &[Rewrite]) -> (String, Shift) {
    let mut out = String::with_capacity(block.len() + 64);
    let mut shift = Shift::default();
    let mut copied = 0;
    for one in rewrites {
        out.push_str(&block[copied..one.start]);
        let original = one.start..one.end;
        let pairs = one.text.bytes().zip(block[original.clone()].bytes());
        let shared = pairs.take_while(|(new, old)| new == old).count();
        shift.0.push(Moved { from: out.len(), to: out.len() + one.text.len(), original, shared });
        out.push_str(&one.text);
        copied = one.end;
    }
    out.push_str(&block[copied..]);
    (out, shift)
}

/// Maps offsets in a rewritten block back to the block as it was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shift(Vec<Moved>);

#[derive(Clone, Debug)]
struct Moved {
    from: usize,
    to: usize,
    original: std::ops::Range<usize>,
    /// How many bytes both start with.
    shared: usize,
}

impl Shift {
    /// The place that a span of the rewritten block has in a text where the original starts at `base`.
    pub(crate) fn place(&self, span: Span, base: usize) -> Span {
        Span::new(base + self.original(span.start), base + self.original(span.end))
    }

    /// A node with the places of the original. Only the node, its keys and its values have them; nothing asks for more.
    fn place_node(&self, node: Node) -> Node {
        let kind = match node.kind {
            Kind::Mapping(pairs) => {
                let place = |node: Node| Node { span: self.place(node.span, 0), ..node };
                Kind::Mapping(pairs.into_iter().map(|(key, value)| (place(key), place(value))).collect())
            }
            kind => kind,
        };
        Node { span: self.place(node.span, 0), kind }
    }

    /// The place that an offset of the rewritten block had in the original.
    pub(crate) fn original(&self, offset: usize) -> usize {
        match self.0.iter().rev().find(|moved| moved.from <= offset) {
            None => offset,
            Some(moved) if offset >= moved.to => offset - moved.to + moved.original.end,
            Some(moved) if offset - moved.from <= moved.shared => moved.original.start + offset - moved.from,
            // The rest of a rewrite has no exact place, and one in the middle could split a character.
            Some(moved) => moved.original.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_rewrite_are_places_of_the_original() {
        let block = "é: 1\ndescription: é: \"é\nx: y";
        let line = lines::lines(block).remove(0);
        let (text, shift) = rewrite(block, &[quote(block, &line)]);
        assert_eq!(text, "é: 1\ndescription: \"é: \\\"é\"\nx: y");
        for (offset, _) in text.char_indices() {
            assert!(block.is_char_boundary(shift.original(offset)), "{offset}");
        }
        let place = |part: &str| &block[shift.original(text.find(part).unwrap())..];
        assert!(place("\"é").starts_with("é: \"é"));
        assert!(place("\nx").starts_with("\nx"));
    }

    #[test]
    fn only_halves_of_a_pair_are_joined() {
        let text = |block: &str| rewrite(block, &tolerated(block)).0;
        assert_eq!(text(r#"a: "\ud83d\ude00""#), "a: \"😀\"");
        for block in [r#"a: "\u0041\u0042""#, r#"a: "\uc83d\ude00""#, r#"a: "\ud83d\u0041""#] {
            assert_eq!(text(block), block);
        }
    }
}
