//! `cargo xtask test`: everything that must hold, in the order in which it is cheapest to find out.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process::{answers, cargo, run_and_keep, shown};
use crate::{clients, docs, machine, process, schemathesis, skills, studio};

/// Runs every check and stops at the first that fails. Returns the closing lines of the test runners, the largest
/// last.
fn checks() -> Result<Vec<String>> {
    machine::prepare();
    step("formatting", cargo(&["fmt", "--all", "--check"]))?;
    step("lints", cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    step("build", cargo(&["build", "--workspace"]))?;
    skills::check()?;
    #[cfg(unix)]
    crate::package::check()?;
    clients::prepare();
    schemathesis::prepare();
    let summary = tests()?;
    let mut closing = keep("documentation tests", cargo(&["test", "--workspace", "--doc"]), is_cargo_result)?;
    closing.extend(seeds()?);
    closing.extend(studio::check()?);
    // Only libraries: the binary has the name of the engine's library, and both would be written to one place.
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--lib"]);
    documentation.env("RUSTDOCFLAGS", "--deny warnings");
    step("documentation", documentation)?;
    println!("==> documents: cargo xtask docs --check");
    docs::check().context("documents")?;
    check_dependencies()?;
    closing.extend(summary);
    Ok(closing)
}

/// `cargo xtask test`.
pub(crate) fn run() -> Result<()> {
    let closing = checks()?;
    println!("==> all checks passed");
    for line in closing {
        println!("{line}");
    }
    Ok(())
}

fn tests() -> Result<Vec<String>> {
    if answers("cargo", &["nextest", "--version"]) {
        let is_summary = |line: &str| line.trim_start().starts_with("Summary [");
        keep("tests", cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]), is_summary)
    } else {
        // Without documentation tests, which come after.
        keep(
            "tests",
            cargo(&["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"]),
            is_cargo_result,
        )
    }
}

/// The inputs that the fuzz targets start from, checked without a fuzzer. They have a workspace of their own.
fn seeds() -> Result<Vec<String>> {
    if !answers("c++", &["--version"]) {
        println!("==> fuzz seeds: not tested, there is no C++ compiler");
        return Ok(Vec::new());
    }
    let seeds = cargo(&["test", "--manifest-path", "fuzz/Cargo.toml", "--test", "seeds"]);
    keep("fuzz seeds", seeds, is_cargo_result)
}

/// The line in which cargo's own runner counts; nothing is said about targets without tests.
fn is_cargo_result(line: &str) -> bool {
    line.starts_with("test result:") && !line.contains(" 0 passed; 0 failed")
}

/// What may come in, and that nothing comes in for nothing. Building these tools takes longer than they save here.
fn check_dependencies() -> Result<()> {
    let checks: [(&str, &[&str]); 2] =
        [("deny", &["deny", "check", "licenses", "bans", "sources"]), ("shear", &["shear"])];
    for (tool, arguments) in checks {
        if answers("cargo", &[tool, "--version"]) {
            step("dependencies", cargo(arguments))?;
        } else {
            println!("==> dependencies: not checked by cargo-{tool} (cargo install cargo-{tool} --locked)");
        }
    }
    Ok(())
}

fn step(name: &str, mut command: Command) -> Result<()> {
    println!("==> {name}: {}", shown(&command));
    process::run(&mut command).with_context(|| name.to_owned())
}

fn keep(name: &str, command: Command, is_closing: fn(&str) -> bool) -> Result<Vec<String>> {
    println!("==> {name}: {}", shown(&command));
    run_and_keep(command, is_closing).with_context(|| name.to_owned())
}
