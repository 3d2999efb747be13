//! One field of a block that YAML refuses as a whole: its value as YAML, as repaired YAML, or as text.

use prowess_types::Span;
use serde_json::Value;

use crate::fields::{WrittenField, is_known, is_text};
use crate::literal::{self, take_literally};
use crate::reading::{FieldReading, Repair, RepairKind};
use crate::repair::{self, is_block_header};
use crate::yaml::{ErrorKind, Kind, Node, YamlError};

/// The work that repairs of one block may take.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Values inside of fields that are quoted.
    quotes: usize,
    /// Fields that are read together with the next one.
    joins: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { quotes: 64, joins: 64 }
    }
}

impl Budget {
    fn spend(left: &mut usize) -> bool {
        let may = *left > 0;
        *left = left.saturating_sub(1);
        may
    }
}

/// Fields whose value is a list of words.
const LISTS: [&str; 8] =
    ["allowed-tools", "tags", "globs", "paths", "arguments", "platforms", "triggers", "read_when"];

/// Reads the first of these fields, and says how many of them were its lines.
pub(crate) fn read(
    block: &str,
    fields: &[WrittenField<'_>],
    budget: &mut Budget,
) -> Result<(FieldReading, usize), YamlError> {
    let Some(field) = fields.first() else { return Ok((FieldReading::default(), 1)) };
    let lines = &block[field.range.clone()];
    if let Some(reading) = as_yaml(block, field, lines, field.range.start, /*exact*/ true)? {
        return Ok((reading, 1));
    }
    let raw = field.raw(block);
    let is_open = raw.starts_with(['{', '[', '"', '\'']);
    if is_open && !is_text(field.key) || raw.starts_with('"') {
        // A value that goes on at the start of a line looks like the next field.
        for (more, next) in fields.iter().enumerate().skip(1) {
            if is_known(next.key) || !Budget::spend(&mut budget.joins) {
                break;
            }
            let joined = &block[field.range.start..next.range.end];
            if let Some(reading) = as_yaml(block, field, joined, field.range.start, /*exact*/ true)? {
                return Ok((reading, more + 1));
            }
            let indented = joined.trim_end().replace('\n', "\n  ");
            if let Some(mut reading) =
                as_yaml(block, field, &indented, field.range.start, /*exact*/ false)?
            {
                reading.repairs.push(refused(field, None));
                return Ok((reading, more + 1));
            }
        }
    }
    if !is_text(field.key) {
        for text in rewritten(block, field, budget) {
            if let Some(mut reading) = as_yaml(block, field, &text, field.range.start, /*exact*/ false)? {
                reading.repairs.push(refused(field, None));
                return Ok((reading, 1));
            }
        }
        if let Some(items) = list_items(field, raw) {
            let value = Node { span: value_span(field), kind: Kind::Sequence(items) };
            return Ok((repaired(field, value, None), 1));
        }
    } else if is_block_header(raw)
        && let Some(mut reading) = as_yaml(block, field, &without_tabs(lines), field.range.start, false)?
    {
        reading.repairs.push(refused(field, None));
        return Ok((reading, 1));
    }
    let text = literal::text_of(block, field);
    Ok((repaired(field, Node::from_text(value_span(field), text.clone()), Some(text)), 1))
}

/// The field if its text is YAML. Without `exact`, the places are those of the whole field.
fn as_yaml(
    block: &str,
    field: &WrittenField<'_>,
    text: &str,
    base: usize,
    exact: bool,
) -> Result<Option<FieldReading>, YamlError> {
    let (node, repeated) = match repair::parse_tolerantly(text) {
        Ok(read) => read,
        Err(error) if error.kind == ErrorKind::TooComplex => {
            return Err(YamlError { offset: base + error.offset, ..error });
        }
        Err(_) => return Ok(None),
    };
    let Some(Node { kind: Kind::Mapping(pairs), .. }) = node else { return Ok(None) };
    if pairs.first().and_then(|(key, _)| key.key_text()) != Some(field.key) {
        return Ok(None);
    }
    let key_span = Span::new(field.key_start, field.key_start + field.key.len());
    let place =
        |span: Span| if exact { Span::new(base + span.start, base + span.end) } else { value_span(field) };
    let mut reading = FieldReading::default();
    for span in repeated.into_iter().filter(|_| exact) {
        let key = text.get(span.start..span.end).unwrap_or(field.key).to_owned();
        reading.repairs.push(Repair { kind: RepairKind::Repeated, key, span: place(span), read_as: None });
    }
    for (index, (key, value)) in pairs.into_iter().enumerate() {
        let key = Node { span: if index == 0 { key_span } else { place(key.span) }, ..key };
        let mut pair = (key, Node { span: place(value.span), ..value });
        if index == 0 {
            reading.repairs.extend(take_literally(block, field, &mut pair));
        }
        reading.pairs.push(pair);
    }
    Ok(Some(reading))
}

/// Other spellings of a field that YAML may read, the likeliest first.
fn rewritten(block: &str, field: &WrittenField<'_>, budget: &mut Budget) -> Vec<String> {
    let lines = without_tabs(&block[field.range.clone()]);
    let raw = field.raw(block);
    let mut texts = vec![lines.clone()];
    if raw.is_empty() {
        texts.extend(with_quotes(&lines, budget));
    }
    if lines.contains(['{', '[']) {
        let plain = lines.replace("\\[", "[").replace("\\]", "]").replace("\\_", "_");
        let closers = closers(&plain);
        texts.push(plain.clone());
        texts.push(format!("{}{closers}\n", plain.trim_end()));
    }
    texts
}

/// Tabs at the start of lines as two blanks each.
fn without_tabs(lines: &str) -> String {
    let mut out = String::with_capacity(lines.len());
    for line in lines.split_inclusive('\n') {
        let text = line.trim_start_matches([' ', '\t']);
        for indentation in line[..line.len() - text.len()].chars() {
            out.push_str(if indentation == '\t' { "  " } else { " " });
        }
        out.push_str(text);
    }
    out
}

/// Quotes one value after the other until YAML has nothing against the lines; none if it always has.
fn with_quotes(lines: &str, budget: &mut Budget) -> Option<String> {
    let mut lines: Vec<String> = lines.split_inclusive('\n').map(str::to_owned).collect();
    loop {
        let text = lines.concat();
        let Err(error) = repair::parse_tolerantly(&text) else { return Some(text) };
        let at = text.get(..error.offset.min(text.len())).map_or(0, |before| before.matches('\n').count());
        let last = at.min(lines.len().saturating_sub(1));
        let mut candidates = (0..=last).rev().take(2);
        let (index, quoted) = candidates
            .find_map(|index| Some((index, quoted(lines.get(index)?)?)))
            .filter(|_| Budget::spend(&mut budget.quotes))?;
        *lines.get_mut(index)? = quoted;
    }
}

/// A line of a nested mapping or list with its value in quotes; none if there is nothing to quote.
fn quoted(line: &str) -> Option<String> {
    let text = line.trim_start();
    let mut from = line.len() - text.len();
    while let Some(rest) = line[from..].strip_prefix("- ") {
        from = line.len() - rest.trim_start().len();
    }
    let is_item = from > line.len() - text.len();
    let word = line[from..]
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.\"'".contains(byte))
        .count();
    let after_key = line[from + word..].strip_prefix(": ");
    match after_key {
        Some(rest) if word > 0 => from = line.len() - rest.trim_start().len(),
        _ if is_item => {}
        _ => return None,
    }
    let value = line[from..].trim();
    let is_whole = |quote: char| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
    if value.is_empty()
        || is_whole('"') && serde_json::from_str::<String>(value).is_ok()
        || is_block_header(value)
    {
        return None;
    }
    let inner = if is_whole('"') || is_whole('\'') { &value[1..value.len() - 1] } else { value };
    Some(format!("{}{}\n", &line[..from], Value::from(inner)))
}

