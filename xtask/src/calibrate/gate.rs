//! Fits the gate: does a message ask for a skill that is there?
//!
//! A message is shown with its whole pool, with a handful of skills among them the right one, and with a
//! handful without it, when nothing should load. So the gate learns pools of every size, and requests that make
//! sense but that no skill serves.

use prowess_select::{Feature, Gate, GateReport, Route, SecondReading};

use super::data::Message;
use super::logistic::{self, Example, Fit};
use super::world::World;

/// What the gate looks at, beside the message's own vector.
const FEATURES: [Feature; 4] = [Feature::Score, Feature::Null, Feature::NullMean, Feature::Reader];
/// The sizes of the handfuls.
pub(super) const HANDFULS: [usize; 2] = [5, 20];
/// What each handful counts beside the whole pool.
const HANDFUL_WEIGHT: f64 = 0.5;
/// The penalty on the squared weights.
const PENALTY: f64 = 1.0;
/// What the messages of one set weigh together.
const SET_WEIGHT: f64 = 1_000.0;
/// The share of messages that fit some skill, in the world that a confidence speaks of.
const ASKING: f64 = 0.6;
/// The weight of small talk and general questions beside near misses: there is far more of it in a day.
const GENERAL_WEIGHT: f64 = 2.0;
/// How much the message's own vector is scaled, which makes its weights dearer: they know the writers of the messages too
/// well.
const VECTOR_SCALE: f64 = 0.42;
/// Whether the message's own vector has a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By the direction in which requests lie.
    Directed,
    /// Not at all: for any encoder.
    Plain,
}

/// A message, shown with part of its pool.
pub(super) struct Shown {
    pub(super) message: usize,
    /// The kind of message; kinds that ask for nothing have the same weight, independent of their number.
    pub(super) kind: String,
    /// The number of skills that it was shown with, about; none for the whole pool.
    pub(super) handful: Option<usize>,
    pub(super) example: Example,
}

impl Shown {
    /// How sure a fit is that a skill should load.
    pub(super) fn judged_by(&self, fit: &Fit) -> f32 {
        rounded(fit.probability(&self.example.features))
    }
}

/// Shows the messages of a set with their whole pool and with handfuls.
pub(super) fn show(world: &World, route: &Route, kind: Kind) -> Vec<Shown> {
    let second = route.second.clone().map(|second| SecondReading { gate: observer(), doubt: 0.0, ..second });
    let route = Route { gate: observer(), second, ..route.clone() };
    let mut shown = Vec::new();
    let mut add = |message: usize, handful: Option<usize>, rows: Option<&[bool]>, label: bool| {
        let features = features(world, &route, kind, message, rows);
        let kind = &world.set.messages[message].kind;
        let kind = if label || handful.is_some() { String::new() } else { kind.clone() };
        shown.push(Shown { message, kind, handful, example: Example { features, label, weight: 1.0 } });
    };
    for (number, message) in world.set.messages.iter().enumerate() {
        add(number, None, None, !message.gold.is_empty());
        for size in HANDFULS {
            let mut rows = handful(message, number, size, world.set.documents.len());
            add(number, Some(size), Some(&rows), false);
            if !message.gold.is_empty() {
                message.gold.iter().for_each(|&row| rows[row] = true);
                add(number, Some(size), Some(&rows), true);
            }
        }
    }
    shown
}

/// The messages of some sets that the gate is fitted on, so weighed that every set counts the same.
pub(super) fn fitted(worlds: &[World], shown: Vec<Vec<Shown>>) -> (Vec<Vec<Shown>>, Vec<Vec<Shown>>) {
    let parts = worlds.iter().zip(shown).map(|(world, shown)| {
        let (mut fitted, measured): (Vec<Shown>, Vec<Shown>) =
            shown.into_iter().partition(|shown| world.set.messages[shown.message].is_fitted);
        weigh(&mut fitted);
        (fitted, measured)
    });
    parts.unzip()
}

