//! `cargo xtask test`: everything that must hold, in the order in which it is cheapest to find out.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::process::{answers, cargo, run_and_keep, shown};
use crate::{clients, dependencies, docs, machine, process, schemathesis, skills, studio, train};

/// The steps of a run, with their times and the closing lines of the test runners.
#[derive(Default)]
struct Steps {
    times: Vec<(&'static str, Duration)>,
    closing: Vec<String>,
}

impl Steps {
    /// Runs a step and prints its time.
    fn task<T>(&mut self, name: &'static str, task: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let result = task().with_context(|| name.to_owned());
        let time = start.elapsed();
        println!("<== {name}: {:.1} s", time.as_secs_f64());
        self.times.push((name, time));
        result
    }

    fn run(&mut self, name: &'static str, mut command: Command) -> Result<()> {
        println!("==> {name}: {}", shown(&command));
        self.task(name, || process::run(&mut command))
    }

    fn keep(
        &mut self,
        name: &'static str,
        command: Command,
        is_closing: fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        println!("==> {name}: {}", shown(&command));
        self.task(name, || run_and_keep(command, is_closing))
    }

    fn report(self) {
        println!("==> all checks passed");
        let total: Duration = self.times.iter().map(|(_, time)| *time).sum();
        for (name, time) in self.times.iter().copied().chain([("all steps", total)]) {
            println!("{:>8.1} s  {name}", time.as_secs_f64());
        }
        for line in self.closing {
            println!("{line}");
        }
    }
}

/// `cargo xtask test`: runs every check and stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.task("tools", || {
        machine::prepare();
        clients::prepare();
        schemathesis::prepare();
        dependencies::prepare();
        train::prepare();
        Ok(())
    })?;
    lint(&mut steps)?;
    steps.run("build", cargo(&["build", "--workspace"]))?;
    steps.task("bundled skills", skills::check)?;
    #[cfg(unix)]
    steps.task("package", crate::package::check)?;
    let summary = tests(&mut steps, &["--workspace"])?;
    let doctests = cargo(&["test", "--workspace", "--doc"]);
    let doctests = steps.keep("documentation tests", doctests, is_cargo_result)?;
    steps.closing.extend(doctests);
    let training = steps.task("training", train::check)?;
    steps.closing.push(training);
    let pages = steps.task("Studio", studio::check)?;
    steps.closing.extend(pages);
    // Only libraries: the binary has the name of the engine's library, and both would be written to one place.
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--lib"]);
    documentation.env("RUSTDOCFLAGS", "--deny warnings");
    steps.run("documentation", documentation)?;
    steps.task("documents", docs::check)?;
    // The largest summary comes last.
    steps.closing.extend(summary);
    steps.report();
    Ok(())
}

/// `cargo xtask test --quick`: format, lint, dependencies and unit tests.
pub(crate) fn run_quick() -> Result<()> {
    let mut steps = Steps::default();
    lint(&mut steps)?;
    let summary = tests(&mut steps, &["--workspace", "--lib", "--bins"])?;
    steps.closing.extend(summary);
    steps.report();
    Ok(())
}

fn lint(steps: &mut Steps) -> Result<()> {
    steps.run("formatting", cargo(&["fmt", "--all", "--check"]))?;
    steps.task("dependencies", dependencies::check)?;
    steps.run("lints", cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

fn tests(steps: &mut Steps, targets: &[&str]) -> Result<Vec<String>> {
    if answers("cargo", &["nextest", "--version"]) {
        let is_summary = |line: &str| line.trim_start().starts_with("Summary [");
        let command = cargo(&[&["nextest", "run", "--no-fail-fast"], targets].concat());
        return steps.keep("tests", command, is_summary);
    }
    // Without documentation tests, which come after.
    let kinds: &[&str] = if targets.len() > 1 { &[] } else { &["--lib", "--bins", "--tests", "--examples"] };
    let command = cargo(&[&["test", "--no-fail-fast"], targets, kinds].concat());
    steps.keep("tests", command, is_cargo_result)
}

/// The line in which cargo's own runner counts; nothing is said about targets without tests.
fn is_cargo_result(line: &str) -> bool {
    line.starts_with("test result:") && !line.contains(" 0 passed; 0 failed")
}
