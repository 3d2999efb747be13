//! Random values, and random ways to write them.

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Any value without floats that JSON cannot say, nested a little.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from), object(inner),]
    })
}

/// An object at the top, as a config file has it.
pub(crate) fn document() -> impl Strategy<Value = Value> {
    object(value().boxed())
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((name(), inner), 0..5).prop_map(|members| Value::Object(Map::from_iter(members)))
}

/// Names from a small set, so that paths meet.
pub(crate) fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[abc]",
        1 => Just("two words".to_owned()),
        1 => Just("it's \"q\"".to_owned()),
        1 => Just("0".to_owned()),
        1 => text(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-z]{0,6}", 1 => any::<String>(), 1 => Just("\u{2028}// '\\\"\n/*".to_owned())]
}

/// Writes a value as JSON5 with odd spacing, quotes, commas and comments. Every comment is unique.
pub(crate) fn write(value: &Value, seed: u64) -> String {
    let mut writer = Writer { text: String::new(), random: seed | 1, comments: 0, indent: 0 };
    // The density of trivia differs between documents, from none to plenty.
    writer.trivia(false);
    writer.value(value);
    writer.trivia(false);
    writer.text
}

struct Writer {
    text: String,
    random: u64,
    comments: usize,
    indent: usize,
}

impl Writer {
    fn one_in(&mut self, chances: u64) -> bool {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33).is_multiple_of(chances)
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn trivia(&mut self, line: bool) {
        if self.one_in(4) {
            self.text.push(' ');
        }
        if self.one_in(6) {
            self.comments += 1;
            let end = if self.one_in(2) { "*/" } else { "\n more */" };
            self.push(&format!("/* <{}>{end}", self.comments));
        }
        if self.one_in(6) {
            self.comments += 1;
            let end = if self.one_in(3) { "  \r\n" } else { "\n" };
            self.push(&format!("// <{}>{end}", self.comments));
        }
        if line {
            self.text.push('\n');
            self.text.push_str(&"\t".repeat(self.indent));
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| (None, item)).collect();
                self.container('[', &items, ']');
            }
            Value::Object(map) => {
                let items: Vec<_> = map.iter().map(|(name, item)| (Some(name), item)).collect();
                self.container('{', &items, '}');
            }
            plain => self.text.push_str(&plain.to_string()),
        }
    }

    fn container(&mut self, open: char, items: &[(Option<&String>, &Value)], close: char) {
        let lines = self.one_in(2);
        self.text.push(open);
        self.indent += 1;
        for (index, (name, value)) in items.iter().enumerate() {
            self.trivia(lines);
            if let Some(name) = name {
                self.name(name);
                self.trivia(false);
                self.text.push(':');
                self.trivia(false);
            }
            self.value(value);
            self.trivia(false);
            if index + 1 < items.len() || self.one_in(2) {
                self.text.push(',');
            }
        }
        self.indent -= 1;
        self.trivia(lines);
        self.text.push(close);
    }

    fn name(&mut self, name: &str) {
        let is_bare = !name.is_empty() && name.chars().all(|character| character.is_ascii_lowercase());
        if is_bare && self.one_in(2) {
            self.text.push_str(name);
        } else {
            self.string(name);
        }
    }

    fn string(&mut self, text: &str) {
        let quote = if self.one_in(2) { '\'' } else { '"' };
        self.text.push(quote);
        for character in text.chars() {
            match character {
                '\n' | '\r' | '\\' => {
                    self.push(&format!("\\u{:04x}", u32::from(character)));
                }
                other if other == quote => self.text.extend(['\\', other]),
                other => self.text.push(other),
            }
        }
        self.text.push(quote);
    }
}

/// The comments of a text, by their numbers.
pub(crate) fn comments(text: &str) -> Vec<&str> {
    text.match_indices(" <")
        .filter(|(at, _)| text[..*at].ends_with("//") || text[..*at].ends_with("/*"))
        .filter_map(|(at, _)| text[at + 2..].split('>').next())
        .collect()
}
