//! The protocol: one request, perhaps a second one, and what the answer means.

use std::fmt;
use std::thread;
use std::time::Duration;

use prowess_net::{Client, HttpMethod, NetError, Response, is_header};
use prowess_types::Secret;
use serde::Deserialize;
use serde_json::json;

use super::{EndpointError, EndpointKey};

/// No honest answer is longer.
const MAX_ANSWER: u64 = 64 << 20;
/// Of an error, so much is shown.
const SHOWN: usize = 200;
/// Waited before the retry if the server does not say how long.
const WAIT: Duration = Duration::from_millis(500);

pub(super) struct Wire {
    client: Client,
    url: String,
    model: String,
    key: Option<Secret>,
    max_wait: Duration,
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire").field("url", &self.url).field("model", &self.model).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Wire {
    pub(super) fn new(
        client: Client,
        url: String,
        model: String,
        key: Option<EndpointKey>,
        max_wait: Duration,
    ) -> Result<Self, EndpointError> {
        let key = key.map(|EndpointKey(key)| Secret::new(key));
        if key.as_ref().is_some_and(|key| !is_header("authorization", &format!("Bearer {}", key.expose()))) {
            return Err(EndpointError::Key);
        }
        Ok(Self { client, url, model, key, max_wait })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The vectors of some texts, as the server gives them. A server that is busy or stumbles gets a second
    /// chance.
    pub(super) fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EndpointError> {
        let mut response = self.send(texts)?;
        if matches!(response.status, 429 | 500..=599) {
            thread::sleep(wait(&response).min(self.max_wait));
            response = self.send(texts)?;
        }
        self.read(&response, texts.len())
    }

    fn send(&self, texts: &[&str]) -> Result<Response, EndpointError> {
        let body = json!({"model": self.model, "input": texts, "encoding_format": "float"});
        let mut request = self.client.request(HttpMethod::Post, &self.url).json(&body).limit(MAX_ANSWER);
        if let Some(key) = &self.key {
            request = request.bearer(key);
        }
        request.send().map_err(|error| self.failure(error))
    }

    fn failure(&self, error: NetError) -> EndpointError {
        let url = self.url.clone();
        match error {
            NetError::TimedOut { .. } | NetError::Silent { .. } => EndpointError::TimedOut { url },
            NetError::Connection { was_connected: false, source, .. } => {
                EndpointError::Unreachable { url, source }
            }
            NetError::Connection { source, .. } => EndpointError::Request { url, source },
            NetError::Lookup { .. } => EndpointError::Unreachable { url, source: error.into() },
            NetError::Truncated { .. } | NetError::TooLarge { .. } | NetError::Encoding { .. } => {
                EndpointError::Shape { url, problem: format!("it breaks off ({})", error.without_url()) }
            }
            other => EndpointError::Request { url, source: other.into() },
        }
    }

    fn read(&self, response: &Response, expected: usize) -> Result<Vec<Vec<f32>>, EndpointError> {
        let url = self.url.clone();
        let answer = &response.body;
        let shown = || {
            let text = String::from_utf8_lossy(answer);
            text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect::<String>()
        };
        match response.status {
            200 => {}
            status @ (401 | 403) => return Err(EndpointError::Unauthorised { url, status }),
            404 => return Err(EndpointError::NotFound { url, model: self.model.clone(), answer: shown() }),
            status => return Err(EndpointError::Status { url, status, answer: shown() }),
        }
        let shape = |problem: String| EndpointError::Shape { url: self.url.clone(), problem };
        let answer: Answer =
            serde_json::from_slice(answer).map_err(|error| shape(format!("{error} in `{}`", shown())))?;
        if answer.data.len() != expected {
            return Err(shape(format!("{} vectors for {expected} texts", answer.data.len())));
        }
        in_order(answer.data).ok_or_else(|| shape("its vectors are not numbered one by one".to_owned()))
    }
}

/// The vectors in the order of their texts; none if their numbers make no sense.
fn in_order(items: Vec<Item>) -> Option<Vec<Vec<f32>>> {
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; items.len()];
    for (place, item) in items.into_iter().enumerate() {
        let slot = vectors.get_mut(item.index.unwrap_or(place))?;
        if slot.replace(item.embedding).is_some() {
            return None;
        }
    }
    vectors.into_iter().collect()
}

/// Returns the delay that the server asks for, in seconds; dates are not understood.
fn wait(response: &Response) -> Duration {
    let seconds = response.header("retry-after").and_then(|value| value.trim().parse().ok());
    seconds.map_or(WAIT, Duration::from_secs)
}
