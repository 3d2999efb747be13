//! The methods, by the part of the engine that they reach.

mod agents;
mod approvals;
mod config;
mod models;
mod skills;
mod summary;
mod system;
mod usage;

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
        [
            agents::methods(),
            approvals::methods(),
            config::methods(),
            models::methods(),
            skills::methods(),
            summary::methods(),
            system::methods(),
            usage::methods(),
        ]
        .into_iter()
        .flatten(),
    )
}
