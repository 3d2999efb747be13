//! The methods, by the part of the engine that they reach.

mod skills;
mod system;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::method::Methods;

/// No params.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Every method there is.
pub(crate) fn all() -> Methods {
    Methods::new([skills::methods(), system::methods()].into_iter().flatten())
}
