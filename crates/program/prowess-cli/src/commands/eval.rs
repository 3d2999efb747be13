//! `prowess eval`

use std::path::{Path, PathBuf};

use prowess_inventory::skill_files;
use prowess_match::{
    CaseReport, Interval, MessageCase, PoolReport, TriggerIssue, TriggerOptions, TriggerReport,
    evaluate_cases, read_case_folder,
};
use prowess_text::printable;
use prowess_types::ErrorKind;

use super::shown;
use crate::answers::{CasesAnswer, TriggersAnswer};
use crate::args::EvalArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, ProgressLine, Table, WARN, paint};

/// The share of a folder of cases that must come out right, unless the user says otherwise.
const DEFAULT_RIGHT: f64 = 0.8;

pub(crate) fn run(context: &Context, args: &EvalArgs) -> Result<Outcome, Failure> {
    match (&args.pool, &args.queries) {
        (Some(pool), Some(queries)) => judged(context, args, pool, queries),
        _ if args.mine => mine(context, args),
        _ => folders(context, args),
    }
}

fn judged(context: &Context, args: &EvalArgs, pool: &Path, queries: &Path) -> Result<Outcome, Failure> {
    let mut line = ProgressLine::new();
    let report = context.engine.evaluate_pool(&read(pool)?, &read(queries)?, |what, progress| {
        line.step(what, progress.done, progress.total);
    })?;
    drop(line);
    if let Some(path) = &args.per_query {
        let mut text = String::new();
        for one in &report.per_query {
            text += &serde_json::to_string(one).map_err(|error| Failure::environment(&error))?;
            text.push('\n');
        }
        prowess_fs::write_plain(path, text.as_bytes()).map_err(|error| unwritable(path, &error))?;
    }
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&pool_text(&report))?;
    }
    Ok(Outcome::Fine)
}

fn read(path: &Path) -> Result<String, Failure> {
    prowess_fs::read_plain(path).map_err(|error| {
        Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
            .hint("`prowess eval --help` describes the format")
    })
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::of(ErrorKind::Files, error).hint(format!("`{}` could not be written", shown(path)))
}

fn pool_text(report: &PoolReport) -> String {
    let mut text = format!("{} candidates, {} messages\n", report.candidates, report.queries);
    let mut table = Table::new(&["Messages", "Kind", "n", "R@1", "R@5", "MRR", "nDCG@10", "R@1 intended"], 0);
    for group in &report.groups {
        let figure = |value: f64| Cell::from(format!("{value:.3}"));
        let ranged = |value: f64, interval: Interval| {
            Cell::from(format!("{value:.3} ({:.3}–{:.3})", interval.low, interval.high))
        };
        table.row([
            group.lang.as_str().into(),
            group.kind.as_str().into(),
            group.gold.count.to_string().into(),
            ranged(group.gold.recall_at_1, group.recall_at_1_interval),
            ranged(group.gold.recall_at_5, group.recall_at_5_interval),
            figure(group.gold.mrr),
            figure(group.gold.ndcg_at_10),
            group.primary.as_ref().map_or_else(|| "".into(), |primary| figure(primary.recall_at_1)),
        ]);
    }
    text += &table.text();
    for gate in &report.gate {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        text += &format!(
            "Gate ({}): AUROC {:.3} ({} that want a skill, {} that want none)\n  at {:.2}: {} kept, {} false loads\n  \
             keeping {}: {} false loads\n",
            gate.lang,
            gate.auroc,
            gate.wanted,
            gate.unwanted,
            gate.at_threshold.threshold,
            percent(gate.at_threshold.kept),
            percent(gate.at_threshold.false_loads),
            percent(gate.keeping90.kept),
            percent(gate.keeping90.false_loads),
        );
        for kind in &gate.kinds {
            let auroc = kind.auroc.map(|auroc| format!(", AUROC {auroc:.3}")).unwrap_or_default();
            text += &format!("  {}: {} loaded{auroc}\n", kind_name(&kind.kind), kind.loaded);
        }
    }
    if let Some(scores) = &report.follow_ups {
        text += &format!("Follow-ups: {} kept, {} dropped\n", scores.kept, scores.dropped);
    }
    let latency = report.latency_ms;
    text + &format!(
        "Latency: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms\n",
        latency.p50, latency.p95, latency.p99
    )
}

/// The words for a kind of message.
fn kind_name(kind: &str) -> &str {
    match kind {
        "positive" => "requests",
        "multi" => "requests for several skills",
        "near-miss" => "near misses",
        "adjacent" => "adjacent requests",
        "none" => "small talk",
        other => other,
    }
}

