//! Secrets out of values that are shown.
//!
//! When in doubt, a value is hidden: what a reader misses can be looked up in the file, what leaked
//! cannot be taken back.

use serde_json::Value;

use crate::kind::{Kind, is_secret_reference};
use crate::lookup;

/// What stands in the place of a secret where clients of a gateway see it.
pub(crate) const MASK: &str = "__OPENCLAW_REDACTED__";

/// What has ever stood in the place of a secret.
const PLACEHOLDERS: [&str; 2] = [MASK, "__PROWESS_REDACTED__"];

/// Words that make a key secret when it ends with one of them.
const SECRET_ENDINGS: [&str; 13] = [
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "credential",
    "credentials",
    "apikey",
    "authorization",
    "cookie",
];

/// Words that make `key` secret when they stand before it.
const SECRET_KEYS: [&str; 8] =
    ["api", "private", "access", "auth", "admin", "signing", "encryption", "secret"];

/// Replaces every secret in the value at a path.
pub(crate) fn redact(value: &mut Value, path: &[String], placeholder: &str) {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let hidden = (1..=names.len()).any(|length| is_hidden(&names[..length]));
    visit(value, &mut path.to_vec(), placeholder, hidden);
}

/// Returns true if a value is, or contains, what stands in the place of a secret.
pub(crate) fn contains_placeholder(value: &Value) -> bool {
    match value {
        Value::String(text) => is_placeholder(text),
        Value::Array(elements) => elements.iter().any(contains_placeholder),
        Value::Object(members) => members.values().any(contains_placeholder),
        _ => false,
    }
}

/// Returns true if a text stands in the place of a secret.
pub fn is_placeholder(text: &str) -> bool {
    PLACEHOLDERS.contains(&text.trim())
}

fn visit(value: &mut Value, path: &mut Vec<String>, placeholder: &str, hidden: bool) {
    match value {
        Value::String(text)
            if !text.is_empty()
                && (hidden || is_unknown_provider_setting(path) || is_address_with_password(text)) =>
        {
            *text = placeholder.into();
        }
        Value::Object(_) if hidden && is_secret_reference(value) => {}
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.clone());
                let hidden = hidden || is_hidden(&path.iter().map(String::as_str).collect::<Vec<_>>());
                visit(member, path, placeholder, hidden);
                path.pop();
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                path.push(index.to_string());
                visit(element, path, placeholder, hidden);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Returns true if something in `secrets` is not known to be harmless.
fn is_unknown_provider_setting(path: &[String]) -> bool {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let list = names.split_last().and_then(|(_, list)| lookup::key(list));
    let is_known = lookup::key(&names).is_some() || list.is_some_and(|key| key.kind == Kind::Texts);
    // Arguments are known, and may still hold a password.
    names.first() == Some(&"secrets") && (!is_known || names.contains(&"args"))
}

/// Whether the value at a path is secret.
pub(crate) fn is_hidden(path: &[&str]) -> bool {
    match path {
        ["skills", "entries", _, "env", _] | ["secrets", "providers", _, "env", _] => return true,
        // It says where secrets are; what is not known to be harmless in it is hidden one by one.
        ["secrets"] => return false,
        // Variables and headers: their names are the user's, so nothing tells which of them are harmless.
        [section @ .., _]
            if matches!(section.last(), Some(&("env" | "headers"))) && !lookup::is_free_name(section) =>
        {
            return true;
        }
        _ => {}
    }
    path.last().is_some_and(|name| looks_secret(name)) && !lookup::is_free_name(path)
}

/// Whether an address has a password in it: `scheme://user:password@host`.
pub(crate) fn is_address_with_password(text: &str) -> bool {
    password_of(text).is_some()
}

/// The password in an address.
pub(crate) fn password_of(text: &str) -> Option<&str> {
    let host = text.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next())?;
    let (user, _) = host.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}

