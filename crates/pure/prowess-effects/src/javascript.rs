//! JavaScript and TypeScript: calls with the modules they come from.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::calls::{ScriptCall, ScriptEffects, ScriptValue, is_dangerous};
use crate::shell::CallWord;
use crate::tree::{children, descendants, field, named, parse, text_of};

/// Parts of a name or a text that are followed.
const MAX_PARTS: usize = 24;

/// Adds the effects of JavaScript code.
pub(crate) fn read(text: &str, effects: &mut ScriptEffects) {
    let Some(tree) = parse(&tree_sitter_typescript::LANGUAGE_TSX.into(), text) else {
        return effects.tags.unreadable();
    };
    let mut root = tree.root_node();
    // The grammar for pages takes `<T>value` for an element; the other takes it for a cast.
    let other;
    if root.has_error()
        && let Some(tree) = parse(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), text)
        && !tree.root_node().has_error()
    {
        other = tree;
        root = other.root_node();
    }
    if root.has_error() {
        effects.tags.unreadable();
    }
    let mut script = JavaScript { text, names: HashMap::new(), values: HashMap::new() };
    script.collect(root);
    for (node, parent) in descendants(root) {
        match node.kind() {
            "call_expression" => script.call(node, "function", effects),
            "new_expression" => script.call(node, "constructor", effects),
            "member_expression" => {
                script.environment(node, effects);
                if !matches!(parent, "call_expression" | "member_expression" | "new_expression") {
                    script.reference(node, effects);
                }
            }
            "identifier"
                if matches!(
                    parent,
                    "arguments" | "variable_declarator" | "assignment_expression" | "pair"
                ) =>
            {
                script.reference(node, effects);
            }
            "subscript_expression" => script.environment(node, effects),
            _ => {}
        }
    }
}

struct JavaScript<'t> {
    text: &'t str,
    names: HashMap<String, String>,
    values: HashMap<String, Option<String>>,
}

/// The name of a module as the tables have it.
fn module_name(source: &str) -> String {
    let name = source.trim_matches(['"', '\'', '`']).trim_start_matches("node:");
    match name.trim_end_matches("/promises") {
        "fs-extra" | "graceful-fs" => "fs".to_owned(),
        other => other.to_owned(),
    }
}

