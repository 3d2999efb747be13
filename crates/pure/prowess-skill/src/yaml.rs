//! YAML text to a tree of nodes with spans.
//!
//! A thin, replaceable shell around the event parser: it resolves aliases within a budget, refuses duplicate
//! keys and second documents, and bounds depth. Scalars stay text here; [`crate::scalar`] types them.

use std::collections::HashMap;

use prowess_types::Span;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 64;
/// Most nodes a document may have once its aliases are expanded.
const MAX_NODES: usize = 20_000;
/// Most keys of one mapping. Every key is compared with those before it, here and by whoever looks one up.
const MAX_KEYS: usize = 1_000;
/// Most aliases that are followed; more of them are an attack, not a skill.
const MAX_ALIASES: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

impl Node {
    /// The text of a key; none for a collection.
    pub(crate) fn key_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            Kind::Sequence(_) | Kind::Mapping(_) => None,
        }
    }

    /// A node for text that is not YAML.
    pub(crate) fn from_text(span: Span, text: String) -> Self {
        Self { span, kind: Kind::Scalar { text, plain: false, tag: None } }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Scalar { text: String, plain: bool, tag: Option<String> },
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlError {
    /// Byte offset into the text that was parsed.
    pub(crate) offset: usize,
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    Syntax,
    /// `a: b: c`: a mapping inside a value on one line.
    NestedMapping,
    DuplicateKey,
    /// Aliases, nesting or nodes beyond the budget.
    TooComplex,
}

/// Parses one document; `None` is an empty one.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    run(Builder::new(text)).map(|(node, _)| node)
}

/// Parses one document in which keys may be repeated: the last one counts, and the places of those that repeat an
/// earlier one are returned.
pub(crate) fn parse_repeated(text: &str) -> Result<(Option<Node>, Vec<Span>), YamlError> {
    let repeated = run(Builder { repeated: Some(Vec::new()), ..Builder::new(text) });
    repeated.map(|(node, spans)| (node, spans.unwrap_or_default()))
}

type Parsed = (Option<Node>, Option<Vec<Span>>);

fn run(builder: Builder<'_>) -> Result<Parsed, YamlError> {
    let text = builder.text;
    if !text.contains('\0') {
        return builder.run(text);
    }
    // The event parser takes NUL for the end of input; a stand-in carries it through.
    let Some(stand_in) =
        (0xFDD0..=0xFDEF_u32).filter_map(char::from_u32).find(|candidate| !text.contains(*candidate))
    else {
        return builder.run(text);
    };
    // A character for a character: offsets are still those of the text as it was given.
    let (mut node, repeated) = builder.run(&text.replace('\0', stand_in.encode_utf8(&mut [0; 4])))?;
    if let Some(node) = &mut node {
        restore_nul(node, stand_in);
    }
    Ok((node, repeated))
}

fn restore_nul(node: &mut Node, stand_in: char) {
    match &mut node.kind {
        Kind::Scalar { text, .. } => {
            if text.contains(stand_in) {
                *text = text.replace(stand_in, "\0");
            }
        }
        Kind::Sequence(items) => items.iter_mut().for_each(|item| restore_nul(item, stand_in)),
        Kind::Mapping(pairs) => {
            for (key, value) in pairs {
                restore_nul(key, stand_in);
                restore_nul(value, stand_in);
            }
        }
    }
}

/// An unfinished collection.
enum Open {
    Sequence { start: usize, anchor: usize, items: Vec<Node> },
    Mapping { start: usize, anchor: usize, pairs: Vec<(Node, Node)>, key: Option<Node> },
}

