//! Who is let in: the one place that compares tokens.

use std::net::IpAddr;

use prowess::types::Secret;
use subtle::ConstantTimeEq as _;

/// Compares what clients present with what lets them in.
#[derive(Debug)]
pub(crate) struct Door {
    token: Secret,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// Nothing was presented.
    Missing,
    /// It is not the token.
    Mismatch,
}

impl Door {
    pub(crate) fn new(token: Secret) -> Self {
        Self { token }
    }

    /// Whether a token from a machine lets in.
    pub(crate) fn admit(&self, _peer: Option<IpAddr>, presented: Option<&str>) -> Result<(), Denied> {
        let presented = presented.filter(|token| !token.is_empty()).ok_or(Denied::Missing)?;
        let is_same: bool = presented.as_bytes().ct_eq(self.token.expose().as_bytes()).into();
        if is_same { Ok(()) } else { Err(Denied::Mismatch) }
    }
}
