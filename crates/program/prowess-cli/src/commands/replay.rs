//! `prowess replay`

use prowess_sessions::replay::{ReplayReport, ReplayRequest};
use prowess_text::printable;

use crate::args::ReplayArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, Cell, DIM, ProgressLine, Table, WARN, paint};

/// Bytes that a step of the progress counts.
const MEGABYTE: u64 = 1024 * 1024;

pub(crate) fn run(context: &Context, args: &ReplayArgs) -> Result<Outcome, Failure> {
    let engine = &context.engine;
    let cwd = engine.env().cwd();
    let path = args.path.as_ref().map(|path| cwd.join(path)).or_else(|| engine.harness_history(args.from));
    let path = path.unwrap_or_else(|| cwd.to_owned());
    let now = context.clock().now_ms();
    let request = ReplayRequest {
        kind: args.from,
        path: &path,
        limit: args.limit,
        since: args.since.map(|since| since.moment(now)),
    };
    let mut line = ProgressLine::new();
    let megabytes = |bytes: u64| usize::try_from(bytes / MEGABYTE).unwrap_or(usize::MAX);
    let report = engine.replay(&*context.view()?, &request, |progress| {
        line.step("reading your history (MB)", megabytes(progress.done), megabytes(progress.total));
    })?;
    drop(line);
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&shown(&report))?;
    }
    Ok(if report.unread.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn shown(report: &ReplayReport) -> String {
    let mut text = String::new();
    if !report.missed.is_empty() {
        let mut table = Table::new(&["When", "Skill", "Confidence", "Message"], 3);
        for missed in &report.missed {
            table.row([
                super::sessions::moment(missed.at).into(),
                Cell::styled(BOLD, printable(&missed.skills.join(", "))),
                format!("{:.0} %", missed.confidence * 100.0).into(),
                printable(&missed.message).into(),
            ]);
        }
        text += &table.text();
    }
    text += &format!(
        "{} should have fired a skill and did not.\n",
        super::count(report.missed.len(), "message", "messages")
    );
    let commands = if report.commands > 0 {
        format!(", {} left out", super::count(report.commands, "command", "commands"))
    } else {
        String::new()
    };
    text += &paint(
        DIM,
        format!(
            "{} from {}{commands}: {} asked for a skill, in {} it was used.\n",
            super::count(report.messages, "message", "messages"),
            super::count(report.logs, "log", "logs"),
            report.fired,
            report.used
        ),
    );
    if report.is_cut {
        text += &paint(DIM, "Stopped at `--limit`; there are more messages.\n");
    }
    for unread in &report.unread {
        let log = printable(&unread.log.display().to_string());
        text += &format!("{} {log}: {}\n", paint(WARN, "△"), printable(&unread.reason));
    }
    text
}
