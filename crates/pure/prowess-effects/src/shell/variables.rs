//! Variables of a script: which are constant, and which come from the environment.

use std::collections::{BTreeSet, HashMap};

use tree_sitter::Node;

use super::fold::fold;
use crate::tree::{descendants, field, named, text_of};

/// Variables that every shell has, and that tell nothing about an account.
const OWN_NAMES: &[&str] = &[
    "BASH",
    "BASHPID",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_VERSION",
    "COLUMNS",
    "COMP_WORDS",
    "EUID",
    "FUNCNAME",
    "HOME",
    "HOSTNAME",
    "IFS",
    "LANG",
    "LINENO",
    "LINES",
    "LOGNAME",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PATH",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SHELL",
    "SHLVL",
    "TERM",
    "TMPDIR",
    "UID",
    "USER",
];
/// Characters of all constants; values that refer to each other do not grow without end.
const MAX_VALUES: usize = 64 * 1024;

/// The variables of one script.
#[derive(Debug, Default)]
pub(super) struct ShellVariables {
    assigned: HashMap<String, usize>,
    constants: HashMap<String, String>,
    size: usize,
}

impl ShellVariables {
    /// Collects the variables of a tree.
    pub(super) fn of(root: Node<'_>, text: &str) -> Self {
        let mut all = Self::default();
        for (node, parent) in descendants(root) {
            all.count(node, parent, text);
        }
        for (node, _) in descendants(root).filter(|(node, _)| node.kind() == "variable_assignment") {
            all.keep_constant(node, text);
        }
        all
    }

    /// The value of a variable that is set once, to a constant.
    pub(super) fn constant(&self, name: &str) -> Option<&str> {
        self.constants.get(name).map(String::as_str)
    }

    /// The names that are read and never set.
    pub(super) fn read_from_environment(&self, root: Node<'_>, text: &str) -> BTreeSet<String> {
        let names = descendants(root)
            .filter(|(node, parent)| {
                node.kind() == "variable_name" && matches!(*parent, "simple_expansion" | "expansion")
            })
            .map(|(node, _)| text_of(node, text))
            .filter(|name| is_environment_name(name) && !self.assigned.contains_key(*name));
        names.map(str::to_owned).collect()
    }

    fn count(&mut self, node: Node<'_>, parent: &str, text: &str) {
        match node.kind() {
            "variable_assignment" => {
                let name = field(node, "name").map(|name| text_of(name, text)).unwrap_or_default();
                let is_prefix = parent == "command";
                let is_more =
                    text_of(node, text).get(name.len()..).is_some_and(|rest| rest.starts_with("+="));
                // Only for one command, or more than what was there: not a constant of the script.
                self.set(name, if is_prefix || is_more { 2 } else { 1 });
            }
            "for_statement" => {
                let name = field(node, "variable").map(|name| text_of(name, text)).unwrap_or_default();
                self.set(name, 2);
            }
            "declaration_command" | "unset_command" => {
                for name in named(node).into_iter().filter(|child| child.kind() == "variable_name") {
                    if node.kind() == "unset_command" || !text_of(node, text).starts_with("export") {
                        self.set(text_of(name, text), 2);
                    }
                }
            }
            "command" => {
                let name = field(node, "name").map(|name| text_of(name, text)).unwrap_or_default();
                if matches!(name, "read" | "mapfile" | "readarray" | "getopts" | "printf" | "let") {
                    for child in named(node) {
                        self.set(text_of(child, text).trim_matches(['"', '\'']), 2);
                    }
                }
            }
            _ => {}
        }
    }

    fn set(&mut self, name: &str, times: usize) {
        if !name.is_empty() {
            *self.assigned.entry(name.to_owned()).or_default() += times;
        }
    }

    fn keep_constant(&mut self, node: Node<'_>, text: &str) {
        let Some(name) = field(node, "name").map(|name| text_of(name, text)) else { return };
        let value = match field(node, "value") {
            Some(value) => fold(value, text, self),
            None => super::CallWord::constant(""),
        };
        let is_constant = self.assigned.get(name) == Some(&1) && value.is_constant;
        if is_constant && self.size + value.text.len() <= MAX_VALUES {
            self.size += value.text.len();
            self.constants.insert(name.to_owned(), value.text);
        }
    }
}

/// Returns true for a name that is long enough, in capitals, and no variable of the shell itself.
pub(crate) fn is_environment_name(name: &str) -> bool {
    name.len() > 2
        && !name.starts_with(|char: char| char.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && !OWN_NAMES.contains(&name)
}
