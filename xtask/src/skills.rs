//! `cargo xtask skills`: what the bundled skills bring along and show, checked without the network.
//!
//! Their texts are tested with the rest (`crates/program/prowess-cli/tests/it/bundled.rs`).

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};

use crate::process::{answers, build_prowess, command, root, run, shown};
use crate::{machine, skill_commands, tools};

/// `cargo xtask skills`.
pub(crate) fn run_all() -> Result<()> {
    machine::prepare();
    check()
}

/// Checks the scripts, runs their tests, and holds the shown commands against their programs.
pub(crate) fn check() -> Result<()> {
    let mut files = Vec::new();
    collect(&root().join("skills"), &mut files)?;
    files.sort();
    let in_folder = |folder: &str, extension: &str| -> Vec<&PathBuf> {
        let is_there = |file: &&PathBuf| file.parent().is_some_and(|parent| parent.ends_with(folder));
        files
            .iter()
            .filter(is_there)
            .filter(|file| file.extension().is_some_and(|it| it == extension))
            .collect()
    };
    check_scripts(&in_folder("scripts", "sh"))?;
    test_scripts(&in_folder("tests", "py"))?;
    check_commands()
}

fn check_scripts(scripts: &[&PathBuf]) -> Result<()> {
    if !answers("shellcheck", &["--version"]) {
        println!("==> scripts of skills: not checked, shellcheck is not installed");
        return Ok(());
    }
    let mut shellcheck = command("shellcheck", &[]);
    shellcheck.args(scripts);
    println!("==> scripts of skills: {}", shown(&shellcheck));
    run(&mut shellcheck).context("scripts of skills")
}

fn test_scripts(tests: &[&PathBuf]) -> Result<()> {
    if !answers("python3", &["--version"]) {
        println!("==> tests of scripts: not run, python3 is not installed");
        return Ok(());
    }
    // Nothing compiled may stay behind in the folders of the skills, which are embedded as they are.
    let mut python = command("python3", &["-B", "-m", "unittest", "--quiet"]);
    python.args(tests);
    println!("==> tests of scripts: {}", shown(&python));
    run(&mut python).context("tests of scripts")
}

/// The commands in the bundled skills, held against the programs on this machine.
fn check_commands() -> Result<()> {
    println!("==> commands of skills: against what their programs say about themselves");
    let prowess = build_prowess(false)?;
    let folders = tools::install();
    // Some programs write into the home of whoever asks.
    let home = tempfile::tempdir()?;
    let mut ask = |program: &str, arguments: &[&str]| {
        let installed = || folders.iter().map(|folder| folder.join(program)).find(|file| file.exists());
        let ours = (program == "prowess").then(|| prowess.clone());
        let file = ours.or_else(installed).unwrap_or_else(|| PathBuf::from(program));
        let mut command = command(&file.to_string_lossy(), arguments);
        command.env("HOME", home.path()).env("NO_COLOR", "1").env("COLUMNS", "200").stdin(Stdio::null());
        // One that fails before it says anything cannot run here.
        let output = command.output().ok()?;
        if !output.status.success() && output.stdout.is_empty() {
            return None;
        }
        Some([output.stdout, output.stderr].concat()).map(|said| String::from_utf8_lossy(&said).into_owned())
    };
    let report = skill_commands::check(&mut ask)?;
    let absent: Vec<&str> = report.absent.iter().map(String::as_str).collect();
    let absent = if absent.is_empty() { "nothing".to_owned() } else { absent.join(", ") };
    println!("    {} commands checked; not on this machine: {absent}", report.checked);
    report.verdict()
}

/// Every file below a folder, relative to the root of the repository.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path.strip_prefix(root()).unwrap_or(&path).to_owned());
        }
    }
    Ok(())
}
