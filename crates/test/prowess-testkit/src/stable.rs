//! Texts and values for snapshots: what differs from run to run is replaced by its kind.
//!
//! | found | shown |
//! |---|---|
//! | sixteen or more hexadecimal digits, with a digit among them | `[HEX]` |
//! | `127.0.0.1:` and a port | `[ADDRESS]` |
//! | `2026-11-18T09:10:11.123Z` and shorter forms with minutes | `[TIME]` |
//! | a number of milliseconds since 1970 (this century), also as a word of a text: `1780000000000-weather` | `[TIME]` |
//! | a value of JSON that is a date | `[DATE]` |
//! | a UUID | `[UUID]` |
//! | a ULID | `[ULID]` |
//! | the version of this workspace | `[VERSION]` |

use serde_json::Value;

/// Milliseconds since 1970 that are read as a moment: 2001 to 2286.
const MOMENTS: std::ops::Range<u64> = 1_000_000_000_000..10_000_000_000_000;

/// The shape of a date.
const DATE: &str = "dddd-dd-dd";

/// A value as indented JSON, with everything that differs from run to run replaced.
pub fn json(value: &Value) -> String {
    serde_json::to_string_pretty(&replaced(value)).expect("JSON")
}

fn replaced(value: &Value) -> Value {
    match value {
        Value::String(found) if found.len() == DATE.len() && has_shape(found, DATE) => "[DATE]".into(),
        Value::String(found) => Value::String(text(found)),
        Value::Number(number) if number.as_u64().is_some_and(|found| MOMENTS.contains(&found)) => {
            "[TIME]".into()
        }
        Value::Array(items) => items.iter().map(replaced).collect(),
        Value::Object(map) => map.iter().map(|(key, item)| (text(key), replaced(item))).collect(),
        other => other.clone(),
    }
}

/// A text with everything that differs from run to run replaced.
pub fn text(found: &str) -> String {
    let found = found.replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    let mut shown = String::new();
    let mut rest = found.as_str();
    while let Some(first) = rest.chars().next() {
        let starts_word = !shown.ends_with(|last: char| last.is_ascii_alphanumeric());
        let (kind, length) = if starts_word { recognised(rest) } else { ("", 0) };
        if length > 0 {
            shown.push_str(kind);
            rest = &rest[length..];
        } else {
            shown.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    shown
}

/// The kind and length of what a text starts with; zero if it is to stay.
fn recognised(text: &str) -> (&'static str, usize) {
    if let Some(port) = text.strip_prefix("127.0.0.1:") {
        let digits = run(port, |byte| byte.is_ascii_digit());
        return ("[ADDRESS]", if digits > 0 { "127.0.0.1:".len() + digits } else { 0 });
    }
    if has_shape(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
        return ("[UUID]", 36);
    }
    if has_shape(text, "dddd-dd-ddTdd:dd") || has_shape(text, "dddd-dd-dd dd:dd") {
        let tail = &text[16..];
        return ("[TIME]", 16 + run(tail, |byte| byte.is_ascii_digit() || b":.Z".contains(&byte)));
    }
    let digits = run(text, |byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase());
    let word = run(text, |byte| byte.is_ascii_alphanumeric());
    if word == 26 && text.starts_with('0') && !text[..word].bytes().any(|byte| byte.is_ascii_lowercase()) {
        return ("[ULID]", word);
    }
    if text[..word].parse().is_ok_and(|found| MOMENTS.contains(&found)) {
        return ("[TIME]", word);
    }
    let is_hex = digits >= 16 && digits == word && text[..digits].bytes().any(|byte| byte.is_ascii_digit());
    ("[HEX]", if is_hex { digits } else { 0 })
}

/// How many bytes at the start of a text are of a kind.
fn run(text: &str, is_wanted: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is_wanted(*byte)).count()
}

/// Whether a text starts like a pattern: `x` is a hexadecimal digit, `d` a digit, anything else itself.
fn has_shape(text: &str, pattern: &str) -> bool {
    let fits = |(byte, wanted): (u8, u8)| match wanted {
        b'x' => byte.is_ascii_hexdigit(),
        b'd' => byte.is_ascii_digit(),
        other => byte == other,
    };
    text.len() >= pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_replaced_and_the_rest_stays() {
        let cases = [
            ("at 2026-11-18T09:10:11.123Z.", "at [TIME]"),
            ("at 2026-11-18 09:10", "at [TIME]"),
            ("sha256-0123456789abcdef0123456789abcdef", "sha256-[HEX]"),
            ("http://127.0.0.1:4321/x", "http://[ADDRESS]/x"),
            ("trash/1780000000000-weather", "trash/[TIME]-weather"),
            ("11111111-2222-3333-4444-555555555555", "[UUID]"),
            ("run 01M7Q1QRVEJ06QM9CXD91KM4QT.", "run [ULID]."),
            ("a decade of defaced facades, ä", "a decade of defaced facades, ä"),
            ("2026-11-18 is a date, 127.0.0.1 a host", "2026-11-18 is a date, 127.0.0.1 a host"),
        ];
        for (found, shown) in cases {
            assert_eq!(text(found), shown);
        }
        let found = json!([1_780_000_000_000_u64, 12, "2026-11-18"]);
        assert_eq!(replaced(&found), json!(["[TIME]", 12, "[DATE]"]));
    }
}
