//! The reference of the profiles, made from their data.

use std::fmt::Debug;

use prowess_config::{FileNameMatch, Profile, RootSpec, SpecModeRule, profile};
use prowess_types::{ConflictPolicy, OsRule, ProfileName};

/// The page.
pub(crate) fn page() -> String {
    let profiles = [ProfileName::Prowess, ProfileName::Openclaw, ProfileName::Openpocket].map(profile);
    let mut text = String::from(
        "# Profiles\n\nA profile is data: one mechanism reads it, so everything in which two engines differ is a row \
         here. Choose one with\n`--profile` or `PROWESS_PROFILE`.\n\n| choice | prowess | openclaw | openpocket |\n|---|---|---|---|\n",
    );
    text.extend(ROWS.map(|(choice, read)| format!("| {choice} | {} |\n", profiles.map(read).join(" | "))));
    for rules in profiles {
        let first = match rules.conflict {
            ConflictPolicy::LastWins => "weakest",
            ConflictPolicy::FirstWins => "strongest",
        };
        text.extend(["\n## Roots of `", &words(&rules.name), "`, the ", first, " first\n\n"]);
        text += "| tier | label | place | links | several hard links | depth |\n|---|---|---|---|---|---|\n";
        text.extend(rules.roots.iter().map(root));
    }
    text + "\nPlaces are explained in [discovery.md](../discovery.md).\n"
}

/// A choice, and how it reads.
type Row = (&'static str, fn(&'static Profile) -> String);

const ROWS: [Row; 30] = [
    ("config file", |rules| format!("`{}`", rules.config_file)),
    ("state directory", |rules| format!("`~/{}`", rules.places.state_folder)),
    ("variable that moves it", |rules| format!("`{}`", rules.places.state_env)),
    ("variable that moves the config file", |rules| optional(rules.places.config_env)),
    ("variable that replaces the home", |rules| optional(rules.places.home_env)),
    ("variables that name the bundled skills", |rules| list(rules.places.bundled_env)),
    ("plugins in the state directory", |rules| list(rules.plugin_folders)),
    ("plugins in a workspace, if the user names them", |rules| list(rules.workspace_plugin_folders)),
    ("relative paths in the config start at the", |rules| words(&rules.places.relative_to)),
    ("workspace of an agent without its own", |rules| words(&rules.workspaces)),
    ("who wins a conflict", |rules| words(&rules.conflict)),
    ("what a conflict is about", |rules| words(&rules.merge_key)),
    ("order of the list", |rules| words(&rules.order)),
    ("gate", |rules| words(&rules.gate.order)),
    ("what counts as a binary on `PATH`", |rules| words(&rules.gate.bins)),
    ("operating systems are compared", |rules| match rules.gate.os {
        OsRule::Tolerant => "tolerantly".into(),
        OsRule::ExactInPrompt => "tolerantly in the report, exactly in the prompt".into(),
    }),
    ("`anyBins` and `always`", |rules| {
        if rules.gate.any_bins_and_always { "honoured" } else { "ignored" }.into()
    }),
    ("spelling of a called name", |rules| words(&rules.command_spelling)),
    ("a blank variable of the environment counts as", |rules| words(&rules.blank_variable)),
    ("below a skill's folder", |rules| words(&rules.descent)),
    ("links that lead in circles", |rules| words(&rules.link_loops)),
    ("links to the skills of plugins", |rules| optional(rules.plugin_links)),
    ("`skill.md` counts as `SKILL.md`", |rules| yes(rules.skill_file == FileNameMatch::AnyCase)),
    ("spec mode", |rules| match rules.spec_mode {
        SpecModeRule::Default(mode) => format!("`agent.skillsSpecMode`, else {}", words(&mode)),
        SpecModeRule::Always(mode) => format!("always {}", words(&mode)),
    }),
    ("dialect", |rules| words(&rules.dialect)),
    ("wording of the prompt", |rules| words(&rules.prompt.wording)),
    ("budget of the prompt", |rules| {
        let skills = rules.prompt.budget.max_skills;
        let skills = if skills == usize::MAX { "any number of".into() } else { skills.to_string() };
        format!("{skills} skills, {} characters", rules.prompt.budget.max_chars)
    }),
    ("command that a cut list names", |rules| format!("`{}`", rules.audit_command)),
    ("descriptions are shortened before skills are left out", |rules| yes(rules.prompt.compact_fallback)),
    ("no section for sub-agents (`minimal`)", |rules| yes(rules.prompt.omit_when_minimal)),
];

fn root(spec: &RootSpec) -> String {
    let depth = if spec.max_depth == spec.max_depth_in_skills_folder {
        spec.max_depth.to_string()
    } else {
        format!("{} ({} where it is called `skills`)", spec.max_depth, spec.max_depth_in_skills_folder)
    };
    let links = if spec.hard_links_allowed { "allowed" } else { "refused" };
    let (tier, place, symlinks) = (words(&spec.tier), words(&spec.place), words(&spec.links));
    format!("| {tier} | `{}` | {place} | {symlinks} | {links} | {depth} |\n", spec.label)
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".into(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

fn optional(name: Option<&str>) -> String {
    name.map_or_else(|| "none".into(), |name| format!("`{name}`"))
}

fn yes(flag: bool) -> String {
    if flag { "yes" } else { "no" }.into()
}

/// The name of a variant as words: `LastWins` reads `last wins`.
fn words(variant: &impl Debug) -> String {
    let mut words = String::new();
    for character in format!("{variant:?}").chars() {
        if character.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_read_as_words() {
        assert_eq!(words(&ProfileName::Openclaw), "openclaw");
        assert_eq!(words(&prowess_types::ConflictPolicy::LastWins), "last wins");
    }

    #[test]
    fn every_profile_is_on_the_page() {
        let page = page();
        for part in ["| dialect | prowess | openclaw | openpocket |", "## Roots of `openpocket`"] {
            assert!(page.contains(part), "{part}");
        }
    }
}
