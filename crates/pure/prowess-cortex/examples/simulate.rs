//! Shows what learning gains: `cargo xtask simulate-cortex`.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use prowess_cortex::Rules;
use prowess_cortex::simulate::Simulation;
use prowess_types::OutcomeResult::{RuntimeError, TaskMismatch};

fn main() {
    println!(
        "| rules | seed | top-1 before | top-1 after 200 outcomes | gain (points) |\n|---|---:|---:|---:|---:|"
    );
    for rules in Rules::ALL {
        let mut gains = Vec::new();
        for seed in 0..20 {
            let simulated = Simulation { seed, ..Simulation::default() }.run(rules);
            gains.push(simulated.gain());
            let (before, after) = (100.0 * simulated.before, 100.0 * simulated.after);
            println!("| {} | {seed} | {before:.1} | {after:.1} | {:.1} |", rules.name(), simulated.gain());
        }
        let least = gains.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = gains.iter().sum::<f64>() / gains.len() as f64;
        println!("| {} | all | | | mean {mean:.1}, least {least:.1} |", rules.name());
    }
    for rules in Rules::ALL {
        for failure in [TaskMismatch, RuntimeError] {
            let dropped = Simulation::poison(failure, rules).failures;
            println!(
                "{}: a candidate poisoned with {failure:?} is dropped after {dropped:?} failures",
                rules.name()
            );
        }
    }
}
