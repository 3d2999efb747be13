//! What the logs have in common: texts in blocks, moments, numbers.

use jiff::Timestamp;
use serde_json::Value;

/// A text, or the texts of a list of blocks. What is not text is named in brackets.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(block_text).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn block_text(block: &Value) -> String {
    match (block, text_at(block, "text")) {
        (Value::String(text), _) => text.clone(),
        (_, Some(text)) => text.to_owned(),
        _ => format!("[{}]", kind_of(block)),
    }
}

/// The blocks of a message; a bare text is one block.
pub(super) fn blocks_of(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![serde_json::json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// The `type` of an entry or block.
pub(super) fn kind_of(value: &Value) -> &str {
    text_at(value, "type").unwrap_or("untyped")
}

/// The text of a member.
pub(super) fn text_at<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// Returns the number in a member; 0 if it has none or a negative one.
pub(super) fn count_at(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or_default()
}

/// An exit code of a member.
pub(super) fn code_at(value: &Value, name: &str) -> Option<i32> {
    value.get(name).and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok())
}

/// A moment in milliseconds since 1970: written as text, or as such a number.
pub(super) fn moment(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => {
            text.parse::<Timestamp>().ok().and_then(|moment| u64::try_from(moment.as_millisecond()).ok())
        }
        value => value.as_u64(),
    }
}

/// What stands between two marks; up to the end if the second is missing.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let after = &text[text.find(start)? + start.len()..];
    Some(after.find(end).map_or(after, |end| &after[..end]))
}

/// The number after a label at the beginning of a line.
pub(super) fn labelled_code(text: &str, label: &str) -> Option<i32> {
    // It stands above the output, never in it.
    text.lines().take(6).find_map(|line| {
        let number = line.strip_prefix(label)?.trim();
        number.split(|char: char| char != '-' && !char.is_ascii_digit()).next()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_of_blocks_are_joined_and_others_named() {
        assert_eq!(text_of(&json!("a")), "a");
        let blocks = json!([{ "type": "text", "text": "a" }, { "type": "image", "source": {} }, "b", 7]);
        assert_eq!(text_of(&blocks), "a\n[image]\nb\n[untyped]");
        assert_eq!(text_of(&json!(null)), "");
    }

    #[test]
    fn moments_are_read_in_both_ways() {
        assert_eq!(moment(&json!("1970-01-01T00:00:01.5Z")), Some(1_500));
        assert_eq!(moment(&json!(1_500)), Some(1_500));
        for odd in [json!("yesterday"), json!("1960-01-01T00:00:00Z"), json!(-5), json!(null)] {
            assert_eq!(moment(&odd), None, "{odd}");
        }
    }

    #[test]
    fn codes_stand_above_the_output() {
        assert_eq!(labelled_code("Exit code: 2\nOutput:\nx", "Exit code:"), Some(2));
        assert_eq!(labelled_code("Exit code -1", "Exit code"), Some(-1));
        assert_eq!(labelled_code("a\nb\nc\nd\ne\nf\nExit code: 2", "Exit code:"), None);
        assert_eq!(labelled_code("Exit code: none", "Exit code:"), None);
        assert_eq!(between("<a>x</a>", "<a>", "</a>"), Some("x"));
        assert_eq!(between("<a>x", "<a>", "</a>"), Some("x"));
        assert_eq!(between("x", "<a>", "</a>"), None);
    }
}
