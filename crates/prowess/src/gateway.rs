//! What a gateway needs from the config.

use prowess_config::{Change, KeyPath};
use prowess_types::Secret;
use ulid::Ulid;

use crate::{Engine, EngineError};

/// Letters of a token that is made here: 256 bits in hexadecimal.
const TOKEN_KEY: &str = "gateway.auth.token";

impl Engine {
    /// What lets a client into the gateway, and whether it was made just now. It is kept in the user's config.
    pub fn gateway_token(&self) -> Result<(Secret, bool), EngineError> {
        if let Some(token) = self.reopen()?.config().gateway().token {
            return Ok((token, false));
        }
        let token = new_token();
        if let Ok(key) = KeyPath::parse(TOKEN_KEY) {
            self.change_config(&[Change::Set(key, token.clone().into())])?;
        }
        Ok((Secret::new(token), true))
    }
}

/// 256 random bits. An id has 80 bits from the system's generator; four of them are mixed.
fn new_token() -> String {
    let parts: Vec<String> = (0..4).map(|_| Ulid::generate().to_string()).collect();
    prowess_fs::sha256_hex(parts.concat().as_bytes())
}
