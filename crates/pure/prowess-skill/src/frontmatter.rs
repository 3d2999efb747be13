//! From the frontmatter block to fields.
//!
//! YAML first, with OpenClaw's repair of unquoted descriptions; then its line reading where the dialect wants
//! it. Values keep their type and their order; [`Frontmatter::text`] gives the text a string field gets.

use prowess_types::{Diagnostic, Dialect, Fields, Span};
use serde_json::Value;

use crate::lines::{self, Line};
use crate::repair::{self, Shift};
use crate::yaml::{ErrorKind, Kind, Node, YamlError};
use crate::{rules, scalar};

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
    pub(crate) fn read(
        block: &str,
        base: usize,
        dialect: Dialect,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let lines = lines::lines(block);
        let repaired = repair::parse(block, &lines);
        for line in &repaired.lines {
            diagnostics.push(rules::FRONTMATTER_REPAIRED.at(
                Span::new(base + line.start, base + line.start + line.key.len()),
                format!("`{}` is not valid YAML as written; its line was taken as plain text", line.key),
            ));
        }
        let root = match repaired.result {
            Ok(root) => root,
            Err(error) => {
                diagnostics.push(refusal(&error, base));
                return Self::default();
            }
        };
        let pairs = match root.map(|node| (node.span, node.kind)) {
            None => Vec::new(),
            Some((_, Kind::Mapping(pairs))) => pairs,
            Some((_, Kind::Scalar { text, plain: true, .. })) if text.is_empty() => Vec::new(),
            Some((span, _)) => {
                let span = repaired.shift.place(span, base);
                diagnostics.push(
                    rules::FRONTMATTER_NOT_A_MAP.at(span, "the frontmatter is not a mapping".to_owned()),
                );
                return Self::default();
            }
        };
        let mut frontmatter = Self::default();
        for (key, value) in &pairs {
            frontmatter.add(key, value, &repaired.shift, base, dialect);
        }
        frontmatter.add_raw(&lines);
        if dialect == Dialect::Openclaw {
            frontmatter.fill_nulls(block, base, &lines);
        }
        frontmatter
    }

    fn add(&mut self, key: &Node, value: &Node, shift: &Shift, base: usize, dialect: Dialect) {
        let field = Field {
            key: scalar::key_text(key, dialect),
            value: scalar::to_value(value, dialect),
            raw: None,
            key_span: shift.place(key.span, base),
            value_span: shift.place(value.span, base),
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
        Frontmatter::read(block, 0, Dialect::Prowess, &mut diagnostics);
        assert_eq!(diagnostics[0].rule, "frontmatter/not-a-map");
        let written = diagnostics[0].span.and_then(|span| block.get(span.start..span.end));
        assert_eq!(written, Some(block.trim_end()));
    }
}
