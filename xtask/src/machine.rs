//! What the tests need from the machine, and getting it there.

use crate::process::{answers, command, run};

/// A Debian package and why it is needed.
struct Package {
    name: &'static str,
    /// A program that is there when the package is.
    program: &'static str,
    /// What makes it tell its version.
    version: &'static str,
    reason: &'static str,
}

const SHOWN: &str = "the bundled skills show its commands";

/// Everything the tests need beyond the Rust toolchain.
const PACKAGES: [Package; 8] = [
    Package {
        name: "shellcheck",
        program: "shellcheck",
        version: "--version",
        reason: "checks the scripts of the bundled skills",
    },
    Package {
        name: "chromium",
        program: "chromium",
        version: "--version",
        reason: "shows the Studio to its tests",
    },
    Package { name: "curl", program: "curl", version: "--version", reason: SHOWN },
    Package { name: "ffmpeg", program: "ffmpeg", version: "-version", reason: SHOWN },
    Package { name: "gh", program: "gh", version: "--version", reason: SHOWN },
    Package { name: "jq", program: "jq", version: "--version", reason: SHOWN },
    Package { name: "tmux", program: "tmux", version: "-V", reason: SHOWN },
    Package {
        name: "strace",
        program: "strace",
        version: "--version",
        reason: "interrupts commands at every call to the file system",
    },
];

/// Installs what is missing where that is possible, and says so where it is not. Never fails: a step that lacks
/// its program is left out and named.
pub(crate) fn prepare() {
    if !(answers("cargo", &["fmt", "--version"]) && answers("cargo", &["clippy", "--version"])) {
        report(run(&mut command("rustup", &["component", "add", "rustfmt", "clippy"])));
    }
    let is_missing = |package: &&Package| !answers(package.program, &[package.version]);
    let missing: Vec<&Package> = PACKAGES.iter().filter(is_missing).collect();
    if missing.is_empty() {
        return;
    }
    for Package { name, reason, .. } in &missing {
        println!("==> missing: {name} ({reason})");
    }
    let names: Vec<&str> = missing.iter().map(|package| package.name).collect();
    install(&names);
}

/// Installs Debian packages where that is possible, and says so where it is not.
pub(crate) fn install(names: &[&str]) {
    let Some(prefix) = apt_prefix() else {
        println!("==> this machine has no apt-get, or it may not be used; going on without");
        return;
    };
    let apt = |arguments: &[&str]| {
        let words = [prefix, &["apt-get", "-qq"], arguments].concat();
        let mut command = command(words[0], &words[1..]);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut command)
    };
    let install = [&["install", "--yes", "--no-install-recommends"], names].concat();
    report(apt(&["update"]).and_then(|()| apt(&install)));
}

/// What stands before `apt-get` for it to be allowed; none where it is not.
fn apt_prefix() -> Option<&'static [&'static str]> {
    if !answers("apt-get", &["--version"]) {
        return None;
    }
    let is_root = crate::process::output(&mut command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
    if is_root {
        return Some(&[]);
    }
    answers("sudo", &["--non-interactive", "true"]).then_some(&["sudo", "--non-interactive"])
}

fn report(result: anyhow::Result<()>) {
    if let Err(error) = result {
        println!("==> could not be installed: {error:#}; going on without");
    }
}
