//! Asking the gateway that serves this home.

use std::time::Duration;

use prowess_net::{Client, HttpMethod, NetError, NetOptions, NetworkReach};
use serde_json::Value;

use crate::context::Context;
use crate::gateway::GatewayHomeError;

/// A gateway on this machine that is silent for longer has a problem.
const PATIENCE: Duration = Duration::from_secs(30);

/// The reason a gateway did not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayCallError {
    /// There is none.
    #[error("no gateway serves this home")]
    NotRunning,
    /// Its token cannot be resolved.
    #[error(transparent)]
    Home(#[from] GatewayHomeError),
    /// It cannot be reached.
    #[error(transparent)]
    Network(#[from] NetError),
    /// It refused.
    #[error("{0}")]
    Refused(String),
    /// It answered something else than JSON.
    #[error("the gateway's answer to `{method}` cannot be read (status {status})")]
    Unreadable {
        /// The method that was called.
        method: String,
        /// The status of the answer.
        status: u16,
    },
}

impl prowess_types::Classify for GatewayCallError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Home(error) => Of(error),
            Self::Refused(_) => Is(ErrorKind::NotFound),
            Self::NotRunning | Self::Network(_) | Self::Unreadable { .. } => Is(ErrorKind::Environment),
        }
    }
}

impl Context {
    /// Calls a method of the gateway that serves this home now, with the gateway's own token.
    pub fn call_gateway(&self, method: &str, params: &Value) -> Result<Value, GatewayCallError> {
        let running = self.running_gateway().ok_or(GatewayCallError::NotRunning)?;
        let token = self.gateway_token()?.ok_or(GatewayCallError::NotRunning)?;
        // The address is a note of the gateway itself, in a folder of the user's.
        let options = NetOptions {
            reach: NetworkReach::Anywhere,
            allow_http: true,
            attempt_timeout: PATIENCE,
            retries: 0,
            ..NetOptions::default()
        };
        let url = format!("{}/api/v1/{method}", running.url.trim_end_matches('/'));
        let response =
            Client::new(options)?.request(HttpMethod::Post, &url).bearer(&token).json(params).send()?;
        let status = response.status;
        let answer: Option<Value> = serde_json::from_str(&response.text()).ok();
        match (status, answer) {
            (200, Some(answer)) => Ok(answer),
            (_, Some(answer)) if answer["error"]["message"].is_string() => {
                let message = answer["error"]["message"].as_str().unwrap_or_default();
                Err(GatewayCallError::Refused(message.to_owned()))
            }
            _ => Err(GatewayCallError::Unreadable { method: method.to_owned(), status }),
        }
    }
}
