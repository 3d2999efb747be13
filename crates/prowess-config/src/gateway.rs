//! Settings of the gateway.

use prowess_types::Secret;
use serde_json::Value;

use crate::{Config, value};

/// Where OpenClaw's clients look for a gateway.
pub const DEFAULT_PORT: u16 = 18789;

/// Settings of the gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatewaySettings {
    /// The port it listens on.
    pub port: u16,
    /// What lets a client in, if the config says it in plain text.
    pub token: Option<Secret>,
    /// Pages of other hosts that may connect, as origins.
    pub allowed_origins: Vec<String>,
}

impl Config {
    /// Settings of the gateway. Only the user's own file counts, never that of a workspace.
    pub fn gateway(&self) -> GatewaySettings {
        let at = |path: &[&str]| value::at(&self.user.value, path);
        let port = at(&["gateway", "port"]).and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok());
        let token = at(&["gateway", "auth", "token"]).and_then(Value::as_str).map(str::trim);
        let origins = at(&["gateway", "controlUi", "allowedOrigins"]).and_then(Value::as_array);
        GatewaySettings {
            port: port.unwrap_or(DEFAULT_PORT),
            token: token.filter(|token| !token.is_empty()).map(Secret::new),
            allowed_origins: origins
                .into_iter()
                .flatten()
                .filter_map(|origin| Some(origin.as_str()?.to_owned()))
                .collect(),
        }
    }
}
