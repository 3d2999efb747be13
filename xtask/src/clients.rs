//! The command-line clients from npm that the registry is tested with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::process::{answers, command, root, run, shown, target};

/// Where their exact versions are written down.
const MANIFESTS: &str = "crates/prowess-hub/tests/clients";

/// Installs them where the tests look for them. Never fails: tests that lack them say so.
pub(crate) fn prepare() {
    if !answers("npm", &["--version"]) {
        println!("==> clients of the registry: not installed, there is no npm; their tests are left out");
    } else if let Err(error) = install() {
        println!("==> clients of the registry: could not be installed: {error:#}; their tests are left out");
    }
}

fn install() -> Result<()> {
    let (from, to) = (root().join(MANIFESTS), folder()?);
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
    println!("==> clients of the registry: {}", shown(&npm));
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
fn folder() -> Result<PathBuf> {
    Ok(target()?.join("tmp/npm-clients"))
}
