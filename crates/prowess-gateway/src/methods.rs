//! The methods, by the part of the engine that they reach.

mod chat;
mod consent;
mod cortex;
mod cron;
mod forge;
mod learn_refusals;
mod runs;
mod sessions;
mod skills;
mod system;
mod trust;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::method::Methods;

/// No params.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Every method there is.
pub(crate) fn all() -> Methods {
    let parts = [
        chat::methods(),
        consent::methods(),
        cortex::methods(),
        cron::methods(),
        forge::methods(),
        runs::methods(),
        sessions::methods(),
        skills::methods(),
        system::methods(),
        trust::methods(),
    ];
    Methods::new(parts.into_iter().flatten())
}
