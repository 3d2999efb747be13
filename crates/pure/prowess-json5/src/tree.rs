//! The syntax tree: values that know their bytes.

use std::ops::Range;

use serde_json::{Map, Number, Value};

/// A value and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    NonFinite,
    Text(String),
    Container(Container),
}

/// An object or a list. Both are items between brackets, so both are edited alike.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    pub(crate) shape: Shape,
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Object,
    List,
}

/// A member of an object or an element of a list.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The name; elements of a list have none.
    pub(crate) key: Option<Key>,
    pub(crate) value: Node,
    /// Where the comma after it is, if there is one.
    pub(crate) comma: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}

impl Item {
    pub(crate) fn span(&self) -> Range<usize> {
        let start = self.key.as_ref().map_or(self.value.span.start, |key| key.span.start);
        start..self.value.span.end
    }

    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.key.as_ref().is_some_and(|key| key.name == name)
    }
}

impl Container {
    /// Which item a path segment means. Of equal keys the last one counts.
    pub(crate) fn position_of(&self, segment: &str) -> Option<usize> {
        match self.shape {
            Shape::Object => self.items.iter().rposition(|item| item.is_called(segment)),
            Shape::List => index(segment).filter(|&index| index < self.items.len()),
        }
    }
}

/// A path segment as an index: digits only, so that `+1` and `01` are not elements.
pub(crate) fn index(segment: &str) -> Option<usize> {
    let is_canonical = segment == "0" || !segment.starts_with(['0', '+']);
    segment.parse().ok().filter(|_| is_canonical)
}

impl Node {
    pub(crate) fn container(&self) -> Option<&Container> {
        match &self.kind {
            Kind::Container(container) => Some(container),
            _ => None,
        }
    }

    /// The item that a path leads to.
    pub(crate) fn item(&self, path: &[&str]) -> Option<&Item> {
        let (last, parents) = path.split_last()?;
        let container = self.find(parents)?.container()?;
        container.items.get(container.position_of(last)?)
    }

    /// The value that a path leads to.
    pub(crate) fn find(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, segment| {
            let container = node.container()?;
            Some(&container.items.get(container.position_of(segment)?)?.value)
        })
    }

    pub(crate) fn value(&self) -> Value {
        match &self.kind {
            Kind::Null | Kind::NonFinite => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::Container(Container { shape: Shape::List, items }) => {
                Value::Array(items.iter().map(|item| item.value.value()).collect())
            }
            Kind::Container(Container { shape: Shape::Object, items }) => {
                let mut map = Map::with_capacity(items.len());
                for item in items {
                    if let Some(key) = &item.key {
                        map.insert(key.name.clone(), item.value.value());
                    }
                }
                Value::Object(map)
            }
        }
    }

    /// Calls `visit` with this node and every node below it, in the order of the text.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        for item in self.container().map_or(&[][..], |container| &container.items) {
            item.value.walk(visit);
        }
    }

    /// Returns true if it already says `value`, so that an edit may leave it alone.
    pub(crate) fn says(&self, value: &Value) -> bool {
        let mut is_exact = true;
        self.walk(&mut |node| is_exact &= !matches!(node.kind, Kind::NonFinite));
        is_exact && self.value() == *value
    }

    /// What it is, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) | Kind::NonFinite => "a number",
            Kind::Text(_) => "a string",
            Kind::Container(Container { shape: Shape::List, .. }) => "a list",
            Kind::Container(Container { shape: Shape::Object, .. }) => "an object",
        }
    }
}
