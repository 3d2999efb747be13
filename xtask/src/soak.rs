//! `cargo xtask soak`: the tests that take minutes, optimised and one after the other, with a written report.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process::{cargo, output, run_and_keep, shown};

/// Where tests whose names begin with `soak_` are.
const PLACES: [(&str, &[&str]); 2] =
    [("prowess-gateway", &["--lib", "--test", "it"]), ("prowess-cli", &["--test", "it"])];

/// Runs them all and writes what they measured to `soak.md` in the target folder.
pub(crate) fn run() -> Result<()> {
    let mut lines = Vec::new();
    for (package, targets) in PLACES {
        let command = tests(package, targets);
        println!("==> {}", shown(&command));
        lines.extend(
            run_and_keep(command, |line| line.contains("soak: ")).with_context(|| package.to_owned())?,
        );
    }
    let machine = output(Command::new("uname").arg("-srm")).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').take(3).collect::<Vec<_>>().join(", ");
    let mut report = format!("# Soak\n\n`cargo xtask soak` on {}, load at the end {load}\n", machine.trim());
    for line in &lines {
        let said = line.split_once("soak: ").map_or(line.as_str(), |(_, said)| said);
        report += &format!("\n- {said}");
    }
    report.push('\n');
    let target = crate::process::target()?.join("soak.md");
    fs::write(&target, &report).with_context(|| format!("cannot write `{}`", target.display()))?;
    println!("\n{report}\nwritten to {}", target.display());
    Ok(())
}

fn tests(package: &str, targets: &[&str]) -> Command {
    let selection = ["--", "--ignored", "--nocapture", "--test-threads=1", "soak_"];
    cargo(&[&["test", "--release", "--package", package], targets, selection.as_slice()].concat())
}
