//! A made-up user with fixed preferences: does learning choose better than not learning?
//!
//! There are kinds of tasks, and for each some skills that look alike to selection. One of them is the one this user is
//! happy with; nothing in a score tells which. Each turn a task comes, the skill with the highest score plus prior is
//! used, and the outcome is learned. What is measured is how often the right skill stands first, with and without the
//! prior, on the same tasks. Everything is drawn from a seed, so a run can be repeated to the last digit.

use prowess_types::OutcomeResult;
use serde::Serialize;

use crate::{CortexState, Event, EventKind, OutcomeEvent, PriorSettings, RegionMatch, Rules, Tenure};

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Simulation {
    /// The seed of the random draws.
    pub seed: u64,
    /// Kinds of tasks.
    pub regions: usize,
    /// Skills that look alike, for each.
    pub skills: usize,
    /// Outcomes that are learned.
    pub outcomes: usize,
    /// Tasks on which the choice is measured, before and after.
    pub measured: usize,
    /// The share of outcomes that say the opposite of the truth.
    pub noise: f64,
    /// How far the prior may push.
    pub prior: PriorSettings,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            seed: 7,
            regions: 8,
            skills: 4,
            outcomes: 200,
            measured: 1_000,
            noise: 0.05,
            prior: PriorSettings::default(),
        }
    }
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Simulated {
    /// The share of tasks for which the right skill stands first, without learning.
    pub before: f64,
    /// The same tasks after learning.
    pub after: f64,
    /// How often the user was happy while it was learned.
    pub while_learning: f64,
}

impl Simulated {
    /// The gain in points of a hundred.
    pub fn gain(&self) -> f64 {
        100.0 * (self.after - self.before)
    }
}

/// What happened to a candidate that fails every time, in a region with a good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Poisoned {
    /// The number of its uses before it was no longer offered; none if it still is.
    pub failures: Option<u32>,
}

const DAY: i64 = 86_400_000;
/// Scores of skills for the same kind of task differ by less than this, and by half as much from task to task.
const SPREAD: f64 = 0.1;

impl Simulation {
    /// Runs it.
    pub fn run(&self, rules: Rules) -> Simulated {
        let mut draws = Draws(self.seed);
        let user = User::new(self, &mut draws);
        let tasks: Vec<Task> = (0..self.measured).map(|_| user.task(&mut draws)).collect();
        let mut state = CortexState::default();
        let right = |state: &CortexState, clock: i64| {
            let hits =
                tasks.iter().filter(|task| user.is_right(task, self.choose(task, state, clock, rules)));
            hits.count() as f64 / tasks.len().max(1) as f64
        };
        let before = right(&state, 0);
        let mut happy = 0;
        let mut clock = 0;
        for number in 0..self.outcomes {
            let task = user.task(&mut draws);
            let chosen = self.choose(&task, &state, clock, rules);
            let is_right = user.is_right(&task, chosen);
            happy += u32::from(is_right);
            let is_reported = is_right != (draws.next() < self.noise);
            let result = if is_reported { OutcomeResult::Success } else { OutcomeResult::TaskMismatch };
            state.apply(&event(number, clock, task.region, chosen, result), rules);
            clock += DAY / 4;
        }
        let while_learning = f64::from(happy) / self.outcomes.max(1) as f64;
        Simulated { before, after: right(&state, clock), while_learning }
    }

    /// The skill with the highest score and prior; the first of equals.
    fn choose(&self, task: &Task, state: &CortexState, clock: i64, rules: Rules) -> usize {
        let region = RegionMatch { region: region_name(task.region), similarity: 1.0 };
        let mut best = (0, f64::NEG_INFINITY);
        for (skill, score) in task.scores.iter().enumerate() {
            let prior = state.prior(&skill_name(skill), Some(&region), self.prior, clock, rules);
            if score + prior.value > best.1 {
                best = (skill, score + prior.value);
            }
        }
        best.0
    }

