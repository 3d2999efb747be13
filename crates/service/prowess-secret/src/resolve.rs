//! A reference of the config, turned into its value.

use std::path::PathBuf;

use prowess_config::{
    DEFAULT_PROVIDER, Env, SecretProvider, SecretReference, SecretSettings, is_variable_name,
};
use prowess_types::Secret;

use crate::error::{SecretError, SecretProblem};
use crate::keyring::Keyring;
use crate::{exec, file};

/// The sources of secrets.
#[derive(Clone, Copy)]
pub struct SecretSources<'a> {
    /// `secrets` of the config.
    pub settings: &'a SecretSettings,
    /// The user's environment.
    pub env: &'a Env,
    /// Makes a path of the config absolute.
    pub expand: &'a dyn Fn(&str) -> PathBuf,
}

/// Gets a secret from where it is. Blocks, within the time limits of the provider.
///
/// ```
/// use prowess_config::{Env, SecretReference, SecretSettings};
/// use prowess_secret::{SecretSources, resolve};
///
/// let env = Env::new([("WEATHER_KEY".to_owned(), "hunter2".to_owned())], "/");
/// let sources =
///     SecretSources { settings: &SecretSettings::default(), env: &env, expand: &|path| path.into() };
/// assert_eq!(resolve(&SecretReference::new("env", "WEATHER_KEY"), sources)?.expose(), "hunter2");
/// # Ok::<(), prowess_secret::SecretError>(())
/// ```
pub fn resolve(reference: &SecretReference, sources: SecretSources<'_>) -> Result<Secret, SecretError> {
    let found = provider(reference, sources.settings)
        .and_then(|provider| ask(reference, &provider, sources))
        .and_then(|secret| if secret.is_blank() { Err(SecretProblem::Missing) } else { Ok(secret) });
    found.map_err(|problem| SecretError { reference: reference.clone(), problem: Box::new(problem) })
}

/// The provider that a reference means. The environment and the keyring need no entry in the config.
fn provider(reference: &SecretReference, settings: &SecretSettings) -> Result<SecretProvider, SecretProblem> {
    let source = reference.source.as_str();
    let name = settings.provider_of(reference);
    if !is_provider_name(name) {
        return Err(SecretProblem::BadProvider);
    }
    let is_default = settings.defaults.get(source).map_or(DEFAULT_PROVIDER, String::as_str) == name;
    match (settings.providers.get(name).filter(|provider| provider.source() == source), source) {
        (Some(SecretProvider::Foreign { source }), _) => Err(SecretProblem::Foreign(source.clone())),
        (Some(provider), _) => Ok(provider.clone()),
        (None, "env") if is_default => Ok(SecretProvider::Env { allow: None }),
        (None, "keyring") if is_default => Ok(SecretProvider::Keyring { service: None }),
        (None, "store") => Err(SecretProblem::Foreign(source.to_owned())),
        (None, "env" | "file" | "exec" | "keyring") => {
            Err(SecretProblem::UnknownProvider { provider: name.to_owned(), source_kind: source.to_owned() })
        }
        (None, _) => Err(SecretProblem::UnknownSource(source.to_owned())),
    }
}

fn ask(
    reference: &SecretReference,
    provider: &SecretProvider,
    sources: SecretSources<'_>,
) -> Result<Secret, SecretProblem> {
    let id = reference.id.as_deref().unwrap_or_default();
    match provider {
        SecretProvider::Env { allow } => {
            if !is_variable_name(id) {
                return Err(SecretProblem::BadId("the name of a variable in upper case"));
            }
            if allow.as_ref().is_some_and(|names| !names.iter().any(|name| name == id)) {
                return Err(SecretProblem::NotAllowed);
            }
            sources.env.get(id).map(Secret::new).ok_or(SecretProblem::Missing)
        }
        SecretProvider::File { path, single_value, timeout, max_bytes } => {
            file::read(id, &(sources.expand)(path), *single_value, *timeout, *max_bytes)
        }
        SecretProvider::Exec(provider) => {
            exec::ask(id, sources.settings.provider_of(reference), provider, sources.env, sources.expand)
        }
        SecretProvider::Keyring { service } => {
            let keyring = Keyring::open(sources.env, service.as_deref())?;
            keyring.get(id)?.ok_or(SecretProblem::Missing)
        }
        other => Err(SecretProblem::Foreign(other.source().to_owned())),
    }
}

fn is_provider_name(name: &str) -> bool {
    let is_rest =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.len() <= 64
        && name.bytes().all(is_rest)
}
