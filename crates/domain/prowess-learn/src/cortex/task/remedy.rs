//! The lack behind a failed attempt, and its remedy.

use prowess_acquire::{Done, Readiness};
use prowess_types::{InstallOption, OutcomeResult, Requirements};

use super::Ran;

/// The first requirement that is missing.
pub(super) fn first_missing(missing: &Requirements) -> Option<String> {
    [&missing.bins, &missing.any_bins, &missing.env, &missing.config].into_iter().flatten().next().cloned()
}

/// The failure that a lack amounts to.
pub(super) fn lacking(missing: &Requirements) -> OutcomeResult {
    if missing.bins.is_empty() && missing.any_bins.is_empty() && !missing.env.is_empty() {
        OutcomeResult::AuthError
    } else {
        OutcomeResult::DependencyMissing
    }
}

/// The lack that a run reports, and the skill's ways to install it: its own requirements, or the key of the failure.
/// None if that is not known.
pub(super) fn lack_of_run(ran: &Ran, readiness: &Readiness) -> Option<(Requirements, Vec<InstallOption>)> {
    if first_missing(&readiness.missing).is_some() {
        return Some((readiness.missing.clone(), readiness.install.clone()));
    }
    let key = ran.key.clone()?;
    let brings = |way: &&InstallOption| way.bins.contains(&key) || way.id == key;
    let ways = readiness.install.iter().filter(brings).cloned().collect();
    Some((Requirements { bins: vec![key], ..Requirements::default() }, ways))
}

/// The sentence that names the key at once, after a service or a program refused it.
pub(super) fn credential_notice(name: &str, key: Option<&str>) -> String {
    match key {
        Some(key) => format!("`{name}` was refused: check `{key}`; `prowess secret set {name}` sets the key"),
        None => format!("`{name}` was refused: check its key; `prowess secret set {name}` sets it"),
    }
}

/// Returns a remedy for a failure.
pub(super) fn remedy(result: OutcomeResult, key: Option<&str>, done: &Done) -> Option<String> {
    let name = &done.readiness.name;
    let is_declared = !done.readiness.missing.is_empty();
    Some(match (result, key) {
        (OutcomeResult::Success, _) => return None,
        (OutcomeResult::DependencyMissing, Some(key)) if !is_declared => {
            format!("install `{key}`, which the skill does not declare, and try again")
        }
        (OutcomeResult::DependencyMissing, _) => format!("install what it needs: `prowess deps {name}`"),
        (OutcomeResult::AuthError, Some(key)) => format!("check `{key}`: `prowess secret set {name}`"),
        (OutcomeResult::AuthError, None) => format!("check its key: `prowess secret set {name}`"),
        (OutcomeResult::ApiError, Some(key)) => format!("`{key}` failed twice; try again later"),
        (OutcomeResult::ApiError, None) => "the service failed twice; try again later".to_owned(),
        (OutcomeResult::TaskMismatch, _) => "it is made for something else; try another candidate".to_owned(),
        (OutcomeResult::RuntimeError, _) => "see the trace: `prowess sessions show last`".to_owned(),
        (OutcomeResult::Unknown, _) => {
            "see the trace, and say how it went: `prowess cortex record`".to_owned()
        }
    })
}
