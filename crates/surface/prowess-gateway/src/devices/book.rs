//! The record of devices.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use hmac::{Hmac, KeyInit as _, Mac as _};
use prowess_types::{ContentHash, Secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::access::{Role, Scope};
use crate::connect_params::{Client, STUDIO};
use crate::door::is_same;
use crate::refusal::Refusal;

/// The time after which a request that is not repeated is dropped.
const REQUEST_MS: u64 = 300_000;
/// Maximum number of pending requests; the oldest is dropped.
const MAX_REQUESTS: usize = 64;

/// The function that derives the tokens of devices.
const TOKEN_MAC: &str = "hmac-sha256";

/// Fields of a later version, which are kept.
type Rest = Map<String, Value>;

/// All devices, and all that wait.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Book {
    /// By id.
    pub(crate) devices: BTreeMap<String, Device>,
    /// By the id of the request.
    pub(crate) requests: BTreeMap<String, PairingRequest>,
    #[serde(flatten)]
    rest: Rest,
}

/// A device that is known.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Device {
    pub(crate) public_key: String,
    pub(crate) client_id: String,
    pub(crate) client_mode: String,
    pub(crate) platform: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    pub(crate) paired_at_ms: u64,
    /// What it may do, by role.
    pub(crate) grants: BTreeMap<String, Grant>,
    #[serde(flatten)]
    rest: Rest,
}

/// The permissions of a device in a role.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Grant {
    pub(crate) scopes: Vec<String>,
    /// The SHA-256 of its token; none if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token_hash: Option<String>,
    /// The function that derived its token; version 0.1 did not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_mac: Option<String>,
    pub(crate) issued_at_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) revoked_at_ms: Option<u64>,
    /// True if a person approved it as a Studio: it may confirm changes of protected settings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) confirms: bool,
    /// The number of tokens that it had.
    generation: u64,
    #[serde(flatten)]
    rest: Rest,
}

/// A device that waits to be known, or to be allowed more.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct PairingRequest {
    /// What it is approved or rejected by.
    pub(crate) request_id: String,
    pub(crate) device_id: String,
    pub(crate) public_key: String,
    pub(crate) client_id: String,
    pub(crate) client_mode: String,
    pub(crate) platform: String,
    /// What the device calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    pub(crate) role: String,
    /// What it would be allowed.
    pub(crate) scopes: Vec<String>,
    /// Its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) remote_ip: Option<String>,
    /// True if the device is known already, and wants more.
    pub(crate) is_repair: bool,
    /// When it asked the last time, in milliseconds since 1970.
    pub(crate) ts: u64,
    /// True if it was not announced yet.
    #[serde(skip)]
    pub(crate) is_new: bool,
    #[serde(flatten)]
    #[schemars(skip)]
    rest: Rest,
}

impl PairingRequest {
    /// For operators.
    pub(crate) fn shown(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(crate) fn applicant(&self) -> Applicant {
        let role = if self.role == role_name(Role::Node) { Role::Node } else { Role::Operator };
        Applicant {
            device: self.device_id.clone(),
            public_key: self.public_key.clone(),
            role,
            wanted: scopes_of(&self.scopes),
        }
    }
}

/// A device that proved who it is, and what it wants.
#[derive(Clone, Debug)]
pub(crate) struct Applicant {
    pub(crate) device: String,
    pub(crate) public_key: String,
    pub(crate) role: Role,
    pub(crate) wanted: BTreeSet<Scope>,
}

/// What a pairing goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairedBy {
    /// The gateway's token, which a program may have.
    Token,
    /// A person: a one-time code, or an approval at the terminal or in an approved Studio.
    Person,
}

/// How well a device is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Unknown,
    /// Known, but in another role.
    OtherRole,
    /// Known, but it wants more than it may.
    FewerScopes,
    Known,
}

pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Operator => "operator",
        Role::Node => "node",
    }
}

fn scopes_of(words: &[String]) -> BTreeSet<Scope> {
    let known = |word: &String| Scope::ALL.into_iter().find(|scope| scope.as_str() == word);
    words.iter().filter_map(known).collect()
}

fn words_of(scopes: &BTreeSet<Scope>) -> Vec<String> {
    let mut words: Vec<String> = scopes.iter().map(|scope| scope.as_str().to_owned()).collect();
    words.sort_unstable();
    words
}

impl Grant {
    pub(crate) fn allowed(&self) -> BTreeSet<Scope> {
        scopes_of(&self.scopes)
    }
}

impl Book {
    fn grant(&self, device: &str, role: Role) -> Option<&Grant> {
        self.devices.get(device)?.grants.get(role_name(role))
    }

