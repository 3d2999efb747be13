//! Python: calls with the modules they come from.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::calls::{ScriptCall, ScriptEffects, ScriptValue, is_dangerous};
use crate::shell::CallWord;
use crate::tree::{children, descendants, field, named, parse, text_of};

/// Parts of a name or a text that are followed.
const MAX_PARTS: usize = 24;

/// Adds the effects of Python code.
pub(crate) fn read(text: &str, effects: &mut ScriptEffects) {
    let text = without_prompts(text);
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), &text) else {
        return effects.tags.unreadable();
    };
    let root = tree.root_node();
    if root.has_error() {
        effects.tags.unreadable();
    }
    let mut python = Python { text: &text, names: HashMap::new(), values: HashMap::new() };
    python.collect(root);
    for (node, parent) in descendants(root) {
        match node.kind() {
            "call" => python.call(node, effects),
            "attribute" | "identifier"
                if !matches!(
                    parent,
                    "call"
                        | "attribute"
                        | "dotted_name"
                        | "aliased_import"
                        | "import_from_statement"
                        | "function_definition"
                        | "keyword_argument"
                        | "parameters"
                ) =>
            {
                python.reference(node, effects);
            }
            "subscript" => python.subscript(node, effects),
            _ => {}
        }
    }
}

/// Lines of a session at Python's prompt without the prompt.
fn without_prompts(text: &str) -> String {
    if !text.lines().any(|line| line.starts_with(">>> ")) {
        return text.to_owned();
    }
    let lines =
        text.lines().filter_map(|line| line.strip_prefix(">>> ").or_else(|| line.strip_prefix("... ")));
    lines.map(|line| line.to_owned() + "\n").collect()
}

struct Python<'t> {
    text: &'t str,
    /// Names of modules and functions by the names they have here.
    names: HashMap<String, String>,
    /// Constants that are set once; none for names that are set again.
    values: HashMap<String, Option<String>>,
}

