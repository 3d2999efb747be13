//! The checks of the config.

use std::collections::BTreeSet;

use prowess_config::{ApiKey, ConfigIssue, IssueKind, KeyPath, Layer, bind_address};
use prowess_fs::LockState;
use prowess_inventory::Inventory;
use prowess_match::AgentView;
use serde_json::Value;

use super::{DoctorCheck, DoctorFinding, Examination, checks};

/// A token with fewer characters could be guessed.
const SHORT_TOKEN: usize = 16;

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    if context.issues().is_empty() {
        let file = &context.places().config_file;
        let state = match prowess_fs::stamp(file) {
            Ok(Some(_)) => "is fine",
            _ => "does not exist; defaults are used",
        };
        findings
            .push(DoctorFinding::new(&checks::CONFIG_FILE, format!("`{}` {state}", file.display())).at(file));
    }
    findings.extend(context.issues().iter().map(of_issue));
    // One that cannot be opened was told when the skills were looked at.
    if let Ok((_, issues)) = context.config_in(&examination.workspace) {
        findings.extend(issues.iter().map(of_issue));
        overridden(examination, findings);
    }
    allowed_skills(examination, findings);
}

fn of_issue(issue: &ConfigIssue) -> DoctorFinding {
    let check: &'static DoctorCheck = match issue.kind {
        IssueKind::Unreadable => &checks::CONFIG_UNREADABLE,
        IssueKind::WrongType => &checks::CONFIG_WRONG_TYPE,
        IssueKind::UnknownKey => &checks::CONFIG_UNKNOWN_KEY,
        IssueKind::Foreign => &checks::CONFIG_FOREIGN,
        IssueKind::Ignored => &checks::CONFIG_IGNORED,
    };
    let subject = issue.key.clone().unwrap_or_else(|| issue.file.display().to_string());
    DoctorFinding::new(check, issue.to_string()).about(subject)
}

/// Reports the settings of the user that the workspace overrides.
fn overridden(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    let Ok((config, _)) = context.config_in(&examination.workspace) else { return };
    for section in ["modes", "bundles"] {
        let names = KeyPath::new(["skills", section]).ok().and_then(|key| config.get(&key));
        let names = names.as_ref().and_then(Value::as_object).into_iter().flat_map(|section| section.keys());
        for key in names.filter_map(|name| KeyPath::new(["skills", section, name]).ok()) {
            let (own, now) = (context.config().get(&key), config.get(&key));
            let is_theirs = config.origin_of(&key).is_some_and(|origin| origin.layer == Layer::Project);
            if let Some(own) = own.filter(|own| is_theirs && now.as_ref() != Some(own)) {
                let message = format!(
                    "the workspace sets `{key}` to {}, and you set it to {own}",
                    now.unwrap_or_default()
                );
                findings.push(DoctorFinding::new(&checks::CONFIG_OVERRIDDEN, message).about(key.to_string()));
            }
        }
    }
}

/// Lists of allowed skills that name nothing, or leave nothing.
fn allowed_skills(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let config = examination.context.config();
    for id in config.agent_ids() {
        let Ok(agent) = config.agent(Some(&id)) else { continue };
        let Some(allowed) = agent.skills.filter(|skills| !skills.is_empty()) else { continue };
        let Ok(view) = AgentView::read(examination.context, Some(&id)) else { continue };
        let inventory = view.inventory();
        let known = names(inventory);
        for name in allowed.iter().filter(|name| !known.contains(*name)) {
            let message = format!("agent `{id}` is allowed to use `{name}`, and there is no such skill");
            findings.push(DoctorFinding::new(&checks::CONFIG_UNKNOWN_SKILL, message).about(name));
        }
        if !inventory.entries.is_empty() && !inventory.entries.iter().any(|entry| entry.allowed) {
            let message = format!("agent `{id}` may use none of {} skills", inventory.entries.len());
            findings.push(DoctorFinding::new(&checks::CONFIG_NO_SKILLS, message).about(id));
        }
    }
    let Some(inventory) = &examination.inventory else { return };
    let known = names(inventory);
    let keys: BTreeSet<String> = inventory.entries.iter().map(|entry| entry.skill.key().to_owned()).collect();
    for name in config.allow_bundled().iter().filter(|name| !known.contains(*name) && !keys.contains(*name)) {
        let message = format!("`skills.allowBundled` names `{name}`, and there is no such skill");
        findings.push(DoctorFinding::new(&checks::CONFIG_UNKNOWN_SKILL, message).about(name));
    }
}

/// Every name that anything was found under, loaded or not.
fn names(inventory: &Inventory) -> BTreeSet<String> {
    let losses = inventory.losses.iter().filter_map(|loss| loss.name.clone());
    inventory.entries.iter().map(|entry| entry.skill.name.clone()).chain(losses).collect()
}

/// Settings that keep the gateway from starting, or open it too far.
pub(super) fn examine_gateway(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    let settings = context.config().gateway();
    // Asking takes the lock for a moment, and would wipe away that of a gateway which was killed.
    if let LockState::Held(_) = prowess_fs::lock_state(&context.gateway_folder().join("gateway.lock"))
        && let Some(running) = context.running_gateway()
    {
        let message = format!("process {} serves this home at {}", running.pid, running.url);
        findings.push(DoctorFinding::new(&checks::GATEWAY_RUNNING, message).about(running.url));
    }
    match bind_address(&settings.bind) {
        None => {
            let message = format!("`gateway.bind` is `{}`, which is not an address", settings.bind);
            findings.push(DoctorFinding::new(&checks::GATEWAY_BIND, message).about("gateway.bind"));
        }
        Some(address) if !address.is_loopback() && settings.token_source.is_none() => {
            let message =
                format!("the gateway listens on {address} for other machines, and has no token yet");
            findings.push(DoctorFinding::new(&checks::GATEWAY_OPEN, message).about("gateway.bind"));
        }
        Some(_) => {}
    }
    if let Some(token) = &settings.token
        && token.expose().chars().count() < SHORT_TOKEN
    {
        let message = format!("`gateway.auth.token` has fewer than {SHORT_TOKEN} characters");
        findings.push(DoctorFinding::new(&checks::GATEWAY_SHORT_TOKEN, message).about("gateway.auth.token"));
    }
    // A program or a keyring is not asked only to look.
    if let Some(source @ ApiKey::Reference(reference)) = &settings.token_source
        && matches!(reference.source.as_str(), "env" | "file")
        && let Err(error) = prowess_context::resolve_secret(context, source)
    {
        let message =
            format!("failed to resolve `gateway.auth.token`: {}", prowess_text::describe_error(&error));
        findings.push(DoctorFinding::new(&checks::GATEWAY_TOKEN, message).about("gateway.auth.token"));
    }
}
