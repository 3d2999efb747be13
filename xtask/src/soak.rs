//! `cargo xtask soak`: the tests that take minutes, optimised and one after the other, with a written report.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::bench::{Figure, Measured, host, publish};
use crate::process::{cargo, run_and_keep, shown};

/// The place where tests whose names begin with `soak_` are.
const PLACES: [(&str, &[&str]); 2] =
    [("prowess-gateway", &["--lib", "--test", "it"]), ("prowess-cli", &["--test", "it"])];

/// Runs them all and writes what they measured to `docs/performance.md`.
pub(crate) fn run() -> Result<()> {
    let start = host::load();
    let mut lines = Vec::new();
    for (package, targets) in PLACES {
        let command = tests(package, targets);
        println!("==> {}", shown(&command));
        let is_figure = |line: &str| line.contains("soak: ") || line.contains("figure: ");
        lines.extend(run_and_keep(command, is_figure).with_context(|| package.to_owned())?);
    }
    let remark = |line: &String| Some(line.split_once("soak: ")?.1.to_owned());
    let figures: Vec<Figure> = lines.iter().filter_map(|line| Figure::in_line(line)).collect();
    let circumstances =
        format!("`cargo xtask soak`, {}, load {start} before and {} after.", host::date(), host::load());
    let remarks = lines.iter().filter_map(remark).collect();
    let measured = Measured { bench: "soak", circumstances, figures: &figures, remarks };
    println!("\n{}", measured.table());
    publish(&measured, /*is_whole_run*/ false)
}

fn tests(package: &str, targets: &[&str]) -> Command {
    let selection = ["--", "--ignored", "--nocapture", "--test-threads=1", "soak_"];
    cargo(&[&["test", "--release", "--package", package], targets, selection.as_slice()].concat())
}
