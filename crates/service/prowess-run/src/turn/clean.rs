//! Texts on their way out: secrets replaced first, then cut, so that no cut leaves half a secret.

use std::borrow::Cow;

use prowess_secret::Redactor;
use prowess_text::omit_middle;
use prowess_types::TraceEvent;
use serde_json::Value;

use crate::{RunContext, ToolOutput};

/// Bytes of one answer or thought that a trace keeps.
pub const MAX_TRACE_TEXT: usize = 64 * 1024;
/// Bytes of one string in a tool's input that a trace keeps.
pub const MAX_TRACE_STRING: usize = 8 * 1024;
/// Bytes of a tool's whole input that a trace keeps; a longer one is kept as the beginning and end of its JSON.
pub const MAX_TRACE_INPUT: usize = 64 * 1024;

/// Bytes that a tool may add to its cut output to say what is missing; they are no reason to cut it again.
const REMARKS: usize = 512;

/// A text as a trace keeps it.
pub(super) fn trace_text(redactor: &Redactor, text: &str) -> String {
    cut(redactor.redact(text), MAX_TRACE_TEXT).0
}

/// Records something the user should be able to find again.
pub(super) fn notice(context: &RunContext, kind: &str, text: &str) {
    (context.record)(TraceEvent::Notice { kind: kind.to_owned(), text: trace_text(&context.redactor, text) });
}

/// What a tool said, as the model and the trace get it.
pub(super) fn output(context: &RunContext, output: ToolOutput) -> ToolOutput {
    let max = context.limits.max_output_bytes;
    let text = context.redactor.redact(&output.text);
    let (text, omitted) = if text.len() <= max + REMARKS { (text.into_owned(), 0) } else { cut(text, max) };
    ToolOutput { text, omitted_bytes: output.omitted_bytes + omitted, ..output }
}

/// A tool's input without secrets; a number can be one too.
pub(super) fn redact_value(redactor: &Redactor, value: &Value) -> Value {
    map_texts(value, &|text| redactor.redact(text).into_owned(), &|number| {
        let text = number.to_string();
        match redactor.redact(&text) {
            Cow::Borrowed(_) => Value::Number(number.clone()),
            Cow::Owned(masked) => Value::String(masked),
        }
    })
}

/// A tool's input as a trace keeps it.
pub(super) fn trace_input(redactor: &Redactor, input: &Value) -> Value {
    let redacted = redact_value(redactor, input);
    let short = map_texts(&redacted, &|text| cut(Cow::Borrowed(text), MAX_TRACE_STRING).0, &|number| {
        Value::Number(number.clone())
    });
    let whole = short.to_string();
    if whole.len() <= MAX_TRACE_INPUT {
        short
    } else {
        Value::String(cut(Cow::Owned(whole), MAX_TRACE_INPUT).0)
    }
}

fn map_texts(
    value: &Value,
    text: &dyn Fn(&str) -> String,
    number: &dyn Fn(&serde_json::Number) -> Value,
) -> Value {
    match value {
        Value::String(string) => Value::String(text(string)),
        Value::Number(inner) => number(inner),
        Value::Array(items) => items.iter().map(|item| map_texts(item, text, number)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(key, item)| (text(key), map_texts(item, text, number))).collect(),
        ),
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

/// The beginning and the end of a text that is longer than `max` bytes, and how many bytes are missing between.
pub(super) fn cut(text: Cow<'_, str>, max: usize) -> (String, u64) {
    if text.len() <= max {
        return (text.into_owned(), 0);
    }
    match omit_middle(&text, max * 2 / 3, max / 3) {
        Some((head, tail, missing)) => {
            (format!("{head}\n[… {missing} bytes left out …]\n{tail}"), missing as u64)
        }
        None => (text.into_owned(), 0),
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::Secret;
    use serde_json::json;

    use super::*;

    fn redactor() -> Redactor {
        Redactor::new([&Secret::new("hunter2-hunter2"), &Secret::new("9876543210")])
    }

    #[test]
    fn secrets_go_from_keys_strings_and_numbers() {
        let input =
            json!({"a": ["x hunter2-hunter2 y", {"hunter2-hunter2": 1}], "pin": 9_876_543_210_u64, "n": 7});
        let clean = redact_value(&redactor(), &input);
        assert_eq!(clean, json!({"a": ["x [redacted] y", {"[redacted]": 1}], "pin": "[redacted]", "n": 7}));
    }

    #[test]
    fn a_cut_keeps_both_ends_whole_characters_and_no_half_secret() {
        let (text, missing) = cut(Cow::Owned("ä".repeat(100)), 31);
        assert!(text.starts_with("ää") && text.ends_with("ää"), "{text}");
        assert_eq!(missing, 200 - text.matches('ä').count() as u64 * 2);

        let secret_on_the_cut =
            format!("{}hunter2-hunter2{}", "a".repeat(MAX_TRACE_TEXT * 2 / 3 - 5), "b".repeat(90_000));
        assert!(!trace_text(&redactor(), &secret_on_the_cut).contains("hunt"));
    }

    #[test]
    fn a_trace_keeps_only_so_much_of_an_input() {
        let long = trace_input(&redactor(), &json!({"content": "x".repeat(100_000), "path": "a"}));
        assert!(long["content"].as_str().unwrap().len() < MAX_TRACE_STRING + 100);
        assert_eq!(long["path"], "a");
        let many: Vec<String> = (0..20_000).map(|n| format!("item {n}")).collect();
        let many = trace_input(&redactor(), &json!({ "many": many }));
        assert!(many.as_str().unwrap().len() < MAX_TRACE_INPUT + 100);
    }
}
