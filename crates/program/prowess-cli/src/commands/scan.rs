//! `prowess scan`

use std::path::{Path, PathBuf};

use prowess_acquire::{Scanned, accept_findings, apply_baseline, read_baseline, scan_path};
use prowess_scan::{Accepted, CapabilityDiff, ScanFinding, ScanSeverity, Verdict, diff, sarif};
use prowess_text::printable;

use super::{count, shown};
use crate::answers::{ScanAnswer, ScanSummary};
use crate::args::ScanArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};

/// Unread files that are named without `--verbose`.
const NAMED: usize = 3;

pub(crate) fn run(context: &Context, args: &ScanArgs) -> Result<Outcome, Failure> {
    let mut scanned = scan_all(context, args)?;
    let stale = match &args.baseline {
        Some(file) => baseline(file, args.accept.as_deref(), &mut scanned)?,
        None => Vec::new(),
    };
    let changes = args.diff.as_deref().map(|old| changes(context, old, &scanned)).transpose()?;
    if args.sarif {
        let reports: Vec<(String, &Scanned)> =
            scanned.iter().map(|one| (relative(context, &one.path), one)).collect();
        let reports: Vec<_> = reports.iter().map(|(folder, one)| (folder.as_str(), &one.report)).collect();
        output::json(&sarif(&reports))?;
    } else if context.json {
        output::json(&ScanAnswer {
            skills: &scanned,
            stale: &stale,
            capability_diff: changes.as_ref(),
            summary: summary(&scanned),
        })?;
    } else {
        output::out(&text(&scanned, &stale, changes.as_ref(), args.verbose))?;
    }
    let is_clean = scanned.iter().all(|one| one.report.verdict == Verdict::Clean);
    Ok(if is_clean { Outcome::Fine } else { Outcome::Findings })
}

fn scan_all(context: &Context, args: &ScanArgs) -> Result<Vec<Scanned>, Failure> {
    let options = context.engine.parse_options();
    let paths = match args.paths.as_slice() {
        [] => vec![context.engine.workspace(context.agent.as_deref())?.join("skills")],
        paths => paths.to_vec(),
    };
    let mut scanned = Vec::new();
    for path in &paths {
        scanned.extend(scan_path(path, &options).map_err(|_| missing(path))?);
    }
    Ok(scanned)
}

fn missing(path: &Path) -> Failure {
    Failure::usage(format!("`{}` does not exist", shown(path)))
        .hint("name a skill's folder, a folder of skills, or a file")
}

/// Applies a baseline, after adding to it what is found now if there is a reason to.
fn baseline(file: &Path, reason: Option<&str>, scanned: &mut [Scanned]) -> Result<Vec<Accepted>, Failure> {
    let baseline = match reason {
        Some(reason) if reason.trim().is_empty() => {
            return Err(Failure::usage("a finding is accepted for a reason".to_owned())
                .hint("say why, in a few words: `--accept \"our own installer\"`"));
        }
        Some(reason) => accept_findings(file, scanned, reason)?,
        None => read_baseline(file)?,
    };
    Ok(apply_baseline(&baseline, scanned))
}

/// What one skill can do that its older version could not.
fn changes(context: &Context, old: &Path, scanned: &[Scanned]) -> Result<CapabilityDiff, Failure> {
    let before = scan_path(old, &context.engine.parse_options()).map_err(|_| missing(old))?;
    match (before.as_slice(), scanned) {
        ([before], [after]) => Ok(diff(&before.report.capabilities, &after.report.capabilities)),
        _ => Err(Failure::usage("`--diff` compares one skill with one other".to_owned())
            .hint("name the folder of one skill on both sides")),
    }
}

/// Relative to the working directory, as SARIF wants it.
fn relative(context: &Context, path: &Path) -> String {
    let absolute: PathBuf = context.engine.env().cwd().join(path);
    let inside = absolute.strip_prefix(context.engine.env().cwd()).unwrap_or(&absolute);
    inside.to_string_lossy().replace('\\', "/")
}

