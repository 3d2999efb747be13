//! `cargo xtask train`: the front of `models/train`, from data to weights, packs, calibration and a report.
//!
//! A training takes hours on two cores, so it is cut into pieces. Each piece ends in a file of the work folder from which
//! the next goes on, stops by itself at its time limit, and continues with the next call. Pieces that are done are not
//! repeated.

mod pieces;
mod python;
mod record;
mod stage;
mod tiny;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use self::pieces::{Outcome, Training};
use self::record::Record;
use self::stage::Stage;
pub(crate) use self::tiny::check;
use crate::{models, process};

/// The files that `--install` copies into `models/`.
const INSTALLED: [&str; 4] =
    ["prowess-minilm.pack", "prowess-reader.pack", "bridge.pack", "calibration.json"];

/// The data, the stages, and how they run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// A training with real data.
    Full(FullPlan),
    /// All stages with made-up data.
    Tiny,
}

/// A training with real data.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FullPlan {
    data: PathBuf,
    work: Option<PathBuf>,
    /// The stages that were named; none for all.
    stages: Vec<Stage>,
    is_again: bool,
    is_install: bool,
    threads: usize,
}

impl Plan {
    /// Reads `--data DIR [--work DIR] [--stage NAME]… [--again] [--threads N] [--install]`, or `--tiny`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        if arguments == ["--tiny"] {
            return Ok(Self::Tiny);
        }
        let mut data = None;
        let mut plan = FullPlan {
            data: PathBuf::new(),
            work: None,
            stages: Vec::new(),
            is_again: false,
            is_install: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        };
        let mut rest = arguments;
        while let [first, after @ ..] = rest {
            rest = match (*first, after) {
                ("--again", after) => {
                    plan.is_again = true;
                    after
                }
                ("--install", after) => {
                    plan.is_install = true;
                    after
                }
                (name, [value, after @ ..]) => {
                    match name {
                        "--data" => data = Some(PathBuf::from(value)),
                        "--work" => plan.work = Some(value.into()),
                        "--stage" => plan.stages.push(Stage::parse(value)?),
                        "--threads" => plan.threads = value.parse().context("train: --threads")?,
                        _ => bail!("train: `{name}` is unknown"),
                    }
                    after
                }
                _ => bail!("train: `{first}` is unknown or needs a value"),
            };
        }
        ensure!(!plan.is_again || !plan.stages.is_empty(), "train: --again needs --stage NAME");
        plan.data = data.context("train: --data DIR, the texts of others, is missing; or use --tiny")?;
        plan.stages.sort_unstable();
        plan.stages.dedup();
        Ok(Self::Full(plan))
    }
}

/// Runs the stages that are planned and not done.
pub(crate) fn run(plan: &Plan) -> Result<()> {
    match plan {
        Plan::Full(plan) => run_full(plan),
        Plan::Tiny => tiny::run(),
    }
}

/// Installs the packages of the tiny run. Never fails: its check says that it was skipped.
pub(crate) fn prepare() {
    python::install();
}

fn run_full(plan: &FullPlan) -> Result<()> {
    ensure!(
        plan.data.join("requests/skills.jsonl").is_file(),
        "`{}` has no `requests/skills.jsonl`; the layout is in models/train/README.md",
        plan.data.display()
    );
    let work = match &plan.work {
        Some(work) => work.clone(),
        None => process::target()?.join("train"),
    };
    let work = std::path::absolute(work)?;
    fs::create_dir_all(&work).with_context(|| format!("cannot make `{}`", work.display()))?;
    let train = process::root().join("models/train");
    let training = Training {
        data: std::path::absolute(&plan.data)?,
        own: train.clone(),
        skills: process::root().join("skills"),
        start: work.join("start"),
        settings: train.join("settings.json"),
        work,
        threads: plan.threads,
        python: python::prepare()?,
        is_tiny: false,
    };
    models::write_start(&training.start)?;
    let mut record = Record::read(&training.work)?;
    let stages = if plan.stages.is_empty() { Stage::ALL.to_vec() } else { plan.stages.clone() };
    for stage in stages {
        if plan.is_again {
            training.reset(stage, &mut record)?;
        }
        training.run(stage, &mut record)?;
    }
    if plan.is_install { install(&training) } else { Ok(()) }
}

impl Training {
    /// Runs what is left of a stage.
    fn run(&self, stage: Stage, record: &mut Record) -> Result<()> {
        let mut is_new = false;
        for piece in self.pieces(stage)? {
            if record.is_done(&piece.name) {
                println!("==> {}: done before", piece.name);
                continue;
            }
            is_new = true;
            println!("==> {}", piece.name);
            let outcome = self.call(&piece, record)?;
            if outcome == Outcome::Stopped {
                bail!("`{}` stopped before its last step; run the same command again to go on", piece.name);
            }
        }
        if is_new {
            // Whatever was made from older results is out of date.
            for later in stage.built_on_it() {
                self.reset(later, record)?;
            }
        }
        Ok(())
    }
}

/// Copies the packs, the calibration and the report to where they are built in.
fn install(training: &Training) -> Result<()> {
    let models = process::root().join("models");
    let copy = |from: &Path, to: &Path| -> Result<()> {
        let shown = from.display();
        fs::copy(from, to).with_context(|| format!("cannot copy `{shown}`; is its stage done?"))?;
        println!("installed {}", to.display());
        Ok(())
    };
    for file in INSTALLED {
        copy(&training.packs().join(file), &models.join(file))?;
    }
    copy(&training.work.join("REPORT.md"), &models.join("train/REPORT.md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(arguments: &[&str]) -> FullPlan {
        match Plan::parse(arguments).unwrap() {
            Plan::Full(plan) => plan,
            Plan::Tiny => panic!("not a full plan"),
        }
    }

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        assert_eq!(Plan::parse(&["--tiny"]).unwrap(), Plan::Tiny);
        let plan =
            full(&["--data", "d", "--stage", "reader", "--stage", "encoder", "--again", "--threads", "2"]);
        assert_eq!((plan.data, plan.work), (PathBuf::from("d"), None));
        assert_eq!(plan.stages, [Stage::Encoder, Stage::Reader]);
        assert!(plan.is_again && !plan.is_install);
        assert_eq!(plan.threads, 2);
    }

    #[test]
    fn incomplete_plans_are_errors() {
        for arguments in [
            &[][..],
            &["--data"],
            &["--data", "d", "--again"],
            &["--data", "d", "--stage", "cooking"],
            &["--data", "d", "--threads", "two"],
            &["--data", "d", "--tiny"],
        ] {
            assert!(Plan::parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
