//! Common problems, each with its remedy, and the repair of those that can be repaired without harm.
//!
//! Every check is a row of [`doctor_checks`]; a finding is one place where it failed. Looking changes nothing.
//! [`Engine::mend`](crate::Engine::mend) does exactly what a finding said it would, only to files that are the
//! engine's own or the user's keys, never through a link, and under the lock of what it changes.

mod config;
mod finding;
mod fix;
mod harness;
mod home;
mod leftovers;
mod path;
mod registry;
mod secrets;
mod skills;
mod stores;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use prowess_match::AgentView;

pub use finding::DoctorFinding;
pub use fix::MendError;
pub(crate) use fix::mend;
pub use table::{DoctorCheck, doctor_checks};

use prowess_context::Clock;
use prowess_context::{Context, ContextError};
use prowess_inventory::Inventory;
use prowess_text::plural as counted;
use table as checks;

/// The maximum number of files of a home that are checked.
const MAX_FILES: usize = 20_000;

/// Options of the doctor.
#[derive(Clone, Debug, Default)]
pub struct DoctorOptions {
    /// Only these checks: whole ids such as `path/relative`, or their first parts such as `path`. Empty means all.
    pub only: Vec<String>,
    /// The timeout of the configured registry; none makes no request.
    pub registry_patience: Option<Duration>,
    /// The time, to tell what was left behind from what is being written.
    pub clock: Option<Clock>,
}

impl DoctorOptions {
    /// Returns true if a check is requested.
    fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| id == only || group_of(id) == only)
    }
}

/// The first part of an id.
fn group_of(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// The inputs of every check.
struct Examination<'a> {
    context: &'a Context,
    agent: Option<&'a str>,
    workspace: PathBuf,
    options: &'a DoctorOptions,
    /// None if the skills cannot even be looked for.
    inventory: Option<Arc<Inventory>>,
}

/// Looks at one thing after another.
type Examiner = fn(&Examination<'_>, &mut Vec<DoctorFinding>);

/// The examiners, by the first parts of ids.
const EXAMINERS: &[(&[&str], Examiner)] = &[
    (&["config"], config::examine),
    (&["gateway"], config::examine_gateway),
    (&["home", "permissions"], home::examine),
    (&["path"], path::examine),
    (&["bundled", "skills"], skills::examine),
    (&["secrets"], secrets::examine),
    (&["locks", "leftovers", "install", "trash"], leftovers::examine),
    (&["cache", "cortex", "sessions"], stores::examine),
    (&["hooks", "sync", "harness"], harness::examine),
    (&["registry"], registry::examine),
];

/// Looks for common problems on this machine, the worst first. No request leaves the machine.
pub(crate) fn doctor(context: &Context, agent: Option<&str>) -> Result<Vec<DoctorFinding>, ContextError> {
    doctor_with(context, agent, &DoctorOptions::default())
}

/// The same, with a choice of checks, a clock, and perhaps a question to the registry.
pub(crate) fn doctor_with(
    context: &Context,
    agent: Option<&str>,
    options: &DoctorOptions,
) -> Result<Vec<DoctorFinding>, ContextError> {
    let mut findings = Vec::new();
    let context = &context.without_cache();
    let workspace = context.workspace(agent)?;
    let inventory = look_at_skills(context, agent, &mut findings);
    let examination = Examination { context, agent, workspace, options, inventory };
    for (groups, examine) in EXAMINERS {
        let is_wanted = |check: &&&DoctorCheck| options.wants(check.id);
        let mut wanted = doctor_checks().iter().filter(is_wanted);
        if wanted.any(|check| groups.contains(&group_of(check.id))) {
            examine(&examination, &mut findings);
        }
    }
    findings.retain(|finding| options.wants(finding.id));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(findings)
}

/// Returns the skills of an agent; if they cannot be read, the reason.
fn look_at_skills(
    context: &Context,
    agent: Option<&str>,
    findings: &mut Vec<DoctorFinding>,
) -> Option<Arc<Inventory>> {
    let looked = AgentView::read(context, agent).map_err(|error| {
        let check = match &error {
            ContextError::Unpack(_) => &checks::BUNDLED_UNPACK,
            _ => &checks::CONFIG_UNREADABLE,
        };
        findings.push(DoctorFinding::new(check, prowess_text::describe_error(&error)));
    });
    looked.ok().map(|view| Arc::clone(view.inventory()))
}

impl Examination<'_> {
    /// The engine's own home, whichever profile is followed.
    fn own_home(&self) -> &Path {
        let places = self.context.places();
        places.cache.parent().unwrap_or(&places.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_looks_at_every_check() {
        let looked_at: Vec<&str> = EXAMINERS.iter().flat_map(|(groups, _)| groups.iter().copied()).collect();
        for check in doctor_checks() {
            let group = group_of(check.id);
            assert!(looked_at.contains(&group), "{}", check.id);
        }
    }

    #[test]
    fn a_choice_is_an_id_or_its_first_part() {
        let options = DoctorOptions { only: vec!["path".into(), "config/gone".into()], ..Default::default() };
        assert!(options.wants("path/relative") && options.wants("config/gone"));
        assert!(!options.wants("config/other") && !options.wants("paths/x"));
    }
}
