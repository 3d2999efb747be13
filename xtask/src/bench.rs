//! `cargo xtask bench`: time by the benchmarks, and work by counting instructions.
//!
//! Time depends on the machine and its load; instructions hardly do, so they are what two versions are compared by.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::process::{answers, build_prowess, cargo};

/// As many skills as a well-filled installation has.
const SKILLS: usize = 60;

/// Files younger than this are read again, whatever the cache says.
const SETTLING_TIME: Duration = Duration::from_secs(4);

/// What is counted, in this order: the first `list` fills the cache that the others use.
const COUNTED: [(&str, &[&str]); 4] = [
    ("start only (`--version`)", &["--version"]),
    ("`list --json`, nothing cached", &["list", "--json"]),
    ("`list --json`, cached", &["list", "--json"]),
    ("`prompt`, cached", &["prompt"]),
];

pub(crate) fn run() -> Result<()> {
    crate::process::run(&mut cargo(&["bench", "--workspace"]))?;
    if !answers("valgrind", &["--version"]) {
        println!("==> instructions: not counted, valgrind is not installed");
        return Ok(());
    }
    let prowess = build_prowess(/*release*/ true)?;
    let home = tempfile::tempdir()?;
    write_skills(&home.path().join("skills"))?;
    std::thread::sleep(SETTLING_TIME);
    println!("\n| {SKILLS} skills | million instructions |\n|---|---:|");
    for (name, arguments) in COUNTED {
        let count = instructions(&prowess, arguments, home.path())?;
        println!("| {name} | {}.{} |", count / 1_000_000, count / 100_000 % 10);
    }
    Ok(())
}

/// Skills of ordinary size, each with requirements and a page of text.
fn write_skills(root: &Path) -> Result<()> {
    let body = "Do one thing after the other, and look at what came out of each.\n".repeat(40);
    for number in 0..SKILLS {
        let folder = root.join(format!("skill-{number:02}"));
        std::fs::create_dir_all(&folder)?;
        let text = format!(
            "---\nname: skill-{number:02}\ndescription: \"Does the work of skill {number} in a few steps. Use when \
             somebody asks for exactly that, by name or by what it is for.\"\nmetadata:\n  openclaw:\n    emoji: \
             \"🔧\"\n    requires:\n      bins: [sh]\n---\n\n# Skill {number}\n\n{body}"
        );
        std::fs::write(folder.join("SKILL.md"), text)?;
    }
    Ok(())
}

/// Instructions of one call, in user space, as callgrind counts them.
fn instructions(prowess: &Path, arguments: &[&str], home: &Path) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(prowess)
        .args(arguments)
        .current_dir(home)
        .env("HOME", home)
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.join("skills"))
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let number = collected.and_then(|(_, number)| number.trim().parse().ok());
    number.with_context(|| format!("valgrind did not count: {said}"))
}
