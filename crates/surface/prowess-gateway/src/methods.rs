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

use crate::state::{Method, Methods};

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

    use serde_json::{Value, json};

    use crate::access::{Access, Scope, Starts};
    use crate::state::Method;

    #[test]
    fn every_name_is_taken_once() {
        let mut seen = BTreeSet::new();
        let twice: Vec<&str> =
            super::table().map(|method| method.name).filter(|name| !seen.insert(*name)).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    /// Methods that can start programs, each with params that ask for the most it can start.
    fn starters() -> Vec<(&'static str, Value)> {
        vec![
            ("chat.send", json!({})),
            ("cortex.perceive", json!({})),
            ("cron.add", json!({})),
            ("cron.run", json!({})),
            ("cron.update", json!({})),
            ("forge.improve", json!({})),
            ("forge.test", json!({ "name": "x", "runScript": true })),
            ("runs.start", json!({ "message": "x", "harness": "claude" })),
            ("skills.detail", json!({})),
            ("skills.diff", json!({})),
            ("skills.install", json!({})),
            ("skills.outdated", json!({})),
            ("skills.plan", json!({})),
            ("skills.search", json!({})),
            ("skills.securityVerdicts", json!({})),
        ]
    }

    /// Methods of `operator.write` that start nothing. A new one must be looked at before it is in one of the lists.
    const WRITE_ONLY: [&str; 13] = [
        "chat.abort",
        "cortex.ban",
        "cortex.lessons.judge",
        "cortex.record",
        "cortex.unban",
        "forge.draft",
        "forge.reject",
        "runs.abort",
        "sessions.import",
        "sessions.patch",
        "sessions.rate",
        "sessions.reset",
        "wake",
    ];

    #[test]
    fn a_program_starts_only_for_an_approver_or_after_one_was_asked() {
        let starters = starters();
        for method in super::table() {
            let Method { name, starts, access, .. } = &method;
            let most = starters.iter().find(|(starter, _)| starter == name).map(|(_, params)| params);
            assert_eq!(most.is_some(), !matches!(starts, Starts::Nothing), "{name} is in the wrong list");
            let is_write = *access == Access::Operator(Scope::Write);
            let is_known = most.is_some() || WRITE_ONLY.contains(name);
            assert!(!is_write || is_known, "{name}: does it start programs?");
            match (starts, most) {
                // The scope of the method itself may be any: with these params an approver is needed.
                (Starts::Directly { .. }, Some(most)) => assert!(starts.needs_approver(most), "{name}"),
                (Starts::Asked { .. }, _) => assert!(!starts.needs_approver(&json!({})), "{name}"),
                _ => {}
            }
        }
        let of = |name: &str| super::table().find(|method| method.name == name).map(|method| method.starts);
        let needs = |name: &str, params: Value| of(name).is_some_and(|starts| starts.needs_approver(&params));
        assert!(needs("forge.test", json!({ "runScript": true })));
        assert!(needs("forge.test", json!({ "runScript": "yes" })));
        assert!(!needs("forge.test", json!({ "name": "x" })));
        assert!(!needs("forge.test", json!({ "runScript": false })));
        assert!(needs("runs.start", json!({ "harness": "claude" })));
        assert!(!needs("runs.start", json!({ "message": "x" })));
    }

    #[test]
    fn only_approvers_answer_for_agents() {
        let answer = super::table().find(|method| method.name == "exec.approval.resolve");
        assert!(answer.is_some_and(|method| method.access == Access::Operator(Scope::Approvals)));
        let set = super::table().find(|method| method.name == "exec.approvals.set");
        assert!(set.is_some_and(|method| method.access == Access::Operator(Scope::Admin)));
    }
}
