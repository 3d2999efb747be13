//! `cargo xtask calibrate`: fits the constants of selection on judged messages and says how good they are.
//!
//! Run it as `cargo run --release -p xtask -- calibrate --data DIR`: every skill of the pools is encoded once. The
//! gate is fitted on messages that no model was trained on, and its figures are those of further messages; no message
//! of clawskills takes part in its fit.

mod bridge;
mod data;
mod encoded;
mod figures;
mod gate;
mod linear;
mod logistic;
mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use prowess_embed::{Encoder, F16, Pack, Reader};
use prowess_select::{Calibration, Gate, Languages, Route, SecondReading, Voice};

use self::data::{Set, sentences};
use self::figures::PARTS;
use self::gate::{Kind, rounded};
use self::world::World;
use crate::process::root;

const ENGLISH: &str = "prowess-minilm";
const MULTILINGUAL: &str = "use-multilingual";
const READER: &str = "prowess-reader";
/// The pools, and whether models were trained on some of their messages.
const POOLS: [(&str, bool); 3] = [("clawskills", false), ("metatool", true), ("sealtools", true)];
/// The number of rows that are read a second time, and the weight of the reader's answer in the score.
const READ_ROWS: usize = 6;
const READ_WEIGHT: f32 = 0.5;
/// Below this confidence of the first look nothing is read.
const DOUBT: f32 = 0.03;
/// What the lexical score counts beside an encoder that reads the message well, and beside one that shares few
/// words with the skills.
const LEXICAL_ENGLISH: f32 = 0.8;
const LEXICAL_OTHER: f32 = 0.25;
/// The thresholds; words alone cannot tell small talk from requests, and must be surer.
const LOAD: f32 = 0.5;
const SUGGEST: f32 = 0.3;
const LOAD_BY_WORDS: f32 = 0.85;
const SUGGEST_BY_WORDS: f32 = 0.5;
/// How far a number may be off where another processor rounds differently.
const TOLERANCE: f64 = 0.02;

/// The places of judged messages and packs, and the use of the result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    data: PathBuf,
    /// The packs; those that are not there are taken from the repository. The result is written here.
    models: PathBuf,
    /// The messages that were written for this project.
    own: PathBuf,
    /// The bundled skills.
    skills: PathBuf,
    mode: Mode,
}

/// The use of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It is written, and the route without encoders must be that of the code.
    Write,
    /// It is written; a route without encoders that differs is only printed.
    Try,
    /// It is compared with what is there.
    Check,
}

impl Plan {
    /// Reads `--data DIR [--models DIR] [--own DIR] [--skills DIR] [--try|--check]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut data = None;
        let mut plan = Self {
            data: PathBuf::new(),
            models: root().join("models"),
            own: root().join("models/train"),
            skills: root().join("skills"),
            mode: Mode::Write,
        };
        let mut rest = arguments;
        while let [first, after @ ..] = rest {
            rest = match (*first, after) {
                ("--check", after) => {
                    plan.mode = Mode::Check;
                    after
                }
                ("--try", after) => {
                    plan.mode = Mode::Try;
                    after
                }
                (name, [value, after @ ..]) => {
                    match name {
                        "--data" => data = Some(PathBuf::from(value)),
                        "--models" => plan.models = value.into(),
                        "--own" => plan.own = value.into(),
                        "--skills" => plan.skills = value.into(),
                        _ => bail!("calibrate: `{name}` is unknown"),
                    }
                    after
                }
                _ => bail!("calibrate: `{first}` is unknown or needs a value"),
            };
        }
        plan.data = data.context("calibrate: --data DIR, the judged messages, is missing")?;
        Ok(plan)
    }
}