impl JavaScript<'_> {
    fn collect(&mut self, root: Node<'_>) {
        for (node, _) in descendants(root) {
            match node.kind() {
                "import_statement" => {
                    let Some(source) = field(node, "source") else { continue };
                    let module = module_name(text_of(source, self.text));
                    for (part, parent) in descendants(node) {
                        self.import(part, parent, &module);
                    }
                }
                "variable_declarator" => self.declare(node),
                "assignment_expression" | "augmented_assignment_expression" => {
                    if let Some(left) = field(node, "left").filter(|left| left.kind() == "identifier") {
                        self.values.insert(text_of(left, self.text).to_owned(), None);
                    }
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, part: Node<'_>, parent: &str, module: &str) {
        let own = text_of(part, self.text);
        match (part.kind(), parent) {
            ("import_specifier", _) => {
                let name = field(part, "name").map(|name| text_of(name, self.text)).unwrap_or_default();
                let alias = field(part, "alias").map_or(name, |alias| text_of(alias, self.text));
                self.names.insert(alias.to_owned(), format!("{module}.{name}"));
            }
            ("identifier", "import_clause" | "namespace_import") => {
                self.names.insert(own.to_owned(), module.to_owned());
            }
            _ => {}
        }
    }

    fn declare(&mut self, node: Node<'_>) {
        let (Some(name), Some(value)) = (field(node, "name"), field(node, "value")) else { return };
        let value = if value.kind() == "await_expression" {
            named(value).first().copied().unwrap_or(value)
        } else {
            value
        };
        let is_module = value.kind() == "call_expression"
            && field(value, "function")
                .is_some_and(|function| matches!(text_of(function, self.text), "require" | "import"));
        let full = if is_module {
            let argument = field(value, "arguments").and_then(|all| named(all).first().copied());
            argument.map(|argument| module_name(text_of(argument, self.text)))
        } else if matches!(value.kind(), "member_expression" | "identifier")
            || is_promisified(value, self.text)
        {
            let inner = if value.kind() == "call_expression" {
                field(value, "arguments").and_then(|all| named(all).first().copied()).unwrap_or(value)
            } else {
                value
            };
            Some(self.name(inner)).filter(|name| {
                is_dangerous(name) || matches!(name.as_str(), "fs" | "fs.promises" | "child_process")
            })
        } else {
            None
        };
        match (name.kind(), full) {
            ("identifier", Some(full)) => {
                self.names.insert(
                    text_of(name, self.text).to_owned(),
                    full.trim_end_matches(".promises").to_owned(),
                );
            }
            ("object_pattern", Some(full)) => {
                for part in named(name) {
                    let (key, own) = match part.kind() {
                        "pair_pattern" => (field(part, "key"), field(part, "value")),
                        _ => (Some(part), Some(part)),
                    };
                    if let (Some(key), Some(own)) = (key, own) {
                        let full = format!("{full}.{}", text_of(key, self.text));
                        self.names.insert(text_of(own, self.text).to_owned(), full);
                    }
                }
            }
            ("identifier", None) => {
                let name = text_of(name, self.text).to_owned();
                let is_again = self.values.contains_key(&name);
                let text = match self.value(value, 0) {
                    ScriptValue::Text(word) if word.is_constant => Some(word.text),
                    _ => None,
                };
                self.values.insert(name, text.filter(|_| !is_again));
            }
            _ => {}
        }
    }

    fn name(&self, node: Node<'_>) -> String {
        let mut parts = Vec::new();
        let mut node = node;
        for _ in 0..MAX_PARTS {
            match node.kind() {
                "member_expression" => {
                    parts.push(
                        field(node, "property")
                            .map(|name| text_of(name, self.text))
                            .unwrap_or_default()
                            .to_owned(),
                    );
                    let Some(object) = field(node, "object") else { break };
                    node = object;
                }
                "identifier" => {
                    let own = text_of(node, self.text);
                    parts.push(self.names.get(own).cloned().unwrap_or_else(|| own.to_owned()));
                    break;
                }
                "call_expression" if is_require(node, self.text) => {
                    let argument = field(node, "arguments").and_then(|all| named(all).first().copied());
                    parts.push(
                        argument
                            .map(|argument| module_name(text_of(argument, self.text)))
                            .unwrap_or_default(),
                    );
                    break;
                }
                "parenthesized_expression" | "await_expression" | "non_null_expression" | "as_expression" => {
                    let Some(inner) = named(node).first().copied() else { break };
                    node = inner;
                }
                "this" => {
                    parts.push("this".to_owned());
                    break;
                }
                _ => {
                    parts.push("?".to_owned());
                    break;
                }
            }
        }
        parts.reverse();
        parts.join(".").replace("fs.promises.", "fs.")
    }

    fn value(&self, node: Node<'_>, depth: usize) -> ScriptValue {
        if depth > MAX_PARTS {
            return ScriptValue::Other;
        }
        match node.kind() {
            "string" | "template_string" => {
                let mut word = CallWord::constant("");
                for part in named(node) {
                    match part.kind() {
                        "string_fragment" => word.text += text_of(part, self.text),
                        "escape_sequence" => {
                            word.text += match text_of(part, self.text) {
                                "\\n" => "\n",
                                "\\t" => "\t",
                                other => other.trim_start_matches('\\'),
                            };
                        }
                        _ => {
                            let inner = named(part)
                                .first()
                                .map(|inner| text_of(*inner, self.text))
                                .unwrap_or_default();
                            if let Some(value) = self.values.get(inner).and_then(Option::as_ref) {
                                word.text += value;
                            } else {
                                word.text += text_of(part, self.text);
                                word.is_constant = false;
                            }
                        }
                    }
                }
                ScriptValue::Text(word)
            }
            "binary_expression" => {
                let mut whole = CallWord::constant("");
                for part in named(node) {
                    match self.value(part, depth + 1) {
                        ScriptValue::Text(word) => {
                            whole.text += &word.text;
                            whole.is_constant &= word.is_constant;
                        }
                        _ => whole.is_constant = false,
                    }
                }
                if whole.text.is_empty() { ScriptValue::Other } else { ScriptValue::Text(whole) }
            }
            "identifier" => match self.values.get(text_of(node, self.text)) {
                Some(Some(value)) => ScriptValue::Text(CallWord::constant(value)),
                _ => ScriptValue::Other,
            },
            "array" => {
                let items = named(node).into_iter().map(|item| match self.value(item, depth + 1) {
                    ScriptValue::Text(word) => word,
                    _ => CallWord::dynamic(text_of(item, self.text)),
                });
                ScriptValue::List(items.collect())
            }
            _ => ScriptValue::Other,
        }
    }

    fn call(&self, node: Node<'_>, function: &str, effects: &mut ScriptEffects) {
        let Some(function) = field(node, function) else { return };
        if function.kind() == "subscript_expression" {
            effects.tags.unreadable();
            return;
        }
        let mut call = ScriptCall { name: self.name(function), arguments: Vec::new(), named: Vec::new() };
        let Some(list) = field(node, "arguments") else { return };
        let arguments = if list.kind() == "arguments" { named(list) } else { vec![list] };
        for argument in arguments {
            if argument.kind() == "object" {
                for (_, pair) in children(argument) {
                    if let (Some(key), Some(value)) = (field(pair, "key"), field(pair, "value")) {
                        let key = text_of(key, self.text).trim_matches(['"', '\'']).to_owned();
                        call.named.push((key, self.value(value, 0)));
                    } else if pair.kind() == "shorthand_property_identifier" {
                        call.named.push((text_of(pair, self.text).to_owned(), ScriptValue::Other));
                    } else if pair.kind() == "spread_element" {
                        call.named.push(("method".to_owned(), ScriptValue::Other));
                    }
                }
                call.arguments.push(ScriptValue::Other);
            } else if argument.kind() != "comment" {
                call.arguments.push(self.value(argument, 0));
            }
        }
        let is_loading = matches!(function.kind(), "import") || matches!(call.name.as_str(), "require");
        if is_loading && !matches!(call.arguments.first(), Some(ScriptValue::Text(word)) if word.is_constant)
        {
            effects.tags.unreadable();
        }
        if call.name == "Deno.env.get"
            && let Some(ScriptValue::Text(name)) = call.arguments.first()
        {
            effects.tags.variable(&name.text);
        }
        call.judge(effects);
    }

    fn reference(&self, node: Node<'_>, effects: &mut ScriptEffects) {
        let name = self.name(node);
        if is_dangerous(&name) {
            ScriptCall { name, arguments: Vec::new(), named: Vec::new() }.judge(effects);
        }
    }

    /// `process.env.NAME`, `process.env["NAME"]`.
    fn environment(&self, node: Node<'_>, effects: &mut ScriptEffects) {
        let Some(object) = field(node, "object") else { return };
        let object = text_of(object, self.text);
        if !matches!(object, "process.env" | "Bun.env" | "import.meta.env") {
            return;
        }
        let key = field(node, "property").or_else(|| field(node, "index"));
        let name = key.map(|key| text_of(key, self.text).trim_matches(['"', '\'', '`'])).unwrap_or_default();
        if crate::shell::is_environment_name(name) {
            effects.tags.variable(name);
        }
    }
}

fn is_require(node: Node<'_>, text: &str) -> bool {
    field(node, "function").is_some_and(|function| text_of(function, text) == "require")
}

fn is_promisified(node: Node<'_>, text: &str) -> bool {
    node.kind() == "call_expression"
        && field(node, "function")
            .is_some_and(|function| matches!(text_of(function, text), "promisify" | "util.promisify"))
}