fn summary(scanned: &[Scanned]) -> ScanSummary {
    let number = |verdict: Verdict| scanned.iter().filter(|one| one.report.verdict == verdict).count();
    ScanSummary {
        clean: number(Verdict::Clean),
        suspicious: number(Verdict::Suspicious),
        malicious: number(Verdict::Malicious),
    }
}

fn text(scanned: &[Scanned], stale: &[Accepted], changes: Option<&CapabilityDiff>, verbose: bool) -> String {
    let mut text = String::new();
    for one in scanned {
        let report = &one.report;
        let (mark, word) = match report.verdict {
            Verdict::Clean => (paint(GOOD, "✓"), paint(GOOD, "clean")),
            Verdict::Suspicious => (paint(WARN, "△"), paint(WARN, "suspicious")),
            Verdict::Malicious => (paint(BAD, "✗"), paint(BAD.bold(), "malicious")),
        };
        text += &format!("{mark} {} {word}\n", paint(BOLD, shown(&one.path)));
        let least = if verbose { ScanSeverity::Info } else { ScanSeverity::Warn };
        report.at_least(least).for_each(|finding| text += &told(finding));
        if verbose && !report.capabilities.is_empty() {
            text += &format!("  {} {}\n", paint(BOLD, "can"), printable(&report.capabilities.to_string()));
        }
        let unread = &report.coverage.unread;
        let named = if verbose { unread.len() } else { NAMED };
        for file in unread.iter().take(named) {
            let note = format!("not read: {} ({}, {} bytes)", printable(&file.file), file.reason, file.bytes);
            text += &format!("  {}\n", paint(DIM, note));
        }
        if unread.len() > named {
            text += &format!(
                "  {}\n",
                paint(DIM, format!("and {} more that were not read", unread.len() - named))
            );
        }
    }
    for entry in stale {
        text += &format!(
            "{} `{}` in {} was accepted for other content ({}); look again\n",
            paint(WARN, "△"),
            entry.rule,
            printable(&entry.file),
            printable(&entry.reason)
        );
    }
    if let Some(changes) = changes {
        text += &difference(changes);
    }
    let bytes: u64 = scanned.iter().map(|one| one.report.coverage.bytes_read).sum();
    let files: usize = scanned.iter().map(|one| one.report.coverage.files_read).sum();
    let number = |verdict: Verdict| scanned.iter().filter(|one| one.report.verdict == verdict).count();
    text + &format!(
        "{}: {} clean, {} suspicious, {} malicious; {} and {bytes} bytes read\n",
        count(scanned.len(), "skill", "skills"),
        number(Verdict::Clean),
        number(Verdict::Suspicious),
        number(Verdict::Malicious),
        count(files, "file", "files"),
    )
}

fn told(finding: &ScanFinding) -> String {
    let style = match finding.severity {
        ScanSeverity::Info => DIM,
        ScanSeverity::Warn => WARN,
        ScanSeverity::Critical => BAD,
    };
    let place = format!("{}:{}:{}", printable(&finding.file), finding.line, finding.column);
    let mut text = format!("  {} {} {place}\n", paint(style, finding.severity), paint(BOLD, &finding.rule));
    if !finding.evidence.is_empty() {
        text += &format!("    {}\n", paint(DIM, printable(&finding.evidence)));
    }
    text + &format!("    {}\n    {}\n", printable(&finding.reason), printable(&finding.fix))
}

fn difference(changes: &CapabilityDiff) -> String {
    if changes.added.is_empty() && changes.removed.is_empty() {
        return "Both versions can do the same.\n".to_owned();
    }
    let lines = |sign: &str, style, tags: &[String]| -> String {
        let lines: Vec<String> =
            tags.iter().map(|tag| paint(style, format!("{sign} {}\n", printable(tag)))).collect();
        lines.concat()
    };
    lines("+", WARN, &changes.added) + &lines("-", DIM, &changes.removed)
}
