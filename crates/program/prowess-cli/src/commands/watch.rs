//! `prowess watch`

use std::time::Duration;

use prowess_catalog::SnapshotDiff;
use prowess_fs::WatchMode;
use prowess_match::{LiveEvent, LiveOptions, LiveStatus};
use prowess_text::printable;
use prowess_types::ErrorKind;

use super::{count, shown};
use crate::answers::WatchLine;
use crate::args::WatchArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, DIM, GOOD, WARN, paint};

/// The interval at which the view is requested while nothing happens, so that it is not retired.
const ROUND: Duration = Duration::from_mins(1);

pub(crate) fn run(context: &Context, args: &WatchArgs) -> Result<Outcome, Failure> {
    let live = context.engine.watch(LiveOptions::new(context.clock()))?;
    let events = live.subscribe();
    let agent = context.agent.as_deref();
    live.view(agent)?;
    let status = live.status();
    if context.json {
        output::json_line(&WatchLine::Started { status: &status })?;
    } else if status.health.mode != WatchMode::Off {
        output::out(&started(&status))?;
    }
    fail_if_off(&status.health.mode)?;
    let mut left = args.count;
    let mut health = status.health.mode;
    while left != Some(0) {
        live.view(agent)?;
        let event = events.next(ROUND);
        let now = live.health();
        if now.mode != health {
            if context.json {
                output::json_line(&WatchLine::Health { health: &now })?;
            } else {
                output::out(&describe_mode(&now.mode))?;
            }
            fail_if_off(&now.mode)?;
            health = now.mode;
        }
        let Some(event) = event else { continue };
        if context.json {
            output::json_line(&if event.published {
                WatchLine::Published { event: &event }
            } else {
                WatchLine::StaleEdits { event: &event }
            })?;
        } else {
            output::out(&describe(&event))?;
        }
        left = left.map(|left| left - 1);
    }
    Ok(Outcome::Fine)
}

fn started(status: &LiveStatus) -> String {
    let skills: usize = status.views.iter().map(|view| view.skills).sum();
    let folders = count(status.health.directories, "folder", "folders");
    let skills = count(skills, "skill", "skills");
    format!("{skills}, {folders} watched; Ctrl-C ends\n{}", describe_mode(&status.health.mode))
}

fn describe_mode(mode: &WatchMode) -> String {
    match mode {
        WatchMode::Watching => String::new(),
        WatchMode::Polling { reason } => {
            format!("{}: comparing files instead of watching, because {reason}\n", paint(WARN, "slow"))
        }
        WatchMode::Off => format!("{}: `skills.load.watch` is false\n", paint(WARN, "not watching")),
    }
}

/// Fails if watching is switched off: no change would ever be seen.
fn fail_if_off(mode: &WatchMode) -> Result<(), Failure> {
    if *mode != WatchMode::Off {
        return Ok(());
    }
    let message = "nothing is watched, because `skills.load.watch` is `false`".to_owned();
    Err(Failure::new(ErrorKind::NotReady, message).hint("`prowess config set skills.load.watch true`"))
}

fn describe(event: &LiveEvent) -> String {
    let SnapshotDiff { added, removed, changed } = &event.diff;
    let mut text = String::new();
    for (style, sign, names) in [(GOOD, "+", added), (BAD, "-", removed), (WARN, "~", changed)] {
        for name in names {
            text += &format!("{} {}\n", paint(style, sign), printable(name));
        }
    }
    for edit in &event.stale_edits {
        let what = format!("{} keeps its last state: {}", printable(&edit.name), printable(&edit.message));
        text += &format!("{} {what} ({})\n", paint(BAD, "!"), shown(&edit.file));
    }
    if event.published {
        let reason = serde_json::to_value(event.reason).unwrap_or_default();
        let reason = reason.as_str().unwrap_or_default();
        let path = event.changed_path.as_deref().map(|path| format!(" {}", shown(path))).unwrap_or_default();
        text += &paint(DIM, format!("version {} ({reason}{path})", event.version));
        text.push('\n');
    } else if event.stale_edits.is_empty() {
        text += "all edits are applied again\n";
    }
    text
}
