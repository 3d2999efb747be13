//! The content of a request: method, address, headers and body.

use prowess_types::Secret;

use crate::Credentials;

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    /// Reads.
    Get,
    /// Reads the headers alone.
    Head,
    /// Submits something.
    Post,
    /// Stores something at its address.
    Put,
    /// Changes a part of something.
    Patch,
    /// Removes something.
    Delete,
}

impl HttpMethod {
    pub(crate) fn is_reading(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}

/// The parts of a request that do not depend on its address.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) method: HttpMethod,
    pub(crate) url: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, Secret)>,
    pub(crate) bearer: Option<Secret>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) accept_packed: bool,
}

impl Plan {
    pub(crate) fn new(method: HttpMethod, url: &str) -> Self {
        let url = url.to_owned();
        let (query, headers) = (Vec::new(), Vec::new());
        Self { method, url, query, headers, bearer: None, body: None, accept_packed: true }
    }

    /// The credential for an address: the request's own for its own origin, or the client's.
    pub(crate) fn bearer_for<'a>(
        &'a self,
        url: &reqwest::Url,
        is_own_origin: bool,
        known: &'a [Credentials],
    ) -> Option<&'a Secret> {
        let own = self.bearer.as_ref().filter(|_| is_own_origin);
        own.or_else(|| known.iter().find(|known| known.are_for(url)).map(|known| &known.bearer))
    }
}
