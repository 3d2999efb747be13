//! The methods, by the part of the engine that they reach.

mod agents;
mod approvals;
mod config;
mod models;
mod skills;
mod skills_acquire;
mod skills_hub;
mod skills_install;
mod skills_remove;
mod skills_select;
mod skills_settings;
mod skills_upload;
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
            skills_hub::methods(),
            skills_install::methods(),
            skills_remove::methods(),
            skills_select::methods(),
            skills_settings::methods(),
            skills_upload::methods(),
            summary::methods(),
            system::methods(),
            usage::methods(),
        ]
        .into_iter()
        .flatten(),
    )
}
