//! Plans and what became of them, for people.

use prowess_acquire::{Action, Done, Edits, MergeReport, Plan};
use prowess_scan::{ScanSeverity, Verdict};
use prowess_text::{and_more, printable};

use super::super::{count, missing, shown};
use super::restore_command;
use crate::context::Context;
use crate::output::{BAD, BOLD, DIM, GOOD, WARN, paint};

/// Files that are named one by one.
const NAMED: usize = 12;

/// Everything that consent is given to.
pub(in crate::commands) fn plan(plan: &Plan) -> String {
    let title = format!("{} {}", paint(BOLD, printable(&plan.name)), printable(&version(plan)));
    let mut text = format!("{}\n", title.trim_end());
    let mut line = |label: &str, value: String| {
        text += &format!("  {} {value}\n", paint(DIM, format!("{label:<7}")));
    };
    line("from", printable(&origin(plan)));
    line("to", format!("{} ({})", shown(&plan.path), doing(plan)));
    line("files", files(plan));
    if let Some(report) = &plan.merge {
        for change in merge(report) {
            line("change", change);
        }
    }
    let review = &plan.review;
    let verdict = match review.verdict {
        Verdict::Clean => paint(GOOD, "clean"),
        Verdict::Suspicious => paint(WARN, "suspicious"),
        Verdict::Malicious => paint(BAD.bold(), "malicious"),
    };
    line("scan", verdict);
    for finding in review.findings.iter().filter(|finding| finding.severity >= ScanSeverity::Warn).take(NAMED)
    {
        let style = if finding.severity == ScanSeverity::Critical { BAD } else { WARN };
        let place = format!("{}:{}", printable(&finding.file), finding.line);
        line("", format!("{} {place} {}", paint(style, &finding.rule), printable(&finding.reason)));
    }
    if !review.capabilities.is_empty() {
        line("can", printable(&review.capabilities.to_string()));
    }
    if let Some(diff) = review.capability_diff.as_ref().filter(|diff| !diff.added.is_empty()) {
        line("new", paint(WARN, printable(&diff.added.join(", "))));
    }
    if review.moderation.as_ref().is_some_and(|moderation| moderation.is_suspicious) {
        let summary = review.moderation.as_ref().and_then(|moderation| moderation.summary.clone());
        line("registry", printable(&format!("suspicious {}", summary.unwrap_or_default())));
    }
    if !review.missing.is_empty() {
        line("needs", missing(&review.missing));
    }
    for warning in &review.warnings {
        line("note", paint(WARN, printable(warning)));
    }
    text
}

/// The question that a plan asks.
pub(super) fn question(plan: &Plan) -> String {
    let verb = match plan.action {
        Action::Install => "Install",
        Action::Replace => "Replace the existing folder by",
        Action::Restore => "Put back",
        Action::Update(_) => "Update to",
    };
    let despite = if plan.review.reasons.is_empty() { "" } else { " despite the warnings" };
    let what = format!("{} {}", printable(&plan.name), printable(&version(plan)));
    format!("{verb} `{}`{despite}?", what.trim_end())
}

/// Describes what was done.
pub(super) fn done(context: &Context, plan: &Plan, done: &Done) -> String {
    let verb = match plan.action {
        Action::Install | Action::Replace => "installed",
        Action::Restore => "put back",
        Action::Update(_) => "updated",
    };
    let what = format!("{} {}", printable(&plan.name), printable(&version(plan)));
    let mut text = format!("{} {verb} {}\n", paint(GOOD, "✓"), paint(BOLD, what.trim_end()));
    let mut line = |label: &str, value: String| {
        text += &format!("  {} {value}\n", paint(DIM, format!("{label:<7}")));
    };
    if let Some(backup) = &done.backup {
        let id = backup.file_name().unwrap_or_default().to_string_lossy();
        line("kept", format!("replaced folder: {} ({})", shown(backup), restore_command(context, &id)));
    }
    if let Some(report) = &done.merge {
        for conflict in &report.conflicts {
            line("solve", paint(WARN, printable(&conflict.to_string())));
        }
    }
    let ready = &done.readiness;
    let name = printable(&ready.name);
    if ready.is_ready {
        line("ready", format!("`{name}` is available to agents"));
    } else {
        for reason in &ready.reasons {
            line("not yet", printable(reason));
        }
    }
    if !ready.missing.bins.is_empty() || !ready.missing.any_bins.is_empty() {
        let how: Vec<String> = ready.install.iter().map(|option| printable(&option.label)).collect();
        let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join("; ")) };
        line("try", format!("prowess deps {name}{how}"));
    }
    for warning in &done.warnings {
        line("note", paint(WARN, printable(warning)));
    }
    text
}

