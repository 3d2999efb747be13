//! What would have changed a decision.

use std::fmt;

use crate::decision::SelectDecision;
use crate::gate::{GateReport, log_odds};
use crate::selection::{Counterfactual, Eligibility, Ranked, ThresholdLevel};

impl Counterfactual {
    /// In words, with the caller's names for the rows.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::Uncertain { row, confidence } => {
                format!(
                    "without the certain signal, {} would have a confidence of {confidence:.2}",
                    name(*row)
                )
            }
            Self::Threshold { level, reached, used } if reached < used => {
                format!("a {level} threshold of {reached:.2} instead of {used:.2} would have been reached")
            }
            Self::Threshold { level, reached, used } => {
                format!(
                    "a {level} threshold above {reached:.2} instead of {used:.2} would not have been reached"
                )
            }
            Self::Feature { feature, value, needed, level } => {
                format!(
                    "with {feature} at {needed:.2} instead of {value:.2} the {level} threshold would be crossed"
                )
            }
            Self::RunnerUp { row, behind } => format!("{} would be first with {behind:.3} more", name(*row)),
            Self::HeldBack { row, standing } => {
                let reason = match standing {
                    Eligibility::Open => "chosen",
                    Eligibility::Ineligible => "eligible",
                    Eligibility::Vetoed { .. } => "not ruled out by its own phrase",
                    Eligibility::OutOfPath => "asked for with one of its files",
                };
                format!("{} would be first if it were {reason}", name(*row))
            }
        }
    }
}

impl fmt::Display for Counterfactual {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.describe(|row| format!("row {row}")))
    }
}

impl fmt::Display for ThresholdLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Load => "load",
            Self::Suggest => "suggest",
        })
    }
}

/// A decision and what it was made of.
pub(crate) struct Decided<'a> {
    pub(crate) ranked: &'a [Ranked],
    pub(crate) decision: &'a SelectDecision,
    /// The gate's view of the best row that may be chosen, certain signals aside.
    pub(crate) gate: &'a GateReport,
    pub(crate) load: f32,
    pub(crate) suggest: f32,
}

impl Decided<'_> {
    /// What would have changed the decision.
    pub(crate) fn counterfactuals(&self) -> Vec<Counterfactual> {
        let Some(best) = self.ranked.iter().position(|ranked| ranked.standing == Eligibility::Open) else {
            return self.held_back(self.ranked.len()).collect();
        };
        let mut found = Vec::new();
        if self.ranked[best].certain.is_some() {
            let confidence = self.gate.confidence;
            found.push(Counterfactual::Uncertain { row: self.ranked[best].row, confidence });
        } else {
            let (level, used) = match self.decision {
                SelectDecision::Nothing => (ThresholdLevel::Suggest, self.suggest),
                SelectDecision::Suggest { .. } | SelectDecision::Load { .. } => {
                    (ThresholdLevel::Load, self.load)
                }
            };
            found.push(Counterfactual::Threshold { level, reached: self.gate.confidence, used });
            found.extend(self.smallest_change(level, used));
            found.extend(self.runner_up(best));
        }
        found.extend(self.held_back(best));
        found
    }

    /// The feature that needs the smallest change to cross a threshold.
    fn smallest_change(&self, level: ThresholdLevel, threshold: f32) -> Option<Counterfactual> {
        let missing = log_odds(threshold) - log_odds(self.gate.confidence);
        let changes = self.gate.features.iter().filter_map(|report| {
            let change = missing / report.weight;
            let needed = report.value + change;
            needed.is_finite().then_some((change.abs(), report, needed))
        });
        let (_, report, needed) = changes.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Counterfactual::Feature { feature: report.feature, value: report.value, needed, level })
    }

    /// Rows before the best one that may be chosen.
    fn held_back(&self, best: usize) -> impl Iterator<Item = Counterfactual> {
        let before = self.ranked[..best].iter();
        before.map(|ranked| Counterfactual::HeldBack { row: ranked.row, standing: ranked.standing.clone() })
    }

    fn runner_up(&self, best: usize) -> Option<Counterfactual> {
        let next = self.ranked[best + 1..].iter().find(|ranked| ranked.standing == Eligibility::Open)?;
        Some(Counterfactual::RunnerUp { row: next.row, behind: next.behind })
    }
}