impl Python<'_> {
    fn collect(&mut self, root: Node<'_>) {
        for (node, _) in descendants(root) {
            match node.kind() {
                "import_statement" => {
                    for import in named(node) {
                        let (name, alias) = self.import(import);
                        if let Some(alias) = alias {
                            self.names.insert(alias, name);
                        }
                    }
                }
                "import_from_statement" => {
                    let module = field(node, "module_name")
                        .map(|name| text_of(name, self.text))
                        .unwrap_or_default()
                        .to_owned();
                    for (kind, import) in children(node) {
                        if kind == Some("name") {
                            let (name, alias) = self.import(import);
                            let own = alias.unwrap_or_else(|| name.clone());
                            self.names.insert(own, format!("{module}.{name}"));
                        }
                    }
                }
                "assignment" => self.assign(node),
                _ => {}
            }
        }
    }

    fn import(&self, node: Node<'_>) -> (String, Option<String>) {
        let text = |node: Option<Node<'_>>| node.map(|node| text_of(node, self.text).to_owned());
        match node.kind() {
            "aliased_import" => (text(field(node, "name")).unwrap_or_default(), text(field(node, "alias"))),
            _ => (text_of(node, self.text).to_owned(), None),
        }
    }

    fn assign(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
        if left.kind() != "identifier" {
            return;
        }
        let name = text_of(left, self.text).to_owned();
        let value = match self.value(right, 0) {
            ScriptValue::Text(word) if word.is_constant => Some(word.text),
            _ => None,
        };
        let is_again = self.values.contains_key(&name);
        self.values.insert(name, value.filter(|_| !is_again));
    }

    /// The full name of an expression: `os.path.join`.
    fn name(&self, node: Node<'_>) -> String {
        let mut parts = Vec::new();
        let mut node = node;
        for _ in 0..MAX_PARTS {
            match node.kind() {
                "attribute" => {
                    parts.push(
                        field(node, "attribute")
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
                "call" => {
                    // The argument of a constructor is the file that a method works on: `Path("x").unlink()`.
                    let argument = field(node, "arguments").and_then(|all| named(all).first().copied());
                    let target = argument.map(|argument| self.value(argument, 0));
                    let target = match target {
                        Some(ScriptValue::Text(word)) => word.text,
                        _ => "unknown".to_owned(),
                    };
                    let function = field(node, "function")
                        .map(|function| text_of(function, self.text))
                        .unwrap_or_default();
                    let function: String =
                        function.chars().take(80).filter(|char| !char.is_whitespace()).collect();
                    parts.push(format!("{function}()\u{1}{}", target.replace('.', "\u{2}")));
                    break;
                }
                "parenthesized_expression" | "await" => {
                    let Some(inner) = named(node).first().copied() else { break };
                    node = inner;
                }
                _ => {
                    parts.push("?".to_owned());
                    break;
                }
            }
        }
        parts.reverse();
        parts.join(".")
    }

    fn value(&self, node: Node<'_>, depth: usize) -> ScriptValue {
        if depth > MAX_PARTS {
            return ScriptValue::Other;
        }
        match node.kind() {
            "string" => {
                let mut word = CallWord::constant("");
                for part in named(node) {
                    match part.kind() {
                        "string_content" => {
                            let is_raw = text_of(node, self.text)
                                .chars()
                                .take_while(char::is_ascii_alphabetic)
                                .any(|char| matches!(char, 'r' | 'R'));
                            let content = text_of(part, self.text);
                            word.text +=
                                &if is_raw { content.to_owned() } else { crate::shell::decode_ansi(content) };
                        }
                        "interpolation" => {
                            let inner = text_of(part, self.text).trim_matches(['{', '}']).to_owned();
                            if let Some(value) = self.values.get(&inner).and_then(Option::as_ref) {
                                word.text += value;
                            } else {
                                word.text += &format!("${{{inner}}}");
                                word.is_constant = false;
                            }
                        }
                        _ => {}
                    }
                }
                ScriptValue::Text(word)
            }
            "concatenated_string" | "binary_operator" => {
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
            "list" | "tuple" => {
                let items = named(node).into_iter().map(|item| match self.value(item, depth + 1) {
                    ScriptValue::Text(word) => word,
                    _ => CallWord::dynamic(text_of(item, self.text)),
                });
                ScriptValue::List(items.collect())
            }
            "parenthesized_expression" => {
                named(node).first().map_or(ScriptValue::Other, |inner| self.value(*inner, depth + 1))
            }
            _ => ScriptValue::Other,
        }
    }

    fn call(&self, node: Node<'_>, effects: &mut ScriptEffects) {
        let (Some(function), Some(list)) = (field(node, "function"), field(node, "arguments")) else {
            return;
        };
        // A function that another call or a table hands out.
        if matches!(function.kind(), "call" | "subscript") {
            effects.tags.unreadable();
            return;
        }
        let mut call = ScriptCall { name: self.name(function), arguments: Vec::new(), named: Vec::new() };
        let arguments = if list.kind() == "argument_list" { named(list) } else { vec![list] };
        for argument in arguments {
            match (argument.kind(), field(argument, "name"), field(argument, "value")) {
                ("keyword_argument", Some(name), Some(value)) => {
                    call.named.push((text_of(name, self.text).to_owned(), self.value(value, 0)));
                }
                ("comment", ..) => {}
                _ => call.arguments.push(self.value(argument, 0)),
            }
        }
        let is_variable = matches!(
            call.name.as_str(),
            "os.getenv" | "os.environ.get" | "os.environ.pop" | "os.environ.setdefault"
        );
        match call.arguments.first() {
            Some(ScriptValue::Text(name)) if is_variable && crate::shell::is_environment_name(&name.text) => {
                effects.tags.variable(&name.text);
            }
            _ => {}
        }
        if call.name == "getattr" {
            let first = named(list).first().map(|first| text_of(*first, self.text)).unwrap_or_default();
            if self.names.contains_key(first)
                || matches!(first, "os" | "subprocess" | "shutil" | "builtins" | "__builtins__")
            {
                effects.tags.unreadable();
            }
        }
        call.name = call.name.replace('\u{2}', ".");
        call.judge(effects);
    }

    /// A function with an effect that is handed on and not called: `map(os.remove, files)`.
    fn reference(&self, node: Node<'_>, effects: &mut ScriptEffects) {
        let name = self.name(node);
        if is_dangerous(&name) {
            ScriptCall { name, arguments: Vec::new(), named: Vec::new() }.judge(effects);
        }
    }

    fn subscript(&self, node: Node<'_>, effects: &mut ScriptEffects) {
        let is_environment = field(node, "value").is_some_and(|value| self.name(value) == "os.environ");
        if let (true, Some(ScriptValue::Text(name))) =
            (is_environment, field(node, "subscript").map(|key| self.value(key, 0)))
            && crate::shell::is_environment_name(&name.text)
        {
            effects.tags.variable(&name.text);
        }
    }
}
