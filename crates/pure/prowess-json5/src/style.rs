//! How a document is written, and values written the same way.

use serde_json::Value;

use crate::cursor::is_line_break;
use crate::tree::{Container, Kind, Node, Shape};

/// Lists of plain values up to this length stay on one line.
const LINE_WIDTH: usize = 80;

/// The habits of a document; where it has none, those of plain JSON.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) newline: &'static str,
    /// One level of indentation.
    pub(crate) unit: String,
    pub(crate) trailing_commas: bool,
    quote: char,
    bare_keys: bool,
    /// Whether `{ a: 1 }` rather than `{a: 1}`.
    padded: bool,
}

impl Style {
    pub(crate) fn of(text: &str, root: Option<&Node>) -> Self {
        let mut votes = Votes::default();
        if let Some(root) = root {
            root.walk(&mut |node| votes.count(text, node));
        }
        Self {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: votes.unit.unwrap_or_else(|| "  ".into()),
            trailing_commas: votes.trailing_commas > 0,
            quote: if votes.single_quotes > 0 { '\'' } else { '"' },
            bare_keys: votes.bare_keys > 0,
            padded: votes.padded >= 0,
        }
    }

    /// A name as this document writes names.
    pub(crate) fn key(&self, name: &str) -> String {
        if self.bare_keys && is_bare(name) { name.into() } else { self.text(name) }
    }

    /// A value; over several lines when `indent` is the indentation of the line it starts in.
    pub(crate) fn value(&self, value: &Value, indent: Option<&str>) -> String {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                let fits = indent
                    .filter(|_| items.iter().all(is_plain))
                    .is_some_and(|indent| self.list(items, None).len() + indent.len() <= LINE_WIDTH);
                self.list(items, indent.filter(|_| !fits))
            }
            Value::Object(map) => {
                let inner = self.deeper(indent);
                let members = map.iter().map(|(name, value)| {
                    format!("{}: {}", self.key(name), self.value(value, inner.as_deref()))
                });
                self.brackets(Shape::Object, members.collect(), indent)
            }
            plain => plain.to_string(),
        }
    }

    /// Items between brackets, on one line or one item a line.
    pub(crate) fn brackets(&self, shape: Shape, items: Vec<String>, indent: Option<&str>) -> String {
        let (open, close) = shape.brackets();
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let Some(indent) = indent else {
            let pad = if shape == Shape::Object && self.padded { " " } else { "" };
            return format!("{open}{pad}{}{pad}{close}", items.join(", "));
        };
        let line = format!("{}{indent}{}", self.newline, self.unit);
        let comma = if self.trailing_commas { "," } else { "" };
        let body = items.join(&format!(",{line}"));
        format!("{open}{line}{body}{comma}{}{indent}{close}", self.newline)
    }

    fn list(&self, items: &[Value], indent: Option<&str>) -> String {
        let inner = self.deeper(indent);
        let items = items.iter().map(|item| self.value(item, inner.as_deref())).collect();
        self.brackets(Shape::List, items, indent)
    }

    fn deeper(&self, indent: Option<&str>) -> Option<String> {
        indent.map(|indent| format!("{indent}{}", self.unit))
    }

    fn text(&self, text: &str) -> String {
        let mut quoted = String::with_capacity(text.len() + 2);
        quoted.push(self.quote);
        for character in text.chars() {
            match character {
                '\\' => quoted.push_str("\\\\"),
                '\n' => quoted.push_str("\\n"),
                '\r' => quoted.push_str("\\r"),
                '\t' => quoted.push_str("\\t"),
                other if other == self.quote => quoted.extend(['\\', other]),
                other if other.is_control() || is_line_break(other) => {
                    quoted.extend(format!("\\u{:04x}", u32::from(other)).chars());
                }
                other => quoted.push(other),
            }
        }
        quoted.push(self.quote);
        quoted
    }
}

/// What the document does more often than not: positive means yes.
#[derive(Default)]
struct Votes {
    unit: Option<String>,
    trailing_commas: isize,
    single_quotes: isize,
    bare_keys: isize,
    padded: isize,
}

impl Votes {
    fn count(&mut self, text: &str, node: &Node) {
        match &node.kind {
            Kind::Text(_) => self.quotes(&text[node.span.clone()]),
            Kind::Container(container) => self.container(text, node, container),
            _ => {}
        }
    }

    fn container(&mut self, text: &str, node: &Node, container: &Container) {
        for key in container.items.iter().filter_map(|item| item.key.as_ref()) {
            let written = &text[key.span.clone()];
            let is_bare = !written.starts_with(['"', '\'']);
            self.bare_keys += if is_bare { 1 } else { -1 };
            self.quotes(written);
        }
        let Some(last) = container.items.last() else {
            return;
        };
        if is_multi_line(text, node, container) {
            self.trailing_commas += if last.comma.is_some() { 1 } else { -1 };
            if self.unit.is_none()
                && let Some(first) = first_on_its_line(text, container)
            {
                let unit = first.strip_prefix(line_indent(text, node.span.start));
                self.unit = unit.filter(|unit| !unit.is_empty()).map(Into::into);
            }
        } else if container.shape == Shape::Object {
            let is_padded = text[node.span.start + 1..].starts_with(' ');
            self.padded += if is_padded { 1 } else { -1 };
        }
    }

    fn quotes(&mut self, written: &str) {
        self.single_quotes += match written.chars().next() {
            Some('\'') => 1,
            Some('"') => -1,
            _ => 0,
        };
    }
}

impl Shape {
    fn brackets(self) -> (char, char) {
        match self {
            Self::Object => ('{', '}'),
            Self::List => ('[', ']'),
        }
    }
}

/// Returns true if the items of a container are spread over lines; line breaks inside them do not count.
pub(crate) fn is_multi_line(text: &str, node: &Node, container: &Container) -> bool {
    let mut at = node.span.start + 1;
    for item in &container.items {
        let span = item.span();
        if text[at..span.start].contains(is_line_break) {
            return true;
        }
        at = span.end;
    }
    text[at..node.span.end].contains(is_line_break)
}

/// The indentation of the first item that starts its line.
pub(crate) fn first_on_its_line<'a>(text: &'a str, container: &Container) -> Option<&'a str> {
    container.items.iter().find_map(|item| {
        let start = item.span().start;
        let indent = line_indent(text, start);
        text[..start].ends_with(indent).then_some(indent).filter(|indent| {
            text[..start - indent.len()].is_empty() || text[..start - indent.len()].ends_with(is_line_break)
        })
    })
}

/// The white space at the start of the line that holds `offset`.
pub(crate) fn line_indent(text: &str, offset: usize) -> &str {
    let line_start = text[..offset]
        .rfind(is_line_break)
        .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let line = &text[line_start..offset];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn is_plain(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// Returns true if every reader of JSON5 takes `name` without quotes.
fn is_bare(name: &str) -> bool {
    let is_start = |character: char| character.is_ascii_alphabetic() || "$_".contains(character);
    name.starts_with(is_start)
        && name.chars().all(|character| is_start(character) || character.is_ascii_digit())
}
