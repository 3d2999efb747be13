//! `prowess gateway devices`: who may connect, decided at the terminal.

use prowess_text::printable;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answers::RevokedAnswer;
use crate::args::DevicesCommand;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

/// So much of a device's id is shown; the rest is not needed to tell devices apart.
const SHORT: usize = 12;

pub(super) fn run(context: &Context, command: Option<&DevicesCommand>) -> Result<Outcome, Failure> {
    let call = |method: &str, params: Value| context.engine.call_gateway(method, &params);
    let known = call("device.pair.list", json!({}))?;
    match command {
        None | Some(DevicesCommand::List) => list(context, &known)?,
        Some(DevicesCommand::Approve { request }) => {
            let request = one(&known["pending"], "requestId", request)?;
            let proof = context.engine.terminal_proof()?;
            let params = json!({ "requestId": request["requestId"], "proof": proof.proof.expose() });
            let answer = call("device.pair.approve", params)?;
            done(context, &answer, &format!("{} is approved", name(request)))?;
        }
        Some(DevicesCommand::Reject { request }) => {
            let request = one(&known["pending"], "requestId", request)?;
            let answer = call("device.pair.reject", json!({ "requestId": request["requestId"] }))?;
            done(context, &answer, &format!("{} is rejected", name(request)))?;
        }
        Some(DevicesCommand::Revoke { device }) => {
            let device = one(&known["paired"], "deviceId", device)?;
            let mut revoked = Vec::new();
            for token in items(&device["tokens"]).filter(|token| token["active"] == true) {
                let which = json!({ "deviceId": device["deviceId"], "role": token["role"] });
                revoked.push(call("device.token.revoke", which)?);
            }
            let text = match revoked.len() {
                0 => format!("{} has no token that could be revoked", name(device)),
                _ => format!("{} is revoked and needs the gateway's token to connect again", name(device)),
            };
            done(context, &RevokedAnswer { revoked }, &text)?;
        }
    }
    Ok(Outcome::Fine)
}

/// The only one whose id begins so.
fn one<'a>(list: &'a Value, key: &str, start: &str) -> Result<&'a Value, Failure> {
    let found: Vec<&Value> = items(list).filter(|item| text(item, key).starts_with(start)).collect();
    let problem = match found.as_slice() {
        [only] => return Ok(only),
        [] => "there is no",
        _ => "there is more than one",
    };
    let what = if key == "requestId" { "request" } else { "device" };
    Err(Failure::not_found(format!("{problem} {what} `{}`", printable(start)))
        .hint("`prowess gateway devices` lists requests and devices"))
}

fn list(context: &Context, known: &Value) -> Result<(), Failure> {
    if context.json {
        return Ok(output::json(known)?);
    }
    let mut table = Table::new(&["Id", "Device", "State", "May"], 3);
    for request in items(&known["pending"]) {
        table.row([
            Cell::from(printable(text(request, "requestId"))),
            name(request).into(),
            Cell::styled(WARN, "waits"),
            may(request).into(),
        ]);
    }
    for device in items(&known["paired"]) {
        let tokens: Vec<&Value> = items(&device["tokens"]).filter(|token| token["active"] == true).collect();
        let state =
            if tokens.is_empty() { Cell::styled(DIM, "no token") } else { Cell::styled(GOOD, "known") };
        let id: String = text(device, "deviceId").chars().take(SHORT).collect();
        let rights: Vec<String> = tokens.iter().map(|token| may(token)).collect();
        table.row([Cell::from(printable(&id)), name(device).into(), state, rights.join("; ").into()]);
    }
    let is_empty = items(&known["pending"]).chain(items(&known["paired"])).next().is_none();
    output::out(&if is_empty { "No devices, and no pending requests.\n".to_owned() } else { table.text() })?;
    if let Some(request) = items(&known["pending"]).next() {
        let command = format!("prowess gateway devices approve {}", printable(text(request, "requestId")));
        output::err(&format!("{}: {} approves it\n", paint(DIM, "hint"), paint(BOLD, command)));
    }
    Ok(())
}

fn done(context: &Context, answer: &(impl Serialize + JsonSchema), told: &str) -> Result<(), Failure> {
    if context.json {
        return Ok(output::json(answer)?);
    }
    Ok(output::out(&format!("{} {told}\n", paint(GOOD, "✓")))?)
}

/// What a device calls itself, and where it is.
fn name(device: &Value) -> String {
    let own = Some(text(device, "displayName")).filter(|name| !name.is_empty());
    let from = Some(text(device, "remoteIp")).filter(|address| !address.is_empty());
    let name = own.unwrap_or_else(|| text(device, "clientId"));
    let from = from.map(|address| format!(", from {address}")).unwrap_or_default();
    printable(&format!("{name} ({}{from})", text(device, "platform")))
}

/// What a request or a token is for.
fn may(item: &Value) -> String {
    let scopes: Vec<&str> = items(&item["scopes"]).filter_map(Value::as_str).collect();
    printable(&[&[text(item, "role")], scopes.as_slice()].concat().join(" "))
}

pub(super) fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

pub(super) fn text<'a>(item: &'a Value, key: &str) -> &'a str {
    item[key].as_str().unwrap_or_default()
}
