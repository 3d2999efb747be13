//! How a value gets into the text: member by member, element by element, splice by splice.
//!
//! Every step reads the text again, so the tree never speaks of bytes that have moved.

use serde_json::{Map, Value};

use super::Json5Document;
use crate::Json5EditError;
use crate::edit::{self, Site, Splice};
use crate::parse;
use crate::style::{self, Style};
use crate::tree::{self, Kind, Node, Shape};

impl Json5Document {
    pub(super) fn write(&mut self, path: &[&str], value: &Value) -> Result<(), Json5EditError> {
        let Some(root) = &self.root else {
            return self.write_root(path, value);
        };
        match root.find(path) {
            Some(node) if node.says(value) => Ok(()),
            Some(node) => match (node.container().map(|container| container.shape), value) {
                (Some(Shape::Object), Value::Object(map)) => self.write_object(path, map),
                (Some(Shape::List), Value::Array(items)) => self.write_list(path, items),
                _ => self.replace(path, value),
            },
            None => self.create(path, value),
        }
    }

    fn write_root(&mut self, path: &[&str], value: &Value) -> Result<(), Json5EditError> {
        let style = Style::of(&self.text, None);
        let mut text = self.text.clone();
        let is_blank = text.trim_matches('\u{feff}').trim().is_empty();
        if is_blank {
            text.truncate(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
        } else if !text.ends_with('\n') {
            text.push_str(style.newline);
        }
        text.push_str(&style.value(&nested(path, value), Some("")));
        text.push_str(style.newline);
        self.reread(text)
    }

    fn write_object(&mut self, path: &[&str], map: &Map<String, Value>) -> Result<(), Json5EditError> {
        let old = self.names(path);
        for (name, value) in map {
            self.write(&join(path, name), value)?;
        }
        for name in old.iter().filter(|name| !map.contains_key(*name)) {
            self.remove(&join(path, name))?;
        }
        Ok(())
    }

    /// Keeps what the old and the new list have in common at both ends, so that comments stay with the
    /// elements they belong to.
    fn write_list(&mut self, path: &[&str], new: &[Value]) -> Result<(), Json5EditError> {
        let Some(Value::Array(old)) = self.root.as_ref().and_then(|root| root.find(path)).map(Node::value)
        else {
            return Ok(());
        };
        let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
        let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
        let suffix = pairs.take_while(|(old, new)| old == new).count();
        let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
        let shared = old_end.min(new_end);
        for (index, value) in new.iter().enumerate().take(shared).skip(prefix) {
            self.write(&join(path, &index.to_string()), value)?;
        }
        for index in (shared..old_end).rev() {
            self.splice(path, |site| site.remove(index))?;
        }
        for (index, value) in new.iter().enumerate().take(new_end).skip(shared) {
            self.splice(path, |site| site.insert(index, None, value))?;
        }
        Ok(())
    }

    fn replace(&mut self, path: &[&str], value: &Value) -> Result<(), Json5EditError> {
        let Some((last, parents)) = path.split_last() else {
            let Some(span) = self.span_of(&[]) else {
                return Ok(());
            };
            let style = Style::of(&self.text, self.root.as_ref());
            let written = style.value(value, Some(""));
            let text = format!("{}{written}{}", &self.text[..span.start], &self.text[span.end..]);
            return self.reread(text);
        };
        match self.index_of(parents, last) {
            Some(index) => self.splice(parents, |site| site.replace(index, value)),
            None => Ok(()),
        }
    }

    /// Adds what is missing at the end of the deepest container that is there.
    fn create(&mut self, path: &[&str], value: &Value) -> Result<(), Json5EditError> {
        let Some(root) = &self.root else {
            return self.write_root(path, value);
        };
        let found = (0..path.len()).rev().find_map(|depth| Some((depth, root.find(&path[..depth])?)));
        let Some((depth, node)) = found else {
            return Ok(());
        };
        let (parents, rest) = path.split_at(depth);
        let Some((next, below)) = rest.split_first() else {
            return Ok(());
        };
        let missing = nested(below, value);
        match &node.kind {
            Kind::Container(container) => {
                let length = container.items.len();
                let key = match container.shape {
                    Shape::Object => Some(*next),
                    Shape::List if tree::index(next) == Some(length) => None,
                    Shape::List => {
                        return Err(Json5EditError::NoSuchElement {
                            path: parents.join("."),
                            segment: (*next).into(),
                            length,
                        });
                    }
                };
                self.splice(parents, |site| site.insert(length, key, &missing))
            }
            Kind::Null => self.replace(parents, &nested(&[next], &missing)),
            _ => Err(Json5EditError::NotAContainer { path: parents.join("."), found: node.describe() }),
        }
    }

    /// Changes the container at a path.
    pub(super) fn splice(
        &mut self,
        path: &[&str],
        change: impl FnOnce(&Site<'_>) -> Vec<Splice>,
    ) -> Result<(), Json5EditError> {
        let Some(root) = &self.root else {
            return Ok(());
        };
        let Some(node) = root.find(path) else {
            return Ok(());
        };
        let Some(container) = node.container() else {
            return Ok(());
        };
        let inside_one_line = (0..path.len()).any(|depth| {
            root.find(&path[..depth]).is_some_and(|outer| {
                outer.container().is_some_and(|container| !style::is_multi_line(&self.text, outer, container))
            })
        });
        let style = Style::of(&self.text, Some(root));
        let site = Site { text: &self.text, style: &style, node, container, inside_one_line };
        let text = edit::apply(&self.text, &change(&site));
        self.reread(text)
    }

    fn reread(&mut self, text: String) -> Result<(), Json5EditError> {
        self.root = parse::root_or_nothing(&text).map_err(Json5EditError::Broken)?;
        self.text = text;
        Ok(())
    }

    fn names(&self, path: &[&str]) -> Vec<String> {
        let container = self.root.as_ref().and_then(|root| root.find(path)?.container());
        let items = container.map_or(&[][..], |container| &container.items);
        items.iter().filter_map(|item| Some(item.key.as_ref()?.name.clone())).collect()
    }

    pub(super) fn index_of(&self, parents: &[&str], last: &str) -> Option<usize> {
        self.root.as_ref()?.find(parents)?.container()?.position_of(last)
    }

    pub(super) fn shape_of(&self, path: &[&str]) -> Option<Shape> {
        Some(self.root.as_ref()?.find(path)?.container()?.shape)
    }
}

fn join<'a>(path: &[&'a str], segment: &'a str) -> Vec<&'a str> {
    path.iter().copied().chain([segment]).collect()
}

/// `value` inside one object for each segment.
fn nested(path: &[&str], value: &Value) -> Value {
    path.iter()
        .rev()
        .fold(value.clone(), |inner, segment| Value::Object(Map::from_iter([((*segment).to_owned(), inner)])))
}
