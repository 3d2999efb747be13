//! Parsing with a budget: a tree, or the reason to give up.
//!
//! The parsers keep their state on the heap, so that nesting costs memory in proportion to the text and no stack. The
//! number of their steps is counted and not timed: the same text always has the same answer.

use std::ops::ControlFlow;

use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

/// Bytes of one piece of code that are parsed.
pub(crate) const MAX_CODE: usize = 128 * 1024;
/// Reports of progress that a parser may make: a fixed part, and one per this many bytes.
const LEAST_REPORTS: usize = 100;
const BYTES_PER_REPORT: usize = 64;
/// Reports behind an error, where each step may look at everything before it.
const LEAST_ERROR_REPORTS: usize = 40;
const BYTES_PER_ERROR_REPORT: usize = 400;

/// Parses a text. None if it is too large or costs too many steps.
pub(crate) fn parse(language: &Language, text: &str) -> Option<Tree> {
    if text.len() > MAX_CODE {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut left = LEAST_REPORTS + text.len() / BYTES_PER_REPORT;
    let mut errors = LEAST_ERROR_REPORTS + text.len() / BYTES_PER_ERROR_REPORT;
    let mut count = |state: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        errors = errors.saturating_sub(usize::from(state.has_error()));
        if left == 0 || errors == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let masked = masked(text);
    let bytes = masked.as_bytes();
    parser.parse_with_options(
        &mut |from, _| bytes.get(from..).unwrap_or_default(),
        None,
        Some(ParseOptions::new().progress_callback(&mut count)),
    )
}

/// A text of the same length in ASCII. Scanners of grammars look characters up in tables of the C library, which end at
/// 255; and a line that ends with a separator of Unicode ends here, too. What is read is cut from the text itself.
fn masked(text: &str) -> std::borrow::Cow<'_, str> {
    if text.is_ascii() {
        return std::borrow::Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            _ if char.is_ascii() => masked.push(char),
            '\u{2028}' | '\u{2029}' => masked += "\n  ",
            _ => (0..char.len_utf8()).for_each(|_| masked.push('_')),
        }
    }
    std::borrow::Cow::Owned(masked)
}

/// The text of a node.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The children of a node with their field names.
pub(crate) fn children(node: Node<'_>) -> Vec<(Option<&str>, Node<'_>)> {
    let mut cursor = node.walk();
    let mut all = Vec::new();
    if cursor.goto_first_child() {
        loop {
            all.push((cursor.field_name(), cursor.node()));
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    all
}

/// The named children of a node.
pub(crate) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    children(node).into_iter().map(|(_, child)| child).filter(Node::is_named).collect()
}

/// Every node below a node and itself with the kind of its parent, in the order of the text, without recursion.
pub(crate) fn descendants(root: Node<'_>) -> impl Iterator<Item = (Node<'_>, &str)> {
    let mut cursor = root.walk();
    let mut parents = vec![""];
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let node = cursor.node();
        let parent = parents.last().copied().unwrap_or_default();
        if cursor.goto_first_child() {
            parents.push(node.kind());
        } else {
            while !cursor.goto_next_sibling() {
                parents.pop();
                if !cursor.goto_parent() {
                    is_over = true;
                    break;
                }
            }
        }
        Some((node, parent))
    })
}

/// The field of a node.
pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}
