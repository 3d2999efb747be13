//! The methods, by the part of the engine that they reach.

mod device;
mod node;
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
    Methods::new(
        [device::methods(), node::methods(), skills::methods(), system::methods()].into_iter().flatten(),
    )
}
