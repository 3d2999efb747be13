//! `cargo xtask recall`: how well the cortex recognises tasks, and which words it searches a registry with.

use anyhow::{Result, bail};

use crate::process::{cargo, run as run_command};

/// Runs the measurement, which needs the registry's search and therefore is an example of its crate.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let ["--data", data, rest @ ..] = arguments else {
        bail!("recall: --data DIR, the folder with `requests` and `match`, is missing");
    };
    let mut command = vec!["run", "--release", "-p", "prowess-hub", "--example", "recall", "--", data];
    command.extend(rest);
    run_command(&mut cargo(&command))
}
