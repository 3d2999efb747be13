//! The programs from npm that the registry is tested with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::process::{answers, command, root, run, shown, target};

/// The folders where their exact versions are written down, and the names of those where the tests look for them.
/// OpenClaw stands alone: it is large, and the others do not need it.
const CLIENTS: [(&str, &str); 2] = [
    ("crates/surface/prowess-hub/tests/clients", "npm-clients"),
    ("crates/surface/prowess-hub/tests/openclaw", "npm-openclaw"),
];

/// Installs them where the tests look for them. Never fails: tests that lack them say so.
pub(crate) fn prepare() {
    if !answers("npm", &["--version"]) {
        println!("==> clients of the registry: not installed, there is no npm; their tests are left out");
        return;
    }
    for (manifests, name) in CLIENTS {
        if let Err(error) = install(manifests, name) {
            println!("==> {name}: could not be installed: {error:#}; its tests are left out");
        }
    }
}

fn install(manifests: &str, name: &str) -> Result<()> {
    let (from, to) = (root().join(manifests), folder(name)?);
    fs::create_dir_all(&to).with_context(|| format!("cannot make `{}`", to.display()))?;
    let mut is_current = to.join("node_modules/.package-lock.json").is_file();
    for name in ["package.json", "package-lock.json"] {
        is_current &= copy(&from.join(name), &to.join(name))?;
    }
    if is_current {
        return Ok(());
    }
    // Programs of packages are not run while they are installed.
    let mut npm = command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    println!("==> {name}: {}", shown(&npm));
    run(npm.current_dir(&to))
}

/// Copies a file; whether it was the same before.
fn copy(from: &Path, to: &Path) -> Result<bool> {
    let text = fs::read(from).with_context(|| format!("cannot read `{}`", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == text) {
        return Ok(true);
    }
    fs::write(to, text).with_context(|| format!("cannot write `{}`", to.display()))?;
    Ok(false)
}

/// The folder that cargo gives to integration tests, and one in it.
fn folder(name: &str) -> Result<PathBuf> {
    Ok(target()?.join("tmp").join(name))
}
