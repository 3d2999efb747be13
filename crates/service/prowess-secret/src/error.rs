//! Reasons why a secret is not resolved. None of them holds a value.

use std::path::PathBuf;

use prowess_config::SecretReference;
use prowess_fs::UntrustedError;
use prowess_text::describe_error;

use crate::keyring::KeyringError;

/// The reason a secret could not be resolved. It names the reference, and never a value.
#[derive(Debug, thiserror::Error)]
#[error("`{reference}` cannot be resolved: {}", describe_error(problem.as_ref()))]
pub struct SecretError {
    /// The place of the secret.
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
    /// The source can be read by another engine only.
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
    /// The name of the provider is not valid.
    #[error("its `provider` must be lower-case letters, digits, `_` and `-`")]
    BadProvider,
    /// The provider is not allowed to give this secret.
    #[error("the `allowlist` of its provider does not have it")]
    NotAllowed,
    /// The secret is missing or blank.
    #[error("there is no value")]
    Missing,
    /// The provider reports more than one secret.
    #[error("there is more than one value")]
    Ambiguous,
    /// The file cannot be read.
    #[error("cannot read its file")]
    Read(#[source] prowess_fs::FileReadError),
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
    /// The program failed.
    #[error("its program {0}")]
    Program(String),
    /// It took too long.
    #[error("it took longer than {0} ms")]
    TimedOut(u128),
    /// The system's keyring failed.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// An earlier failure, by its message.
    #[error("{0}")]
    Said(String),
}
