//! `prowess sandbox sync DIR`

use prowess_inventory::{SandboxSyncOptions, SandboxSyncReport};
use prowess_text::printable;

use super::{count, shown};
use crate::args::SandboxCommand;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, DIM, WARN, paint};

pub(crate) fn run(context: &Context, command: &SandboxCommand) -> Result<Outcome, Failure> {
    let SandboxCommand::Sync { dir, mounted_at, dry_run } = command;
    let options = SandboxSyncOptions { mounted_at: mounted_at.clone(), dry_run: *dry_run };
    let report = context.engine.sandbox_sync(context.view()?.inventory(), dir, &options)?;
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&told(&report, *dry_run))?;
    }
    Ok(if report.skipped.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn told(report: &SandboxSyncReport, is_dry: bool) -> String {
    let mut text = String::new();
    for place in &report.written {
        let note = if report.overwritten.contains(place) {
            paint(WARN, " (was changed there)")
        } else {
            String::new()
        };
        text += &format!("+ {}{note}\n", printable(place));
    }
    for place in &report.removed {
        text += &format!("- {}\n", printable(place));
    }
    for skipped in &report.skipped {
        let reason = paint(DIM, printable(&skipped.reason));
        text += &format!("{} {} {reason}\n", paint(WARN, "not copied:"), shown(&skipped.path));
    }
    let verb = if is_dry { "would be written" } else { "written" };
    text + &format!(
        "{} {verb}, {} removed, {} unchanged\n",
        count(report.written.len(), "file", "files"),
        report.removed.len(),
        report.unchanged
    )
}
