//! `cargo xtask plot-cortex` and `simulate-cortex`: what the rules of learning do, as a drawing and as numbers.
//!
//! Both are examples of the crate that holds the rules. A test there tells when the drawing is stale.

use anyhow::Result;

use crate::process::{cargo, output, root};

/// Draws the weights over a year.
pub(crate) fn plot() -> Result<()> {
    let drawing =
        output(&mut cargo(&["run", "--quiet", "--package", "prowess-cortex", "--example", "plot"]))?;
    std::fs::write(root().join("docs/cortex.svg"), drawing)?;
    println!("written: docs/cortex.svg");
    Ok(())
}

/// Runs the simulation of `docs/cortex.md`.
pub(crate) fn simulate() -> Result<()> {
    crate::process::run(&mut cargo(&[
        "run",
        "--quiet",
        "--package",
        "prowess-cortex",
        "--example",
        "simulate",
    ]))
}
