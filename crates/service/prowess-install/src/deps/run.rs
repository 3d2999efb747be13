//! Doing what a plan says, step by step, while somebody watches and may stop it.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prowess_fs::{FollowEnd, FollowLimits, Followed, Stream, follow};
use prowess_net::Client;

use super::host::InstallHost;
use super::plan::{CommandStep, Duty, InstallPlan, InstallStep};
use super::result::{InstallResult, SkipReason, message_of};
use super::{download, tools, values};

/// The time limit of a command or a download, unless another is set.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);
const MIN_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_TIMEOUT: Duration = Duration::from_mins(15);
/// What is kept of each stream of an installer, in bytes.
const KEPT: usize = 256 * 1024;
/// The oldest Go that is installed for somebody.
const MIN_GO: (u32, u32) = (1, 21);

/// A time limit within what is sensible: 1 to 900 seconds.
pub fn clamp_timeout(wanted: Option<Duration>) -> Duration {
    wanted.unwrap_or(DEFAULT_TIMEOUT).clamp(MIN_TIMEOUT, MAX_TIMEOUT)
}

/// What happens during an install.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum InstallEvent<'a> {
    /// A step begins.
    Starts(&'a InstallStep),
    /// An installer says something.
    Says(Stream, &'a [u8]),
    /// So many bytes have come, of so many if that is known.
    Received(u64, Option<u64>),
}

/// How an install is run, and who watches.
pub struct InstallRun<'a> {
    /// The time limit of each step; see [`clamp_timeout`].
    pub timeout: Duration,
    /// Set by somebody who does not want it any more.
    pub cancel: Arc<AtomicBool>,
    /// What downloads go through.
    pub client: &'a Client,
    /// Hears what happens.
    pub on_event: &'a mut dyn FnMut(InstallEvent<'_>),
}

/// Does what the plan says. The first step that fails is the last.
pub fn install(plan: &InstallPlan, host: &InstallHost, run: &mut InstallRun<'_>) -> InstallResult {
    let mut result = InstallResult::refused("invalid install command");
    for step in &plan.steps {
        (run.on_event)(InstallEvent::Starts(step));
        let answer = match step {
            InstallStep::Download(step) => Some(download::fetch(step, host, run)),
            InstallStep::Command(step) => command(step, plan, host, run),
        };
        if let Some(answer) = answer {
            result = answer;
            break;
        }
    }
    result
}

/// Runs one command. No answer means that the next one may follow.
fn command(
    step: &CommandStep,
    plan: &InstallPlan,
    host: &InstallHost,
    run: &mut InstallRun<'_>,
) -> Option<InstallResult> {
    let followed = match start(step, plan, host, run) {
        Ok(followed) => followed,
        Err(_) if step.duty == Duty::Refresh => return None,
        Err(problem) => return Some(InstallResult::failed(problem)),
    };
    let is_done = followed.end == FollowEnd::Exited(0);
    if followed.end == FollowEnd::Cancelled {
        return Some(InstallResult::of(&followed, message_of(&followed, 0)));
    }
    match step.duty {
        Duty::Refresh => None,
        Duty::First(_) if is_done => None,
        Duty::First(failure) => Some(InstallResult::of(&followed, failure.to_owned())),
        Duty::GoCandidate => go_candidate(&followed),
        Duty::Install => {
            let message = message_of(&followed, run.timeout.as_secs());
            let mut result = InstallResult::of(&followed, message);
            if !is_done
                && step.argv.first().is_some_and(|program| program == "go")
                && wants_newer_go(&followed)
            {
                result.skip_reason = Some(SkipReason::Go);
            }
            Some(result)
        }
    }
}

fn start(
    step: &CommandStep,
    plan: &InstallPlan,
    host: &InstallHost,
    run: &mut InstallRun<'_>,
) -> Result<Followed, String> {
    // Right before it is used: what was looked at earlier may be something else by now.
    if step.duty == Duty::Install {
        let package = plan.package.as_deref().unwrap_or_default();
        values::check(plan.kind, package)?;
        if step.argv.last().map(String::as_str) != Some(package) {
            return Err("invalid install command".to_owned());
        }
    }
    let (name, args) = step.argv.split_first().ok_or("invalid install command")?;
    let program = host.find(name).ok_or_else(|| format!("{name} not found on PATH"))?;
    // Nobody's settings lie in the folder that an installer starts in, but the user's own.
    tools::make_private(&host.tools).map_err(|error| error.to_string())?;
    let prefix = host.npm_prefix().display().to_string();
    if step.env.iter().any(|(_, value)| *value == prefix) {
        tools::make_private(&host.npm_prefix()).map_err(|error| error.to_string())?;
    }
    let mut command = Command::new(&program);
    command.args(args).current_dir(&host.tools).env_clear();
    command.envs(host.environment.iter().chain(&step.env).map(|(name, value)| (name, value)));
    let limits = FollowLimits { timeout: run.timeout, kept: KEPT };
    let on_event = &mut *run.on_event;
    follow(command, limits, &run.cancel, &mut |stream, piece| on_event(InstallEvent::Says(stream, piece)))
        .map_err(|error| format!("cannot start `{}`: {error}", program.display()))
}

/// Whether the Go that apt has will do.
fn go_candidate(followed: &Followed) -> Option<InstallResult> {
    if followed.end != FollowEnd::Exited(0) {
        let failed = "go not installed — automatic install via apt failed. Install manually: https://go.dev/doc/install";
        return Some(InstallResult::of(followed, failed.to_owned()));
    }
    if candidate_version(&followed.stdout).is_some_and(|version| version >= MIN_GO) {
        return None;
    }
    let message = format!(
        "go not installed — apt does not provide a usable Go {}.{}+ package. Install manually: https://go.dev/doc/install",
        MIN_GO.0, MIN_GO.1
    );
    Some(InstallResult { skip_reason: Some(SkipReason::Go), ..InstallResult::refused(message) })
}

/// `Candidate: 2:1.22~3` is 1.22.
fn candidate_version(policy: &str) -> Option<(u32, u32)> {
    let text = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate:"))?.trim();
    let text = text.split_once(':').map_or(text, |(_, version)| version);
    let (major, rest) = text.split_once('.')?;
    let end = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
    Some((major.parse().ok()?, rest[..end].parse().ok()?))
}

/// Returns true if Go says that it is too old for the module.
fn wants_newer_go(followed: &Followed) -> bool {
    [&followed.stderr, &followed.stdout].iter().any(|text| {
        let text = text.to_lowercase();
        (text.contains("requires go >= ") && text.contains("(running go "))
            || text.contains("invalid gotoolchain")
            || (text.contains("cannot find \"go") && text.contains(" in path"))
    })
}

#[cfg(test)]
#[cfg(unix)]
#[path = "run_tests.rs"]
mod tests;
