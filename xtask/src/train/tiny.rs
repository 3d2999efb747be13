//! The tiny run: every stage with a made-up world and a few steps, and the proof that a stopped stage goes on as if it had
//! not stopped.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use super::pieces::{Outcome, Piece, Training};
use super::python;
use super::record::Record;
use super::stage::Stage;
use crate::process;

/// The step after which a stage is stopped.
const STOP: [&str; 2] = ["--stop-after", "2"];

/// Runs it, or says that it was skipped because there is no Python with torch. Returns the line for the summary.
pub(crate) fn check() -> Result<String> {
    if python::with_torch().is_none() {
        return Ok("training: SKIPPED, there is no python3 with torch and numpy".to_owned());
    }
    if let Err(error) = python::prepare() {
        return Ok(format!("training: SKIPPED, its Python packages could not be installed: {error:#}"));
    }
    run()?;
    Ok("training: the tiny run went through all stages".to_owned())
}

/// Runs all stages in a folder of its own.
pub(super) fn run() -> Result<()> {
    let begun = Instant::now();
    let work = process::target()?.join("train-tiny");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let world = work.join("world");
    fs::create_dir_all(&world)?;
    let training = Training {
        data: world.join("data"),
        own: world.join("own"),
        skills: world.join("skills"),
        start: world.join("start"),
        settings: world.join("settings.json"),
        work: work.clone(),
        threads: 1,
        python: python::prepare()?,
        is_tiny: true,
    };
    process::run(training.python("tiny.py").arg("--out").arg(&world))?;
    let mut record = Record::read(&work)?;
    for stage in Stage::ALL {
        if let Some(first) = training.pieces(stage)?.into_iter().next()
            && matches!(stage, Stage::Encoder | Stage::Reader)
        {
            stop_and_go_on(&training, &first, &mut record)?;
        }
        training.run(stage, &mut record)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "==> tiny run: all stages in {seconds:.0} s; the report is `{}`",
        work.join("REPORT.md").display()
    );
    Ok(())
}

/// Runs a piece at a stretch, then again with a stop; both must give the same bytes.
fn stop_and_go_on(training: &Training, piece: &Piece, record: &mut Record) -> Result<()> {
    let name = &piece.name;
    ensure!(training.call(piece, record)? == Outcome::Done, "`{name}` did not reach its last step");
    let out = piece.out();
    let at_a_stretch = out.with_extension("stretch");
    fs::rename(out, &at_a_stretch)?;
    record.forget(name)?;
    ensure!(training.call_with(piece, record, &STOP)? == Outcome::Stopped, "`{name}` did not stop");
    ensure!(out.with_extension("checkpoint").is_file(), "`{name}` left no checkpoint");
    ensure!(training.call(piece, record)? == Outcome::Done, "`{name}` did not go on");
    ensure!(!out.with_extension("checkpoint").exists(), "`{name}` left its checkpoint");
    ensure!(read(out)? == read(&at_a_stretch)?, "`{name}` gives other weights after a stop");
    println!("==> {name}: the same weights with a stop and without");
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}
