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

/// The fields of a skill.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontmatter {
    pub(crate) fields: Fields,
    /// Where each field is written, key and value, in the decoded text.
    places: Vec<Place>,
    /// One-line collections as they were written, for the JSON5 parser.
    raw: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
struct Place {
    key: String,
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
                let span = Span::new(base + span.start, base + span.end.min(block.len()));
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
            frontmatter.fill_nulls(block, &lines);
        }
        frontmatter
    }

    fn add(&mut self, key: &Node, value: &Node, shift: &Shift, base: usize, dialect: Dialect) {
        let name = scalar::key_text(key, dialect);
        let place =
            |span: Span| Span::new(base + shift.original(span.start), base + shift.original(span.end));
        self.places.push(Place {
            key: name.clone(),
            key_span: place(key.span),
            value_span: place(value.span),
        });
        self.fields.insert(name, scalar::to_value(value, dialect));
    }

    /// Keeps the own line of a collection whose line has a colon after the key.
    fn add_raw(&mut self, lines: &[Line<'_>]) {
        for line in lines {
            let is_collection = matches!(self.fields.get(line.key), Some(Value::Array(_) | Value::Object(_)));
            if is_collection && line.raw.contains(':') {
                self.raw.push((line.key.to_owned(), lines::strip_quotes(line.raw).to_owned()));
            }
        }
    }

    /// Keys that YAML gave as null, or not at all, get what stands on their line.
    fn fill_nulls(&mut self, block: &str, lines: &[Line<'_>]) {
        for line in lines {
            if self.fields.get(line.key).is_none_or(Value::is_null) {
                let text = lines::value_of(block, line);
                if !text.is_empty() {
                    self.fields.insert(line.key.to_owned(), Value::String(text));
                }
            }
        }
    }

    /// The text of a field; null and missing fields have none.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.raw_text(key).map(str::to_owned).or_else(|| self.fields.get(key).and_then(scalar::field_text))
    }

    /// A one-line collection as it was written.
    pub(crate) fn raw_text(&self, key: &str) -> Option<&str> {
        self.raw.iter().rev().find(|(name, _)| name == key).map(|(_, text)| text.as_str())
    }

    /// Where a field's value is written; its key if the value is empty.
    pub(crate) fn span(&self, key: &str) -> Option<Span> {
        let place = self.places.iter().find(|place| place.key == key)?;
        let empty = place.value_span.end <= place.value_span.start;
        Some(if empty { place.key_span } else { place.value_span })
    }

    /// Where a field's key is written.
    pub(crate) fn key_span(&self, key: &str) -> Option<Span> {
        self.places.iter().find(|place| place.key == key).map(|place| place.key_span)
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
