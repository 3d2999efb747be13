//! `config.*`: the user's config file, read and written as a whole, without its secrets.

use prowess_config::Config;
use prowess_context::{ConfigProblem, ConfigSnapshot};
use prowess_fs::ChangeReason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Nothing;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("config.get", READ, "The config file with its hash, secrets masked", get),
        method("config.set", ADMIN, "Replaces everything in the config file", set).changing_settings(),
        method("config.patch", ADMIN, "Merges a patch into the config file", patch).changing_settings(),
        method("config.apply", ADMIN, "As `config.set`; the changes are applied when it answers", apply)
            .changing_settings(),
        method("config.schema", READ, "What the config file may say, as JSON Schema", schema),
    ]
}

/// A whole config.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SetParams {
    /// Everything, as JSON5. Where a masked secret comes back, the stored one stays.
    raw: String,
    /// The hash that `config.get` gave; not needed where there is no file yet.
    base_hash: Option<String>,
    /// The session that a restart would notify; nothing restarts here.
    #[serde(rename = "sessionKey")]
    _session_key: Option<String>,
    /// A note for that session.
    #[serde(rename = "note")]
    _note: Option<String>,
    /// The time that a restart would wait.
    #[serde(rename = "restartDelayMs")]
    _restart_delay_ms: Option<u64>,
}

/// A part of a config.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PatchParams {
    /// A merge patch as JSON5: null deletes, objects are joined, objects in lists are joined by `id`.
    raw: String,
    /// The hash that `config.get` gave; only a patch of `ui.prefs` may do without.
    base_hash: Option<String>,
    /// Lists that are replaced as a whole, by their keys.
    #[serde(default)]
    replace_paths: Vec<String>,
    /// The session that a restart would notify; nothing restarts here.
    #[serde(rename = "sessionKey")]
    _session_key: Option<String>,
    /// A note for that session.
    #[serde(rename = "note")]
    _note: Option<String>,
    /// The time that a restart would wait.
    #[serde(rename = "restartDelayMs")]
    _restart_delay_ms: Option<u64>,
}

/// A config file that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Written {
    /// Always true.
    ok: bool,
    /// Its location.
    path: String,
    /// What it says now, secrets masked.
    config: Value,
    /// Its hash now.
    hash: String,
    /// What is odd in it and is kept all the same.
    warnings: Vec<ConfigProblem>,
}

/// What the config file may say.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SchemaAnswer {
    /// JSON Schema of the file.
    schema: Value,
    /// By the pattern of a key: `sensitive` where it holds a secret.
    ui_hints: Value,
    /// The version of the program.
    version: String,
}

async fn get(call: Call, _: Nothing) -> Result<ConfigSnapshot, Refusal> {
    call.work(|gateway| Ok(gateway.live.engine().config_snapshot()?)).await
}

async fn set(call: Call, params: SetParams) -> Result<Written, Refusal> {
    call.write(move |gateway, consent| {
        let written = gateway.live.engine().set_config(&params.raw, params.base_hash.as_deref(), consent)?;
        Ok(announce(gateway, written))
    })
    .await
}

async fn apply(call: Call, params: SetParams) -> Result<Written, Refusal> {
    set(call, params).await
}

async fn patch(call: Call, params: PatchParams) -> Result<Written, Refusal> {
    call.write(move |gateway, consent| {
        let PatchParams { raw, base_hash, replace_paths, .. } = &params;
        let engine = gateway.live.engine();
        let written = engine.patch_config(raw, base_hash.as_deref(), replace_paths, consent)?;
        Ok(announce(gateway, written))
    })
    .await
}

async fn schema(call: Call, _: Nothing) -> Result<SchemaAnswer, Refusal> {
    let engine = call.gateway.live.engine();
    let hints = Config::secret_keys().map(|key| (key.to_owned(), json!({ "sensitive": true })));
    Ok(SchemaAnswer {
        schema: Config::json_schema(engine.profile()),
        ui_hints: hints.collect(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Applies what was written before the change is announced.
fn announce(gateway: &Gateway, written: ConfigSnapshot) -> Written {
    gateway.live.refresh(ChangeReason::ConfigChange);
    let ConfigSnapshot { path, config, hash, warnings, .. } = written;
    Written { ok: true, path, config, hash, warnings }
}