/// Measures folders: of skills with their cases, or of files with cases about the agent's skills.
fn folders(context: &Context, args: &EvalArgs) -> Result<Outcome, Failure> {
    let paths = match args.paths.as_slice() {
        [] => vec![context.engine.workspace(context.agent.as_deref())?.join("skills")],
        paths => paths.to_vec(),
    };
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Err(Failure::usage(format!("`{}` does not exist", shown(missing)))
            .hint("name a folder of skills that have `evals/triggers.json`, or a folder of cases"));
    }
    let has_skills = |path: &PathBuf| skill_files(path).is_ok_and(|found| !found.files.is_empty());
    if paths.iter().any(has_skills) {
        return triggers(context, args, &paths);
    }
    let mut issues = Vec::new();
    let cases: Vec<MessageCase> = paths.iter().flat_map(|path| read_case_folder(path, &mut issues)).collect();
    if cases.is_empty() && issues.is_empty() {
        return Err(no_cases(&paths));
    }
    measure(context, args, &cases, issues, DEFAULT_RIGHT)
}

/// Measures the user's own cases. Without a limit they only inform.
fn mine(context: &Context, args: &EvalArgs) -> Result<Outcome, Failure> {
    let mut issues = Vec::new();
    let cases = context.engine.user_cases(&mut issues);
    if cases.is_empty() && issues.is_empty() && !context.json {
        output::out(
            "You have no cases yet.\n\
             When a message loads the wrong skill, say which one you meant:\n  \
             prowess match \"do I need an umbrella?\" --meant weather\n  \
             prowess match \"thanks!\" --meant none\n",
        )?;
        return Ok(Outcome::Fine);
    }
    measure(context, args, &cases, issues, 0.0)
}

fn measure(
    context: &Context,
    args: &EvalArgs,
    cases: &[MessageCase],
    issues: Vec<TriggerIssue>,
    min_right: f64,
) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let mut line = ProgressLine::new();
    let now = context.clock().now_ms();
    let mut report = evaluate_cases(&view, cases, args.threshold, now, |what, progress| {
        line.step(what, progress.done, progress.total);
    })?;
    drop(line);
    report.issues = issues;
    let min_right = args.min_right.map_or(min_right, f64::from);
    let max_near_misses = args.max_near_misses.map_or(1.0, f64::from);
    let is_fine = report.issues.is_empty()
        && report.right.share >= min_right
        && report.near_misses.share <= max_near_misses;
    // Without a case there is nothing to fail.
    let is_fine = is_fine || (report.right.n == 0 && report.issues.is_empty());
    if context.json {
        output::json(&CasesAnswer { report: &report, ok: is_fine })?;
    } else {
        output::out(&case_text(&report, is_fine))?;
    }
    Ok(if is_fine { Outcome::Fine } else { Outcome::Findings })
}

fn case_text(report: &CaseReport, is_fine: bool) -> String {
    let mut text = String::new();
    for wrong in &report.wrong {
        let meant = wrong.meant.as_deref().map_or_else(|| "nothing".to_owned(), printable);
        let chosen =
            if wrong.chosen.is_empty() { "nothing".to_owned() } else { printable(&wrong.chosen.join(", ")) };
        text += &format!(
            "{} {}: meant {}, chosen {} {}\n",
            paint(WARN, "△"),
            printable(&wrong.message),
            paint(BOLD, meant),
            paint(BOLD, chosen),
            paint(DIM, format!("{:.0} % match, {}", wrong.confidence * 100.0, wrong.origin.as_str())),
        );
    }
    if !report.unknown.is_empty() {
        let names = printable(&report.unknown.join(", "));
        text += &format!("{} not counted, the agent has no such skill: {names}\n", paint(WARN, "△"));
    }
    for issue in &report.issues {
        text += &format!("{} {}: {}\n", paint(BAD, "✗"), shown(&issue.path), printable(&issue.message));
    }
    for (name, share) in [
        ("requests loaded", report.requests),
        ("near misses loaded", report.near_misses),
        ("other messages loaded", report.none),
    ] {
        if share.n > 0 {
            text += &format!("  {name}: {share}\n");
        }
    }
    if report.by_origin.len() > 1 {
        for one in &report.by_origin {
            text += &format!("  {} cases right: {}\n", one.origin.as_str(), one.right);
        }
    }
    let is_all_right = report.right.count == report.right.n;
    let verdict = match (is_fine, is_all_right) {
        (true, true) => paint(GOOD, "✓"),
        (true, false) => paint(WARN, "△"),
        (false, _) => paint(BAD, "✗"),
    };
    text + &format!("{verdict} {} of {} right: {}\n", report.right.count, report.right.n, report.right)
}

