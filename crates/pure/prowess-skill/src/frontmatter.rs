//! From the frontmatter block to fields.
//!
//! YAML first, with OpenClaw's repair of unquoted descriptions and its line reading, or with the repairs of our own
//! dialect ([`crate::recover`]). Values keep their type and their order; [`Frontmatter::text`] gives the text a string field gets.

use prowess_text::{char_prefix, collapse_blanks, ellipsize};
use prowess_types::{Diagnostic, Dialect, Fields, Span};
use serde_json::Value;

use crate::fields::SPECIFIED;
use crate::lines::{self, Line};
use crate::reading::{FieldReading, Repair, RepairKind};
use crate::recover::{self, RecoverError};
use crate::repair;
use crate::yaml::{ErrorKind, Kind, Node, YamlError};
use crate::{rules, scalar};

/// The most characters of a value that a diagnostic shows.
const SHOWN: usize = 80;

/// The fields of a skill, in the order in which they were written. There are few, so they are searched, not hashed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontmatter {
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    key: String,
    value: Value,
    /// A one-line collection as it was written, for the JSON5 parser.
    raw: Option<String>,
    key_span: Span,
    value_span: Span,
}

impl Frontmatter {
    /// Reads a block that starts at byte `base` of the decoded text. Fields are empty when it is refused.
    ///
    /// Also returns the place in the block where Markdown begins, where a block that was never closed has swallowed some.
    pub(crate) fn read(
        block: &str,
        base: usize,
        first_line: usize,
        dialect: Dialect,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Self, Option<usize>) {
        let lines = lines::lines(block);
        let read = match dialect {
            Dialect::Prowess => recover::parse(block),
            Dialect::Openclaw | Dialect::Openpocket => as_openclaw(block, &lines),
        };
        let reading = match read {
            Ok(reading) => reading,
            Err(RecoverError::Yaml(error)) => {
                diagnostics.push(refusal(&error, base));
                return (Self::default(), None);
            }
            Err(RecoverError::NotAMap(span)) => {
                let span = Span::new(base + span.start, base + span.end);
                let message = "the frontmatter is not a mapping".to_owned();
                diagnostics.push(rules::FRONTMATTER_NOT_A_MAP.at(span, message));
                return (Self::default(), None);
            }
        };
        for repair in &reading.repairs {
            diagnostics.push(report(repair, block, base, first_line));
        }
        let mut frontmatter = Self::default();
        for (key, value) in &reading.pairs {
            frontmatter.add(key, value, base, dialect);
        }
        frontmatter.add_raw(&lines);
        match dialect {
            Dialect::Openclaw => frontmatter.fill_nulls(block, base, &lines),
            Dialect::Prowess => frontmatter.spell_keys(diagnostics),
            Dialect::Openpocket => {}
        }
        (frontmatter, reading.body_at)
    }

    fn add(&mut self, key: &Node, value: &Node, base: usize, dialect: Dialect) {
        let place = |span: Span| Span::new(base + span.start, base + span.end);
        let field = Field {
            key: scalar::key_text(key, dialect),
            value: scalar::to_value(value, dialect),
            raw: None,
            key_span: place(key.span),
            value_span: place(value.span),
        };
        // Keys that YAML tells apart can be the same text, as `1` and `1.0` are; the last one counts.
        match self.fields.iter_mut().find(|other| other.key == field.key) {
            Some(other) => *other = field,
            None => self.fields.push(field),
        }
    }

    /// Keeps the own line of a collection whose line has a colon after the key.
    fn add_raw(&mut self, lines: &[Line<'_>]) {
        for field in self.fields.iter_mut().filter(|field| field.value.is_array() || field.value.is_object())
        {
            let own = lines.iter().rev().find(|line| line.key == field.key && line.raw.contains(':'));
            field.raw = own.map(|line| lines::strip_quotes(line.raw).to_owned());
        }
    }

    /// Keys that YAML gave as null, or not at all, get what stands on their line.
    fn fill_nulls(&mut self, block: &str, base: usize, lines: &[Line<'_>]) {
        for line in lines {
            let known = self.fields.iter_mut().find(|field| field.key == line.key);
            if known.as_ref().is_some_and(|field| !field.value.is_null()) {
                continue;
            }
            let text = lines::value_of(block, line);
            if text.is_empty() {
                continue;
            }
            if let Some(field) = known {
                field.value = Value::String(text);
                continue;
            }
            let start = base + line.start;
            let key_span = Span::new(start, start + line.key.len());
            let (key, value) = (line.key.to_owned(), Value::String(text));
            self.fields.push(Field { key, value, raw: None, key_span, value_span: key_span });
        }
    }

    /// Gives the fields of the specification their name where only its case differs.
    fn spell_keys(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for known in SPECIFIED {
            if self.field(known).is_some() {
                continue;
            }
            if let Some(field) = self.fields.iter_mut().find(|field| field.key.eq_ignore_ascii_case(known)) {
                let message = format!("`{}` is read as `{known}`", field.key);
                diagnostics.push(rules::FRONTMATTER_SPELLING.at(field.key_span, message));
                known.clone_into(&mut field.key);
            }
        }
    }

    fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The value of a field.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.field(key).map(|field| &field.value)
    }

    /// The names of all fields.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.key.as_str())
    }

