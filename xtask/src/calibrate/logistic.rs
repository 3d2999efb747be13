//! Weighted logistic regression with an L2 penalty, fitted by iteratively re-weighted least squares.

use super::linear::{Symmetric, add, dot};

/// Steps until it counts as settled; a convex problem needs about ten.
const STEPS: usize = 100;
const SETTLED: f64 = 1e-9;

/// One observation.
pub(super) struct Example {
    pub(super) features: Vec<f64>,
    pub(super) label: bool,
    pub(super) weight: f64,
}

/// What a fit found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) intercept: f64,
    pub(super) weights: Vec<f64>,
}

impl Fit {
    /// The probability for one row of features.
    pub(super) fn probability(&self, features: &[f64]) -> f64 {
        probability(self.intercept + dot(&self.weights, features))
    }
}

/// Minimises the weighted log loss plus `penalty / 2` times the squared weights; the intercept is free.
pub(super) fn fit<'a>(examples: impl Iterator<Item = &'a Example> + Clone, penalty: f64) -> Fit {
    let width = examples.clone().next().map_or(0, |example| example.features.len()) + 1;
    let mut penalties = vec![penalty; width];
    penalties[0] = 0.0;
    let mut theta = vec![0.0; width];
    let mut row = vec![1.0; width];
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> =
            theta.iter().zip(&penalties).map(|(value, penalty)| penalty * value).collect();
        let mut hessian = Symmetric::diagonal(&penalties);
        for example in examples.clone() {
            row[1..].copy_from_slice(&example.features);
            let probability = probability(dot(&theta, &row));
            add(&mut gradient, example.weight * (probability - f64::from(example.label)), &row);
            hessian.add_square(example.weight * probability * (1.0 - probability), &row);
        }
        let step = hessian.solve(gradient.into_iter().map(|number| vec![number]).collect()).concat();
        add(&mut theta, -1.0, &step);
        if step.iter().all(|change| change.abs() < SETTLED) {
            break;
        }
    }
    Fit { intercept: theta[0], weights: theta.split_off(1) }
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(features: &[f64], label: bool, weight: f64) -> Example {
        Example { features: features.to_vec(), label, weight }
    }

    /// One yes in four below, three in four above: the fit without penalty is the log odds.
    #[test]
    fn finds_the_log_odds() {
        let examples = [
            example(&[0.0], true, 1.0),
            example(&[0.0], false, 3.0),
            example(&[1.0], true, 6.0),
            example(&[1.0], false, 2.0),
        ];
        let fit = fit(examples.iter(), 0.0);
        assert!((fit.intercept + 3f64.ln()).abs() < 1e-8, "{fit:?}");
        assert!((fit.weights[0] - 2.0 * 3f64.ln()).abs() < 1e-8);
        assert!((fit.probability(&[1.0]) - 0.75).abs() < 1e-8);
    }

    #[test]
    fn a_penalty_keeps_separable_data_finite() {
        let fit = fit([example(&[0.0], false, 1.0), example(&[1.0], true, 1.0)].iter(), 1.0);
        assert!(fit.weights[0].is_finite() && fit.weights[0] > 0.0 && fit.weights[0] < 3.0);
    }
}
