//! The response of a server.

use serde::de::DeserializeOwned;

use crate::NetError;
use crate::error::shown;

/// The response of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers, with names in lower case. Values that are no text are left out.
    pub headers: Vec<(String, String)>,
    /// The body, unpacked.
    pub body: Vec<u8>,
    /// The address that answered, without its query.
    pub url: String,
}

impl Response {
    /// An answer without its body.
    pub(crate) fn head(response: &reqwest::Response) -> Self {
        let text = |value: &reqwest::header::HeaderValue| value.to_str().ok().map(str::to_owned);
        let headers = response.headers().iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)));
        Self {
            status: response.status().as_u16(),
            headers: headers.collect(),
            body: Vec::new(),
            url: shown(response.url()),
        }
    }

    /// Returns true for a status of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first header of a name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as text; bytes that are none are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, NetError> {
        serde_json::from_slice(&self.body).map_err(|source| NetError::Json { url: self.url.clone(), source })
    }
}
