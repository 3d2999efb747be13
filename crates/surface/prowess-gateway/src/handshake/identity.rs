//! Proof that a client holds the key of a device.
//!
//! A device is an Ed25519 key. Its id is the SHA-256 of the public half. What it signs names everything that matters
//! about the connection, and the nonce of this very handshake, so that a signature is good once.

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signature, VerifyingKey};

use crate::connect_params::{ConnectParams, DeviceBlock};

/// How far the clocks of both sides may be apart.
pub(crate) const MAX_SKEW_MS: u64 = 120_000;

/// The reason a device is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    PublicKey,
    Id,
    Expired,
    NonceMissing,
    Nonce,
    Signature,
}

impl Doubt {
    /// The message, the code and the reason, as clients know them.
    pub(crate) fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::PublicKey => {
                ("device public key invalid", "DEVICE_AUTH_PUBLIC_KEY_INVALID", "device-public-key")
            }
            Self::Id => ("device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH", "device-id-mismatch"),
            Self::Expired => {
                ("device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED", "device-signature-stale")
            }
            Self::NonceMissing => {
                ("device nonce required", "DEVICE_AUTH_NONCE_REQUIRED", "device-nonce-missing")
            }
            Self::Nonce => ("device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH", "device-nonce-mismatch"),
            Self::Signature => {
                ("device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID", "device-signature")
            }
        }
    }
}

/// The id of a device: the SHA-256 of its public key.
pub(crate) fn device_id(public_key: &[u8]) -> String {
    prowess_fs::sha256_hex(public_key)
}

/// Whether a client holds the key that it names. The form without a nonce (`v1`) is never believed.
pub(crate) fn prove(
    params: &ConnectParams,
    device: &DeviceBlock,
    nonce: &str,
    now_ms: u64,
) -> Result<(), Doubt> {
    let bytes = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
    let public: [u8; 32] =
        bytes(&device.public_key).and_then(|key| key.try_into().ok()).ok_or(Doubt::PublicKey)?;
    let key = VerifyingKey::from_bytes(&public).map_err(|_| Doubt::PublicKey)?;
    if device.id != device_id(&public) {
        return Err(Doubt::Id);
    }
    if device.signed_at.abs_diff(now_ms) > MAX_SKEW_MS {
        return Err(Doubt::Expired);
    }
    match device.nonce.as_deref() {
        None | Some("") => return Err(Doubt::NonceMissing),
        Some(signed) if signed != nonce => return Err(Doubt::Nonce),
        Some(_) => {}
    }
    let signature = bytes(&device.signature).and_then(|signature| Signature::from_slice(&signature).ok());
    let signature = signature.ok_or(Doubt::Signature)?;
    let is_signed = |text: String| key.verify_strict(text.as_bytes(), &signature).is_ok();
    let token = params.auth.as_ref().and_then(|auth| auth.presented().or(auth.code())).unwrap_or_default();
    let statement = Statement {
        device: &device.id,
        client: &params.client.id,
        mode: &params.client.mode,
        role: &params.role,
        scopes: &params.scopes,
        signed_at: device.signed_at,
        token,
        nonce,
    };
    let family = params.client.device_family.as_deref();
    if is_signed(statement.v2()) || is_signed(statement.v3(&params.client.platform, family)) {
        Ok(())
    } else {
        Err(Doubt::Signature)
    }
}

/// What a device signs.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    pub(crate) device: &'a str,
    pub(crate) client: &'a str,
    pub(crate) mode: &'a str,
    pub(crate) role: &'a str,
    pub(crate) scopes: &'a [String],
    pub(crate) signed_at: u64,
    pub(crate) token: &'a str,
    pub(crate) nonce: &'a str,
}

impl Statement<'_> {
    fn form(&self, version: &str) -> String {
        let Self { device, client, mode, role, scopes, signed_at, token, nonce } = self;
        let scopes = scopes.join(",");
        format!("{version}|{device}|{client}|{mode}|{role}|{scopes}|{signed_at}|{token}|{nonce}")
    }

    pub(crate) fn v2(&self) -> String {
        self.form("v2")
    }

    /// Also binds what kind of machine it is.
    pub(crate) fn v3(&self, platform: &str, family: Option<&str>) -> String {
        let plain = |text: &str| text.trim().to_ascii_lowercase();
        format!("{}|{}|{}", self.form("v3"), plain(platform), plain(family.unwrap_or_default()))
    }
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod tests;
