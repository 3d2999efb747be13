//! Secrets: got from where they are, kept out of texts.
//!
//! [`resolve()`] turns a reference of the config into its value; an error names the reference and never a value.
//! [`Redactor`] takes known values out of texts, [`StreamRedactor`] out of texts that come in pieces.

mod exec;
mod file;
mod forms;
mod keyring;
mod redact;
mod resolve;
mod stream;

pub use keyring::{KEYRING_SERVICE, Keyring, KeyringError};
pub use redact::Redactor;
pub use resolve::{SecretError, SecretProblem, SecretSources, resolve};
pub use stream::StreamRedactor;
