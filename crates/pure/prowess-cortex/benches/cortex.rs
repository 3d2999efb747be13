//! How long a million events, a perception and the entity filter take.

#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::collections::HashMap;

use divan::Bencher;
use prowess_cortex::{CortexState, Event, EventKind, OutcomeEvent, Rules, lexical_similarity, signals};
use prowess_types::OutcomeResult;

fn main() {
    divan::main();
}

const WORDS: [&str; 8] = ["query", "sales", "report", "convert", "image", "send", "email", "schedule"];

/// An outcome every few minutes over nine years, in eighty regions with seven skills each.
fn outcome(number: i64) -> Event {
    let result = match number % 11 {
        4 => OutcomeResult::ApiError,
        9 => OutcomeResult::TaskMismatch,
        _ => OutcomeResult::Success,
    };
    let mut outcome = OutcomeEvent::new(
        &format!("region-{}", number % 80),
        &format!("skill-{}", number % 7),
        "1.0.0",
        result,
    );
    outcome.side_effects = Some(vec!["network:api.example.test".to_owned()]);
    let word = |at: i64| WORDS[usize::try_from((number + at) % 8).unwrap()].to_owned();
    outcome.signals = vec![word(0), word(3), format!("word-{}", number % 80)];
    Event::new(&format!("{number:026}"), number * 290_000, EventKind::Outcome(outcome))
}

#[divan::bench(args = [Rules::AsWritten, Rules::Prowess], sample_count = 5, sample_size = 1)]
fn fold_of_1_000_000_events(bencher: Bencher<'_, '_>, rules: Rules) {
    let events: Vec<Event> = (0..1_000_000).map(outcome).collect();
    bencher.bench_local(|| CortexState::replay(&events, rules));
}

/// Counting the same events by region and skill.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn baseline_of_fold_of_1_000_000_events(bencher: Bencher<'_, '_>) {
    let events: Vec<Event> = (0..1_000_000).map(outcome).collect();
    bencher.bench_local(|| {
        let mut counts: HashMap<(&str, &str), u64> = HashMap::new();
        for event in &events {
            if let EventKind::Outcome(outcome) = &event.kind {
                *counts.entry((&outcome.region, &outcome.slug)).or_default() += 1;
            }
        }
        counts
    });
}

/// Only the similarities of the task to all regions.
#[divan::bench]
fn baseline_of_perceive_among_80_regions(bencher: Bencher<'_, '_>) {
    let events: Vec<Event> = (0..10_000).map(outcome).collect();
    let state = CortexState::replay(&events, Rules::Prowess);
    let task = signals("Look up Alice's Q3 sales report");
    bencher.bench_local(|| {
        let near = |pattern: &prowess_cortex::Pattern| lexical_similarity(&task, &pattern.signal);
        state.patterns().iter().map(near).fold(0.0, f64::max)
    });
}

#[divan::bench]
fn perceive_among_80_regions(bencher: Bencher<'_, '_>) {
    let events: Vec<Event> = (0..10_000).map(outcome).collect();
    let state = CortexState::replay(&events, Rules::Prowess);
    assert_eq!(state.patterns().len(), 80);
    let task = signals("Look up Alice's Q3 sales report");
    let clock = events.last().unwrap().clock;
    bencher.bench_local(|| {
        let near = |pattern: &prowess_cortex::Pattern| lexical_similarity(&task, &pattern.signal);
        state.perceive(&near, 0.5, clock, Rules::Prowess)
    });
}

const TASKS: [&str; 4] = [
    "Look up Alice's Q3 sales report",
    "Fasse den Quartalsbericht von Anna Müller zusammen",
    "Resume el informe de ventas de Telefónica",
    "查询张伟的第三季度销售报告",
];

/// The words between spaces, in small letters.
#[divan::bench(args = TASKS)]
fn baseline_of_entity_filter(task: &str) -> Vec<String> {
    task.split_whitespace().map(str::to_lowercase).collect()
}

#[divan::bench(args = TASKS)]
fn entity_filter(task: &str) -> Vec<String> {
    signals(task)
}
