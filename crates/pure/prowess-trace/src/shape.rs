//! Secrets, recognised by their shape and masked.
//!
//! A foreign log may hold keys that its program did not keep out of it. What looks like one is masked before anything
//! is stored; when in doubt it is masked, because what leaked cannot be taken back.

use serde_json::Value;

/// How much of a secret stays, so that its owner recognises it.
const KEPT: usize = 4;

/// How keys of well-known services begin, and how many characters must follow.
const PREFIXES: [(&str, usize); 31] = [
    ("sk-", 16),
    ("sk_live_", 12),
    ("sk_test_", 12),
    ("rk_live_", 12),
    ("rk_test_", 12),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxo-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AKIA", 12),
    ("ASIA", 12),
    ("AIza", 30),
    ("ya29.", 20),
    ("hf_", 20),
    ("npm_", 30),
    ("pypi-", 20),
    ("gsk_", 20),
    ("xai-", 20),
    ("whsec_", 16),
    ("SG.", 20),
    ("AGE-SECRET-KEY-", 20),
];

/// How a name ends whose value is a secret, in lower case and without separators.
const SECRET_NAMES: [&str; 14] = [
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "signingkey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "authorization",
    "credential",
    "credentials",
    "cookie",
];

/// The shortest value after a secret name that is masked.
const MIN_VALUE: usize = 8;

/// How far a text is looked at to tell whether a secret begins.
const LOOK_AHEAD: usize = 64;

/// Masks every secret in the strings of a value, and says how many there were.
pub(crate) fn mask_value(value: &mut Value) -> usize {
    match value {
        Value::String(text) => mask_in_place(text),
        Value::Array(elements) => elements.iter_mut().map(mask_value).sum(),
        Value::Object(members) => members
            .iter_mut()
            .map(|(name, member)| match member {
                Value::String(text)
                    if text.len() >= MIN_VALUE && is_secret_name(name) && !text.ends_with('…') =>
                {
                    *text = masked(text);
                    1
                }
                member => mask_value(member),
            })
            .sum(),
        _ => 0,
    }
}

/// Returns a text in which everything that looks like a secret is masked.
pub fn masked_text(text: &str) -> String {
    mask_text(text).0
}

/// Masks every secret in a text, and says how many there were.
pub(crate) fn mask_text(text: &str) -> (String, usize) {
    let spans = secret_spans(text);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in &spans {
        out.push_str(&text[done..span.start]);
        out.push_str(&masked(&text[span.clone()]));
        done = span.end;
    }
    out.push_str(&text[done..]);
    (out, spans.len())
}

/// The places of everything in a text that looks like a secret, in order.
///
/// ```
/// let text = concat!("use ghp_", "0123456789abcdefghij0123 now");
/// assert_eq!(prowess_trace::secret_spans(text), [4..32]);
/// ```
pub fn secret_spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text.is_char_boundary(at).then(|| secret_at(text, at)).flatten() {
            Some((start, end)) if end > at => {
                spans.push(start..end);
                at = end;
            }
            _ => at += 1,
        }
    }
    spans
}

fn mask_in_place(text: &mut String) -> usize {
    let (masked, count) = mask_text(text);
    if count > 0 {
        *text = masked;
    }
    count
}

fn masked(secret: &str) -> String {
    // Only what cannot end a secret, so that the rest of one is never taken for something else.
    let kept =
        secret.chars().take(KEPT).take_while(|char| char.is_ascii_alphanumeric() || "-_".contains(*char));
    kept.chain(['…']).collect()
}

/// The secret that shows at a position, if one does: where it starts and ends.
fn secret_at(text: &str, at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|index| bytes.get(index)).copied();
    match bytes.get(at)? {
        b'-' if rest.starts_with("-----BEGIN ") => private_key(rest).map(|length| (at, at + length)),
        b':' | b'=' | b' ' => value_after_name(text, at),
        b'/' if before == Some(b'/') => password_in_url(rest).map(|(start, end)| (at + start, at + end)),
        first if first.is_ascii_alphanumeric() && !before.is_some_and(is_word) => {
            let is_start = !matches!(before, Some(b'-' | b'.'));
            let token = || if is_start { web_token(rest).or_else(|| bot_token(rest)) } else { None };
            key(rest).or_else(token).map(|length| (at, at + length))
        }
        _ => None,
    }
}

