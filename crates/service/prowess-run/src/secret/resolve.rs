//! A reference of the config, turned into its value.

use std::path::PathBuf;

use prowess_config::{
    DEFAULT_PROVIDER, Env, SecretProvider, SecretReference, SecretSettings, is_variable_name,
};
use prowess_fs::UntrustedError;
use prowess_text::describe_error;
use prowess_types::Secret;

use super::keyring::{Keyring, KeyringError};
use super::{exec, file};

/// Who can be asked for secrets.
#[derive(Clone, Copy)]
pub struct SecretSources<'a> {
    /// `secrets` of the config.
    pub settings: &'a SecretSettings,
    /// The user's environment.
    pub env: &'a Env,
    /// Makes a path of the config absolute.
    pub expand: &'a dyn Fn(&str) -> PathBuf,
}

/// The reason why a secret could not be got. It names the reference, and never a value.
#[derive(Debug, thiserror::Error)]
#[error("`{reference}` cannot be resolved: {}", describe_error(problem.as_ref()))]
pub struct SecretError {
    /// The place where the secret should be.
    pub reference: SecretReference,
    /// The problem.
    pub problem: Box<SecretProblem>,
}

/// A cause cannot be copied, but what it says can.
impl Clone for SecretError {
    fn clone(&self) -> Self {
        let problem = Box::new(SecretProblem::Said(describe_error(self.problem.as_ref())));
        Self { reference: self.reference.clone(), problem }
    }
}

/// The problem with a reference, or with the place it names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SecretProblem {
    /// The source is not one of ours.
    #[error("there is no source `{0}`; use `env`, `file`, `exec` or `keyring`")]
    UnknownSource(String),
    /// Only another engine can ask it.
    #[error("only OpenClaw can read its `{0}`")]
    Foreign(String),
    /// There is no such provider.
    #[error("`secrets.providers` has no `{provider}` with the source `{source_kind}`")]
    UnknownProvider {
        /// Its name.
        provider: String,
        /// The source that was asked for.
        source_kind: String,
    },
    /// The reference has no id, or one that the source does not take.
    #[error("its `id` must be {0}")]
    BadId(&'static str),
    /// The name of the provider is none.
    #[error("its `provider` must be lower-case letters, digits, `_` and `-`")]
    BadProvider,
    /// The provider does not give this one.
    #[error("the `allowlist` of its provider does not have it")]
    NotAllowed,
    /// There is nothing, or nothing but blanks.
    #[error("there is no value")]
    Missing,
    /// The provider says that there is more than one.
    #[error("there is more than one value")]
    Ambiguous,
    /// The file cannot be read.
    #[error("cannot read its file")]
    Read(#[source] prowess_fs::ReadError),
    /// Others can read or change the file.
    #[error("`{}` must be a file that only you can read, with a single name: {problem}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        problem: &'static str,
    },
    /// The file is not what its provider says.
    #[error("its file is not {0}")]
    BadFile(&'static str),
    /// Others could have changed the program.
    #[error("its program is not run")]
    Untrusted(#[source] UntrustedError),
    /// The provider names no program.
    #[error("its provider has no `command`")]
    NoCommand,
    /// The program did not do its work.
    #[error("its program {0}")]
    Program(String),
    /// It took too long.
    #[error("it took longer than {0} ms")]
    TimedOut(u128),
    /// The system's keyring did not give it.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// As it was said before.
    #[error("{0}")]
    Said(String),
}

/// Gets a secret from where it is. Blocks, within the time limits of the provider.
///
/// ```
/// use prowess_config::{Env, SecretReference, SecretSettings};
/// use prowess_run::secret::{SecretSources, resolve};
///
/// let env = Env::new([("WEATHER_KEY".to_owned(), "hunter2".to_owned())], "/");
/// let sources =
///     SecretSources { settings: &SecretSettings::default(), env: &env, expand: &|path| path.into() };
/// assert_eq!(resolve(&SecretReference::new("env", "WEATHER_KEY"), sources)?.expose(), "hunter2");
/// # Ok::<(), prowess_run::secret::SecretError>(())
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
            exec::ask(id, sources.settings.provider_of(reference), provider, sources)
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
