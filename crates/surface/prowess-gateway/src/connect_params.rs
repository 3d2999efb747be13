//! What a client says about itself in `connect`.

use std::collections::BTreeSet;

use prowess_types::Secret;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::{Role, Scope};
use crate::refusal::Refusal;

/// Params of `connect`. Closed, but everything that clients of this protocol may say is understood.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ConnectParams {
    pub(crate) min_protocol: u32,
    pub(crate) max_protocol: u32,
    pub(crate) client: Client,
    #[serde(default = "operator")]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) scopes: Vec<String>,
    pub(crate) auth: Option<Auth>,
    pub(crate) device: Option<DeviceBlock>,
    #[serde(rename = "caps")]
    _caps: Option<Vec<String>>,
    #[serde(rename = "commands")]
    _commands: Option<Vec<String>>,
    #[serde(rename = "permissions")]
    _permissions: Option<Value>,
    #[serde(rename = "pathEnv")]
    _path_env: Option<String>,
    #[serde(rename = "locale")]
    _locale: Option<String>,
    #[serde(rename = "userAgent")]
    _user_agent: Option<String>,
}

fn operator() -> String {
    "operator".to_owned()
}

/// The program that connects, in its own words.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) version: String,
    pub(crate) platform: String,
    pub(crate) mode: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_family: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instance_id: Option<String>,
}

/// What a client presents to be let in. Has no `Debug` that would show it.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Auth {
    pub(crate) token: Option<String>,
    pub(crate) device_token: Option<String>,
    #[serde(rename = "password")]
    _password: Option<String>,
    /// A one-time code.
    pub(crate) bootstrap_token: Option<String>,
}

impl std::fmt::Debug for Auth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Auth(…)")
    }
}

impl Auth {
    /// The token that is presented, wherever it stands.
    pub(crate) fn presented(&self) -> Option<&str> {
        let given = |token: &'_ Option<String>| token.as_ref().is_some_and(|token| !token.is_empty());
        let places = [&self.token, &self.device_token];
        places.into_iter().find(|&token| given(token))?.as_deref()
    }

    /// The one-time code, where no token is presented.
    pub(crate) fn code(&self) -> Option<&str> {
        let code = self.bootstrap_token.as_deref().filter(|code| !code.is_empty());
        code.filter(|_| self.presented().is_none())
    }
}

/// A device's identity and its proof.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct DeviceBlock {
    pub(crate) id: String,
    pub(crate) public_key: String,
    pub(crate) signature: String,
    pub(crate) signed_at: u64,
    pub(crate) nonce: Option<String>,
}

/// The longest name or version that is kept and shown.
const MAX_WORD: usize = 256;
/// More scopes than there are.
const MAX_SCOPES: usize = 64;

impl ConnectParams {
    /// Words of a sane length, so that what is remembered about a client is bounded.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let Client { id, version, platform, mode, .. } = &self.client;
        let Client { display_name, device_family, model_identifier, instance_id, .. } = &self.client;
        let optional = [display_name, device_family, model_identifier, instance_id];
        let words = [id, version, platform, mode].into_iter().chain(optional.into_iter().flatten());
        let invalid = |what: &str| Err(Refusal::invalid(format!("invalid connect params: at /{what}")));
        if id.is_empty() || mode.is_empty() {
            return invalid("client: `id` and `mode` must not be empty");
        }
        if words.into_iter().any(|word| word.len() > MAX_WORD) {
            return invalid(&format!("client: nothing may be longer than {MAX_WORD} bytes"));
        }
        if self.scopes.len() > MAX_SCOPES || self.scopes.iter().any(|scope| scope.len() > MAX_WORD) {
            return invalid(&format!("scopes: at most {MAX_SCOPES}"));
        }
        Ok(())
    }
}

/// The Studio, which the gateway itself serves.
pub(crate) const STUDIO: &str = "prowess-studio";

/// Who was let in.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) client: Client,
    pub(crate) role: Role,
    pub(crate) scopes: BTreeSet<Scope>,
    pub(crate) device: Option<String>,
    /// The device's own token, and since when it has it.
    pub(crate) token: Option<(Secret, u64)>,
    /// True if it is an approved Studio, which may confirm changes of protected settings.
    pub(crate) is_person: bool,
}
