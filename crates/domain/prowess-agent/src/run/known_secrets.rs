//! Every secret that the engine knows of, so that no tool shows one wherever it turns up.

use prowess_acquire::login;
use prowess_config::{ApiKey, looks_secret};
use prowess_context::{Context, resolve_secret};
use prowess_secret::Redactor;
use prowess_types::Secret;

/// Sources that answer at once, without a prompt. A keyring may have to be unlocked, a program may take long: what they
/// hold is known once a skill or a model uses it.
const AT_ONCE: [&str; 2] = ["env", "file"];

/// Returns a text without the secrets that the engine knows of, and without what looks like one. Recorded messages are
/// masked the same way.
pub fn redacted(context: &Context, text: &str) -> String {
    let known = known_secrets(context);
    prowess_trace::masked_text(&Redactor::new(&known).redact(text))
}

/// The secrets of the config, of skills that are not in use too; of the user's environment; of the login.
pub(super) fn known_secrets(context: &Context) -> Vec<Secret> {
    let configured = context.config().secret_values().into_iter().filter_map(|(name, value)| match &value {
        ApiKey::Literal(secret) => {
            (looks_secret(&name) || !is_plain_setting(secret.expose())).then(|| secret.clone())
        }
        ApiKey::Reference(reference) if AT_ONCE.contains(&reference.source.as_str()) => {
            resolve_secret(context, &value).ok()
        }
        ApiKey::Reference(_) => None,
    });
    let env = context.env();
    let names = env.non_blank_names();
    let inherited = names.iter().filter(|name| looks_secret(name)).filter_map(|name| env.trimmed(name));
    let mut secrets: Vec<Secret> = configured.chain(inherited.map(Secret::new)).collect();
    secrets.extend(login(context).unwrap_or_default().token);
    secrets
}

/// Returns true if a value of a variable is an ordinary setting: a path, an address without a password, a plain word.
/// Masking it would black out ordinary text, such as the workspace's own path.
fn is_plain_setting(value: &str) -> bool {
    let value = value.trim();
    let is_path = value.starts_with(['/', '~', '.']);
    let is_address = value.contains("://") && !value.contains('@') && !value.contains('?');
    // No key is that short and has letters only.
    let is_word = value.len() < 20 && value.chars().all(char::is_alphabetic);
    is_path || is_address || is_word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_settings_are_told_from_keys() {
        for plain in ["/home/me/project", "~/notes", "https://api.example.org/v1", "production", "english"] {
            assert!(is_plain_setting(plain), "{plain}");
        }
        for key in [
            "hunter2-hunter2",
            "https://me:word@example.org",
            "https://example.org/?key=k1",
            "abcdefghijklmnopqrstuvwxyz",
        ] {
            assert!(!is_plain_setting(key), "{key}");
        }
    }
}
