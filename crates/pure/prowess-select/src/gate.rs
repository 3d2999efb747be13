//! Whether the best skill should load at all: a calibrated probability, and how it came about.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something about a message and a row that speaks for or against loading it.
///
/// Likeness is counted in standard deviations of the encoder, so that encoders can be compared. No feature looks
/// at other rows: one skill is judged like one of 100,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Feature {
    /// The row's score.
    Score,
    /// How like the nearest sentences that ask for nothing the message is.
    Null,
    /// How like all sentences that ask for nothing the message is.
    NullMean,
    /// How much the message itself sounds like a request for a skill.
    Request,
    /// The answer of the second reader for message and row together.
    Reader,
    /// The action of the message read by itself; never a weight of a gate.
    Action,
}

impl Feature {
    /// All features, in the order of their values.
    pub const ALL: [Self; 6] =
        [Self::Score, Self::Null, Self::NullMean, Self::Request, Self::Reader, Self::Action];
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Score => "the score",
            Self::Null => "the likeness to small talk",
            Self::NullMean => "the mean likeness to small talk",
            Self::Request => "the sound of a request",
            Self::Reader => "the second reading",
            Self::Action => "the action by itself",
        })
    }
}

/// The values of all features, in the order of [`Feature::ALL`].
pub(crate) type Values = [f32; Feature::ALL.len()];

/// A logistic model of the features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Gate {
    /// The log odds when every feature is zero.
    pub intercept: f32,
    /// What each feature adds per unit; those not named add nothing.
    pub weights: Vec<(Feature, f32)>,
    /// The direction, in the space of the route's first encoder, in which messages sound like requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub request: Vec<f32>,
}

/// How a confidence came about: the log odds are the intercept plus the shares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateReport {
    /// The probability that the row should load.
    pub confidence: f32,
    /// The log odds without any feature.
    pub intercept: f32,
    /// What each feature adds to the log odds.
    pub features: Vec<FeatureReport>,
}

/// What a feature adds.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureReport {
    /// Which feature.
    pub feature: Feature,
    /// Its value.
    pub value: f32,
    /// What one unit of it adds.
    pub weight: f32,
    /// What it adds to the log odds.
    pub share: f32,
}

impl Gate {
    /// The probability that a row with these values should load, with every feature's part in it.
    pub(crate) fn judge(&self, values: &Values) -> GateReport {
        let report = |&(feature, weight): &(Feature, f32)| {
            let value = values[feature as usize];
            FeatureReport { feature, value, weight, share: weight * value }
        };
        let features: Vec<FeatureReport> = self.weights.iter().map(report).collect();
        let log_odds = self.intercept + features.iter().map(|feature| feature.share).sum::<f32>();
        GateReport { confidence: probability(log_odds), intercept: self.intercept, features }
    }

    pub(crate) fn is_sound(&self) -> bool {
        let weights = self.weights.iter().map(|(_, weight)| weight).chain(&self.request);
        self.intercept.is_finite() && weights.into_iter().all(|weight| weight.is_finite())
    }
}

impl GateReport {
    /// Adds a share to the log odds.
    pub(crate) fn add(&mut self, feature: Feature, share: f32) {
        self.confidence = probability(log_odds(self.confidence) + share);
        self.features.push(FeatureReport { feature, value: share, weight: 1.0, share });
    }
}

fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The log odds of a probability; far out but finite for 0 and 1.
pub(crate) fn log_odds(probability: f32) -> f32 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_intercept_are_the_log_odds() {
        let weights = vec![(Feature::Score, 2.0), (Feature::Null, 0.5)];
        let gate = Gate { intercept: -1.0, weights, request: Vec::new() };
        let mut values = [0.0; Feature::ALL.len()];
        values[Feature::Score as usize] = 1.5;
        values[Feature::Null as usize] = -2.0;
        let report = gate.judge(&values);
        let shares: Vec<f32> = report.features.iter().map(|feature| feature.share).collect();
        assert_eq!(shares, [3.0, -1.0]);
        assert!((log_odds(report.confidence) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn features_stand_in_their_order() {
        for (at, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, at);
        }
    }

    #[test]
    fn log_odds_are_finite() {
        assert!(log_odds(0.0).is_finite() && log_odds(1.0).is_finite() && log_odds(0.5).abs() < 1e-6);
    }
}
