//! Fits the gate: does a message ask for a skill that is there?
//!
//! A message is shown with its whole pool, with a handful of skills among them the right one, and with a
//! handful without it, when nothing should load. So the gate learns pools of every size, and requests that make
//! sense but that no skill serves.

use prowess_select::{Feature, Gate, GateReport, Route};

use super::data::Message;
use super::logistic::{self, Example, Fit};
use super::world::World;

/// What the gate looks at, beside the message's own vector.
const FEATURES: [Feature; 3] = [Feature::Score, Feature::Null, Feature::NullMean];
/// The sizes of the handfuls.
pub(super) const HANDFULS: [usize; 2] = [5, 20];
/// What each handful counts beside the whole pool.
const HANDFUL_WEIGHT: f64 = 0.5;
/// What the messages of one set weigh together.
const SET_WEIGHT: f64 = 1_000.0;
/// How much the message's own vector is scaled up, which makes its weights cheaper.
const VECTOR_SCALE: f64 = 3.0;
/// Parts of the cross-validation.
const FOLDS: usize = 5;

/// Whether the message's own vector has a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By the direction in which requests lie.
    Directed,
    /// Not at all: for any encoder.
    Plain,
}

impl Kind {
    /// The penalty on the weights.
    fn penalty(self) -> f64 {
        match self {
            Self::Directed => 5.0,
            Self::Plain => 1.0,
        }
    }
}

/// A message, shown with part of its pool.
pub(super) struct Shown {
    pub(super) message: usize,
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
    let route = Route { gate: observer(), ..route.clone() };
    let mut shown = Vec::new();
    let mut add = |message: usize, handful: Option<usize>, rows: Option<&[bool]>, label: bool| {
        let features = features(world, &route, kind, message, rows);
        shown.push(Shown { message, handful, example: Example { features, label, weight: 1.0 } });
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
    weigh(&mut shown);
    shown
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

/// Every way of showing counts what it should, and both answers count the same.
fn weigh(shown: &mut [Shown]) {
    let keys: Vec<_> = shown.iter().map(|shown| (shown.handful, shown.example.label)).collect();
    for (shown, key) in shown.iter_mut().zip(&keys) {
        let weight = if shown.handful.is_none() { 1.0 } else { HANDFUL_WEIGHT };
        shown.example.weight = weight / keys.iter().filter(|other| *other == key).count() as f64;
    }
    for label in [false, true] {
        let examples = || shown.iter().map(|shown| &shown.example).filter(|example| example.label == label);
        let total: f64 = examples().map(|example| example.weight).sum();
        let examples =
            shown.iter_mut().map(|shown| &mut shown.example).filter(|example| example.label == label);
        examples.for_each(|example| example.weight *= 0.5 * SET_WEIGHT / total);
    }
}

/// Fits a gate on some sets.
pub(super) fn fit(sets: &[&[Shown]], kind: Kind) -> Fit {
    logistic::fit(sets.iter().copied().flatten().map(|shown| &shown.example), kind.penalty())
}

/// The probabilities by set, each from a fit that did not see its message.
pub(super) fn cross_validated(sets: &[&[Shown]], kind: Kind) -> Vec<Vec<f32>> {
    let fit_without = |fold: usize| {
        let others = sets.iter().copied().flatten().filter(move |shown| shown.message % FOLDS != fold);
        logistic::fit(others.map(|shown| &shown.example), kind.penalty())
    };
    let fits: Vec<Fit> = (0..FOLDS).map(fit_without).collect();
    let judge = |shown: &Shown| shown.judged_by(&fits[shown.message % FOLDS]);
    sets.iter().map(|set| set.iter().map(judge).collect()).collect()
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
