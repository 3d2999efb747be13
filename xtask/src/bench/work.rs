//! What one call of the program costs beside time: instructions and memory.
//!
//! Time depends on the machine and its load; instructions hardly do, so they are what two versions are compared by.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::figure::Figure;
use crate::process::{answers, build_prowess};

/// As many skills as a well-filled installation has, and as all that a community wrote.
const SIZES: [usize; 2] = [60, 2500];

/// Files younger than this are read again, whatever the cache says.
const SETTLING_TIME: Duration = Duration::from_secs(4);

/// What is called, in this order: the first `list` fills the cache that the others use.
const CALLS: [(&str, &[&str]); 4] = [
    ("`--version`", &["--version"]),
    ("`list --json`, nothing cached", &["list", "--json"]),
    ("`list --json`", &["list", "--json"]),
    ("`match`", &["match", "--json", "do I need an umbrella tomorrow?"]),
];

/// Instructions of each call where valgrind is installed, peak memory where GNU time is.
pub(crate) fn measure() -> Result<Vec<Figure>> {
    let prowess = build_prowess(/*release*/ true)?;
    let mut figures = Vec::new();
    for skills in SIZES {
        let homes = [tempfile::tempdir()?, tempfile::tempdir()?];
        for home in &homes {
            write_skills(home.path(), skills)?;
        }
        std::thread::sleep(SETTLING_TIME);
        for (name, arguments) in CALLS {
            let mut add = |what: &str, unit: &str, value: f64| {
                let name = format!("{what} of {name}, {skills} skills");
                let unit = unit.to_owned();
                figures.push(Figure {
                    name,
                    unit,
                    fastest: value,
                    median: value,
                    slowest: value,
                    samples: 1,
                });
            };
            let call = |program: &str, options: &[&str], home: &Path| {
                said(Command::new(program).args(options).arg(&prowess).args(arguments), home)
            };
            if answers("valgrind", &["--version"]) {
                let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
                let said = call("valgrind", &options, homes[0].path())?;
                add("million instructions", "", number_after(&said, "Collected : ")? / 1e6);
            }
            if answers("/usr/bin/time", &["--version"]) {
                let said = call("/usr/bin/time", &["--format", "peak %M"], homes[1].path())?;
                add("memory", "MB", number_after(&said, "peak ")? * 1024.0 / 1e6);
            }
        }
    }
    Ok(figures)
}

/// Skills of ordinary size, each with requirements and a page of text.
fn write_skills(home: &Path, count: usize) -> Result<()> {
    let body = "Do one thing after the other, and look at what came out of each.\n".repeat(40);
    for number in 0..count {
        let folder = home.join(format!("skills/skill-{number:04}"));
        std::fs::create_dir_all(&folder)?;
        let text = format!(
            "---\nname: skill-{number:04}\ndescription: \"Does the work of skill {number} in a few steps. Use when \
             a user asks for exactly that, by name or by what it is for.\"\nmetadata:\n  openclaw:\n    emoji: \
             \"🔧\"\n    requires:\n      bins: [sh]\n---\n\n# Skill {number}\n\n{body}"
        );
        std::fs::write(folder.join("SKILL.md"), text)?;
    }
    let limits = "{ skills: { limits: { maxCandidatesPerRoot: 5000, maxSkillsLoadedPerSource: 5000 } } }";
    std::fs::create_dir_all(home.join(".prowess"))?;
    Ok(std::fs::write(home.join(".prowess/prowess.json"), limits)?)
}

/// What a program says on standard error when it runs in a home.
fn said(command: &mut Command, home: &Path) -> Result<String> {
    command
        .current_dir(home)
        .env("HOME", home)
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.join("skills"))
        .stdout(Stdio::null());
    let output =
        command.output().with_context(|| format!("cannot start `{}`", crate::process::shown(command)))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn number_after(said: &str, label: &str) -> Result<f64> {
    let number = said.lines().find_map(|line| line.split_once(label)?.1.trim().parse().ok());
    number.with_context(|| format!("nothing was counted: {said}"))
}
