//! The answer: which skills, how sure, and why.

use std::fmt;

use serde::Serialize;

use crate::decision::SelectDecision;
use crate::gate::{Feature, GateReport};
use crate::reasons::SelectReason;
use crate::signals::Signals;

/// What a message asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// The best rows, best first; rows that may not be chosen stand where they would have stood.
    pub ranked: Vec<Ranked>,
    /// How sure it is that the best row should load.
    pub confidence: f32,
    /// The decision.
    pub decision: SelectDecision,
    /// How the confidence came about.
    pub gate: GateReport,
    /// The confidence from which a skill loads.
    pub load: f32,
    /// The confidence from which a skill is suggested.
    pub suggest: f32,
    /// The reasons against the best row, the strongest first.
    pub against: Vec<SelectReason>,
    /// What would have changed the decision, the smallest change first.
    pub counterfactuals: Vec<Counterfactual>,
}

/// A row and why it stands where it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ranked {
    /// Which row.
    pub row: usize,
    /// Depends on the message and this row alone.
    pub score: f32,
    /// How sure it is that this row should load.
    pub confidence: f32,
    /// How much the best row that may be chosen is ahead; negative if that one is behind.
    pub behind: f32,
    /// Whether it may be chosen.
    pub standing: Eligibility,
    /// What leaves no doubt, if anything does.
    pub certain: Option<Certain>,
    /// What the score is made of.
    pub signals: Signals,
    /// The reasons for and against it, in plain words.
    pub reasons: Vec<SelectReason>,
}

/// Whether a row may be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "is")]
pub enum Eligibility {
    /// It may.
    Open,
    /// The caller ruled it out.
    Ineligible,
    /// The message has one of its `none` phrases.
    Vetoed {
        /// The phrase.
        phrase: String,
    },
    /// It is for certain files, and none of them is touched.
    OutOfPath,
}

/// A signal that leaves no doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", tag = "by")]
pub enum Certain {
    /// The user called it by name.
    Named {
        /// The words that called it.
        text: String,
    },
    /// A touched file is one of its files.
    Path {
        /// The file.
        file: String,
        /// The skill's glob.
        glob: String,
    },
    /// Its trigger phrases are the greater part of the message.
    Trigger {
        /// The phrases.
        phrases: Vec<String>,
    },
}

impl Certain {
    /// The number of classes.
    pub(crate) const CLASSES: u8 = 3;

    /// Which comes first: the user's word, then files, then phrases.
    pub(crate) fn class(&self) -> u8 {
        match self {
            Self::Named { .. } => 0,
            Self::Path { .. } => 1,
            Self::Trigger { .. } => 2,
        }
    }
}

impl fmt::Display for Certain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named { text } => write!(formatter, "called as `{text}`"),
            Self::Path { file, glob } => write!(formatter, "`{file}` is one of its files (`{glob}`)"),
            Self::Trigger { phrases } => write!(formatter, "its own phrase: {}", phrases.join(", ")),
        }
    }
}

/// A change that would have made the decision another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "if")]
pub enum Counterfactual {
    /// Without the certain signal, the score alone would have decided.
    Uncertain {
        /// Which row.
        row: usize,
        /// The confidence that it would have had.
        confidence: f32,
    },
    /// Another threshold.
    Threshold {
        /// The level that is meant.
        level: ThresholdLevel,
        /// The confidence that was reached.
        reached: f32,
        /// The threshold that was used.
        used: f32,
    },
    /// Another value of one of the gate's features, all else equal.
    Feature {
        /// Which feature; the one that needs the smallest change.
        feature: Feature,
        /// Its value.
        value: f32,
        /// The value at which the confidence crosses the threshold.
        needed: f32,
        /// The threshold that it crosses.
        level: ThresholdLevel,
    },
    /// A row that would have been first with a better score.
    RunnerUp {
        /// Which row.
        row: usize,
        /// What it lacks.
        behind: f32,
    },
    /// A row that would have been first if it might be chosen.
    HeldBack {
        /// Which row.
        row: usize,
        /// What holds it back.
        standing: Eligibility,
    },
}

/// One of the two thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ThresholdLevel {
    /// From here on a skill loads.
    Load,
    /// From here on a skill is suggested.
    Suggest,
}
