//! Redirections and here-documents.

use tree_sitter::Node;

use super::fold::fold;
use super::variables::ShellVariables;
use super::{CallRedirection, CallWord, RedirectionKind};
use crate::tree::{children, descendants, text_of};

/// A redirection with the words behind its file.
#[derive(Debug, Default)]
pub(super) struct ReadRedirection {
    pub(super) redirection: Option<CallRedirection>,
    /// Words after the file, which belong to the command.
    pub(super) words: Vec<CallWord>,
}

/// Reads `> file`.
pub(super) fn file_redirection(node: Node<'_>, text: &str, variables: &ShellVariables) -> ReadRedirection {
    let mut kind = None;
    let mut is_duplicate = false;
    let mut words = Vec::new();
    for (field, child) in children(node) {
        match child.kind() {
            "<" => kind = Some(RedirectionKind::Read),
            "<&" | "<&-" | ">&-" => return ReadRedirection::default(),
            ">" | ">|" | "&>" => kind = Some(RedirectionKind::Write),
            ">>" | "&>>" => kind = Some(RedirectionKind::Append),
            ">&" => {
                kind = Some(RedirectionKind::Write);
                is_duplicate = true;
            }
            _ if field == Some("destination") => words.push(fold(child, text, variables)),
            // `<>` and other forms that the grammar does not know: taken for a write.
            "ERROR" => kind = Some(RedirectionKind::Write),
            _ => {}
        }
    }
    if words.is_empty() {
        return ReadRedirection::default();
    }
    let target = words.remove(0);
    let is_descriptor = is_duplicate && target.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let redirection = kind.filter(|_| !is_descriptor).map(|kind| CallRedirection { kind, target });
    ReadRedirection { redirection, words }
}

/// The text of a here-document, and whether the shell changes it.
pub(super) fn heredoc_text(node: Node<'_>, text: &str) -> Option<CallWord> {
    let body =
        children(node).into_iter().map(|(_, child)| child).find(|child| child.kind() == "heredoc_body")?;
    let start =
        children(node).into_iter().map(|(_, child)| child).find(|child| child.kind() == "heredoc_start");
    let is_quoted = start.is_some_and(|start| text_of(start, text).contains(['"', '\'', '\\']));
    let changes = !is_quoted
        && descendants(body).any(|(node, _)| {
            matches!(
                node.kind(),
                "simple_expansion" | "expansion" | "command_substitution" | "arithmetic_expansion"
            )
        });
    Some(CallWord { text: super::session::unmark(text_of(body, text)), is_constant: !changes })
}

/// The text of a here-string.
pub(super) fn herestring_text(node: Node<'_>, text: &str, variables: &ShellVariables) -> Option<CallWord> {
    let word = children(node).into_iter().map(|(_, child)| child).find(Node::is_named)?;
    let mut word = fold(word, text, variables);
    word.text.push('\n');
    Some(word)
}
