//! Secrets: resolved from their sources, and redacted from texts.
//!
//! [`resolve()`] turns a reference of the config into its value; an error names the reference and never a value.
//! [`Redactor`] takes known values out of texts, [`StreamRedactor`] out of texts that come in pieces.
//!
//! What this crate refuses to do: read a config file, write a secret anywhere but the system's keyring.

mod error;
mod exec;
mod file;
mod forms;
mod keyring;
mod redact;
mod resolve;
mod stream;

pub use error::{SecretError, SecretProblem};
pub use keyring::{KEYRING_SERVICE, Keyring, KeyringError};
pub use redact::Redactor;
pub use resolve::{SecretSources, resolve};
pub use stream::StreamRedactor;