    /// Returns true if a token is that of a device in a role.
    pub(crate) fn opens(&self, device: &str, role: Role, token: &str) -> bool {
        let hash = self.grant(device, role).and_then(|grant| grant.token_hash.as_deref());
        hash.is_some_and(|hash| is_same(&prowess_fs::sha256_hex(token.as_bytes()), hash))
    }

    /// The device whose token as an operator this is, and what it may do. One that may do nothing is none.
    pub(crate) fn operator(&self, token: &str) -> Option<(&str, &Device, BTreeSet<Scope>)> {
        let hash = prowess_fs::sha256_hex(token.as_bytes());
        self.devices.iter().find_map(|(id, device)| {
            let grant = device.grants.get(role_name(Role::Operator))?;
            let own = grant.token_hash.as_deref()?;
            let is_own = bool::from(own.as_bytes().ct_eq(hash.as_bytes()));
            let scopes = grant.allowed();
            (is_own && !scopes.is_empty()).then_some((id.as_str(), device, scopes))
        })
    }

    /// Returns whether the token of a device was derived by version 0.1 and must be replaced.
    pub(crate) fn has_outdated_token(&self, device: &str, role: Role) -> bool {
        self.grant(device, role)
            .is_some_and(|grant| grant.token_hash.is_some() && grant.token_mac.as_deref() != Some(TOKEN_MAC))
    }

    pub(crate) fn has_token(&self, device: &str, role: Role) -> bool {
        self.grant(device, role).is_some_and(|grant| grant.token_hash.is_some())
    }

    /// What a device may do, in one role or in all.
    pub(crate) fn allowed(&self, device: &str, role: Option<Role>) -> Result<BTreeSet<Scope>, Refusal> {
        let known = self.devices.get(device).ok_or_else(|| unknown_device(device))?;
        let grants = known.grants.iter().filter(|(name, _)| role.is_none_or(|role| role_name(role) == *name));
        Ok(grants.flat_map(|(_, grant)| grant.allowed()).collect())
    }

    pub(crate) fn standing(&self, applicant: &Applicant) -> Standing {
        let Some(device) = self.devices.get(&applicant.device) else { return Standing::Unknown };
        match device.grants.get(role_name(applicant.role)) {
            None => Standing::OtherRole,
            Some(grant) if applicant.wanted.is_subset(&grant.allowed()) => Standing::Known,
            Some(_) => Standing::FewerScopes,
        }
    }

    /// Knows a device from now on. What it was allowed before it stays allowed.
    pub(crate) fn pair(&mut self, applicant: &Applicant, client: &Client, by: PairedBy, now_ms: u64) {
        let Applicant { device: id, public_key, role, wanted } = applicant;
        self.requests.retain(|_, request| request.device_id != *id || request.role != role_name(*role));
        let device = self.devices.entry(id.clone()).or_insert_with(|| Device {
            public_key: public_key.clone(),
            paired_at_ms: now_ms,
            ..Device::default()
        });
        device.client_id.clone_from(&client.id);
        device.client_mode.clone_from(&client.mode);
        device.platform.clone_from(&client.platform);
        device.display_name.clone_from(&client.display_name);
        let grant = device.grants.entry(role_name(*role).to_owned()).or_default();
        let allowed: BTreeSet<Scope> = grant.allowed().union(wanted).copied().collect();
        grant.scopes = words_of(&allowed);
        if by == PairedBy::Person && client.id == STUDIO && *role == Role::Operator {
            grant.confirms = true;
        }
    }

    /// Returns true if a person approved a device as a Studio.
    pub(crate) fn confirms(&self, device: &str) -> bool {
        self.grant(device, Role::Operator).is_some_and(|grant| grant.confirms)
    }

    /// The token of a known device: the one it has, else a new one.
    pub(crate) fn issue(
        &mut self,
        device: &str,
        role: Role,
        key: &[u8; 32],
        now_ms: u64,
    ) -> Result<(Secret, u64), Refusal> {
        let known = self.devices.get_mut(device).ok_or_else(|| unknown_device(device))?;
        let paired_at_ms = known.paired_at_ms;
        let grant = known.grants.get_mut(role_name(role)).ok_or_else(|| unknown_role(device, role))?;
        let derive = |generation: u64| {
            derive_token(key, &format!("{device}|{}|{paired_at_ms}|{generation}", role_name(role)))
        };
        let token = derive(grant.generation)?;
        let hash = prowess_fs::sha256_hex(token.as_bytes());
        if grant.token_hash.as_ref() == Some(&hash) {
            return Ok((Secret::new(token), grant.issued_at_ms));
        }
        grant.generation += 1;
        let token = derive(grant.generation)?;
        grant.token_hash = Some(prowess_fs::sha256_hex(token.as_bytes()));
        grant.token_mac = Some(TOKEN_MAC.to_owned());
        grant.issued_at_ms = now_ms;
        grant.revoked_at_ms = None;
        Ok((Secret::new(token), now_ms))
    }

