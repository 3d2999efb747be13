//! The Python of the training: an environment below the target folder, filled once.
//!
//! Debian's torch is preferred: it is small and quick. Elsewhere torch comes from PyPI, with everything that it needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::machine;
use crate::process::{answers, output, root, run, shown, target};

/// Debian's packages.
const PACKAGES: [&str; 5] =
    ["python3", "python3-venv", "python3-numpy", "python3-torch", "libopenblas0-pthread"];
/// The package of PyPI that comes on top of torch and numpy.
const TOKENIZERS: &str = "tokenizers";
/// Debian's python3 first: another one of the same name may come before it in the path.
const PYTHONS: [&str; 2] = ["/usr/bin/python3", "python3"];
const IMPORTS: [&str; 2] = ["-c", "import numpy, torch, venv, ensurepip"];

/// Installs Debian's packages unless they are there.
pub(super) fn install() {
    if with_torch().is_none() {
        println!("==> missing: {} (train models, in a tiny run)", PACKAGES.join(", "));
        machine::install(&PACKAGES);
    }
}

/// Returns the Python that has torch and numpy.
pub(super) fn with_torch() -> Option<&'static str> {
    PYTHONS.into_iter().find(|python| answers(python, &IMPORTS))
}

/// Makes the environment, and says what it runs on. Returns its Python.
pub(super) fn prepare() -> Result<PathBuf> {
    let place = target()?.join("train-python");
    let python = place.join("bin/python");
    let requirements = root().join("models/train/requirements.txt");
    let pins = fs::read_to_string(&requirements)?;
    fill(&place, &pins, &requirements).with_context(|| {
        format!("cannot prepare Python\nhelp: on Debian, apt-get install {}", PACKAGES.join(" "))
    })?;
    let script = root().join("models/train/machine.py");
    let said = output(Command::new(&python).arg("-B").arg(script))?;
    let said: Value = serde_json::from_str(&said)?;
    println!(
        "==> Python {} with torch {}, numpy {}, BLAS {}",
        text(&said, "python"),
        text(&said, "torch"),
        text(&said, "numpy"),
        text(&said, "blas")
    );
    if said["blas"] == "reference" {
        println!(
            "==> the reference BLAS makes the training 40 times slower: apt-get install libopenblas0-pthread"
        );
    }
    Ok(python)
}

fn text<'a>(said: &'a Value, name: &str) -> &'a str {
    said[name].as_str().unwrap_or("of unknown version")
}

/// Makes the environment anew if its pins, which are noted in it, are not those of today.
fn fill(place: &Path, pins: &str, requirements: &Path) -> Result<()> {
    let note = place.join("installed.txt");
    let is_noted = fs::read_to_string(&note).is_ok_and(|noted| noted == pins);
    if is_noted && answers(&place.join("bin/python").to_string_lossy(), &IMPORTS) {
        return Ok(());
    }
    make(place, requirements)?;
    pip(place, requirements, &["--no-deps", TOKENIZERS])?;
    fs::write(note, pins)?;
    Ok(())
}

/// Makes an environment on top of a Python with torch, or one with torch from PyPI.
fn make(place: &Path, requirements: &Path) -> Result<()> {
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    if let Some(python) = with_torch() {
        return run(Command::new(python).args(["-m", "venv", "--system-site-packages"]).arg(place));
    }
    if !answers("python3", &["-c", "import venv, ensurepip"]) {
        bail!("there is no python3 with venv");
    }
    println!("==> no python3 here has torch: it comes from PyPI, with some gigabytes beside it");
    run(Command::new("python3").args(["-m", "venv"]).arg(place))?;
    pip(place, requirements, &["numpy", "torch"])
}

fn pip(place: &Path, requirements: &Path, packages: &[&str]) -> Result<()> {
    let mut pip = Command::new(place.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]);
    pip.args(["--retries=1", "--constraint"]).arg(requirements).args(packages);
    println!("==> {}", shown(&pip));
    run(&mut pip)
}
