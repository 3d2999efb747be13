//! The forms in which a value turns up in texts.

/// A value, or a part of it, shorter than this is not looked for: it would black out ordinary text.
const SHORTEST: usize = 6;
/// Lines of a longer secret are looked for one by one from this length on.
const SHORTEST_LINE: usize = 16;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A value as it is, in JSON, in an address and in base64, wherever in a longer text that begins.
pub(crate) fn forms(value: &str) -> Vec<String> {
    let value = value.trim();
    if value.len() < SHORTEST {
        return Vec::new();
    }
    let mut forms = Vec::new();
    spellings(value, &mut forms);
    if value.contains('\n') {
        // The first and last line of a key file are the same for everybody.
        let is_own = |line: &&str| line.len() >= SHORTEST_LINE && !line.starts_with("-----");
        value.lines().map(str::trim).filter(is_own).for_each(|line| spellings(line, &mut forms));
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms.sort();
    forms.dedup();
    forms
}

fn spellings(value: &str, forms: &mut Vec<String>) {
    forms.push(value.to_owned());
    let json = in_json(value);
    forms.push(json.replace('/', "\\/"));
    forms.push(ascii_only(&json));
    forms.push(json);
    for digits in [*b"0123456789ABCDEF", *b"0123456789abcdef"] {
        let encoded = percent(value, &digits);
        forms.push(encoded.replace("%20", "+"));
        forms.push(encoded);
    }
    for alphabet in [STANDARD, URL_SAFE] {
        forms.extend((0..3).map(|before| base64_inside(value.as_bytes(), before, alphabet)));
    }
}

/// The text between the quotes of a JSON string.
fn in_json(value: &str) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(&quoted).to_owned()
}

/// The same with everything that is not ASCII as `\uXXXX`.
fn ascii_only(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                text += &format!("\\u{unit:04x}");
            }
        }
    }
    text
}

/// As in an address: everything but unreserved characters as `%XX`.
fn percent(value: &str, digits: &[u8; 16]) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push('%');
            text.push(char::from(digits[usize::from(byte >> 4)]));
            text.push(char::from(digits[usize::from(byte & 15)]));
        }
    }
    text
}

/// The characters of base64 that only these bytes decide, when `before` other bytes come first.
fn base64_inside(bytes: &[u8], before: usize, alphabet: &[u8; 64]) -> String {
    let bits = 8 * (before + bytes.len());
    let bit = |index: usize| {
        let byte = (index / 8).checked_sub(before).and_then(|place| bytes.get(place));
        byte.map_or(0, |byte| usize::from(byte >> (7 - index % 8) & 1))
    };
    // The first character without a bit of what comes before; the last one that is complete.
    let first = (8 * before).div_ceil(6);
    (first..bits / 6)
        .map(|place| (0..6).fold(0, |value, offset| value << 1 | bit(6 * place + offset)))
        .map(|value| char::from(alphabet[value]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'user:hello!' | base64` and its neighbours.
    #[test]
    fn base64_is_found_wherever_it_begins() {
        for (whole, before) in
            [("aGVsbG8hIQ==", 0), ("OmhlbGxvISE=", 1), ("ZTpoZWxsbyEh", 2), ("dXNlcjpoZWxsbyEh", 2)]
        {
            let inside = base64_inside(b"hello!!", before, STANDARD);
            assert!(whole.contains(&inside) && inside.len() >= 8, "{inside} in {whole}");
        }
        assert_eq!(base64_inside(&[0xfb, 0xff, 0xbf], 0, STANDARD), "+/+/");
        assert_eq!(base64_inside(&[0xfb, 0xff, 0xbf], 0, URL_SAFE), "-_-_");
    }

    #[test]
    fn a_value_has_many_spellings() {
        let forms = forms("p w/\"ü\n");
        for form in
            ["p w/\"ü", "p w/\\\"ü", "p w\\/\\\"ü", "p w/\\\"\\u00fc", "p%20w%2F%22%C3%BC", "p+w%2f%22%c3%bc"]
        {
            assert!(forms.iter().any(|known| known == form), "{form} in {forms:?}");
        }
    }

    #[test]
    fn short_values_and_common_lines_are_left_alone() {
        assert!(forms(" 12345 ").is_empty());
        let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nshort\n-----END PRIVATE KEY-----\n";
        let forms = forms(key);
        assert!(forms.iter().any(|form| form == "MIIEvQIBADANBgkqhkiG9w0"));
        assert!(!forms.iter().any(|form| form == "short" || form == "-----BEGIN PRIVATE KEY-----"));
    }
}