fn triggers(context: &Context, args: &EvalArgs, paths: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut line = ProgressLine::new();
    let options = TriggerOptions { runs: args.runs, load: args.threshold };
    let report = context.engine.evaluate_triggers(paths, options, |what, progress| {
        line.step(what, progress.done, progress.total);
    })?;
    drop(line);
    let is_fine = report.issues.is_empty()
        && report.recall_at_1 >= f64::from(args.min_recall)
        && report.false_loads <= f64::from(args.max_false_loads)
        && args.min_right.is_none_or(|least| report.right.share >= f64::from(least))
        && args.max_near_misses.is_none_or(|most| report.near_miss_loads <= f64::from(most));
    if report.right.n == 0 && report.issues.is_empty() {
        return Err(no_cases(paths));
    }
    if context.json {
        output::json(&TriggersAnswer { report: &report, ok: is_fine })?;
    } else {
        output::out(&trigger_text(&report, is_fine, args))?;
    }
    Ok(if is_fine { Outcome::Fine } else { Outcome::Findings })
}

fn no_cases(paths: &[PathBuf]) -> Failure {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", shown(path))).collect();
    Failure::not_found(format!("no skill in {} has trigger cases", paths.join(", ")))
        .hint("write `evals/triggers.json` beside a SKILL.md: {\"should\": [\"…\"], \"shouldNot\": [\"…\"]}")
}

fn trigger_text(report: &TriggerReport, is_fine: bool, args: &EvalArgs) -> String {
    let mut text = String::new();
    let mut table =
        Table::new(&["", "Skill", "First", "In five", "Loaded", "False loads", "Near misses loaded"], 1);
    for skill in &report.by_skill {
        let mark = match (skill.failures.is_empty(), skill.false_loads + skill.near_miss_loads) {
            (true, _) => Cell::styled(GOOD, "✓"),
            (false, 0) => Cell::styled(WARN, "△"),
            (false, _) => Cell::styled(BAD, "✗"),
        };
        table.row([
            mark,
            printable(&skill.name).into(),
            format!("{}/{}", skill.first, skill.should).into(),
            format!("{}/{}", skill.in_five, skill.should).into(),
            format!("{}/{}", skill.loaded, skill.should).into(),
            format!("{}/{}", skill.false_loads, skill.should_not).into(),
            format!("{}/{}", skill.near_miss_loads, skill.near_misses).into(),
        ]);
    }
    if !report.by_skill.is_empty() {
        text += &table.text();
    }
    for skill in &report.by_skill {
        for message in &skill.failures {
            text += &format!("{} {}: {}\n", paint(WARN, "△"), printable(&skill.name), printable(message));
        }
    }
    for confusion in &report.confusions {
        text += &format!(
            "{} was first instead of {} {}: {}\n",
            paint(BOLD, printable(&confusion.got)),
            paint(BOLD, printable(&confusion.meant)),
            if confusion.count == 1 { "once".to_owned() } else { format!("{} times", confusion.count) },
            paint(DIM, printable(&confusion.example)),
        );
    }
    for issue in &report.issues {
        text += &format!("{} {}: {}\n", paint(BAD, "✗"), shown(&issue.path), printable(&issue.message));
    }
    let verdict = if is_fine { paint(GOOD, "✓") } else { paint(BAD, "✗") };
    let range = |interval: Interval| format!("{:.2}–{:.2}", interval.low, interval.high);
    let intervals = &report.intervals;
    text += &format!(
        "  recall@1 {:.2} ({}), recall@5 {:.2} ({}), loaded {:.2} ({}) of n {}\n",
        report.recall_at_1,
        range(intervals.recall_at_1),
        report.recall_at_5,
        range(intervals.recall_at_5),
        report.loaded,
        range(intervals.loaded),
        report.should,
    );
    text += &format!(
        "  false loads {:.2} ({}) of n {}\n",
        report.false_loads,
        range(intervals.false_loads),
        report.should_not
    );
    if report.near_misses > 0 {
        let interval = range(intervals.near_miss_loads);
        text += &format!(
            "  near misses loaded {:.2} ({interval}) of n {}\n",
            report.near_miss_loads, report.near_misses
        );
    }
    text + &format!(
        "{verdict} recall@1 {:.2} (at least {}), false loads {:.2} (at most {}), right {}; {} skills\n",
        report.recall_at_1,
        args.min_recall,
        report.false_loads,
        args.max_false_loads,
        report.right,
        report.skills,
    )
}