/// Fits, prints the figures, and writes `calibration.json` and `bridge.pack` (or compares with them).
pub(crate) fn run(plan: &Plan) -> Result<()> {
    let null_sentences = sentences(&root().join("models/reference/nulls.txt"))?;
    let encoders = [load(plan, ENGLISH)?, load(plan, MULTILINGUAL)?];
    let encoders: Vec<&dyn Encoder> = encoders.iter().map(AsRef::as_ref).collect();
    let reader = Reader::load(&open(plan, READER)?, &open(plan, ENGLISH)?)?;
    let mut worlds = worlds(plan, &encoders, &null_sentences, &reader)?;

    let pairs = pairs(plan, &worlds, &null_sentences, &encoders)?;
    let fitted = bridge::Fitted::new(pairs.iter().map(|(a, b)| (&a[..], &b[..])));
    let bridge = fitted.bridge()?;
    for world in &mut worlds {
        world.build_bridge(MULTILINGUAL, ENGLISH, &bridge)?;
    }

    let english = voice(&worlds, encoders[0], &null_sentences)?;
    let bridged = Voice { weight: 0.5, bridge: Some(MULTILINGUAL.to_owned()), ..english.clone() };
    let other = Voice { weight: 0.5, ..voice(&worlds, encoders[1], &null_sentences)? };
    let english = design(Languages::English, vec![english], LEXICAL_ENGLISH);
    let other = design(Languages::Other, vec![other, bridged], LEXICAL_OTHER);
    let words = design(Languages::Any, Vec::new(), LEXICAL_ENGLISH);
    let words = Route { load: LOAD_BY_WORDS, suggest: SUGGEST_BY_WORDS, ..words };
    // Messages in other languages share few words with skills: their gate is fitted as if there were none.
    let without_words = Route { lexical: 0.0, ..other.clone() };

    let english = Route { gate: fit(&worlds, &english, Kind::Directed), ..english };
    let second = SecondReading {
        reader: READER.to_owned(),
        rows: READ_ROWS,
        weight: READ_WEIGHT,
        doubt: DOUBT,
        gate: Gate::default(),
    };
    let read = Route { second: Some(second.clone()), ..english.clone() };
    let gate = fit(&worlds, &read, Kind::Directed);
    let read = Route { second: Some(SecondReading { gate, ..second }), ..read };
    let measured = Route {
        gate: fit(&worlds, &english, Kind::Plain),
        languages: Languages::Any,
        voices: Vec::new(),
        ..english.clone()
    };
    let other = Route { gate: fit(&worlds, &without_words, Kind::Directed), ..other };
    let words = Route { gate: fit(&worlds, &words, Kind::Plain), ..words };
    for route in [&english, &read, &other, &words] {
        println!("ranking, {}:", name(route));
        for world in &worlds {
            for part in PARTS {
                figures::ranking(world, route, part);
            }
        }
    }

    let calibration = Calibration::new(null_sentences, vec![read, other], measured);
    if plan.mode == Mode::Check {
        return check(&plan.models, &calibration, &fitted.pack(MULTILINGUAL, ENGLISH)?, &words);
    }
    write(&plan.models.join("calibration.json"), calibration.to_json().as_bytes())?;
    write(&plan.models.join("bridge.pack"), &fitted.pack(MULTILINGUAL, ENGLISH)?)?;
    match (check_words_alone(&words), plan.mode) {
        (Err(error), Mode::Try) => println!("{error:#}"),
        (result, _) => result?,
    }
    Ok(())
}

fn load(plan: &Plan, name: &str) -> Result<Arc<dyn Encoder>> {
    Ok(prowess_embed::load(open(plan, name)?)?)
}

