//! Frontmatter that YAML refuses or misreads, read field by field.
//!
//! For the dialect that repairs. A block that YAML reads is left to it, but for fields that are text everywhere and mean
//! something else in YAML: a list, a tag, a comment. A block that YAML refuses is split into its top-level fields, and
//! each is read by itself, so that a mistake costs no other field. Whatever still cannot be read is text.
//!
//! Invariant: every top-level `key: value` line with a known key is a field of the result, unless the block is too complex
//! to be read at all.

use prowess_types::Span;

use crate::fields::{self, WrittenField, is_known, is_text};
use crate::literal::{self, take_literally};
use crate::reading::{FieldReading, Repair, RepairKind};
use crate::yaml::{self, ErrorKind, Kind, Node, YamlError};
use crate::{repair, simple, structure};

/// Most fields that are read one by one.
const MAX_FIELDS: usize = 1_000;

/// The reason there are no fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecoverError {
    Yaml(YamlError),
    NotAMap(Span),
}

/// Reads a block. All places are those of the block as it was written.
pub(crate) fn parse(block: &str) -> Result<FieldReading, RecoverError> {
    if let Some(pairs) = simple::parse(block) {
        return Ok(FieldReading { pairs, ..FieldReading::default() });
    }
    let read = yaml::parse(block).or_else(|error| match repair::parse_tolerantly(block) {
        Ok((node, repeated)) if repeated.is_empty() => Ok(node),
        _ => Err(error),
    });
    match read.map(|root| root.map(|node| (node.span, node.kind))) {
        Ok(None) => Ok(FieldReading::default()),
        Ok(Some((_, Kind::Mapping(pairs)))) if pairs.iter().any(|(_, value)| has_swallowed(block, value)) => {
            field_by_field(block).map_err(RecoverError::Yaml)
        }
        Ok(Some((_, Kind::Mapping(pairs)))) => {
            let mut whole = FieldReading { pairs, ..FieldReading::default() };
            read_text_literally(block, &mut whole);
            Ok(whole)
        }
        Ok(Some((_, Kind::Scalar { text, plain: true, .. }))) if text.is_empty() => {
            Ok(FieldReading::default())
        }
        Ok(Some((span, _))) => {
            let fields = field_by_field(block).map_err(RecoverError::Yaml)?;
            let has_known = fields.pairs.iter().any(|(key, _)| key.key_text().is_some_and(is_known));
            if has_known { Ok(fields) } else { Err(RecoverError::NotAMap(span)) }
        }
        Err(error) if error.kind == ErrorKind::TooComplex => Err(RecoverError::Yaml(error)),
        Err(error) => {
            let fields = field_by_field(block).map_err(RecoverError::Yaml)?;
            if fields.pairs.is_empty() { Err(RecoverError::Yaml(error)) } else { Ok(fields) }
        }
    }
}

/// Reads every field by itself.
fn field_by_field(block: &str) -> Result<FieldReading, YamlError> {
    let body_at = fields::body_at(block);
    let block = &block[..body_at.unwrap_or(block.len())];
    let mut recovered = FieldReading { body_at, ..FieldReading::default() };
    let fields = fields::split(block);
    if fields.len() > MAX_FIELDS {
        let offset = fields.get(MAX_FIELDS).map_or(0, |field| field.key_start);
        let message = "too many keys".to_owned();
        return Err(YamlError { offset, kind: ErrorKind::TooComplex, message });
    }
    let mut budget = structure::Budget::default();
    let mut next = 0;
    while let Some(field) = fields.get(next) {
        let (read, used) = structure::read(block, &fields[next..], &mut budget)?;
        recovered.repairs.extend(read.repairs);
        for (key, value) in read.pairs {
            add(&mut recovered, field, key, value);
        }
        next += used;
    }
    Ok(recovered)
}

/// Adds a field; one of the same name gives way, unless the new one is empty.
fn add(reading: &mut FieldReading, field: &WrittenField<'_>, key: Node, value: Node) {
    let same = |other: &(Node, Node)| key.key_text().is_some() && other.0.key_text() == key.key_text();
    let Some(at) = reading.pairs.iter().position(same) else {
        return reading.pairs.push((key, value));
    };
    let is_empty = matches!(&value.kind, Kind::Scalar { text, .. } if text.trim().is_empty());
    reading.repairs.push(Repair {
        kind: RepairKind::Repeated,
        key: key.key_text().unwrap_or(field.key).to_owned(),
        span: key.span,
        read_as: match &value.kind {
            Kind::Scalar { text, .. } if !is_empty => Some(text.clone()),
            _ => None,
        },
    });
    if !is_empty && let Some(pair) = reading.pairs.get_mut(at) {
        *pair = (key, value);
    }
}

/// Reads the fields that are text everywhere as they were written, where YAML gives something else.
fn read_text_literally(block: &str, reading: &mut FieldReading) {
    let is_candidate = |pair: &(Node, Node)| pair.0.key_text().is_some_and(is_text);
    if !reading.pairs.iter().any(|pair| is_candidate(pair) && is_suspicious(block, pair)) {
        return;
    }
    let fields = fields::split(block);
    for pair in reading.pairs.iter_mut().filter(|pair| is_candidate(pair)) {
        let written = fields.iter().find(|field| pair.0.key_text() == Some(field.key));
        if let Some(field) = written {
            reading.repairs.extend(take_literally(block, field, pair));
        }
    }
}

/// Returns true if a text in quotes holds a line that is a field: the quote that closes it is missing.
fn has_swallowed(block: &str, value: &Node) -> bool {
    let Kind::Scalar { plain: false, .. } = value.kind else { return false };
    let written = block.get(value.span.start..value.span.end).unwrap_or_default();
    if !written.starts_with(['"', '\'']) {
        return false;
    }
    let below = written.split_once('\n').map_or("", |(_, below)| below);
    below.lines().any(|line| {
        let key = line.split_once(':').map(|(key, _)| key);
        key.is_some_and(is_known)
    })
}

/// Returns true if a value that YAML reads may be one that it misreads; cheap, so that most blocks are not split.
fn is_suspicious(block: &str, (key, value): &(Node, Node)) -> bool {
    match &value.kind {
        Kind::Mapping(_) | Kind::Sequence(_) | Kind::Scalar { tag: Some(_), .. } => true,
        Kind::Scalar { text, plain, tag: None } => {
            let line = block[key.span.start.min(block.len())..].lines().next().unwrap_or_default();
            if *plain {
                line.contains(" #")
                    || line.contains("\t#")
                    || line.contains('&')
                    || text.starts_with(literal::SMART_QUOTES)
            } else {
                line.contains(":\\")
            }
        }
    }
}

#[cfg(test)]
#[path = "recover_tests.rs"]
mod tests;