/// A gate that reports the features and judges nothing.
fn observer() -> Gate {
    Gate { weights: FEATURES.map(|feature| (feature, 1.0)).to_vec(), ..Gate::default() }
}

fn features(world: &World, route: &Route, kind: Kind, message: usize, rows: Option<&[bool]>) -> Vec<f64> {
    let report = world.ask(route, message, rows).gate;
    let mut features: Vec<f64> = FEATURES.iter().map(|&feature| value(&report, feature)).collect();
    if kind == Kind::Directed
        && let Some(voice) = route.voices.first()
    {
        let vector = &world.messages(&voice.encoder)[message];
        features.extend(vector.iter().map(|&number| f64::from(number) * VECTOR_SCALE));
    }
    features
}

fn value(report: &GateReport, wanted: Feature) -> f64 {
    let found = report.features.iter().find(|report| report.feature == wanted);
    found.map_or(0.0, |report| f64::from(report.value))
}

/// About `size` rows spread over a pool, different for each message, without those that answer it.
fn handful(message: &Message, number: usize, size: usize, rows: usize) -> Vec<bool> {
    let stride = (rows / size).max(2) as u64;
    let mixed = |row: usize| ((31 * row + 17 * number + 1) as u64 * 2_654_435_761 % (1 << 32)) >> 12;
    let is_gold = |row: &usize| message.gold.contains(row);
    let mut shown: Vec<bool> =
        (0..rows).map(|row| mixed(row).is_multiple_of(stride) && !is_gold(&row)).collect();
    if !shown.contains(&true)
        && let Some(row) = (0..rows).filter(|row| !is_gold(row)).nth(number % 7)
    {
        shown[row] = true;
    }
    shown
}

/// Every way of showing counts what it should, and both answers count as often as they come.
fn weigh(shown: &mut [Shown]) {
    let keys: Vec<_> =
        shown.iter().map(|shown| (shown.handful, shown.example.label, shown.kind.clone())).collect();
    for (shown, key) in shown.iter_mut().zip(&keys) {
        let weight = match (shown.handful, shown.kind.as_str()) {
            (Some(_), _) => HANDFUL_WEIGHT,
            (None, "none") => GENERAL_WEIGHT,
            (None, _) => 1.0,
        };
        shown.example.weight = weight / keys.iter().filter(|other| *other == key).count() as f64;
    }
    for label in [false, true] {
        let examples = || shown.iter().map(|shown| &shown.example).filter(|example| example.label == label);
        let total: f64 = examples().map(|example| example.weight).sum();
        let examples =
            shown.iter_mut().map(|shown| &mut shown.example).filter(|example| example.label == label);
        let share = if label { ASKING } else { 1.0 - ASKING };
        examples.for_each(|example| example.weight *= share * SET_WEIGHT / total);
    }
}

/// Fits a gate on some sets.
pub(super) fn fit(sets: &[Vec<Shown>]) -> Fit {
    logistic::fit(sets.iter().flatten().map(|shown| &shown.example), PENALTY)
}

/// The gate of a fit, as selection uses it.
pub(super) fn gate(fit: &Fit) -> Gate {
    let (features, vector) = fit.weights.split_at(FEATURES.len());
    let weights = FEATURES.iter().zip(features).map(|(feature, weight)| (*feature, rounded(*weight)));
    let request = (!vector.is_empty()).then_some((Feature::Request, 1.0));
    Gate {
        intercept: rounded(fit.intercept),
        weights: weights.filter(|(_, weight)| weight.abs() > 0.0).chain(request).collect(),
        request: vector.iter().map(|weight| rounded(weight * VECTOR_SCALE)).collect(),
    }
}

/// Four decimals are more than the data knows, and keep the file readable.
#[expect(clippy::cast_possible_truncation, reason = "four decimals are kept")]
pub(super) fn rounded(number: f64) -> f32 {
    ((number * 1e4).round() / 1e4) as f32
}
