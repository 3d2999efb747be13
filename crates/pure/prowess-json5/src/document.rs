//! A text with its syntax tree, and the edits that keep the rest of it as it is.

mod write;

use std::ops::Range;

use serde_json::{Map, Value};

use crate::limits::MAX_DEPTH;
use crate::parse;
use crate::tree::{Node, Shape};
use crate::{Json5EditError, Json5ParseError, Position};

/// A JSON5 text that was read. Text and tree always agree.
#[derive(Clone, Debug)]
pub struct Json5Document {
    text: String,
    /// `None` when the text holds no value at all, which counts as an empty object.
    root: Option<Node>,
}

impl Json5Document {
    /// Reads a text, which must hold a value.
    pub fn parse(text: &str) -> Result<Self, Json5ParseError> {
        Ok(Self { root: Some(parse::root(text)?), text: text.into() })
    }

    /// Reads a text; one that holds nothing but white space and comments counts as an empty object.
    ///
    /// ```
    /// let mut document = prowess_json5::Json5Document::parse_or_empty("// mine\n")?;
    /// document.set(&["a"], &serde_json::json!(1))?;
    /// assert_eq!(document.text(), "// mine\n{\n  \"a\": 1\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_or_empty(text: &str) -> Result<Self, Json5ParseError> {
        Ok(Self { root: parse::root_or_nothing(text)?, text: text.into() })
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as it is now.
    pub fn into_text(self) -> String {
        self.text
    }

    /// What the text says. See [`to_value`](crate::to_value) for what becomes of what JSON cannot say.
    pub fn value(&self) -> Value {
        self.root.as_ref().map_or_else(|| Value::Object(Map::new()), Node::value)
    }

    /// Returns the span of the value at a path. Elements of lists are counted from `0`.
    pub fn span_of(&self, path: &[&str]) -> Option<Range<usize>> {
        Some(self.root.as_ref()?.find(path)?.span.clone())
    }

    /// Returns the span of the name of the member at a path; elements of lists have none.
    pub fn key_span_of(&self, path: &[&str]) -> Option<Range<usize>> {
        Some(self.root.as_ref()?.item(path)?.key.as_ref()?.span.clone())
    }

    /// The line and column of a byte.
    pub fn position_of(&self, offset: usize) -> Position {
        Position::of(&self.text, offset)
    }

    /// Makes the value at a path equal to `value`, creating objects on the way.
    ///
    /// Only what differs is written: an object or a list that is already there is changed member by
    /// member, so the comments between its parts stay. An empty path means the whole document. A list
    /// may grow by the index one past its end. A null on the way counts as missing. On an error the
    /// document is unchanged.
    pub fn set(&mut self, path: &[&str], value: &Value) -> Result<(), Json5EditError> {
        let room = MAX_DEPTH.checked_sub(path.len());
        if !room.is_some_and(|room| fits(value, room)) {
            return Err(Json5EditError::TooDeep);
        }
        let mut edited = self.clone();
        edited.write(path, value)?;
        *self = edited;
        Ok(())
    }

    /// Removes the member or element at a path. Tells whether there was one.
    ///
    /// Comments around it stay: only their author knows whether they spoke of it.
    pub fn remove(&mut self, path: &[&str]) -> Result<bool, Json5EditError> {
        let Some((last, parents)) = path.split_last() else {
            return Err(Json5EditError::WholeDocument);
        };
        let mut edited = self.clone();
        let mut found = false;
        // Of equal keys the last one counts, so all of them have to go.
        while let Some(index) = edited.index_of(parents, last) {
            edited.splice(parents, |site| site.remove(index))?;
            found = true;
            if edited.shape_of(parents) == Some(Shape::List) {
                break;
            }
        }
        *self = edited;
        Ok(found)
    }
}

/// Returns true if a value has at most `depth` containers in one another. Stops looking as soon as it has not.
fn fits(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| fits(item, depth - 1)),
        Value::Object(map) => depth > 0 && map.values().all(|item| fits(item, depth - 1)),
        _ => true,
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