/// A key of a well-known service.
fn key(rest: &str) -> Option<usize> {
    let (prefix, shortest) = PREFIXES.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
    let following =
        secret_run(&rest[prefix.len()..], *shortest, |byte| is_word(byte) || byte == b'-' || byte == b'.')?;
    Some(prefix.len() + following)
}

/// A JSON web token: three parts, the first two of which are JSON in base 64.
fn web_token(rest: &str) -> Option<usize> {
    if !rest.starts_with("eyJ") {
        return None;
    }
    let length = run_of(rest, |byte| is_word(byte) || byte == b'-' || byte == b'.');
    let mut parts = rest[..length].split('.');
    let is_long = |part: Option<&str>| part.is_some_and(|part| part.len() >= 10);
    (is_long(parts.next()) && is_long(parts.next()) && parts.next().is_some()).then_some(length)
}

/// A bot's token: eight to ten digits, a colon, at least thirty characters.
fn bot_token(rest: &str) -> Option<usize> {
    let digits = run_of(rest, |byte| byte.is_ascii_digit());
    let tail = rest[digits..].strip_prefix(':')?;
    let following = run_of(tail, |byte| is_word(byte) || byte == b'-');
    ((8..=10).contains(&digits) && following >= 30).then_some(digits + 1 + following)
}

/// A private key in PEM armour, up to its end or that of the text.
fn private_key(rest: &str) -> Option<usize> {
    let label = &rest["-----BEGIN ".len()..];
    let label = &label[..run_of(label, |byte| byte.is_ascii_uppercase() || byte == b' ')];
    if !label.ends_with("PRIVATE KEY") {
        return None;
    }
    let end = rest.find("-----END ").and_then(|end| Some(end + 9 + rest[end + 9..].find("-----")? + 5));
    Some(end.unwrap_or(rest.len()))
}

/// The password of `//user:password@host`; the rest starts at the second slash.
fn password_in_url(rest: &str) -> Option<(usize, usize)> {
    let authority = &rest[1..];
    let length = run_of(authority, |byte| byte.is_ascii_graphic() && !b"/\"'<>\\".contains(&byte));
    let authority = &authority[..length];
    let (credentials, _) = authority.rsplit_once('@')?;
    let (user, password) = credentials.split_once(':')?;
    let start = 1 + user.len() + 1;
    (password.len() >= 3 && !password.starts_with(['$', '{'])).then_some((start, start + password.len()))
}

/// The value of `name: value`, `name=value`, `"name": "value"` or `Bearer value`, where the name says it is a secret.
fn value_after_name(text: &str, at: usize) -> Option<(usize, usize)> {
    let (before, after) = text.split_at(at);
    let name_end = before.trim_end_matches(['"', '\'', '\\']);
    let name_start =
        name_end.rfind(|char: char| !(char.is_ascii_alphanumeric() || char == '_' || char == '-'));
    let name = &name_end
        [name_start.map_or(0, |index| index + name_end[index..].chars().next().map_or(1, char::len_utf8))..];
    let is_scheme =
        after.starts_with(' ') && (name.eq_ignore_ascii_case("bearer") || name.eq_ignore_ascii_case("basic"));
    if !is_scheme && (after.starts_with(' ') || !is_secret_name(name)) {
        return None;
    }
    let skipped = after.len() - after[1..].trim_start_matches([' ', '"', '\'', '\\']).len();
    let value = &after[skipped..];
    let is_value = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./+=~".contains(&byte);
    let length = secret_run(value, MIN_VALUE, is_value)?;
    Some((at + skipped, at + skipped + length))
}

fn is_secret_name(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect();
    SECRET_NAMES.iter().any(|ending| plain.ends_with(ending))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many bytes at the beginning are a secret: enough of them, and a digit among the first. Words in a sentence
/// (`sk-learn-contrib-packages`) have none.
fn secret_run(text: &str, shortest: usize, belongs: impl Fn(u8) -> bool) -> Option<usize> {
    // Looking no further keeps a text of nothing but beginnings from taking for ever.
    let start = text.bytes().take(LOOK_AHEAD).take_while(|byte| belongs(*byte));
    let has_digit = start.clone().any(|byte| byte.is_ascii_digit());
    (has_digit && start.count() >= shortest).then(|| run_of(text, belongs))
}

/// How many bytes at the beginning belong together.
fn run_of(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| belongs(*byte)).count()
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
