//! The address of a model and the way to talk to it.

use std::fmt;
use std::time::Duration;

use prowess_net::NetProxy;
use prowess_types::Secret;

/// The address of an endpoint and the way to talk to it.
///
/// ```
/// use prowess_model::ModelOptions;
/// use prowess_types::Secret;
///
/// let mut options = ModelOptions::new("https://api.example.com/v1", "large");
/// options.api_key = Some(Secret::new("sk-123"));
/// assert!(!format!("{options:?}").contains("sk-123"));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct ModelOptions {
    /// The address up to the version: `http://localhost:11434/v1`, `https://api.anthropic.com`.
    pub base_url: String,
    /// Sent as a bearer token, or as Anthropic's `x-api-key`; a blank one is none.
    pub api_key: Option<Secret>,
    /// The model to ask for.
    pub model: String,
    /// The most tokens of one answer. Without it the endpoint decides; Anthropic, which requires it, gets 8192.
    pub max_tokens: Option<u32>,
    /// The temperature; the endpoint decides without it.
    pub temperature: Option<f32>,
    /// The longest silence allowed, before the first word and between two of them. Loading a large local model
    /// counts.
    pub idle_timeout: Duration,
    /// The time limit for opening a connection.
    pub connect_timeout: Duration,
    /// The most words, thoughts and arguments of one answer, in bytes.
    pub max_reply_bytes: u64,
    /// The maximum number of retries of a request.
    pub max_retries: u32,
    /// The wait before the first retry, doubled for each further one, unless the endpoint says how long.
    pub first_backoff: Duration,
    /// Sends the key even over plain HTTP to another machine.
    pub allow_insecure: bool,
    /// A proxy to go through, except to this machine; its address may hold a password.
    pub proxy: Option<NetProxy>,
}

impl ModelOptions {
    /// The usual way to talk to a model at an address.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            model: model.into(),
            max_tokens: None,
            temperature: None,
            idle_timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(10),
            max_reply_bytes: 4 << 20,
            max_retries: 3,
            first_backoff: Duration::from_millis(500),
            allow_insecure: false,
            proxy: None,
        }
    }

    /// The key, if it is one.
    pub(crate) fn key(&self) -> Option<&str> {
        self.api_key.as_ref().map(|key| key.expose().trim()).filter(|key| !key.is_empty())
    }

    /// The temperature as it was written: 0.7, not the 0.699999988 that a single float makes of it.
    pub(crate) fn sent_temperature(&self) -> Option<f64> {
        self.temperature.and_then(|temperature| temperature.to_string().parse().ok())
    }
}

// By hand, because people put passwords and keys into addresses.
impl fmt::Debug for ModelOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("base_url", &prowess_net::without_secrets(&self.base_url))
            .field("api_key", &self.api_key)
            .field("model", &self.model)
            .field("max_tokens", &self.max_tokens)
            .field("temperature", &self.temperature)
            .field("idle_timeout", &self.idle_timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("max_reply_bytes", &self.max_reply_bytes)
            .field("max_retries", &self.max_retries)
            .field("first_backoff", &self.first_backoff)
            .field("allow_insecure", &self.allow_insecure)
            .field("proxy", &self.proxy)
            .finish()
    }
}
