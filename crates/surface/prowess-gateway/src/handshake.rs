//! The handshake: the identity, the authentication and the scopes of a client.
//!
//! The order of the questions: is it said in a way that is understood, may this page connect at all, is the device the
//! one that it says it is, does the token let it in, and is the device known. Scopes are bound here: what a client
//! asks for is a wish.

pub(crate) mod hello;
pub(crate) mod identity;
pub(crate) mod visit;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::access::{Role, Scope};
use crate::connect_params::{Admission, Client, ConnectParams, DeviceBlock, STUDIO};
use crate::devices::{Applicant, Book, PairedBy, Standing};
use crate::door::Denied;
use crate::refusal::Refusal;
use crate::state::Gateway;
use crate::wire::Close;
use visit::Visit;

/// The version of the protocol that is spoken.
pub(crate) const PROTOCOL: u32 = 4;

/// OpenClaw's page, which is held to more than others.
const CONTROL_UI: &str = "openclaw-control-ui";
/// Programs on this machine that need no device: client and mode.
const PROGRAMS: [(&str, &str); 2] = [("gateway-client", "backend"), ("cli", "cli")];

/// The reason for a failed authentication, and how the connection ends.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) refusal: Refusal,
    pub(crate) close: Close,
}

impl From<Refusal> for Rejection {
    fn from(refusal: Refusal) -> Self {
        let close = Close::policy(refusal.message.clone());
        Self { refusal, close }
    }
}

/// Decides about a client. Reads and writes the list of devices, so it waits for the disk.
pub(crate) fn judge(gateway: &Gateway, visit: &Visit, params: Value) -> Result<Admission, Rejection> {
    let params: ConnectParams = crate::message::read_params("connect", params)?;
    params.check()?;
    check_protocol(&params)?;
    let role = match params.role.as_str() {
        "operator" => Role::Operator,
        "node" => Role::Node,
        _ => return Err(Refusal::invalid("invalid role").into()),
    };
    check_origin(visit, &params)?;
    let now = gateway.options.clock.now_ms();
    if let Some(device) = &params.device {
        identity::prove(&params, device, &visit.nonce, now).map_err(|doubt| {
            let (message, code, reason) = doubt.words();
            Refusal::invalid(message).with_details(json!({ "code": code, "reason": reason }))
        })?;
    }
    let book = gateway.clients.devices.read()?;
    let way = authorize(gateway, visit, &params, role, &book)?;
    let wanted = wanted_scopes(&params.scopes, role);
    let ConnectParams { client, device, .. } = params;
    let Some(device) = device else {
        let scopes = without_device(visit, &client, role)?;
        return Ok(Admission { client, role, scopes, device: None, token: None, is_person: false });
    };
    let applicant =
        Applicant { device: device.id.clone(), public_key: device.public_key.clone(), role, wanted };
    with_device(gateway, visit, &applicant, client, way, &book)
}

fn check_protocol(params: &ConnectParams) -> Result<(), Rejection> {
    if (params.min_protocol..=params.max_protocol).contains(&PROTOCOL) {
        return Ok(());
    }
    let details = json!({ "code": "PROTOCOL_MISMATCH", "expectedProtocol": PROTOCOL });
    let refusal = Refusal::invalid("protocol mismatch").with_details(details);
    Err(Rejection { close: Close::new(Close::PROTOCOL, refusal.message.clone()), refusal })
}

/// Every connection of a browser says which page opened it; OpenClaw's page always runs in one.
fn check_origin(visit: &Visit, params: &ConnectParams) -> Result<(), Refusal> {
    let is_page = matches!(params.client.id.as_str(), CONTROL_UI | STUDIO);
    let is_fine = if visit.origin.is_some() { visit.is_origin_allowed } else { !is_page };
    if is_fine {
        return Ok(());
    }
    let text = "origin not allowed (open the Control UI from the gateway host or allow it in \
                gateway.controlUi.allowedOrigins)";
    Err(Refusal::invalid(text).with_details(json!({ "code": "CONTROL_UI_ORIGIN_NOT_ALLOWED" })))
}

