//! The actions of a skill, shown before they happen.

use prowess_acquire::Plan;
use prowess_cortex::{CortexState, Lesson, LessonKind, SideEffectMark, mark};
use serde::Serialize;

/// Steps of a plan that are shown.
const MAX_STEPS: usize = 12;
/// The longest step that is shown, in characters.
const MAX_STEP: usize = 120;

/// What a skill would do.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskPlan {
    /// The skill.
    pub skill: String,
    /// Its steps, from its own text.
    pub steps: Vec<String>,
    /// What it does to the world.
    pub effects: Vec<SkillEffect>,
    /// What was learned before.
    pub lessons: Vec<Lesson>,
    /// Programs that tend to be missing for such tasks, and whether they are there.
    pub checked: Vec<(String, bool)>,
}

/// Something a skill does to the world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Effect")]
pub struct SkillEffect {
    /// How much it matters.
    pub mark: SideEffectMark,
    /// What it is (`verb:target`).
    pub tag: String,
}

/// Returns the actions of a skill, from its own text, its scan and what was learned.
/// `is_there` says whether a program is on this machine.
pub(super) fn task_plan(
    state: &CortexState,
    region: &str,
    slug: &str,
    plan: &Plan,
    is_there: &dyn Fn(&str) -> bool,
) -> TaskPlan {
    let mut effects: Vec<SkillEffect> =
        side_effects(plan).into_iter().map(|tag| SkillEffect { mark: mark(&tag), tag }).collect();
    effects.sort();
    let lessons: Vec<Lesson> = state.lessons_for(region, slug).cloned().collect();
    let checked = lessons.iter().filter_map(|lesson| match &lesson.kind {
        LessonKind::DependencyWarning { key, .. } => Some((key.clone(), is_there(key))),
        _ => None,
    });
    TaskPlan {
        skill: plan.name.clone(),
        steps: steps(plan.skill_text().unwrap_or_default()),
        effects,
        checked: checked.collect(),
        lessons,
    }
}

/// The side effects of a skill, in the cortex's words.
pub(super) fn side_effects(plan: &Plan) -> Vec<String> {
    let tags: Vec<String> = plan.review.capabilities.iter().map(str::to_owned).collect();
    effect_words(&tags)
}

/// Tags of the scanner and of runs in the cortex's words.
pub(in crate::cortex) fn effect_words(tags: &[String]) -> Vec<String> {
    let words = |tag: &String| match tag.split_once(':') {
        Some(("env", name)) => format!("read:env:{name}"),
        _ => tag.clone(),
    };
    tags.iter().map(words).collect()
}

/// Returns the steps of a skill: its first numbered list, or else its headings.
fn steps(text: &str) -> Vec<String> {
    let mut is_code = false;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_code && !is_fence
        })
        .collect();
    let numbered = |line: &&str| {
        let rest = line.trim_start().trim_start_matches(|char: char| char.is_ascii_digit());
        let is_item = rest.len() < line.trim_start().len() && rest.starts_with(". ");
        is_item.then(|| rest[2..].trim().to_owned())
    };
    let mut found: Vec<String> = lines.iter().filter_map(numbered).collect();
    if found.is_empty() {
        let heading = |line: &&str| line.strip_prefix("## ").map(|title| title.trim().to_owned());
        found = lines.iter().filter_map(heading).collect();
    }
    found.truncate(MAX_STEPS);
    found.into_iter().map(|step| step.chars().take(MAX_STEP).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_numbered_lines_or_else_the_headings() {
        let numbered = "# T\n\n## One\n1. Read it.\n```sh\n2. not this\n```\n  2. Say it.\n";
        assert_eq!(steps(numbered), ["Read it.", "Say it."]);
        assert_eq!(steps("# T\n## First\ntext\n## Second\n"), ["First", "Second"]);
        assert!(steps("").is_empty());
    }
}
