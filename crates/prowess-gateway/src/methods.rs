//! The methods, by the part of the engine that they reach.

mod agents;
mod approvals;
mod chat;
mod config;
mod confirmation;
mod consent;
mod cortex;
mod cron;
mod device;
mod device_code;
mod forge;
mod learn_refusals;
mod models;
mod node;
mod runs;
mod sessions;
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
mod trust;
mod usage;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::method::{Method, Methods};

/// No params.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Every method there is.
pub(crate) fn all() -> Methods {
    Methods::new(table())
}

fn table() -> impl Iterator<Item = Method> {
    let parts = [
        agents::methods(),
        approvals::methods(),
        chat::methods(),
        config::methods(),
        confirmation::methods(),
        consent::methods(),
        cortex::methods(),
        cron::methods(),
        device::methods(),
        device_code::methods(),
        forge::methods(),
        models::methods(),
        node::methods(),
        runs::methods(),
        sessions::methods(),
        skills::methods(),
        skills_hub::methods(),
        skills_install::methods(),
        skills_remove::methods(),
        skills_select::methods(),
        skills_settings::methods(),
        skills_upload::methods(),
        summary::methods(),
        system::methods(),
        trust::methods(),
        usage::methods(),
    ];
    parts.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_taken_once() {
        let mut seen = BTreeSet::new();
        let twice: Vec<&str> =
            super::table().map(|method| method.name).filter(|name| !seen.insert(*name)).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
