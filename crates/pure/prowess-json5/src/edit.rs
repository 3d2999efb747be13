//! Changes as splices of text: only the bytes of the edited item move.
//!
//! Comments are never inside a splice, unless they lie inside the item that is replaced or removed.

use std::ops::Range;

use serde_json::Value;

use crate::cursor::{Cursor, is_line_break, is_space};
use crate::style::{self, Style};
use crate::tree::{Container, Node};

/// Text to put in the place of a range.
#[derive(Debug)]
pub(crate) struct Splice {
    range: Range<usize>,
    with: String,
}

impl Splice {
    fn insert(at: usize, with: String) -> Self {
        Self { range: at..at, with }
    }

    fn cut(range: Range<usize>) -> Self {
        Self { range, with: String::new() }
    }
}

/// The text with all splices done. They must not overlap and be in order.
pub(crate) fn apply(text: &str, splices: &[Splice]) -> String {
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        edited.push_str(&text[at..splice.range.start]);
        edited.push_str(&splice.with);
        at = splice.range.end;
    }
    edited.push_str(&text[at..]);
    edited
}

/// A container that is about to be changed.
pub(crate) struct Site<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: &'a Style,
    pub(crate) node: &'a Node,
    pub(crate) container: &'a Container,
    /// True if a container around it is written on one line, so that it should stay so.
    pub(crate) inside_one_line: bool,
}

