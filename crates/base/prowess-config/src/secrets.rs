//! The providers that references to secrets name (`secrets.providers`).
//!
//! The shape is OpenClaw's, so that a config written for it works here. Nothing is fetched here: a run resolves what
//! it needs.

use std::collections::BTreeMap;
use std::time::Duration;

use prowess_types::Secret;
use serde_json::Value;

use crate::api_key::{ApiKey, SecretReference, is_variable_name};
use crate::kind::count;
use crate::read::trimmed;
use crate::{Config, value};

/// The provider that is meant where none is named.
pub const DEFAULT_PROVIDER: &str = "default";
/// The default timeout of a provider, in milliseconds.
const TIMEOUT_MS: u64 = 5_000;
/// How much a provider may give, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// `secrets`: who can be asked for secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretSettings {
    /// The providers by name.
    pub providers: BTreeMap<String, SecretProvider>,
    /// The provider that is meant where none is named, by source.
    pub defaults: BTreeMap<String, String>,
}

impl SecretSettings {
    /// The name of the provider that a reference means.
    pub fn provider_of<'a>(&'a self, reference: &'a SecretReference) -> &'a str {
        let default = || self.defaults.get(&reference.source).map_or(DEFAULT_PROVIDER, String::as_str);
        reference.provider.as_deref().unwrap_or_else(default)
    }
}

/// Somebody who can be asked for secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretProvider {
    /// The user's environment.
    Env {
        /// The variables that may be read; none means all.
        allow: Option<Vec<String>>,
    },
    /// A file.
    File {
        /// Where it is, `~` not yet expanded.
        path: String,
        /// True if the whole file is one secret, not JSON with many.
        single_value: bool,
        /// The time limit for reading.
        timeout: Duration,
        /// The maximum size.
        max_bytes: u64,
    },
    /// A program.
    Exec(Box<ExecProvider>),
    /// The keyring of the system.
    Keyring {
        /// The name under which secrets are kept there; ours if there is none.
        service: Option<String>,
    },
    /// Something that only another engine can ask.
    Foreign {
        /// Its kind.
        source: String,
    },
}

impl SecretProvider {
    /// The source that references name it with.
    pub fn source(&self) -> &str {
        match self {
            Self::Env { .. } => "env",
            Self::File { .. } => "file",
            Self::Exec(_) => "exec",
            Self::Keyring { .. } => "keyring",
            Self::Foreign { source } => source,
        }
    }
}

/// A program that gives secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecProvider {
    /// The program, by its absolute path, `~` not yet expanded; none if only a plugin knows it.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The time limit.
    pub timeout: Duration,
    /// The longest silence allowed.
    pub silence: Duration,
    /// The maximum size of its output, in bytes.
    pub max_output: usize,
    /// True if it must answer in JSON.
    pub json_only: bool,
    /// Variables for it.
    pub env: Vec<(String, Secret)>,
    /// Variables it inherits.
    pub pass_env: Vec<String>,
    /// Folders that the program may lie in; empty means any.
    pub trusted_dirs: Vec<String>,
}

impl Config {
    /// A secret anywhere in the config; a blank one counts as none.
    pub(crate) fn secret_at(&self, path: &[&str]) -> Option<ApiKey> {
        let value = value::at(self.merged(), path)?;
        // In these places OpenClaw takes `$NAME` as well.
        let bare = || value.as_str()?.trim().strip_prefix('$').filter(|name| is_variable_name(name));
        match bare() {
            Some(name) => Some(ApiKey::Reference(SecretReference::new("env", name))),
            None => ApiKey::read(value),
        }
    }

    /// Named values, any of which may be secret: names trimmed, blank values left out.
    pub(crate) fn secrets_at(&self, path: &[&str]) -> Vec<(String, ApiKey)> {
        let named = value::members(self.merged(), path).filter_map(|(name, value)| {
            let name = name.trim();
            Some((name.to_owned(), ApiKey::read(value)?)).filter(|_| !name.is_empty())
        });
        named.collect()
    }

    /// `secrets`.
    pub fn secrets(&self) -> SecretSettings {
        let providers = value::members(self.merged(), &["secrets", "providers"]);
        let defaults = value::members(self.merged(), &["secrets", "defaults"]);
        SecretSettings {
            providers: providers
                .filter_map(|(name, provider)| Some((name.to_owned(), self.provider(name, provider)?)))
                .collect(),
            defaults: defaults
                .filter_map(|(source, name)| Some((source.to_owned(), name.as_str()?.trim().to_owned())))
                .collect(),
        }
    }

    fn provider(&self, name: &str, provider: &Value) -> Option<SecretProvider> {
        let text = |key: &str| provider.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty());
        let number = |key: &str, default: u64| provider.get(key).and_then(count).unwrap_or(default);
        let texts = |key: &str| provider.get(key).map(trimmed);
        let timeout = Duration::from_millis(number("timeoutMs", TIMEOUT_MS));
        Some(match text("source")? {
            "env" => SecretProvider::Env { allow: texts("allowlist") },
            "file" => SecretProvider::File {
                path: text("path")?.to_owned(),
                single_value: text("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("singleValue")),
                timeout,
                max_bytes: number("maxBytes", MAX_BYTES),
            },
            "exec" => SecretProvider::Exec(Box::new(ExecProvider {
                command: text("command").map(str::to_owned),
                args: texts("args").unwrap_or_default(),
                timeout,
                silence: provider
                    .get("noOutputTimeoutMs")
                    .and_then(count)
                    .map_or(timeout, Duration::from_millis),
                max_output: usize::try_from(number("maxOutputBytes", MAX_BYTES)).unwrap_or(usize::MAX),
                json_only: provider.get("jsonOnly").and_then(Value::as_bool).unwrap_or(true),
                env: self.secret_texts(&["secrets", "providers", name, "env"]),
                pass_env: texts("passEnv").unwrap_or_default(),
                trusted_dirs: texts("trustedDirs").unwrap_or_default(),
            })),
            "keyring" => SecretProvider::Keyring { service: text("service").map(str::to_owned) },
            other => SecretProvider::Foreign { source: other.to_owned() },
        })
    }
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
