//! What the gateway's OpenAPI document is tested with, from PyPI.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::process::{answers, root, run, shown, target};

const PINS: &str = "crates/surface/prowess-gateway/tests/schemathesis/requirements.txt";

/// Installs it where the test looks for it. Never fails: a test that lacks it says so.
pub(crate) fn prepare() {
    if !answers("python3", &["-m", "venv", "--help"]) {
        println!("==> schemathesis: not installed, there is no python3 with venv; its test is left out");
    } else if let Err(error) = install() {
        println!("==> schemathesis: could not be installed: {error:#}; its test is left out");
    }
}

fn install() -> Result<()> {
    let (pins, place) = (fs::read(root().join(PINS))?, target()?.join("tmp/schemathesis"));
    let note = place.join("installed");
    if fs::read(&note).is_ok_and(|installed| installed == pins) {
        return Ok(());
    }
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::create_dir_all(&place)?;
    fs::write(place.join("requirements.txt"), &pins)?;
    run(Command::new("python3").args(["-m", "venv", "."]).current_dir(&place))?;
    let mut pip = Command::new(place.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--no-deps"]);
    pip.args(["--retries=1", "--requirement=requirements.txt"]).current_dir(&place);
    println!("==> schemathesis: {}", shown(&pip));
    run(&mut pip)?;
    Ok(fs::write(note, pins)?)
}
