//! `cargo xtask dependencies`: licences, sources and versions of dependencies, and dependencies without a use.
//!
//! `cargo deny` holds the rules of `deny.toml`, `cargo shear` looks for crates that no source file names. A program of
//! the developer's own is used when it is as new as the version here; otherwise this version is built, once, below the
//! target folder.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, output, root, run, shown, target};

/// A program that checks dependencies.
struct Checker {
    /// The name of its package and of its program.
    name: &'static str,
    /// The version that builds with the compiler of the workspace.
    version: &'static str,
    arguments: &'static [&'static str],
}

const CHECKERS: [Checker; 2] = [
    // Advisories are not asked for: they come from a repository that is not everywhere in reach, and change on their own.
    Checker {
        name: "cargo-deny",
        version: "0.20.2",
        arguments: &["--log-level", "error", "check", "-D", "unmatched-skip", "licenses", "bans", "sources"],
    },
    Checker { name: "cargo-shear", version: "1.13.4", arguments: &[] },
];

/// Checks the dependencies of the workspace.
pub(crate) fn check() -> Result<()> {
    for checker in CHECKERS {
        match checker.find() {
            Ok(program) => {
                let mut command = Command::new(program);
                command.args(checker.arguments).current_dir(root());
                println!("==> {}", shown(&command));
                run(&mut command)?;
            }
            Err(error) => println!("==> {}: {error:#}; its check is left out", checker.name),
        }
    }
    Ok(())
}

/// Builds the programs that are not there. Never fails: a check that lacks its program is left out and named.
pub(crate) fn prepare() {
    for checker in CHECKERS {
        if let Err(error) = checker.find() {
            println!("==> {}: {error:#}; its check is left out", checker.name);
        }
    }
}

impl Checker {
    /// The program, built if it has to be.
    fn find(&self) -> Result<OsString> {
        if self.is_current(self.name.as_ref()) {
            return Ok(self.name.into());
        }
        let tools = target()?.join("tools/cargo");
        let program = tools.join("bin").join(self.name).with_extension(std::env::consts::EXE_EXTENSION);
        if self.is_current(program.as_os_str()) {
            return Ok(program.into());
        }
        let package = format!("{}@{}", self.name, self.version);
        // It runs for a second: optimising it would take minutes.
        let mut install = cargo(&["install", "--quiet", "--locked", "--debug", "--force", &package]);
        install.arg("--root").arg(&tools).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        println!("==> {}", shown(&install));
        run(&mut install)?;
        Ok(program.into())
    }

    /// Whether a program answers, and is no older than the version here.
    fn is_current(&self, program: &OsStr) -> bool {
        let Ok(answer) = output(Command::new(program).arg("--version").current_dir(root())) else {
            return false;
        };
        answer.split_whitespace().last().and_then(numbers) >= numbers(self.version)
    }
}

/// The numbers of a version.
fn numbers(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("0.20.2") > numbers("0.9.10"));
        assert!(numbers("1.14.0") >= numbers("1.14.0"));
        assert!(numbers("nightly") < numbers("0.0.1"), "what is no version is older than any");
    }
}