/// What let a client in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The token of the gateway.
    Shared,
    /// The token of the device.
    Device,
    /// A one-time code.
    Code,
}

fn authorize(
    gateway: &Gateway,
    visit: &Visit,
    params: &ConnectParams,
    role: Role,
    book: &Book,
) -> Result<Way, Refusal> {
    if let Some(code) = params.auth.as_ref().and_then(|auth| auth.code()) {
        return exchange_code(gateway, visit, params, role, code);
    }
    let presented = params.auth.as_ref().and_then(|auth| auth.presented());
    let own = |device: &DeviceBlock| presented.is_some_and(|token| book.opens(&device.id, role, token));
    if params.device.as_ref().is_some_and(own) {
        return Ok(Way::Device);
    }
    let has_own = params.device.as_ref().is_some_and(|device| book.has_token(&device.id, role));
    let only_own =
        params.auth.as_ref().is_some_and(|auth| auth.token.is_none() && auth.device_token.is_some());
    match gateway.door.admit(visit.peer, presented) {
        Ok(()) => Ok(Way::Shared),
        Err(denied) => {
            gateway.metrics.denied(denied.reason());
            Err(unauthorized(denied, &params.client, only_own, has_own))
        }
    }
}

/// Uses a one-time code up: on this machine, for a Studio with a key of its own.
fn exchange_code(
    gateway: &Gateway,
    visit: &Visit,
    params: &ConnectParams,
    role: Role,
    code: &str,
) -> Result<Way, Refusal> {
    if !visit.is_local || role != Role::Operator || params.client.id != STUDIO {
        let text = "a one-time code is for the Studio in a browser on this machine";
        return Err(Refusal::invalid(text).with_details(json!({ "code": "CODE_NOT_ALLOWED" })));
    }
    if params.device.is_none() {
        let text = "this browser cannot keep a key of its own; `prowess gateway url --token` prints an address for it";
        return Err(Refusal::invalid(text).with_details(json!({ "code": "DEVICE_IDENTITY_REQUIRED" })));
    }
    if gateway.take_code(code) {
        return Ok(Way::Code);
    }
    let denied = gateway.door.refuse_code(visit.peer);
    gateway.metrics.denied(denied.reason());
    if let Denied::Locked { .. } = denied {
        return Err(unauthorized(denied, &params.client, false, false));
    }
    let text = "This link has expired. Run `prowess up` (or `prowess gateway url`) for a new one.";
    Err(Refusal::invalid(text).with_details(json!({ "code": "CODE_EXPIRED" })))
}

/// Returns the reason a token was not accepted, in words that clients and people know.
fn unauthorized(denied: Denied, client: &Client, only_own: bool, has_own: bool) -> Refusal {
    let hint = if client.id == CONTROL_UI {
        "open the dashboard URL and paste the token in Control UI settings"
    } else {
        "present the token of gateway.auth.token"
    };
    let (message, code, reason, step) = match denied {
        Denied::Missing => {
            ("gateway token missing", "AUTH_TOKEN_MISSING", "token_missing", "update_auth_configuration")
        }
        Denied::Mismatch if only_own => (
            "device token mismatch",
            "AUTH_DEVICE_TOKEN_MISMATCH",
            "device_token_mismatch",
            "update_auth_credentials",
        ),
        Denied::Mismatch => {
            ("gateway token mismatch", "AUTH_TOKEN_MISMATCH", "token_mismatch", "update_auth_credentials")
        }
        Denied::Locked { .. } => (
            "too many failed authentication attempts",
            "AUTH_RATE_LIMITED",
            "rate_limited",
            "wait_then_retry",
        ),
    };
    let text = match denied {
        Denied::Locked { .. } => format!("unauthorized: {message} (retry later)"),
        _ => format!("unauthorized: {message} ({hint})"),
    };
    let can_retry = has_own && !only_own && denied == Denied::Mismatch;
    let step = if can_retry { "retry_with_device_token" } else { step };
    let details = json!({
        "code": code,
        "authReason": reason,
        "canRetryWithDeviceToken": can_retry,
        "recommendedNextStep": step,
    });
    let refusal = Refusal::invalid(text).with_details(details);
    match denied {
        Denied::Locked { retry_after_ms } => {
            Refusal { retryable: Some(true), retry_after_ms: Some(retry_after_ms), ..refusal }
        }
        _ => refusal,
    }
}