impl Site<'_> {
    /// Puts a value in the place of that of item `index`.
    pub(crate) fn replace(&self, index: usize, value: &Value) -> Vec<Splice> {
        let item = &self.container.items[index];
        let indent = self.is_multi_line().then(|| style::line_indent(self.text, item.span().start));
        vec![Splice { range: item.value.span.clone(), with: self.style.value(value, indent) }]
    }

    /// Adds an item before the one at `index`, or at the end.
    pub(crate) fn insert(&self, index: usize, key: Option<&str>, value: &Value) -> Vec<Splice> {
        let indent = self.is_multi_line().then(|| self.item_indent());
        let mut item = key.map(|key| format!("{}: ", self.style.key(key))).unwrap_or_default();
        item.push_str(&self.style.value(value, indent.as_deref()));
        match index.checked_sub(1) {
            _ if self.container.items.is_empty() => self.insert_only(item, indent.as_deref()),
            None => self.insert_first(&item, indent.as_deref()),
            Some(previous) => self.insert_after(previous, &item, indent.as_deref()),
        }
    }

    fn insert_only(&self, item: String, indent: Option<&str>) -> Vec<Splice> {
        let inner = self.node.span.start + 1..self.node.span.end - 1;
        let Some(last_comment) = comments(self.text, inner.clone()).pop() else {
            let close_indent = indent.map(|_| style::line_indent(self.text, self.node.span.start));
            let whole = self.style.brackets(self.container.shape, vec![item], close_indent);
            return vec![Splice { range: inner, with: whole[1..whole.len() - 1].into() }];
        };
        // There are comments, which stay above the item.
        let comma = if self.style.trailing_commas { "," } else { "" };
        let with = format!("{}{}{item}{comma}", self.style.newline, self.item_indent());
        if self.text[last_comment.end..inner.end].contains(is_line_break) {
            return vec![Splice::insert(last_comment.end, with)];
        }
        let close_indent = style::line_indent(self.text, self.node.span.start);
        vec![Splice {
            range: last_comment.end..inner.end,
            with: format!("{with}{}{close_indent}", self.style.newline),
        }]
    }

    fn insert_first(&self, item: &str, indent: Option<&str>) -> Vec<Splice> {
        let start = self.node.span.start + 1;
        vec![match indent {
            Some(indent) => Splice::insert(
                self.end_of_line_comments(start),
                format!("{}{indent}{item},", self.style.newline),
            ),
            None if self.text[start..].starts_with(is_space) => Splice::insert(start, format!(" {item},")),
            None => Splice::insert(start, format!("{item}, ")),
        }]
    }

    fn insert_after(&self, index: usize, item: &str, indent: Option<&str>) -> Vec<Splice> {
        let previous = &self.container.items[index];
        let end = previous.value.span.end;
        let lead = match indent {
            Some(indent) => format!("{}{indent}", self.style.newline),
            None => " ".into(),
        };
        match previous.comma {
            Some(comma) => {
                let at = match indent {
                    Some(_) => self.end_of_line_comments(comma + 1),
                    None => comma + 1,
                };
                vec![Splice::insert(at, format!("{lead}{item},"))]
            }
            None => vec![
                Splice::insert(end, ",".into()),
                Splice::insert(self.end_of_line_comments(end), format!("{lead}{item}")),
            ],
        }
    }

    /// Takes out item `index` and its comma. A line that is empty afterwards goes too.
    pub(crate) fn remove(&self, index: usize) -> Vec<Splice> {
        let inner = self.node.span.start + 1..self.node.span.end - 1;
        let item = &self.container.items[index];
        let span = item.span();
        if self.container.items.len() == 1
            && comments(self.text, inner.start..span.start).is_empty()
            && comments(self.text, span.end..inner.end).is_empty()
        {
            return vec![Splice::cut(inner)];
        }
        let is_last = index + 1 == self.container.items.len();
        match item.comma {
            Some(comma) if self.text[span.end..comma].chars().all(is_blank) => {
                vec![Splice::cut(self.with_blanks(span.start..comma + 1, is_last))]
            }
            Some(comma) => vec![Splice::cut(self.with_blanks(span, is_last)), Splice::cut(comma..comma + 1)],
            // It had no comma, so the item before it, which is the last one now, gets none either.
            None => {
                let before = index.checked_sub(1).and_then(|index| self.container.items[index].comma);
                let before = before.map(|comma| Splice::cut(comma..comma + 1));
                let own = Splice::cut(self.with_blanks(span, is_last));
                before.into_iter().chain([own]).collect()
            }
        }
    }

    /// A range to cut, with the white space that would be left over.
    fn with_blanks(&self, range: Range<usize>, is_last: bool) -> Range<usize> {
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let start = before.trim_end_matches(is_blank).len();
        let end = range.end + after.len() - after.trim_start_matches(is_blank).len();
        let starts_line = start == 0 || before[..start].ends_with(is_line_break);
        let rest = &self.text[end..];
        let line_break = match rest.chars().next() {
            _ if rest.starts_with("\r\n") => Some(2),
            Some(next) if is_line_break(next) => Some(next.len_utf8()),
            Some(_) => None,
            None => Some(0),
        };
        match line_break {
            Some(length) if starts_line => start..end + length,
            Some(_) => start..end,
            None if is_last && !starts_line => start..range.end,
            None => range.start..end,
        }
    }

    fn is_multi_line(&self) -> bool {
        style::is_multi_line(self.text, self.node, self.container)
            || (self.container.items.is_empty() && !self.inside_one_line)
    }

    fn item_indent(&self) -> String {
        style::first_on_its_line(self.text, self.container).map_or_else(
            || {
                let outer = style::line_indent(self.text, self.node.span.start);
                format!("{outer}{}", self.style.unit)
            },
            Into::into,
        )
    }

    /// Returns the end of the comments between `at` and the end of its line.
    fn end_of_line_comments(&self, at: usize) -> usize {
        let mut cursor = Cursor::starting_at(self.text, at);
        let mut end = at;
        loop {
            cursor.eat_while(|character| is_space(character) && !is_line_break(character));
            match cursor.comment() {
                Ok(Some(comment)) => end = comment.end,
                _ => return end,
            }
        }
    }
}

/// The comments in a range that holds nothing else but white space and commas.
pub(crate) fn comments(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut cursor = Cursor::starting_at(text, range.start);
    let mut found = Vec::new();
    while cursor.at() < range.end {
        cursor.eat_while(|character| is_space(character) || character == ',');
        match cursor.comment() {
            Ok(Some(comment)) if comment.end <= range.end => found.push(comment),
            _ => break,
        }
    }
    found
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}
