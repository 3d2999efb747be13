//! Programs of npm and PyPI whose commands the bundled skills show, in a folder of their own.
//!
//! `xtask/tools` pins them. They are installed below the target folder, without running anything that they bring
//! along, and only once: what was installed is remembered by a copy of the pins.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process::{answers, program, root, run, shown};

/// The folders that hold the programs. Where one cannot be filled, that is said, and it is left out.
pub(crate) fn install() -> Vec<PathBuf> {
    [("npm", node as fn(&Path) -> Result<PathBuf>), ("python3", python)]
        .into_iter()
        .filter_map(|(installer, install)| {
            if !answers(installer, &["--version"]) {
                println!("    {installer} is not installed; going on without its tools");
                return None;
            }
            let installed = folder().and_then(|folder| install(&folder));
            installed.inspect_err(|error| println!("    {error:#}; going on without its tools")).ok()
        })
        .collect()
}

/// `target/tools`, beside the folder in which this program lies.
fn folder() -> Result<PathBuf> {
    let target = program()?.ancestors().nth(2).context("this program lies in no target folder")?;
    Ok(target.join("tools"))
}

fn node(folder: &Path) -> Result<PathBuf> {
    let place = folder.join("node");
    let pins = ["package.json", "package-lock.json"];
    once(&place, &pins, || {
        let arguments = ["ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
        let mut npm = Command::new("npm");
        // What it warns about is its own affair: a tool that does not start here counts as absent.
        npm.args(arguments).args(["--loglevel=error", "--fetch-retries=1"]).current_dir(&place);
        said_and_run(&mut npm)
    })?;
    Ok(place.join("node_modules/.bin"))
}

fn python(folder: &Path) -> Result<PathBuf> {
    let place = folder.join("python");
    once(&place, &["requirements.txt"], || {
        run(Command::new("python3").args(["-m", "venv", "."]).current_dir(&place))?;
        let mut pip = Command::new(place.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--no-deps"]);
        said_and_run(pip.args(["--retries=1", "--requirement=requirements.txt"]).current_dir(&place))
    })?;
    Ok(place.join("bin"))
}

/// Fills a folder unless it was filled with these pins before.
fn once(place: &Path, pins: &[&str], fill: impl FnOnce() -> Result<()>) -> Result<()> {
    let source = root().join("xtask/tools");
    let wanted: Vec<Vec<u8>> =
        pins.iter().map(|pin| std::fs::read(source.join(pin))).collect::<std::io::Result<_>>()?;
    let done = place.join("installed");
    let wanted_text = wanted.concat();
    if std::fs::read(&done).is_ok_and(|text| text == wanted_text) {
        return Ok(());
    }
    if place.exists() {
        std::fs::remove_dir_all(place)?;
    }
    std::fs::create_dir_all(place)?;
    for (pin, text) in pins.iter().zip(wanted) {
        std::fs::write(place.join(pin), text)?;
    }
    fill()?;
    Ok(std::fs::write(done, wanted_text)?)
}

fn said_and_run(command: &mut Command) -> Result<()> {
    println!("    {}", shown(command));
    run(command)
}