fn open(plan: &Plan, name: &str) -> Result<Pack> {
    let file = format!("{name}.pack");
    let own = plan.models.join(&file);
    let path = if own.exists() { own } else { root().join("models").join(file) };
    Pack::open(&path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// The pools with their messages, and the pools that messages were written for.
fn worlds(plan: &Plan, encoders: &[&dyn Encoder], nulls: &[String], reader: &Reader) -> Result<Vec<World>> {
    let nulls: Vec<&str> = nulls.iter().map(String::as_str).collect();
    let nulls: Result<Vec<_>> =
        encoders.iter().map(|encoder| encoded::encode_all(*encoder, &nulls)).collect();
    let nulls = nulls?;
    let judged = plan.data.join("match");
    let sets: Result<Vec<Set>> =
        POOLS.iter().map(|(name, is_trained)| Set::read(&judged, name, *is_trained)).collect();
    let mut sets = sets?;
    let written = data::written(&plan.own.join("requests.jsonl"))?;
    let general = data::general(&plan.own)?;
    sets.push(sets[0].with_written(&plan.data.join("requests/skills.jsonl"), &written, &general)?);
    sets.push(Set::bundled(&plan.skills, &written, &general)?);
    sets.into_iter().map(|set| World::new(set, encoders, &nulls, Some(reader.clone()))).collect()
}

/// The weight of a message in another language, beside one English text.
const TRANSLATED_WEIGHT: usize = 3;

/// Vectors of the same texts by the multilingual encoder and by the English one; a message in another language stands
/// beside its meaning in English. No message that is measured is among them.
fn pairs(
    plan: &Plan,
    worlds: &[World],
    nulls: &[String],
    encoders: &[&dyn Encoder],
) -> Result<Vec<(Vec<f32>, Vec<f32>)>> {
    let mut pairs = Vec::new();
    let mut add =
        |from: &[Vec<f32>], to: &[Vec<f32>]| pairs.extend(from.iter().cloned().zip(to.iter().cloned()));
    for world in worlds {
        add(world.passages(MULTILINGUAL), world.passages(ENGLISH));
    }
    let written = data::written(&plan.own.join("requests.jsonl"))?;
    let english: Vec<&str> = data::in_english(&written).collect();
    let english: Vec<&str> = english.into_iter().chain(nulls.iter().map(String::as_str)).collect();
    add(&encoded::encode_all(encoders[1], &english)?, &encoded::encode_all(encoders[0], &english)?);
    let (foreign, meanings): (Vec<&str>, Vec<&str>) = data::translated(&written).unzip();
    let foreign = encoded::encode_all(encoders[1], &foreign)?;
    let meanings = encoded::encode_all(encoders[0], &meanings)?;
    for _ in 0..TRANSLATED_WEIGHT {
        add(&foreign, &meanings);
    }
    Ok(pairs)
}

/// How an encoder's cosines are spread between sentences that ask for nothing and all skills.
fn voice(worlds: &[World], encoder: &dyn Encoder, nulls: &[String]) -> Result<Voice> {
    let nulls: Vec<&str> = nulls.iter().map(String::as_str).collect();
    let nulls = encoded::encode_all(encoder, &nulls)?;
    let passages: Vec<&Vec<f32>> = worlds.iter().flat_map(|world| world.passages(encoder.name())).collect();
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    let cosines: Vec<f64> =
        nulls.iter().flat_map(|null| passages.iter().map(|passage| cosine(null, passage))).collect();
    let count = cosines.len().max(1) as f64;
    let mean = cosines.iter().sum::<f64>() / count;
    let variance = cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count;
    Ok(Voice {
        encoder: encoder.name().to_owned(),
        mean: rounded(mean),
        deviation: rounded(variance.sqrt()),
        weight: 1.0,
        bridge: None,
    })
}

fn design(languages: Languages, voices: Vec<Voice>, lexical: f32) -> Route {
    Route { languages, voices, lexical, gate: Gate::default(), second: None, load: LOAD, suggest: SUGGEST }
}

/// Fits the gate of a route, and prints its figures.
fn fit(worlds: &[World], route: &Route, kind: Kind) -> Gate {
    println!("gate, {} ({kind:?}):", name(route));
    let shown = worlds.iter().map(|world| gate::show(world, route, kind)).collect();
    let (fitted, measured) = gate::fitted(worlds, shown);
    let fit = gate::fit(&fitted);
    for (world, shown) in worlds.iter().zip(&measured) {
        let probabilities: Vec<f32> = shown.iter().map(|shown| shown.judged_by(&fit)).collect();
        for part in PARTS {
            figures::gate(world, part, shown, &probabilities, route.load);
        }
    }
    gate::gate(&fit)
}

fn name(route: &Route) -> String {
    let voices: Vec<&str> = route.voices.iter().map(|voice| voice.encoder.as_str()).collect();
    let second = route.second.iter().map(|second| second.reader.as_str());
    let names: Vec<&str> = voices.into_iter().chain(second).collect();
    if names.is_empty() { "words alone".to_owned() } else { names.join(" + ") }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// Compares with what lies in the repository.
fn check(models: &Path, calibration: &Calibration, pack: &[u8], words: &Route) -> Result<()> {
    let read =
        |file: &str| fs::read(models.join(file)).with_context(|| format!("cannot read `models/{file}`"));
    let committed: serde_json::Value = serde_json::from_slice(&read("calibration.json")?)?;
    let found: serde_json::Value = serde_json::from_str(&calibration.to_json())?;
    if !is_near(&committed, &found) {
        bail!("`models/calibration.json` is not what the data says: run `cargo xtask calibrate`");
    }
    let numbers = |bytes: Vec<u8>| -> Result<Vec<f64>> {
        let matrix = Pack::from_bytes(bytes)?.tensor_of_any_shape::<F16>("matrix")?;
        Ok(matrix.iter().map(|number| f64::from(number.to_f32())).collect())
    };
    let (committed, found) = (numbers(read("bridge.pack")?)?, numbers(pack.to_vec())?);
    let is_same = committed.len() == found.len()
        && committed.iter().zip(&found).all(|(a, b)| (a - b).abs() <= TOLERANCE);
    if !is_same {
        bail!("`models/bridge.pack` is not what the data says: run `cargo xtask calibrate`");
    }
    check_words_alone(words)
}

/// The route without encoders is part of the code.
fn check_words_alone(words: &Route) -> Result<()> {
    let (found, code) = (serde_json::to_value(words)?, serde_json::to_value(Route::words_alone())?);
    if is_near(&found, &code) {
        Ok(())
    } else {
        bail!("`Route::words_alone` should be {found}, but is {code}")
    }
}

/// Returns true if two values are the same but for rounding.
fn is_near(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (a, b) {
        (Number(a), Number(b)) => {
            (a.as_f64().unwrap_or_default() - b.as_f64().unwrap_or_default()).abs() <= TOLERANCE
        }
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b)),
        (Object(a), Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_near(a, b)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        let plan = Plan::parse(&["--data", "d", "--models", "m", "--try"]).unwrap();
        assert_eq!((plan.data, plan.models, plan.mode), ("d".into(), "m".into(), Mode::Try));
        assert_eq!(Plan::parse(&["--check", "--data", "d"]).unwrap().mode, Mode::Check);
        assert!(Plan::parse(&["--check"]).is_err());
        assert!(Plan::parse(&["--data"]).is_err());
        assert!(Plan::parse(&["--data", "d", "--chek"]).is_err());
    }
}