/// The brackets that are missing at the end.
fn closers(text: &str) -> String {
    let mut open = Vec::new();
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(next) = characters.next() {
        match (quote, next) {
            (Some('"'), '\\') => {
                characters.next();
            }
            (Some(by), _) if by == next => quote = None,
            (None, '"') => quote = Some(next),
            (None, '{') => open.push('}'),
            (None, '[') => open.push(']'),
            (None, '}' | ']') => {
                open.pop();
            }
            _ => {}
        }
    }
    open.iter().rev().collect()
}

/// The words of a list in brackets that is not one for YAML, such as `[Read, Bash(git: *)]`.
fn list_items(field: &WrittenField<'_>, raw: &str) -> Option<Vec<Node>> {
    let inner = raw.strip_prefix('[')?.strip_suffix(']').filter(|_| LISTS.contains(&field.key))?;
    let mut depth = 0_usize;
    let parts = inner.split(|next: char| {
        match next {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && next == ','
    });
    let items = parts.map(|part| part.trim().trim_matches(['"', '\''])).filter(|part| !part.is_empty());
    Some(items.map(|item| Node::from_text(value_span(field), item.to_owned())).collect())
}

fn repaired(field: &WrittenField<'_>, value: Node, read_as: Option<String>) -> FieldReading {
    let span = Span::new(field.key_start, field.key_start + field.key.len());
    let key = Node::from_text(span, field.key.to_owned());
    FieldReading { pairs: vec![(key, value)], repairs: vec![refused(field, read_as)], body_at: None }
}

fn refused(field: &WrittenField<'_>, read_as: Option<String>) -> Repair {
    let span = Span::new(field.key_start, field.key_start + field.key.len());
    Repair { kind: RepairKind::Refused, key: field.key.to_owned(), span, read_as }
}

fn value_span(field: &WrittenField<'_>) -> Span {
    Span::new(field.value.start, field.value.end)
}