/// Returns true if a key or a variable by this name usually holds a secret.
///
/// ```
/// assert!(prowess_config::looks_secret("OPENAI_API_KEY"));
/// assert!(!prowess_config::looks_secret("LANG"));
/// ```
pub fn looks_secret(name: &str) -> bool {
    let words = words(name);
    // `apiKeyEnv` holds the name of a variable, not its value.
    if words.last().is_some_and(|word| word == "env") {
        return false;
    }
    let is_secret_key =
        words.windows(2).any(|pair| pair[1] == "key" && SECRET_KEYS.contains(&pair[0].as_str()));
    is_secret_key
        || words
            .iter()
            .any(|word| word == "pin" || SECRET_ENDINGS.iter().any(|ending| word.ends_with(ending)))
}

/// The words of `camelCase`, `snake_case` and `kebab-case`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (character.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        after_lower = character.is_lowercase() || character.is_numeric();
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_that_look_secret() {
        for name in [
            "apiKey",
            "api_key",
            "apikey",
            "API_KEY",
            "botToken",
            "token",
            "authtoken",
            "clientSecret",
            "password",
            "gatewayPassword",
            "private-key",
            "accessKey",
            "pin",
            "virtualPhonePin",
            "Authorization",
            "credentials",
        ] {
            assert!(looks_secret(name), "{name}");
        }
        for name in ["key", "keyboard", "enabled", "apiKeyEnv", "botTokenEnv", "pinned", "spinner", "passage"]
        {
            assert!(!looks_secret(name), "{name}");
        }
    }

    #[test]
    fn variables_headers_and_passwords_in_addresses_are_hidden() {
        let mut config = json!({
            "env": { "vars": { "PLAIN": "v" }, "OTHER": "v", "shellEnv": { "enabled": true } },
            "tools": { "t": { "headers": { "X-Plain": "v" }, "url": "https://me:pw@host/x", "page": "https://host/@a:b" } },
            "skills": { "entries": { "env": { "enabled": true, "config": { "unit": "c" } } } },
        });
        redact(&mut config, &[], MASK);
        assert_eq!(
            config,
            json!({
                "env": { "vars": { "PLAIN": MASK }, "OTHER": MASK, "shellEnv": { "enabled": true } },
                "tools": { "t": { "headers": { "X-Plain": MASK }, "url": MASK, "page": "https://host/@a:b" } },
                "skills": { "entries": { "env": { "enabled": true, "config": { "unit": "c" } } } },
            })
        );
    }

    #[test]
    fn secrets_are_hidden_wherever_they_are() {
        let mut config = json!({
            "skills": {
                "entries": {
                    "token": { "enabled": true, "apiKey": "k", "env": { "PLAIN": "v", "EMPTY": "" }, "config": { "url": "u", "token": "t" } },
                    "ref": { "apiKey": { "source": "env", "provider": "default", "id": "KEY" } },
                    "odd": { "apiKey": { "value": "k" } },
                },
                "modes": { "token": "pinned" },
            },
            "agents": { "entries": { "secret": { "name": "n" } } },
            "models": [{ "apiKey": "k", "maxTokens": 4096 }],
            "secrets": {
                "providers": { "vault": { "source": "exec", "args": ["-q"], "passEnv": ["PATH"], "env": { "A": "k" }, "odd": "o" } },
                "other": ["p"],
            },
        });
        redact(&mut config, &[], "***");
        assert_eq!(
            config,
            json!({
                "skills": {
                    "entries": {
                        "token": { "enabled": true, "apiKey": "***", "env": { "PLAIN": "***", "EMPTY": "" }, "config": { "url": "u", "token": "***" } },
                        "ref": { "apiKey": { "source": "env", "provider": "default", "id": "KEY" } },
                        "odd": { "apiKey": { "value": "***" } },
                    },
                    "modes": { "token": "pinned" },
                },
                "agents": { "entries": { "secret": { "name": "n" } } },
                "models": [{ "apiKey": "***", "maxTokens": 4096 }],
                "secrets": {
                    "providers": { "vault": { "source": "exec", "args": ["***"], "passEnv": ["PATH"], "env": { "A": "***" }, "odd": "***" } },
                    "other": ["***"],
                },
            })
        );
    }
}
