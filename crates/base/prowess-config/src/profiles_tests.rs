use insta::assert_snapshot;

use super::*;

fn table(name: ProfileName) -> String {
    let rows = profile(name).roots.iter().map(|root| {
        format!(
            "{:?} {} {:?} {:?} hard-links={} depth={}/{}",
            root.tier,
            root.label,
            root.place,
            root.links,
            root.hard_links_allowed,
            root.max_depth,
            root.max_depth_in_skills_folder,
        )
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn roots_of_prowess() {
    assert_snapshot!(table(ProfileName::Prowess), @r"
    Extra openclaw-extra ExtraDirs ContainedOrAllowed hard-links=false depth=2/6
    Extra openclaw-extra Plugins ContainedOrAllowed hard-links=false depth=2/6
    Bundled openclaw-bundled Bundled Contained hard-links=true depth=6/6
    Managed openclaw-managed Managed Anywhere hard-links=false depth=6/6
    Personal agents-skills-personal Personal Anywhere hard-links=false depth=6/6
    Project agents-skills-project Project ContainedOrAllowed hard-links=false depth=6/6
    Workspace openclaw-workspace Workspace ContainedOrAllowed hard-links=false depth=6/6
    ");
}

#[test]
fn roots_of_openclaw() {
    assert_snapshot!(table(ProfileName::Openclaw), @r"
    Extra openclaw-extra ExtraDirs ContainedOrAllowed hard-links=false depth=2/6
    Extra openclaw-extra Plugins Ignored hard-links=false depth=1/1
    Bundled openclaw-bundled Bundled Contained hard-links=true depth=6/6
    Bundled openclaw-custodian Custodian Contained hard-links=true depth=6/6
    Workshop openclaw-workshop Workshop Contained hard-links=false depth=6/6
    Managed openclaw-managed Managed Anywhere hard-links=false depth=6/6
    Personal agents-skills-personal Personal Anywhere hard-links=false depth=6/6
    Project agents-skills-project Project ContainedOrAllowed hard-links=false depth=6/6
    Workspace openclaw-workspace Workspace ContainedOrAllowed hard-links=false depth=6/6
    ");
}

#[test]
fn roots_of_openpocket() {
    assert_snapshot!(table(ProfileName::Openpocket), @r"
    Bundled bundled Bundled Ignored hard-links=true depth=64/64
    Managed local Local Ignored hard-links=true depth=64/64
    Workspace workspace Workspace Ignored hard-links=true depth=64/64
    ");
}

#[test]
fn budgets_and_rules_differ_as_data() {
    let row = |name| {
        let profile = profile(name);
        (
            profile.prompt.budget.max_chars,
            profile.prompt.budget.max_skills,
            profile.prompt.compact_fallback,
            profile.prompt.wording,
            profile.gate.bins,
            profile.conflict,
            profile.spec_mode,
        )
    };
    assert_eq!(
        row(ProfileName::Prowess),
        (
            30_000,
            150,
            false,
            PromptWording::Mandatory,
            BinRule::ExecutableFile,
            ConflictPolicy::LastWins,
            SpecModeRule::Default(SpecMode::Mixed)
        )
    );
    assert_eq!(
        row(ProfileName::Openclaw),
        (
            18_000,
            150,
            true,
            PromptWording::Openclaw,
            BinRule::ExecutableAnything,
            ConflictPolicy::LastWins,
            SpecModeRule::Always(SpecMode::SkillMdOnly)
        )
    );
    assert_eq!(
        row(ProfileName::Openpocket),
        (
            12_000,
            usize::MAX,
            false,
            PromptWording::Openpocket,
            BinRule::Exists,
            ConflictPolicy::FirstWins,
            SpecModeRule::Default(SpecMode::Mixed)
        )
    );
}

#[test]
fn tiers_never_fall_from_root_to_root() {
    for name in [ProfileName::Prowess, ProfileName::Openclaw, ProfileName::Openpocket] {
        assert!(profile(name).roots.is_sorted_by_key(|root| root.tier), "{name:?}");
        assert_eq!(profile(name).name, name);
    }
}
