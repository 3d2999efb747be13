//! The greeting of an authenticated client.

use serde_json::{Map, Value, json};

use super::{Admission, PROTOCOL};
use crate::events::EVENTS;
use crate::limits::{MAX_BUFFERED, MAX_MESSAGE};
use crate::refusal::Refusal;
use crate::state::Gateway;

/// The interval of the heartbeat, in milliseconds.
pub(crate) const TICK_MS: u64 = 30_000;

/// The greeting of a connection.
pub(crate) fn hello(gateway: &Gateway, connection: &str, admission: &Admission) -> Result<Value, Refusal> {
    let mut scopes: Vec<&str> = admission.scopes.iter().map(|scope| scope.as_str()).collect();
    scopes.sort_unstable();
    let mut auth = Map::new();
    auth.insert("role".to_owned(), json!(admission.role));
    auth.insert("scopes".to_owned(), json!(scopes));
    if let Some((token, issued_at_ms)) = &admission.token {
        auth.insert("deviceToken".to_owned(), json!(token.expose()));
        auth.insert("issuedAtMs".to_owned(), json!(issued_at_ms));
    }
    let now = gateway.options.clock.now_ms();
    let health = health(gateway)?;
    let default = health.get("defaultAgentId").and_then(Value::as_str).unwrap_or_default();
    let state = gateway.clients.presence.state();
    let methods: Vec<&str> = gateway.methods.iter().map(|method| method.name).collect();
    Ok(json!({
        "type": "hello-ok",
        "protocol": PROTOCOL,
        "server": { "version": env!("CARGO_PKG_VERSION"), "connId": connection },
        "features": { "methods": methods, "events": EVENTS.map(|(name, ..)| name) },
        "snapshot": {
            "presence": gateway.clients.presence.list(now),
            "health": health,
            "stateVersion": { "presence": state.presence, "health": state.health },
            "uptimeMs": now.saturating_sub(gateway.started_ms),
            "sessionDefaults": {
                "defaultAgentId": default,
                "mainKey": "main",
                "mainSessionKey": format!("agent:{default}:main"),
                "scope": "per-sender",
            },
            "authMode": "token",
        },
        "auth": auth,
        "policy": {
            "maxPayload": MAX_MESSAGE,
            "maxBufferedBytes": MAX_BUFFERED,
            "tickIntervalMs": TICK_MS,
        },
    }))
}

/// How the gateway does, with its agents.
pub(crate) fn health(gateway: &Gateway) -> Result<Value, Refusal> {
    let engine = gateway.live.engine();
    let config = engine.config();
    let agent = |id: Option<&str>| config.agent(id).map_err(|error| Refusal::unavailable(error.to_string()));
    let default = agent(None)?.id;
    let mut agents = Vec::new();
    for id in config.agent_ids() {
        let name = agent(Some(&id))?.name.unwrap_or_else(|| id.clone());
        agents.push(json!({ "agentId": id, "name": name, "isDefault": id == default }));
    }
    let ts = gateway.options.clock.now_ms();
    Ok(json!({ "ok": true, "ts": ts, "defaultAgentId": default, "agents": agents }))
}