struct Builder<'a> {
    text: &'a str,
    offsets: Offsets,
    anchors: HashMap<usize, Node>,
    stack: Vec<Open>,
    nodes: usize,
    aliases: usize,
    /// The places of repeated keys, where they are not an error.
    repeated: Option<Vec<Span>>,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            offsets: Offsets::new(text),
            anchors: HashMap::new(),
            stack: Vec::new(),
            nodes: 0,
            aliases: 0,
            repeated: None,
        }
    }

    /// Reads `source`, which has the same number of characters as the text that spans point into.
    fn run(mut self, source: &str) -> Result<Parsed, YamlError> {
        let mut parser = Parser::new_from_str(source);
        let mut root = None;
        let mut documents = 0;
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| self.syntax_error(&error))?;
            let span = Span::new(self.offsets.byte(span.start.index()), self.offsets.byte(span.end.index()));
            let finished = match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(self.error(span.start, ErrorKind::Syntax, "more than one document"));
                    }
                    continue;
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let node = Node {
                        span,
                        kind: Kind::Scalar {
                            text: text.into_owned(),
                            plain: style == ScalarStyle::Plain,
                            tag: tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)),
                        },
                    };
                    self.remember(anchor, &node);
                    node
                }
                Event::Alias(anchor) => self.follow(anchor, span)?,
                Event::SequenceStart(anchor, _) => {
                    self.open(Open::Sequence { start: span.start, anchor, items: Vec::new() }, span.start)?;
                    continue;
                }
                Event::MappingStart(anchor, _) => {
                    let open = Open::Mapping { start: span.start, anchor, pairs: Vec::new(), key: None };
                    self.open(open, span.start)?;
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match self.close(span.end) {
                    Some(node) => node,
                    None => continue,
                },
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            };
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return Err(self.error(span.start, ErrorKind::TooComplex, "too many values"));
            }
            if let Some(node) = self.attach(finished)? {
                root = Some(node);
            }
        }
        Ok((root, self.repeated))
    }

    fn open(&mut self, open: Open, at: usize) -> Result<(), YamlError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.error(at, ErrorKind::TooComplex, "nested too deeply"));
        }
        self.stack.push(open);
        Ok(())
    }

    fn close(&mut self, end: usize) -> Option<Node> {
        let (start, anchor, kind) = match self.stack.pop()? {
            Open::Sequence { start, anchor, items } => (start, anchor, Kind::Sequence(items)),
            Open::Mapping { start, anchor, pairs, .. } => (start, anchor, Kind::Mapping(pairs)),
        };
        let node = Node { span: Span::new(start, end.max(start)), kind };
        self.remember(anchor, &node);
        Some(node)
    }

    /// Puts a finished node into the collection it belongs to; returns it when there is none.
    fn attach(&mut self, node: Node) -> Result<Option<Node>, YamlError> {
        match self.stack.last_mut() {
            None => return Ok(Some(node)),
            Some(Open::Sequence { items, .. }) => items.push(node),
            Some(Open::Mapping { pairs, key, .. }) => {
                if let Some(finished_key) = key.take() {
                    pairs.push((finished_key, node));
                } else if pairs.len() == MAX_KEYS {
                    return Err(self.error(node.span.start, ErrorKind::TooComplex, "too many keys"));
                } else if has_collection_as_key(&node) {
                    let at = node.span.start;
                    return Err(self.error(at, ErrorKind::TooComplex, "collections as keys of a key"));
                } else if let Some(earlier) = pairs.iter().position(|(other, _)| same_key(other, &node)) {
                    let Some(repeated) = &mut self.repeated else {
                        let at = node.span.start;
                        return Err(self.error(at, ErrorKind::DuplicateKey, "map keys must be unique"));
                    };
                    repeated.push(node.span);
                    pairs.remove(earlier);
                    *key = Some(node);
                } else {
                    *key = Some(node);
                }
            }
        }
        Ok(None)
    }

    fn remember(&mut self, anchor: usize, node: &Node) {
        if anchor != 0 {
            // The copy that is kept takes its room, whether it is ever used or not.
            self.nodes += count(node);
            self.anchors.insert(anchor, node.clone());
        }
    }

    fn follow(&mut self, anchor: usize, span: Span) -> Result<Node, YamlError> {
        self.aliases += 1;
        let Some(node) = self.anchors.get(&anchor) else {
            // An alias inside its own anchor would never end; it reads as null.
            return Ok(Node { span, kind: Kind::Scalar { text: String::new(), plain: true, tag: None } });
        };
        if self.stack.len() + depth(node) > MAX_DEPTH {
            return Err(self.error(span.start, ErrorKind::TooComplex, "nested too deeply"));
        }
        let size = count(node);
        if self.aliases > MAX_ALIASES || self.nodes + size > MAX_NODES {
            return Err(self.error(span.start, ErrorKind::TooComplex, "aliases expand beyond the budget"));
        }
        let node = Node { span, kind: node.kind.clone() };
        self.nodes += size;
        Ok(node)
    }

    fn syntax_error(&self, error: &ScanError) -> YamlError {
        let offset = self.offsets.byte(error.marker().index());
        let info = error.info();
        let kind = if info.contains("mapping values are not allowed") {
            ErrorKind::NestedMapping
        } else if info.contains("recursion limit") {
            ErrorKind::TooComplex
        } else {
            ErrorKind::Syntax
        };
        self.error(offset, kind, error.info())
    }

    fn error(&self, offset: usize, kind: ErrorKind, message: &str) -> YamlError {
        let offset = offset.min(self.text.len());
        YamlError { offset, kind, message: message.to_owned() }
    }
}

fn same_key(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Scalar { text: one, .. }, Kind::Scalar { text: other, .. }) => one == other,
        _ => false,
    }
}

/// A collection as a key becomes text in quotes, and one inside it text with quoted quotes: every further level
/// would double its length.
fn has_collection_as_key(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar { .. } => false,
        Kind::Sequence(items) => items.iter().any(has_collection_as_key),
        Kind::Mapping(pairs) => pairs
            .iter()
            .any(|(key, value)| !matches!(key.kind, Kind::Scalar { .. }) || has_collection_as_key(value)),
    }
}

fn count(node: &Node) -> usize {
    1 + match &node.kind {
        Kind::Scalar { .. } => 0,
        Kind::Sequence(items) => items.iter().map(count).sum(),
        Kind::Mapping(pairs) => pairs.iter().map(|(key, value)| count(key) + count(value)).sum(),
    }
}

/// How many collections lie in one another.
fn depth(node: &Node) -> usize {
    let deepest = match &node.kind {
        Kind::Scalar { .. } => return 0,
        Kind::Sequence(items) => items.iter().map(depth).max(),
        Kind::Mapping(pairs) => pairs.iter().map(|(key, value)| depth(key).max(depth(value))).max(),
    };
    1 + deepest.unwrap_or(0)
}

/// The event parser counts characters; we count bytes.
enum Offsets {
    Ascii(usize),
    Table(Vec<usize>),
}

impl Offsets {
    fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Ascii(text.len());
        }
        Self::Table(text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect())
    }

    fn byte(&self, index: usize) -> usize {
        match self {
            Self::Ascii(len) => index.min(*len),
            Self::Table(table) => table.get(index).or(table.last()).copied().unwrap_or(0),
        }
    }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
