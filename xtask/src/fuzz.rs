//! `cargo xtask fuzz`: the targets in `fuzz/`, each for a number of executions.

use anyhow::{Context as _, Result, bail};

use crate::process::{answers, cargo, command, output, root};

/// Enough to notice a slip, in a minute or two.
const DEFAULT_RUNS: u64 = 200_000;

/// What is to be fuzzed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// One target; none means all.
    target: Option<String>,
    runs: u64,
}

impl Plan {
    /// Reads `[TARGET] [--runs N]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut plan = Self { target: None, runs: DEFAULT_RUNS };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--runs" => {
                    let number = rest.next().context("`--runs` needs a number")?;
                    plan.runs = number.replace('_', "").parse().context("`--runs` needs a number")?;
                }
                target if plan.target.is_none() && !target.starts_with('-') => {
                    plan.target = Some(target.to_owned());
                }
                other => bail!("`{other}` is not understood: cargo xtask fuzz [TARGET] [--runs N]"),
            }
        }
        Ok(plan)
    }
}

pub(crate) fn run(plan: &Plan) -> Result<()> {
    if !answers("cargo", &["fuzz", "--version"]) {
        crate::process::run(&mut cargo(&["install", "cargo-fuzz", "--locked"]))?;
    }
    if !answers("cargo", &["+nightly", "--version"]) {
        bail!("fuzzing needs the nightly toolchain: rustup toolchain install nightly --profile minimal");
    }
    let targets = output(&mut command("cargo", &["+nightly", "fuzz", "list"]))?;
    let targets: Vec<&str> = targets.lines().map(str::trim).filter(|target| !target.is_empty()).collect();
    if let Some(wanted) = &plan.target
        && !targets.contains(&wanted.as_str())
    {
        bail!("there is no fuzz target `{wanted}`; there are {}", targets.join(", "));
    }
    for target in
        targets.iter().filter(|target| plan.target.as_deref().is_none_or(|wanted| wanted == **target))
    {
        fuzz(target, plan.runs)?;
    }
    Ok(())
}

/// New inputs go to `fuzz/corpus`, which is not kept; those in `fuzz/seeds` are the start.
fn fuzz(target: &str, runs: u64) -> Result<()> {
    println!("==> fuzz {target}: {runs} executions");
    let corpus = root().join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    let mut command = command("cargo", &["+nightly", "fuzz", "run", target]);
    command.arg(&corpus);
    let seeds = root().join("fuzz/seeds").join(target);
    if seeds.is_dir() {
        command.arg(&seeds);
    }
    command.args(["--", &format!("-runs={runs}"), "-print_final_stats=1"]);
    crate::process::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_numbers_come_in_any_order() {
        let plan = |target: Option<&str>, runs| Plan { target: target.map(str::to_owned), runs };
        assert_eq!(Plan::parse(&[]).unwrap(), plan(None, DEFAULT_RUNS));
        assert_eq!(Plan::parse(&["json5"]).unwrap(), plan(Some("json5"), DEFAULT_RUNS));
        assert_eq!(Plan::parse(&["--runs", "5_000", "json5"]).unwrap(), plan(Some("json5"), 5_000));
        assert!(Plan::parse(&["--runs"]).is_err());
        assert!(Plan::parse(&["a", "b"]).is_err());
        assert!(Plan::parse(&["--fast"]).is_err());
    }
}
