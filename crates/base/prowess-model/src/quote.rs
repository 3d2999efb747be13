//! The text of an endpoint, made fit to be shown.

use prowess_types::Secret;
use serde_json::Value;

use crate::ModelError;

/// Maximum length of a quotation, in characters.
const SHOWN: usize = 500;

/// Makes quotations safe: no key, no control characters, not long.
pub(crate) struct Quoter {
    key: Option<Secret>,
}

impl Quoter {
    pub(crate) fn new(key: Option<&str>) -> Self {
        Self { key: key.map(Secret::new) }
    }

    /// The error with everything in it that the endpoint said made safe.
    pub(crate) fn clean(&self, error: ModelError) -> ModelError {
        match error {
            ModelError::Unauthorized { status, message } => {
                ModelError::Unauthorized { status, message: self.quote(&message) }
            }
            ModelError::Limited { status, message } => {
                ModelError::Limited { status, message: self.quote(&message) }
            }
            ModelError::Status { status, message } => {
                ModelError::Status { status, message: self.quote(&message) }
            }
            ModelError::Interrupted(message) => ModelError::Interrupted(self.quote(&message)),
            ModelError::Malformed(message) => ModelError::Malformed(self.quote(&message)),
            other => other,
        }
    }

    fn quote(&self, text: &str) -> String {
        let masked = match &self.key {
            // Before cutting, or half a key might stay.
            Some(key) => text.replace(key.expose(), "…"),
            None => text.to_owned(),
        };
        let mut quoted = String::new();
        let mut characters = masked.trim().chars();
        for character in characters.by_ref().take(SHOWN) {
            if character.is_control() || is_direction_mark(character) {
                quoted.extend(character.escape_default());
            } else {
                quoted.push(character);
            }
        }
        if characters.next().is_some() {
            quoted.push('…');
        }
        quoted
    }
}

/// Characters that reorder what stands around them on a screen.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The message in an error's body, wherever the server puts it; the body itself if it is nowhere.
pub(crate) fn message(body: &[u8]) -> String {
    let parsed = serde_json::from_slice::<Value>(body).ok();
    let text = match parsed.as_ref().and_then(message_in) {
        Some(message) => message.to_owned(),
        None => String::from_utf8_lossy(body).trim().to_owned(),
    };
    if text.is_empty() { "no reason given".to_owned() } else { text }
}

/// The message in an error's JSON.
pub(crate) fn message_in(body: &Value) -> Option<&str> {
    let body = body.get(0).unwrap_or(body);
    let error = &body["error"];
    [&error["message"], error, &body["message"], &body["detail"]].into_iter().find_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_found() {
        for body in [
            r#"{"error": {"message": "no", "code": 1}}"#,
            r#"[{"error": {"message": "no"}}]"#,
            r#"{"error": "no"}"#,
            r#"{"message": "no"}"#,
            r#"{"detail": "no"}"#,
            " no\n",
        ] {
            assert_eq!(message(body.as_bytes()), "no");
        }
        assert_eq!(message(b"{\"odd\": 1}"), "{\"odd\": 1}");
        assert_eq!(message(b""), "no reason given");
    }

    #[test]
    fn quotations_are_safe() {
        let quoter = Quoter::new(Some("sk-key"));
        assert_eq!(quoter.quote("bad sk-key\u{1b}[2J\n\u{202e}x"), "bad …\\u{1b}[2J\\n\\u{202e}x");
        // The key lies across the cut.
        let long = quoter.quote(&format!("{}sk-key", "a".repeat(SHOWN - 3)));
        assert_eq!(long, format!("{}…", "a".repeat(SHOWN - 3)));
        assert_eq!(quoter.quote(&"é".repeat(SHOWN + 1)).chars().count(), SHOWN + 1);
    }
}
