//! `prowess eval`

use std::path::{Path, PathBuf};

use prowess_match::{PoolReport, TriggerOptions, TriggerReport};
use prowess_text::printable;
use prowess_types::ErrorKind;

use super::shown;
use crate::answers::TriggersAnswer;
use crate::args::EvalArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, ProgressLine, Table, WARN, paint};

pub(crate) fn run(context: &Context, args: &EvalArgs) -> Result<Outcome, Failure> {
    match (&args.pool, &args.queries) {
        (Some(pool), Some(queries)) => judged(context, args, pool, queries),
        _ => triggers(context, args),
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
        table.row([
            group.lang.as_str().into(),
            group.kind.as_str().into(),
            group.gold.count.to_string().into(),
            figure(group.gold.recall_at_1),
            figure(group.gold.recall_at_5),
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
    }
    let latency = report.latency_ms;
    text + &format!(
        "Latency: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms\n",
        latency.p50, latency.p95, latency.p99
    )
}

fn triggers(context: &Context, args: &EvalArgs) -> Result<Outcome, Failure> {
    let paths = match args.paths.as_slice() {
        [] => vec![context.engine.workspace(context.agent.as_deref())?.join("skills")],
        paths => paths.to_vec(),
    };
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Err(Failure::usage(format!("`{}` does not exist", shown(missing)))
            .hint("name a folder of skills that have `evals/triggers.json`"));
    }
    let mut line = ProgressLine::new();
    let options = TriggerOptions { runs: args.runs, load: args.threshold };
    let report = context.engine.evaluate_triggers(&paths, options, |what, progress| {
        line.step(what, progress.done, progress.total);
    })?;
    drop(line);
    let is_fine = report.issues.is_empty()
        && report.recall_at_1 >= f64::from(args.min_recall)
        && report.false_loads <= f64::from(args.max_false_loads);
    if report.should + report.should_not == 0 && report.issues.is_empty() {
        return Err(no_cases(&paths));
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
    let mut table = Table::new(&["", "Skill", "First", "In five", "Loaded", "False loads"], 1);
    for skill in &report.by_skill {
        let mark = match (skill.failures.is_empty(), skill.false_loads) {
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
    text + &format!(
        "{verdict} recall@1 {:.2} (at least {}), recall@5 {:.2}, loaded {:.2}, false loads {:.2} (at most {}); \
         {} messages, {} skills\n",
        report.recall_at_1,
        args.min_recall,
        report.recall_at_5,
        report.loaded,
        report.false_loads,
        args.max_false_loads,
        report.should + report.should_not,
        report.skills,
    )
}
