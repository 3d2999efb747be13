//! Percent-encoding as in RFC 3986.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

/// Everything but the unreserved characters.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The same, with `/` as it is.
const PATH: &AsciiSet = &COMPONENT.remove(b'/');

/// Encodes everything but unreserved characters: one segment of a path, or a value in a query or fragment.
///
/// ```
/// assert_eq!(prowess_text::percent_encode("a/b c~ä"), "a%2Fb%20c~%C3%A4");
/// ```
pub fn percent_encode(text: impl AsRef<[u8]>) -> String {
    percent_encoding::percent_encode(text.as_ref(), COMPONENT).to_string()
}

/// Encodes the segments of a path; the slashes between them stay.
pub fn percent_encode_path(path: impl AsRef<[u8]>) -> String {
    percent_encoding::percent_encode(path.as_ref(), PATH).to_string()
}

/// Decodes a text. Returns none if an escape is incomplete or the result is not UTF-8.
pub fn percent_decode(text: &str) -> Option<String> {
    let is_digit = |place: usize| text.as_bytes().get(place).is_some_and(u8::is_ascii_hexdigit);
    let is_whole = text.match_indices('%').all(|(place, _)| is_digit(place + 1) && is_digit(place + 2));
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.ok().filter(|_| is_whole).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn broken_escapes_are_not_guessed() {
        assert_eq!(percent_decode("a%20b%2f").as_deref(), Some("a b/"));
        for text in ["%", "a%2", "%zz", "%ff", "%%20"] {
            assert_eq!(percent_decode(text), None, "{text}");
        }
        assert_eq!(percent_encode_path("a b/c?d"), "a%20b/c%3Fd");
    }

    proptest! {
        #[test]
        fn what_is_encoded_decodes_to_itself(text in "\\PC{0,40}") {
            prop_assert_eq!(percent_decode(&percent_encode(&text)), Some(text.clone()));
            prop_assert_eq!(percent_decode(&percent_encode_path(&text)), Some(text));
        }
    }
}