/// A version or the start of a commit, with what it follows.
pub(super) fn version(plan: &Plan) -> String {
    let short = |commit: &String| commit.chars().take(12).collect::<String>();
    let new = plan.provenance.version.clone().or_else(|| plan.provenance.commit.as_ref().map(short));
    let old =
        plan.previous.as_ref().and_then(|old| old.version.clone().or_else(|| old.commit.as_ref().map(short)));
    match (plan.action, old, new) {
        (Action::Update(_), Some(old), Some(new)) if old != new => format!("{old} → {new}"),
        (_, _, new) => new.unwrap_or_default(),
    }
}

fn origin(plan: &Plan) -> String {
    let from = &plan.provenance;
    let owner = from.owner.as_ref().map(|owner| format!(" by @{owner}")).unwrap_or_default();
    let registry = from.registry.as_ref().map(|registry| format!(" at {registry}")).unwrap_or_default();
    let commit = from.commit.as_ref().map(|commit| format!(" at {commit}")).unwrap_or_default();
    format!("{}{owner}{registry}{commit}", from.source)
}

fn doing(plan: &Plan) -> &'static str {
    match (plan.action, plan.previous.is_some()) {
        (Action::Install, _) => "new",
        (Action::Replace, true) => "replaces what is installed; edits are kept in the trash",
        (Action::Replace, false) => "replaces a folder that was not installed; it is kept in the trash",
        (Action::Restore, _) => "missing; exactly as the lock says",
        (Action::Update(Edits::Overwrite), _) => "update; local edits are discarded (kept in the trash)",
        (Action::Update(Edits::MergeWithMarkers), _) => "update; conflicts will be marked in the files",
        (Action::Update(_), _) => "update; local edits are kept",
    }
}

fn files(plan: &Plan) -> String {
    let bytes: u64 = plan.files.iter().map(|file| file.size).sum();
    let mut text = format!("{}, {bytes} bytes", count(plan.files.len(), "file", "files"));
    let programs: Vec<String> =
        plan.files.iter().filter(|file| file.executable).map(|file| printable(&file.path)).collect();
    if !programs.is_empty() {
        text += &format!("; can be run: {}", listed(&programs));
    }
    text
}

/// What happens to files, a line for each kind.
pub(super) fn merge(report: &MergeReport) -> Vec<String> {
    let lists = [
        ("taken", &report.taken),
        ("merged", &report.merged),
        ("removed", &report.removed),
        ("kept as edited", &report.kept),
    ];
    let mut lines: Vec<String> = lists
        .into_iter()
        .filter(|(_, paths)| !paths.is_empty())
        .map(|(word, paths)| {
            let paths: Vec<String> = paths.iter().map(|path| printable(path)).collect();
            format!("{word}: {}", listed(&paths))
        })
        .collect();
    lines.extend(
        report
            .conflicts
            .iter()
            .map(|conflict| paint(WARN, format!("conflict: {}", printable(&conflict.to_string())))),
    );
    lines
}

fn listed(names: &[String]) -> String {
    let (named, more) = and_more(names, NAMED);
    let more = more.map(|more| format!(" {more}")).unwrap_or_default();
    format!("{}{more}", named.join(", "))
}
