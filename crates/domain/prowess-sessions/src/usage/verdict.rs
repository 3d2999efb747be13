//! The verdict that follows from the counts.

use prowess_config::Select;
use prowess_inventory::{Inventory, PromptRequest, SkillEntry, why_invisible};
use prowess_types::LossReason;

use super::{DEAD_AFTER, SkillUsage, Tallies, UsageReport, UsageVerdict};

/// The skills with their verdicts, those that were loaded most first.
pub(super) fn judged(skills: Tallies, inventory: &Inventory, report: &UsageReport) -> Vec<SkillUsage> {
    let has_records = report.runs > 0 || report.hook_messages > 0;
    let has_catalogues = report.runs > report.runs_without_catalogue;
    // If each message chooses from all skills, no limit of the list keeps one from its chance.
    let cuts = match inventory.settings.select {
        Select::Message => Vec::new(),
        _ => inventory.explain_prompt(&PromptRequest::default()).skills,
    };
    let cut =
        |name: &str| cuts.iter().find(|skill| skill.name == name).and_then(|skill| skill.reason.clone());
    let mut judged: Vec<SkillUsage> = skills
        .into_iter()
        .map(|(name, mut usage)| {
            let entry = inventory.entries.iter().find(|entry| entry.skill.name == name);
            usage.path = entry.map(|entry| entry.origin.file.display().to_string());
            if usage.shown >= DEAD_AFTER && usage.loaded == 0 {
                usage.verdicts.push(UsageVerdict::Dead);
            }
            if usage.missed > 0 {
                usage.verdicts.push(UsageVerdict::Missed);
            }
            if usage.shown == 0 && usage.loaded == 0 && has_records {
                usage.reason = entry.and_then(|entry| match entry.is_model_visible() {
                    false => Some(why_invisible(entry)),
                    // Every message that a hook answers gives every visible skill a chance.
                    true if report.hook_messages == 0 && has_catalogues => cut(&name),
                    true => None,
                });
                usage.verdicts.extend(usage.reason.as_ref().map(|_| UsageVerdict::NeverHadAChance));
            }
            usage.name = name;
            usage
        })
        .collect();
    if has_records {
        judged.extend(shadowed(inventory));
    }
    judged.sort_by(|one, other| {
        let rank = |usage: &SkillUsage| (usage.loaded, usage.shown, usage.missed);
        rank(other).cmp(&rank(one)).then_with(|| (&one.name, &one.path).cmp(&(&other.name, &other.path)))
    });
    judged
}

/// Copies that another skill of the same name hides.
fn shadowed(inventory: &Inventory) -> impl Iterator<Item = SkillUsage> {
    let losses = inventory.losses.iter().filter(|loss| loss.reason == LossReason::Shadowed);
    losses.filter_map(|loss| {
        let name = loss.name.clone()?;
        let winner = inventory.entries.iter().find(|entry| entry.skill.name == name);
        let by = |entry: &SkillEntry| format!("shadowed by `{}`", entry.origin.file.display());
        Some(SkillUsage {
            reason: Some(winner.map_or_else(|| loss.message.clone(), by)),
            path: Some(loss.path.display().to_string()),
            verdicts: vec![UsageVerdict::NeverHadAChance],
            name,
            ..SkillUsage::default()
        })
    })
}
