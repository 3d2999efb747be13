//! Logging in without a token: the user confirms a code elsewhere (RFC 8628).

use std::time::Duration;

use prowess_net::HttpMethod;
use prowess_types::Secret;
use serde::Deserialize;

use super::{RegistryClient, RegistryError, error, parse};
use crate::protocol::{DeviceCode, DeviceCodeRequest, DeviceTokenRequest};

/// What the token is for.
const SCOPE: &str = "read write";
/// What the RFC calls this way of logging in.
const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// Whether the user has confirmed the code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceAnswer {
    /// Yes; this is the token.
    Confirmed(Secret),
    /// Not yet.
    Pending,
    /// Not yet, and it is asked too often.
    SlowDown {
        /// The polling interval, if the registry names one.
        interval: Option<Duration>,
    },
    /// It is too late.
    Expired,
    /// The user said no.
    Denied,
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    interval: Option<u64>,
}

impl RegistryClient<'_> {
    /// Asks for a code that the user confirms; `label` is what the registry calls the new token.
    pub fn device_code(&self, label: &str) -> Result<DeviceCode, RegistryError> {
        let url = format!("{}/api/cli/device/code", self.base);
        let question = DeviceCodeRequest {
            scope: Some(SCOPE.to_owned()),
            site_url: Some(self.base.clone()),
            label: Some(label.to_owned()),
        };
        parse(&url, &self.answer(&url, self.with_json(HttpMethod::Post, &url, &question)?)?)
    }

    /// Asks whether the user has confirmed a code.
    pub fn device_token(&self, device_code: &str) -> Result<DeviceAnswer, RegistryError> {
        let url = format!("{}/api/cli/device/token", self.base);
        let question =
            DeviceTokenRequest { device_code: device_code.to_owned(), grant_type: Some(GRANT.to_owned()) };
        let response = self.with_json(HttpMethod::Post, &url, &question)?.send()?;
        if let Ok(Granted { access_token }) = serde_json::from_slice(&response.body)
            && response.is_success()
        {
            return Ok(DeviceAnswer::Confirmed(Secret::new(access_token)));
        }
        match serde_json::from_slice::<Refusal>(&response.body) {
            Ok(refusal) => match refusal.error.as_str() {
                "authorization_pending" => return Ok(DeviceAnswer::Pending),
                "slow_down" => {
                    let interval = refusal.interval.map(Duration::from_secs);
                    return Ok(DeviceAnswer::SlowDown { interval });
                }
                "expired_token" => return Ok(DeviceAnswer::Expired),
                "access_denied" => return Ok(DeviceAnswer::Denied),
                _ => {}
            },
            // A success that holds neither a token nor a reason is no answer.
            Err(source) if response.is_success() => return Err(RegistryError::Answer { url, source }),
            Err(_) => {}
        }
        let status = response.status;
        error::check(&url, response).and(Err(RegistryError::Status {
            status,
            message: "the registry refuses the login for a reason that is not known here".to_owned(),
        }))
    }
}
