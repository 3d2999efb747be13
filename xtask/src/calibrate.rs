//! `cargo xtask calibrate`: fits the constants of selection on judged messages and says how good they are.
//!
//! Run it as `cargo run --release -p xtask -- calibrate --data DIR`: every skill of the pools is encoded once. The
//! gate is fitted on MetaTool and on the sentences in `models/reference`; the figures of these are
//! cross-validated, and no message of clawskills or Seal-Tools takes part in its fit.

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
use prowess_embed::{Encoder, F16, Pack};
use prowess_select::{Calibration, Gate, Languages, Route, Voice};

use self::data::{Set, sentences};
use self::figures::PARTS;
use self::gate::{Kind, rounded};
use self::world::World;
use crate::process::root;

const ENGLISH: &str = "prowess-minilm";
const MULTILINGUAL: &str = "use-multilingual";
/// The pools, and the sets that the gate is fitted on.
const POOLS: [&str; 3] = ["clawskills", "metatool", "sealtools"];
const FITTED: [&str; 2] = ["metatool", "own"];
/// What the lexical score counts beside an encoder that reads the message well, and beside one that shares few
/// words with the skills.
const LEXICAL_ENGLISH: f32 = 1.1;
const LEXICAL_OTHER: f32 = 0.25;
/// The thresholds; words alone cannot tell small talk from requests, and must be surer.
const LOAD: f32 = 0.5;
const SUGGEST: f32 = 0.3;
const LOAD_BY_WORDS: f32 = 0.85;
const SUGGEST_BY_WORDS: f32 = 0.5;
/// How far a number may be off where another processor rounds differently.
const TOLERANCE: f64 = 0.02;

/// Where the judged messages lie, and whether to write what they say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    data: PathBuf,
    is_check: bool,
}

impl Plan {
    /// Reads `--data DIR [--check]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        match arguments {
            ["--data", data] => Ok(Self { data: data.into(), is_check: false }),
            ["--data", data, "--check"] | ["--check", "--data", data] => {
                Ok(Self { data: data.into(), is_check: true })
            }
            _ => bail!("calibrate takes `--data DIR [--check]`, not `{}`", arguments.join(" ")),
        }
    }
}

/// Fits, prints the figures, and writes `models/calibration.json` and `models/bridge.pack` (or compares with them).
pub(crate) fn run(plan: &Plan) -> Result<()> {
    let models = root().join("models");
    let reference = models.join("reference");
    let null_sentences = sentences(&reference.join("nulls.txt"))?;
    let encoders = [load(&models, ENGLISH)?, load(&models, MULTILINGUAL)?];
    let encoders: Vec<&dyn Encoder> = encoders.iter().map(AsRef::as_ref).collect();
    let mut worlds = worlds(plan, &reference, &encoders, &null_sentences)?;

    let fitted = bridge::Fitted::new(
        pairs(&worlds, &null_sentences, &encoders)?.iter().map(|(a, b)| (&a[..], &b[..])),
    );
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
    let measured = Route {
        gate: fit(&worlds, &english, Kind::Plain),
        languages: Languages::Any,
        voices: Vec::new(),
        ..english.clone()
    };
    let other = Route { gate: fit(&worlds, &without_words, Kind::Directed), ..other };
    let words = Route { gate: fit(&worlds, &words, Kind::Plain), ..words };
    for route in [&english, &other, &words] {
        println!("ranking, {}:", name(route));
        for world in worlds.iter().filter(|world| world.set.name != "own") {
            for part in PARTS {
                figures::ranking(world, route, part);
            }
        }
    }

    let calibration = Calibration::new(null_sentences, vec![english, other], measured);
    let pack = fitted.pack(MULTILINGUAL, ENGLISH)?;
    if plan.is_check {
        return check(&models, &calibration, &pack, &words);
    }
    write(&models.join("calibration.json"), calibration.to_json().as_bytes())?;
    write(&models.join("bridge.pack"), &pack)?;
    check_words_alone(&words)
}

