//! `device.*`: the devices that may connect.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Nothing;
use crate::access::{Access, Role, Scope};
use crate::connect_params::Client;
use crate::devices::{Book, Device, Grant, PairedBy, PairingRequest};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::Gateway;
use crate::state::{Call, Method, method};

const PAIRING: Access = Access::Operator(Scope::Pairing);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("device.pair.list", PAIRING, "The devices that are known, and those that wait", list),
        method("device.pair.approve", PAIRING, "Lets a device in that waits", approve),
        method("device.pair.reject", PAIRING, "Turns a device away that waits", reject),
        method("device.pair.remove", PAIRING, "Forgets a device and ends its connections", remove),
        method("device.token.rotate", PAIRING, "Gives a device a new token; the old one is revoked", rotate),
        method("device.token.revoke", PAIRING, "Makes the token of a device worth nothing", revoke),
    ]
}

/// The devices.
#[derive(Debug, Serialize, JsonSchema)]
struct PairingList {
    /// Those that wait.
    pending: Vec<PairingRequest>,
    /// Those that are known.
    paired: Vec<PairedDevice>,
}

/// A device that is known.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PairedDevice {
    device_id: String,
    /// What it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    platform: String,
    /// The client that connected with it the last time it was paired.
    client_id: String,
    client_mode: String,
    /// When it was paired, in milliseconds since 1970.
    paired_at_ms: u64,
    /// Its tokens, one per role, without the tokens themselves.
    tokens: Vec<DeviceToken>,
}

/// The permissions of a device in a role.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DeviceToken {
    role: String,
    scopes: Vec<String>,
    /// True if it has a valid token.
    active: bool,
    /// When it got the token, in milliseconds since 1970.
    issued_at_ms: u64,
    /// When its token was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at_ms: Option<u64>,
    /// True if a person approved it as a Studio, which may confirm changes of protected settings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    confirms: bool,
}

impl PairedDevice {
    fn new(device_id: String, device: Device) -> Self {
        let token = |(role, grant): (String, Grant)| DeviceToken {
            role,
            active: grant.token_hash.is_some(),
            scopes: grant.scopes,
            issued_at_ms: grant.issued_at_ms,
            revoked_at_ms: grant.revoked_at_ms,
            confirms: grant.confirms,
        };
        Self {
            device_id,
            display_name: device.display_name,
            platform: device.platform,
            client_id: device.client_id,
            client_mode: device.client_mode,
            paired_at_ms: device.paired_at_ms,
            tokens: device.grants.into_iter().map(token).collect(),
        }
    }
}

async fn list(call: Call, _: Nothing) -> Result<PairingList, Refusal> {
    call.work(|gateway| {
        let mut book: Book = gateway.clients.devices.read()?;
        book.forget_old_requests(gateway.options.clock.now_ms());
        let paired = book.devices.into_iter().map(|(id, device)| PairedDevice::new(id, device)).collect();
        Ok(PairingList { pending: book.requests.into_values().collect(), paired })
    })
    .await
}

/// A request that is approved.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ApproveParams {
    /// The id of the request, from `device.pair.list`.
    request_id: String,
    /// Proof that the caller can write in the state folder, for the terminal.
    proof: Option<String>,
}

/// Which request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RequestParams {
    /// The id of the request, from `device.pair.list`.
    request_id: String,
}

/// The outcome of a request.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Resolved {
    request_id: String,
    device_id: String,
    /// The device, if it was approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<PairedDevice>,
}

async fn approve(call: Call, params: ApproveParams) -> Result<Resolved, Refusal> {
    let approver = call.caller.clone();
    let approval = if call.is_person(params.proof).await { PairedBy::Person } else { PairedBy::Token };
    call.work(move |gateway| {
        let now = gateway.options.clock.now_ms();
        let id = params.request_id;
        let (request, device) = gateway.clients.devices.change(|book| {
            let request = book.take_request(&id, now)?;
            let applicant = request.applicant();
            // A client cannot grant more than its own scopes.
            if let Some(&scope) = applicant.wanted.iter().find(|&&scope| !approver.has(scope)) {
                return Err(Refusal::missing_scope(scope));
            }
            let client = Client {
                id: request.client_id.clone(),
                mode: request.client_mode.clone(),
                platform: request.platform.clone(),
                display_name: request.display_name.clone(),
                ..Client::default()
            };
            book.pair(&applicant, &client, approval, now);
            let device = book.devices.get(&request.device_id).cloned();
            Ok((request, device))
        })?;
        resolved(gateway, &request.request_id, &request.device_id, "approved");
        let device = device.map(|device| PairedDevice::new(request.device_id.clone(), device));
        Ok(Resolved { request_id: request.request_id, device_id: request.device_id, device })
    })
    .await
}