    /// The text of a field; null and missing fields have none.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let field = self.field(key)?;
        field.raw.clone().or_else(|| scalar::field_text(&field.value))
    }

    /// A one-line collection as it was written.
    pub(crate) fn raw_text(&self, key: &str) -> Option<&str> {
        self.field(key)?.raw.as_deref()
    }

    /// Returns the span of a field's value; of its key if the value is empty.
    pub(crate) fn span(&self, key: &str) -> Option<Span> {
        let field = self.field(key)?;
        let is_empty = field.value_span.end <= field.value_span.start;
        Some(if is_empty { field.key_span } else { field.value_span })
    }

    /// Returns the span of a field's key.
    pub(crate) fn key_span(&self, key: &str) -> Option<Span> {
        self.field(key).map(|field| field.key_span)
    }

    /// The fields for everybody else.
    pub(crate) fn into_fields(self) -> Fields {
        self.fields.into_iter().map(|field| (field.key, field.value)).collect()
    }
}

/// Reads a block as OpenClaw does.
fn as_openclaw(block: &str, lines: &[Line<'_>]) -> Result<FieldReading, RecoverError> {
    let repaired = repair::parse(block, lines);
    let place = |span: Span| repaired.shift.place(span, 0);
    let repairs = repaired.lines.iter().map(|line| Repair {
        kind: RepairKind::Refused,
        key: line.key.to_owned(),
        span: Span::new(line.start, line.start + line.key.len()),
        read_as: Some(lines::strip_quotes(line.raw).to_owned()),
    });
    let repairs = repairs.collect();
    let pairs = match repaired.result.map_err(RecoverError::Yaml)?.map(|node| (node.span, node.kind)) {
        None => Vec::new(),
        Some((_, Kind::Mapping(pairs))) => {
            let placed = |node: Node| Node { span: place(node.span), ..node };
            pairs.into_iter().map(|(key, value)| (placed(key), placed(value))).collect()
        }
        Some((_, Kind::Scalar { text, plain: true, .. })) if text.is_empty() => Vec::new(),
        Some((span, _)) => return Err(RecoverError::NotAMap(place(span))),
    };
    Ok(FieldReading { pairs, repairs, body_at: None })
}

/// Names the line of a repair, and the text that was read.
fn report(repair: &Repair, block: &str, base: usize, first_line: usize) -> Diagnostic {
    let before = block.get(..repair.span.start).unwrap_or_default();
    let line = first_line + before.matches('\n').count() + 1;
    let key = &repair.key;
    let read_as = repair.read_as.as_deref().map(|text| ellipsize(&collapse_blanks(text), SHOWN, char_prefix));
    let (rule, what) = match repair.kind {
        RepairKind::Refused => (rules::FRONTMATTER_REPAIRED, "is not valid YAML as written"),
        RepairKind::Misread => (rules::FRONTMATTER_MISREAD, "means something else in YAML"),
        RepairKind::Repeated => {
            (rules::FRONTMATTER_REPEATED, "repeats a field above, and the last one counts")
        }
    };
    let message = match (read_as, repair.kind) {
        (Some(text), _) => format!("`{key}` in line {line} {what}; it is read as `{text}`"),
        (None, RepairKind::Refused) => format!("`{key}` in line {line} {what}; it was read after a repair"),
        (None, _) => format!("`{key}` in line {line} {what}"),
    };
    rule.at(Span::new(base + repair.span.start, base + repair.span.end), message)
}

fn refusal(error: &YamlError, base: usize) -> Diagnostic {
    let rule = match error.kind {
        ErrorKind::TooComplex => rules::FRONTMATTER_TOO_COMPLEX,
        ErrorKind::Syntax | ErrorKind::NestedMapping | ErrorKind::DuplicateKey => rules::FRONTMATTER_INVALID,
    };
    let at = base + error.offset;
    rule.at(Span::new(at, at), format!("invalid frontmatter: {}", error.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_mapping_is_shown_as_it_was_written() {
        let block = "\"\\ud83d\\ude00 é\"\n";
        let mut diagnostics = Vec::new();
        Frontmatter::read(block, 0, 1, Dialect::Prowess, &mut diagnostics);
        assert_eq!(diagnostics[0].rule, "frontmatter/not-a-map");
        let written = diagnostics[0].span.and_then(|span| block.get(span.start..span.end));
        assert_eq!(written, Some(block.trim_end()));
    }
}