    /// A candidate that was proven over months and then fails every time.
    pub fn poison(failure: OutcomeResult, rules: Rules) -> Poisoned {
        let mut state = CortexState::default();
        let mut clock = 0;
        let mut add = |state: &mut CortexState, slug: &str, result| {
            let outcome = OutcomeEvent::new("region", slug, "1.0.0", result);
            state.apply(&Event::new(&format!("{clock:026}"), clock, EventKind::Outcome(outcome)), rules);
            clock += 8 * DAY;
            clock
        };
        let mut clock = add(&mut state, "honest", OutcomeResult::Success);
        for _ in 0..20 {
            clock = add(&mut state, "poisoned", OutcomeResult::Success);
        }
        for failures in 0..20 {
            let listing = state.listing("region", clock, rules);
            if !listing.iter().any(|listed| listed.candidate.slug == "poisoned") {
                return Poisoned { failures: Some(failures) };
            }
            clock = add(&mut state, "poisoned", failure);
        }
        Poisoned { failures: None }
    }
}

fn event(number: usize, clock: i64, region: usize, skill: usize, result: OutcomeResult) -> Event {
    let mut outcome = OutcomeEvent::new(&region_name(region), &skill_name(skill), "1.0.0", result);
    outcome.tenure = Tenure::LongTerm;
    Event::new(&format!("{number:026}"), clock, EventKind::Outcome(outcome))
}

fn region_name(region: usize) -> String {
    format!("region-{region}")
}

fn skill_name(skill: usize) -> String {
    format!("skill-{skill}")
}

/// A task as selection sees it: a score for each skill.
struct Task {
    region: usize,
    scores: Vec<f64>,
}

struct User {
    /// How well the skills of each region seem to fit on average.
    fits: Vec<Vec<f64>>,
    /// The skill this user is happy with, for each region.
    preferred: Vec<usize>,
}

impl User {
    fn new(simulation: &Simulation, draws: &mut Draws) -> Self {
        let fits = (0..simulation.regions)
            .map(|_| (0..simulation.skills).map(|_| 0.5 + SPREAD * draws.next()).collect())
            .collect();
        let preferred = (0..simulation.regions).map(|_| draws.below(simulation.skills)).collect();
        Self { fits, preferred }
    }

    fn task(&self, draws: &mut Draws) -> Task {
        let region = draws.below(self.fits.len());
        let noisy = |fit: &f64| fit + SPREAD / 2.0 * (draws.next() - 0.5);
        let scores = self.fits.get(region).map(|fits| fits.iter().map(noisy).collect()).unwrap_or_default();
        Task { region, scores }
    }

    fn is_right(&self, task: &Task, skill: usize) -> bool {
        self.preferred.get(task.region) == Some(&skill)
    }
}

/// SplitMix64: small, and the same everywhere.
struct Draws(u64);

impl Draws {
    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below the count, not negative"
        )]
        let drawn = (self.next() * count as f64) as usize;
        drawn.min(count.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learning_gains_fifteen_points_whatever_the_seed() {
        let mut gains = Vec::new();
        for seed in 0..20 {
            let simulated = Simulation { seed, ..Simulation::default() }.run(Rules::Prowess);
            assert!(simulated.gain() >= 15.0, "seed {seed}: {simulated:?}");
            gains.push(simulated.gain());
        }
        assert!(gains.iter().sum::<f64>() / 20.0 >= 30.0, "{gains:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let simulation = Simulation::default();
        assert_eq!(simulation.run(Rules::Prowess), simulation.run(Rules::Prowess));
        assert_ne!(simulation.run(Rules::Prowess), Simulation { seed: 8, ..simulation }.run(Rules::Prowess));
    }

    #[test]
    fn without_a_prior_nothing_is_gained() {
        let prior = PriorSettings { bound: 0.0, exploration: 0.0 };
        let simulated = Simulation { prior, ..Simulation::default() }.run(Rules::Prowess);
        assert!(simulated.gain().abs() < 1e-9, "{simulated:?}");
    }

    #[test]
    fn a_poisoned_candidate_is_dropped_within_three_failures() {
        for rules in Rules::ALL {
            for failure in [OutcomeResult::TaskMismatch, OutcomeResult::RuntimeError] {
                let poisoned = Simulation::poison(failure, rules);
                assert!(
                    poisoned.failures.is_some_and(|failures| failures <= 3),
                    "{rules:?}, {failure:?}: {poisoned:?}"
                );
            }
        }
    }

    #[test]
    fn an_empty_simulation_ends() {
        let empty = Simulation { regions: 0, skills: 0, outcomes: 3, measured: 0, ..Simulation::default() };
        assert!(empty.run(Rules::Prowess).gain().abs() < 1e-9);
    }
}