fn load(models: &Path, name: &str) -> Result<Arc<dyn Encoder>> {
    let path = models.join(format!("{name}.pack"));
    let pack = Pack::open(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(prowess_embed::load(pack)?)
}

/// The pools with their messages, and the first pool with the sentences written for calibration.
fn worlds(plan: &Plan, reference: &Path, encoders: &[&dyn Encoder], nulls: &[String]) -> Result<Vec<World>> {
    let nulls: Vec<&str> = nulls.iter().map(String::as_str).collect();
    let nulls: Result<Vec<_>> =
        encoders.iter().map(|encoder| encoded::encode_all(*encoder, &nulls)).collect();
    let nulls = nulls?;
    let sets: Result<Vec<Set>> = POOLS.iter().map(|name| Set::read(&plan.data, name)).collect();
    let mut sets = sets?;
    sets.push(sets[0].with_own_messages(&reference.join("requests.jsonl"), &reference.join("none.txt"))?);
    sets.into_iter().map(|set| World::new(set, encoders, &nulls)).collect()
}

/// Vectors of the same texts by the multilingual encoder and by the English one. No message of clawskills is
/// among them: its messages in other languages are what the bridge is judged by.
fn pairs(worlds: &[World], nulls: &[String], encoders: &[&dyn Encoder]) -> Result<Vec<(Vec<f32>, Vec<f32>)>> {
    let mut pairs = Vec::new();
    let mut add =
        |from: &[Vec<f32>], to: &[Vec<f32>]| pairs.extend(from.iter().cloned().zip(to.iter().cloned()));
    for world in worlds {
        if world.set.name != "own" {
            add(world.passages(MULTILINGUAL), world.passages(ENGLISH));
        }
        if world.set.name != "clawskills" {
            add(world.messages(MULTILINGUAL), world.messages(ENGLISH));
        }
    }
    let nulls: Vec<&str> = nulls.iter().map(String::as_str).collect();
    add(&encoded::encode_all(encoders[1], &nulls)?, &encoded::encode_all(encoders[0], &nulls)?);
    Ok(pairs)
}

/// How an encoder's cosines are spread between sentences that ask for nothing and all skills.
fn voice(worlds: &[World], encoder: &dyn Encoder, nulls: &[String]) -> Result<Voice> {
    let nulls: Vec<&str> = nulls.iter().map(String::as_str).collect();
    let nulls = encoded::encode_all(encoder, &nulls)?;
    let pools = worlds.iter().filter(|world| world.set.name != "own");
    let passages: Vec<&Vec<f32>> = pools.flat_map(|world| world.passages(encoder.name())).collect();
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
    Route { languages, voices, lexical, gate: Gate::default(), load: LOAD, suggest: SUGGEST }
}

/// Fits the gate of a route, and prints its figures.
fn fit(worlds: &[World], route: &Route, kind: Kind) -> Gate {
    println!("gate, {} ({kind:?}):", name(route));
    let shown: Vec<_> = worlds.iter().map(|world| gate::show(world, route, kind)).collect();
    let is_fitted = |world: &World| FITTED.contains(&world.set.name);
    let fitted: Vec<&[gate::Shown]> = worlds
        .iter()
        .zip(&shown)
        .filter(|(world, _)| is_fitted(world))
        .map(|(_, shown)| &shown[..])
        .collect();
    let fit = gate::fit(&fitted, kind);
    let mut validated = gate::cross_validated(&fitted, kind).into_iter();
    for (world, shown) in worlds.iter().zip(&shown) {
        let judge = |shown: &gate::Shown| shown.judged_by(&fit);
        let probabilities = if is_fitted(world) { validated.next() } else { None };
        let probabilities = probabilities.unwrap_or_else(|| shown.iter().map(judge).collect());
        for part in PARTS {
            figures::gate(world, part, shown, &probabilities, route.load);
        }
    }
    gate::gate(&fit)
}

fn name(route: &Route) -> String {
    let voices: Vec<&str> = route.voices.iter().map(|voice| voice.encoder.as_str()).collect();
    if voices.is_empty() { "words alone".to_owned() } else { voices.join(" + ") }
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
