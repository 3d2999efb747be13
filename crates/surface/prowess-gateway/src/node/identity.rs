//! Who a node is: a key of its own, and the tokens that gateways gave it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use ed25519_dalek::{Signer as _, SigningKey};
use prowess_fs::update_file;
use prowess_text::describe_error;
use prowess_types::Secret;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::NodeError;
use crate::handshake::identity::device_id;

/// The time to wait for another process that writes the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// A node's key, and where it is kept.
pub(super) struct Identity {
    file: PathBuf,
    key: SigningKey,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Stored {
    /// The key, in hexadecimal.
    key: String,
    /// By the address of the gateway.
    tokens: BTreeMap<String, String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Identity {
    /// The identity in a file; a new one if there is none.
    pub(super) fn open(file: &Path) -> Result<Self, NodeError> {
        let seed: [u8; 32] =
            prowess_net::random_bytes().map_err(|error| unusable(file, &describe_error(&error)))?;
        let stored = change(file, |stored| {
            if stored.key.is_empty() {
                stored.key = HEXLOWER.encode(seed.as_ref());
            }
            stored.key.clone()
        })?;
        let bytes = HEXLOWER.decode(stored.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        let bytes: [u8; 32] = bytes.ok_or_else(|| unusable(file, "`key` is not a key"))?;
        Ok(Self { file: file.to_owned(), key: SigningKey::from_bytes(&bytes) })
    }

    /// The id of the device.
    pub(super) fn id(&self) -> String {
        device_id(&self.key.verifying_key().to_bytes())
    }

    pub(super) fn public_key(&self) -> String {
        BASE64URL_NOPAD.encode(&self.key.verifying_key().to_bytes())
    }

    pub(super) fn sign(&self, text: &str) -> String {
        BASE64URL_NOPAD.encode(&self.key.sign(text.as_bytes()).to_bytes())
    }

    /// The token that a gateway gave.
    pub(super) fn token(&self, gateway: &str) -> Result<Option<Secret>, NodeError> {
        change(&self.file, |stored| stored.tokens.get(gateway).map(Secret::new))
    }

    /// Keeps the token of a gateway, or forgets it.
    pub(super) fn keep(&self, gateway: &str, token: Option<&str>) -> Result<(), NodeError> {
        change(&self.file, |stored| {
            match token {
                Some(token) => stored.tokens.insert(gateway.to_owned(), token.to_owned()),
                None => stored.tokens.remove(gateway),
            };
        })
    }
}

/// Changes what is stored, and tells something about it.
fn change<T>(file: &Path, change: impl FnOnce(&mut Stored) -> T) -> Result<T, NodeError> {
    let mut told = None;
    if let Some(folder) = file.parent() {
        prowess_fs::create_folder(folder).map_err(|error| unusable(file, &describe_error(&error)))?;
    }
    let updated = update_file(file, PATIENCE, |old| -> Result<_, Infallible> {
        let Ok(mut stored) = serde_json::from_str::<Stored>(old.as_deref().unwrap_or("{}")) else {
            return Ok(None);
        };
        told = Some(change(&mut stored));
        Ok(serde_json::to_string_pretty(&stored).ok().map(|text| text + "\n"))
    });
    updated.map_err(|error| unusable(file, &describe_error(&error)))?;
    told.ok_or_else(|| unusable(file, "it is damaged; without it this node is a new one"))
}

fn unusable(file: &Path, why: &str) -> NodeError {
    NodeError::Identity { file: file.to_owned(), why: why.to_owned() }
}
