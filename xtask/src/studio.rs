//! `cargo xtask studio`: the front end's own checks, whether the pages in the program are what its sources give, and
//! its tests in a real Chromium.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process::{answers, build_prowess, output, root, run_and_keep, shown, target};

/// The oldest Node that the front end's tools run on.
const OLDEST_NODE: u32 = 20;
/// The place where Debian's package puts it.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Runs every check whose tools are there, and names what is left out. Returns the closing lines of the tests.
pub(crate) fn check() -> Result<Vec<String>> {
    if !has_node() {
        println!("==> Studio: not tested, there is no Node {OLDEST_NODE} with npm");
        return Ok(Vec::new());
    }
    // Programs of packages are not run while they are installed.
    if let Err(error) = step("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]) {
        println!("==> Studio: not tested, its tools could not be installed: {error:#}");
        return Ok(Vec::new());
    }
    step("npm", &["run", "check"])?;
    compare_pages()?;
    browse()
}

/// `cargo xtask studio`.
pub(crate) fn run() -> Result<()> {
    for line in check()? {
        println!("{line}");
    }
    Ok(())
}

fn has_node() -> bool {
    let version = output(Command::new("node").arg("--version")).unwrap_or_default();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major >= OLDEST_NODE) && answers("npm", &["--version"])
}

/// Builds the pages elsewhere and compares them with those that are in the program.
fn compare_pages() -> Result<()> {
    let fresh = target()?.join("tmp/studio-dist");
    let fresh = fresh.to_str().context("the target folder has no plain name")?;
    step("npx", &["vite", "build", "--outDir", fresh, "--emptyOutDir"])?;
    step("node", &["scripts/same.mjs", "dist", fresh])
}

/// The tests in Chromium, with a program that holds the pages of the repository.
fn browse() -> Result<Vec<String>> {
    if !Path::new(CHROMIUM).exists() {
        println!("==> Studio in a browser: not tested, there is no {CHROMIUM}");
        return Ok(Vec::new());
    }
    let mut tests = in_studio("npx", &["playwright", "test"]);
    tests.env("PROWESS", build_prowess(false)?).env("CHROMIUM", CHROMIUM);
    println!("==> Studio in a browser: {}", shown(&tests));
    run_and_keep(tests, is_closing).context("Studio in a browser")
}

/// Counts, and what was measured.
fn is_closing(line: &str) -> bool {
    let line = line.trim_start();
    let counts = |word: &str| line.split_once(word).is_some_and(|(count, _)| count.parse::<u32>().is_ok());
    line.starts_with("measured: ") || [" passed", " failed", " skipped"].into_iter().any(counts)
}

fn step(program: &str, arguments: &[&str]) -> Result<()> {
    let mut command = in_studio(program, arguments);
    println!("==> Studio: {}", shown(&command));
    crate::process::run(&mut command).context("Studio")
}

fn in_studio(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join("studio"));
    command
}