async fn reject(call: Call, params: RequestParams) -> Result<Resolved, Refusal> {
    call.work(move |gateway| {
        let now = gateway.options.clock.now_ms();
        let request = gateway.clients.devices.change(|book| book.take_request(&params.request_id, now))?;
        resolved(gateway, &request.request_id, &request.device_id, "rejected");
        Ok(Resolved { request_id: request.request_id, device_id: request.device_id, device: None })
    })
    .await
}

fn resolved(gateway: &Gateway, request: &str, device: &str, decision: &str) {
    let ts = gateway.options.clock.now_ms();
    let payload = json!({ "requestId": request, "deviceId": device, "decision": decision, "ts": ts });
    gateway.events.publish(Event::new("device.pair.resolved", payload).only_for(Scope::Pairing));
}

/// Which device.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DeviceParams {
    /// The id of the device, from `device.pair.list`.
    device_id: String,
}

/// The device that was forgotten.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Removed {
    device_id: String,
}

async fn remove(call: Call, params: DeviceParams) -> Result<Removed, Refusal> {
    let caller = call.caller.clone();
    call.work(move |gateway| {
        let DeviceParams { device_id } = params;
        gateway.clients.devices.change(|book| {
            check_reach(book, &device_id, None, &|scope| caller.has(scope))?;
            book.remove(&device_id)
        })?;
        gateway.clients.nodes.forget(&device_id);
        gateway.clients.presence.hang_up(&device_id, None);
        Ok(Removed { device_id })
    })
    .await
}

/// Which token.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TokenParams {
    /// The id of the device, from `device.pair.list`.
    device_id: String,
    /// The role that the token is for: `operator` or `node`.
    role: RoleName,
}

/// A role.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RoleName {
    Operator,
    Node,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Operator => Self::Operator,
            RoleName::Node => Self::Node,
        }
    }
}

/// A new token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewToken {
    device_id: String,
    role: RoleName,
    /// The token, told to the device itself only. Others get theirs when they connect with the gateway's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// When, in milliseconds since 1970.
    rotated_at_ms: u64,
}

async fn rotate(call: Call, params: TokenParams) -> Result<NewToken, Refusal> {
    let caller = call.caller.clone();
    call.work(move |gateway| {
        let TokenParams { device_id, role } = params;
        let now = gateway.options.clock.now_ms();
        let book = gateway.clients.devices.read()?;
        check_reach(&book, &device_id, Some(role.into()), &|scope| caller.has(scope))?;
        let (token, rotated_at_ms) =
            gateway.clients.devices.rotate(&device_id, role.into(), &gateway.door.key(), now)?;
        let is_own = gateway.clients.presence.device_of(&caller.connection).as_ref() == Some(&device_id);
        if !is_own {
            gateway.clients.presence.hang_up(&device_id, Some(role.into()));
        }
        let token = is_own.then(|| token.expose().to_owned());
        Ok(NewToken { device_id, role, token, rotated_at_ms })
    })
    .await
}

/// A token that was revoked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LostToken {
    device_id: String,
    role: RoleName,
    /// When, in milliseconds since 1970.
    revoked_at_ms: u64,
}

async fn revoke(call: Call, params: TokenParams) -> Result<LostToken, Refusal> {
    let caller = call.caller.clone();
    call.work(move |gateway| {
        let TokenParams { device_id, role } = params;
        let now = gateway.options.clock.now_ms();
        gateway.clients.devices.change(|book| {
            check_reach(book, &device_id, Some(role.into()), &|scope| caller.has(scope))?;
            book.revoke(&device_id, role.into(), now)
        })?;
        if matches!(role, RoleName::Node) {
            gateway.clients.nodes.forget(&device_id);
        }
        gateway.clients.presence.hang_up(&device_id, Some(role.into()));
        Ok(LostToken { device_id, role, revoked_at_ms: now })
    })
    .await
}

/// A client with fewer scopes than a device may not change it.
fn check_reach(
    book: &Book,
    device: &str,
    role: Option<Role>,
    has: &dyn Fn(Scope) -> bool,
) -> Result<(), Refusal> {
    let allowed: BTreeSet<Scope> = book.allowed(device, role)?;
    match allowed.into_iter().find(|&scope| !has(scope)) {
        Some(scope) => Err(Refusal::missing_scope(scope)),
        None => Ok(()),
    }
}