/// The scopes that a client asks for. The admin scope implies all others; unknown scopes are ignored.
fn wanted_scopes(words: &[String], role: Role) -> BTreeSet<Scope> {
    if role == Role::Node {
        return BTreeSet::new();
    }
    let known = |word: &String| Scope::ALL.into_iter().find(|scope| scope.as_str() == word);
    let wanted: BTreeSet<Scope> = words.iter().filter_map(known).collect();
    if wanted.contains(&Scope::Admin) { Scope::ALL.into() } else { wanted }
}

/// What somebody with the token but without a device may do.
fn without_device(visit: &Visit, client: &Client, role: Role) -> Result<BTreeSet<Scope>, Refusal> {
    if client.id == CONTROL_UI {
        let text = "control ui requires device identity (use HTTPS or localhost secure context)";
        let details = json!({ "code": "CONTROL_UI_DEVICE_IDENTITY_REQUIRED" });
        return Err(Refusal::invalid(text).with_details(details));
    }
    if role == Role::Node || !visit.is_local {
        let details = json!({ "code": "DEVICE_IDENTITY_REQUIRED" });
        return Err(Refusal::not_paired("device identity required").with_details(details));
    }
    let is_program = PROGRAMS.contains(&(client.id.as_str(), client.mode.as_str())) && visit.origin.is_none();
    let is_trusted = is_program || client.id == STUDIO;
    Ok(if is_trusted { Scope::ALL.into() } else { BTreeSet::new() })
}

fn with_device(
    gateway: &Gateway,
    visit: &Visit,
    applicant: &Applicant,
    client: Client,
    way: Way,
    book: &Book,
) -> Result<Admission, Rejection> {
    let key = gateway.door.key();
    let now = gateway.options.clock.now_ms();
    let devices = &gateway.clients.devices;
    let standing = book.standing(applicant);
    let granted = match (standing, way) {
        // A token of version 0.1 is accepted once: the device gets a new one in its place.
        (Standing::Known, Way::Device) if book.has_outdated_token(&applicant.device, applicant.role) => {
            Some(devices.issue(applicant, &key, now)?)
        }
        (Standing::Known, Way::Device) => None,
        (_, Way::Code) => Some(devices.pair(applicant, &client, PairedBy::Person, &key, now)?),
        // A client with the gateway's token on this machine is its owner.
        (_, Way::Shared) if visit.is_local => {
            Some(devices.pair(applicant, &client, PairedBy::Token, &key, now)?)
        }
        (Standing::Known, Way::Shared) => Some(devices.issue(applicant, &key, now)?),
        (standing, _) => {
            let request = devices.request(applicant, &client, visit.peer, now)?;
            return Err(gateway.ask_for_approval(&request, standing).into());
        }
    };
    let Applicant { device, role, wanted, .. } = applicant.clone();
    let is_approved = way == Way::Code || book.confirms(&device);
    let is_person = is_approved && role == Role::Operator && client.id == STUDIO;
    Ok(Admission { client, role, scopes: wanted, device: Some(device), token: granted, is_person })
}

impl Gateway {
    /// Tells operators that a device waits, and the device that it must.
    fn ask_for_approval(&self, request: &crate::devices::PairingRequest, standing: Standing) -> Refusal {
        if request.is_new {
            let event = crate::events::Event::new("device.pair.requested", request.shown());
            self.events.publish(event.only_for(Scope::Pairing));
        }
        let reason = match standing {
            Standing::Unknown => "not-paired",
            Standing::OtherRole => "role-upgrade",
            Standing::FewerScopes | Standing::Known => "scope-upgrade",
        };
        Refusal::not_paired("pairing required").with_details(json!({
            "code": "PAIRING_REQUIRED",
            "requestId": request.request_id,
            "reason": reason,
            "recommendedNextStep": "wait_then_retry",
        }))
    }
}
