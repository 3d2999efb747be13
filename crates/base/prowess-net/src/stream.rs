//! Asynchronous use of the client: bodies that are read piece by piece, and connections that change their protocol.
//!
//! The address policy, the redirects and the credentials are those of blocking requests. Time limits beyond the
//! connection are the caller's, and nothing is repeated.

use std::fmt;

use crate::request::RequestBuilder;
use crate::response::Response;
use crate::{NetError, error::shown};

/// A connection that has left HTTP after an `Upgrade`.
pub type Upgraded = reqwest::Upgraded;

/// A response whose body is still on its way.
pub struct ResponseStream {
    head: Response,
    rest: reqwest::Response,
}

impl fmt::Debug for ResponseStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseStream")
            .field("status", &self.head.status)
            .field("url", &self.head.url)
            .finish_non_exhaustive()
    }
}

impl ResponseStream {
    /// The status and the headers; the body in it is empty.
    pub fn head(&self) -> &Response {
        &self.head
    }

    /// The status with its usual name, such as `403 Forbidden`.
    pub fn status_text(&self) -> String {
        self.rest.status().to_string()
    }

    /// Waits for the next piece of the body, as the server sent it. None at its end.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, NetError> {
        match self.rest.chunk().await {
            Ok(chunk) => Ok(chunk.map(|bytes| bytes.to_vec())),
            Err(error) => Err(NetError::connection(self.rest.url(), error)),
        }
    }
}

impl RequestBuilder<'_> {
    /// Sends the request and returns as soon as the headers of the response are there. Must be awaited on a Tokio
    /// runtime. Dropping the future or the response closes the connection.
    pub async fn stream(self) -> Result<ResponseStream, NetError> {
        let (client, mut plan) = self.into_plan()?;
        plan.accept_packed = false;
        let rest = client.exchanger().exchange(&plan).await?;
        Ok(ResponseStream { head: Response::head(&rest), rest })
    }

    /// Sends the request and takes over the connection, which the server must agree to with the status 101.
    pub async fn upgrade(self) -> Result<Upgraded, NetError> {
        let ResponseStream { head, rest } = self.stream().await?;
        if head.status != 101 {
            let message = rest.status().canonical_reason().unwrap_or("another protocol").to_owned();
            return Err(NetError::Status { url: head.url, status: head.status, message });
        }
        let url = rest.url().clone();
        rest.upgrade()
            .await
            .map_err(|error| NetError::Upgrade { url: shown(&url), source: error.without_url().into() })
    }
}
