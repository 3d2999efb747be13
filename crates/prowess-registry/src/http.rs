//! How this crate asks a server: a small trait, so that one guarded client serves the whole engine.
//!
//! Whoever implements [`Http`] decides which addresses may be asked, follows redirects, repeats what may be
//! repeated, and never hands a bearer token to another origin.

use std::time::Duration;

use prowess_types::Secret;

/// Asks servers.
pub trait Http {
    /// Sends a request and reads the whole answer, whatever its status.
    fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError>;

    /// The same for something large: tells how many bytes have come, and of how many if that is known.
    fn download(
        &self,
        request: HttpRequest,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<HttpResponse, HttpError>;
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    /// Read.
    Get,
    /// Send.
    Post,
    /// Remove.
    Delete,
}

/// A question to a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpRequest {
    /// What is done.
    pub method: HttpMethod,
    /// Where, with the query.
    pub url: String,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// Who asks.
    pub bearer: Option<Secret>,
    /// What is sent, and of which media type.
    pub body: Option<(String, Vec<u8>)>,
    /// How large the answer may be.
    pub max_bytes: u64,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// Whether asking twice does no more than asking once.
    pub may_repeat: bool,
}

impl HttpRequest {
    /// A question of 15 seconds for at most 10 MB.
    pub fn new(method: HttpMethod, url: impl Into<String>) -> Self {
        Self {
            method,
            url: url.into(),
            headers: Vec::new(),
            bearer: None,
            body: None,
            max_bytes: 10 * 1024 * 1024,
            timeout: Duration::from_secs(15),
            may_repeat: method == HttpMethod::Get,
        }
    }
}

/// What a server said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address may not be asked.
    #[error("`{url}` is refused: {reason}")]
    Refused {
        /// The address.
        url: String,
        /// Why.
        reason: String,
    },
    /// No connection, a broken one, or none in time.
    #[error("cannot reach `{url}`: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// What happened.
        reason: String,
    },
    /// More bytes than allowed.
    #[error("the answer of `{url}` has more than {limit} bytes")]
    TooLarge {
        /// The address.
        url: String,
        /// How many were allowed.
        limit: u64,
    },
}