    /// Makes the token of a device in a role worth nothing. It is no longer an approved Studio, either.
    pub(crate) fn revoke(&mut self, device: &str, role: Role, now_ms: u64) -> Result<(), Refusal> {
        self.drop_token(device, role, now_ms)?.confirms = false;
        Ok(())
    }

    /// Makes the token of a device in a role worth nothing.
    pub(crate) fn drop_token(
        &mut self,
        device: &str,
        role: Role,
        now_ms: u64,
    ) -> Result<&mut Grant, Refusal> {
        let known = self.devices.get_mut(device).ok_or_else(|| unknown_device(device))?;
        let grant = known.grants.get_mut(role_name(role)).ok_or_else(|| unknown_role(device, role))?;
        grant.token_hash = None;
        grant.token_mac = None;
        grant.revoked_at_ms = Some(now_ms);
        Ok(grant)
    }

    /// Notes a request; one that was made before is only renewed.
    pub(crate) fn request(
        &mut self,
        applicant: &Applicant,
        client: &Client,
        peer: Option<IpAddr>,
        now_ms: u64,
    ) -> PairingRequest {
        self.forget_old_requests(now_ms);
        let (role, scopes) = (role_name(applicant.role).to_owned(), words_of(&applicant.wanted));
        let same = |request: &&mut PairingRequest| {
            request.device_id == applicant.device && request.role == role && request.scopes == scopes
        };
        if let Some(request) = self.requests.values_mut().find(same) {
            request.ts = now_ms;
            return request.clone();
        }
        if self.requests.len() >= MAX_REQUESTS {
            let oldest = self.requests.iter().min_by_key(|(_, request)| request.ts).map(|(id, _)| id.clone());
            oldest.map(|id| self.requests.remove(&id));
        }
        let request = PairingRequest {
            is_new: false,
            request_id: ulid::Ulid::generate().to_string(),
            device_id: applicant.device.clone(),
            public_key: applicant.public_key.clone(),
            client_id: client.id.clone(),
            client_mode: client.mode.clone(),
            platform: client.platform.clone(),
            display_name: client.display_name.clone(),
            role,
            scopes,
            remote_ip: peer.map(|peer| peer.to_canonical().to_string()),
            is_repair: self.devices.contains_key(&applicant.device),
            ts: now_ms,
            rest: Rest::new(),
        };
        self.requests.insert(request.request_id.clone(), request.clone());
        PairingRequest { is_new: true, ..request }
    }

    /// Takes a request out.
    pub(crate) fn take_request(&mut self, id: &str, now_ms: u64) -> Result<PairingRequest, Refusal> {
        self.forget_old_requests(now_ms);
        self.requests.remove(id).ok_or_else(|| Refusal::not_found(format!("unknown requestId \"{id}\"")))
    }

    pub(crate) fn forget_old_requests(&mut self, now_ms: u64) {
        self.requests.retain(|_, request| now_ms.saturating_sub(request.ts) <= REQUEST_MS);
    }

    pub(crate) fn remove(&mut self, device: &str) -> Result<(), Refusal> {
        self.requests.retain(|_, request| request.device_id != device);
        self.devices.remove(device).map(drop).ok_or_else(|| unknown_device(device))
    }
}

/// Derives a token from the key of the gateway and a description of the grant.
fn derive_token(key: &[u8; 32], grant: &str) -> Result<String, Refusal> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .map_err(|_| Refusal::unavailable("the gateway's key cannot derive device tokens"))?;
    mac.update(grant.as_bytes());
    Ok(ContentHash(mac.finalize().into_bytes().into()).to_string())
}

/// Returns true if a token may be one that a device [was given](Book::issue).
pub(crate) fn is_device_token(token: &str) -> bool {
    token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub(crate) fn unknown_device(device: &str) -> Refusal {
    Refusal::not_found(format!("unknown deviceId \"{device}\""))
        .with_details(json!({ "code": "UNKNOWN_DEVICE" }))
}

fn unknown_role(device: &str, role: Role) -> Refusal {
    Refusal::not_found(format!("device \"{device}\" has no role {}", role_name(role)))
}
