//! The values of secrets that the config refers to.

use prowess_config::ApiKey;
use prowess_secret::{SecretError, SecretSources};
use prowess_types::Secret;

use crate::context::Context;

/// A secret of the config, got from where it is. Blocks while a provider is asked.
pub fn resolve_secret(context: &Context, secret: &ApiKey) -> Result<Secret, SecretError> {
    match secret {
        ApiKey::Literal(secret) => Ok(secret.clone()),
        ApiKey::Reference(reference) => prowess_secret::resolve(
            reference,
            SecretSources {
                settings: &context.config().secrets(),
                env: context.env(),
                expand: &|path| context.places().expand(path),
            },
        ),
    }
}
