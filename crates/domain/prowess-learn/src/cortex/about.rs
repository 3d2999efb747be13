//! The memory of one skill, to explain why it is chosen.

use prowess_context::Context;
use prowess_cortex::RegionMatch;
use prowess_inventory::WhyStep;
use prowess_types::CheckOutcome;

use super::learned;
use super::prior::PRIOR;

/// Returns the memory of a skill, as the last rules that decide about it.
pub fn learned_about(context: &Context, name: &str, now_ms: u64) -> Vec<WhyStep> {
    let Some((state, rules)) = learned(context) else { return Vec::new() };
    let clock = i64::try_from(now_ms).unwrap_or(i64::MAX);
    let regions = state.task_patterns().into_iter().map(|pattern| pattern.region);
    let told = regions.filter_map(|region| {
        let near = RegionMatch { region: region.clone(), similarity: 1.0 };
        let prior = state.prior(name, Some(&near), PRIOR, clock, rules);
        let effective = prior.effective?;
        Some(WhyStep {
            stage: "learn",
            rule: region,
            outcome: if prior.value >= 0.0 { CheckOutcome::Pass } else { CheckOutcome::Fail },
            detail: format!(
                "weight {effective:.3} after {} of {} runs for such tasks: {:+.2} of the score ({:+.2} learned, {:+.2} \
                 exploration)",
                prior.uses, prior.region_uses, prior.value, prior.learned, prior.exploration
            ),
        })
    });
    told.collect()
}
