//! The answer: which skills, how sure, and why.

use std::fmt;

use serde::Serialize;

use crate::gate::{Feature, GateReport};
use crate::lexical::TermSignal;

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

/// What to do with the best rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "do")]
pub enum SelectDecision {
    /// Load them.
    Load {
        /// Best first.
        rows: Vec<usize>,
    },
    /// Offer them.
    Suggest {
        /// Best first.
        rows: Vec<usize>,
    },
    /// No skill is asked for.
    Nothing,
}

impl SelectDecision {
    /// The rows to load or to suggest.
    pub fn rows(&self) -> &[usize] {
        match self {
            Self::Load { rows } | Self::Suggest { rows } => rows,
            Self::Nothing => &[],
        }
    }
}

/// What a score is made of; the shares add up to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signals {
    /// One per encoder of the route.
    pub voices: Vec<VoiceSignal>,
    /// Shared words.
    pub lexical: LexicalSignal,
    /// Trigger phrases that occur in the message, where they are no certain signal.
    pub triggers: Option<TriggerSignal>,
    /// What was learned before.
    pub prior: Option<f32>,
}

/// What one encoder says.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceSignal {
    /// The encoder's family name.
    pub encoder: String,
    /// Likeness of message and skill; none while the skill has no vector (then the voice is neutral).
    pub cosine: Option<f32>,
    /// The cosine in standard deviations above an unrelated skill's.
    pub value: f32,
    /// Its part of the score.
    pub share: f32,
}

/// What shared words say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LexicalSignal {
    /// The lexical score.
    pub value: f32,
    /// Its part of the score.
    pub share: f32,
    /// The words that made it, the best first; their shares add up to this share.
    pub terms: Vec<TermSignal>,
}

/// What trigger phrases say.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriggerSignal {
    /// The phrases.
    pub phrases: Vec<String>,
    /// Their part of the score.
    pub share: f32,
}

impl Signals {
    /// The score that the shares add up to.
    pub fn total(&self) -> f32 {
        let voices: f32 = self.voices.iter().map(|voice| voice.share).sum();
        let triggers = self.triggers.as_ref().map_or(0.0, |triggers| triggers.share);
        voices + self.lexical.share + triggers + self.prior.unwrap_or(0.0)
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
