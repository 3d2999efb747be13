use std::path::Path;

use prowess_types::ProfileName;

use super::*;

const USER: &str = "{
    skills: {
        modes: {gh: 'manual', web: 'name-only', home: 'disabled', 'my.key': 'pinned'},
        bundles: {web: ['gh', 'curl', 'wget'], home: ['wget', 'hue'], mine: ['hue']},
    },
    agents: {list: [{id: 'a', skillModes: {gh: 'pinned', web: 'auto'}}, {id: 'b'}]},
}";

const PROJECT: &str = "{skills: {
    modes: {curl: 'disabled', mine: 'pinned'},
    bundles: {web: ['evil'], home: ['evil']},
}}";

fn config(project: Option<&str>) -> Config {
    let (config, issues) = Config::parse(Some(USER), Path::new("/c.json"), ProfileName::Prowess);
    assert_eq!(issues, []);
    let (config, issues) = config.with_project(project, Path::new("/ws/.prowess/config.json"));
    assert_eq!(issues, []);
    config
}

#[test]
fn the_nearest_scope_decides() {
    let table = [
        // name, key, agent, without a project, with one
        (
            "gh",
            "gh",
            "b",
            (OfferMode::Manual, Some(ModeScope::User)),
            (OfferMode::Manual, Some(ModeScope::User)),
        ),
        (
            "gh",
            "gh",
            "a",
            (OfferMode::Pinned, Some(ModeScope::Agent)),
            (OfferMode::Pinned, Some(ModeScope::Agent)),
        ),
        (
            "curl",
            "curl",
            "b",
            (OfferMode::NameOnly, Some(ModeScope::User)),
            (OfferMode::Disabled, Some(ModeScope::Project)),
        ),
        (
            "curl",
            "curl",
            "a",
            (OfferMode::Auto, Some(ModeScope::Agent)),
            (OfferMode::Auto, Some(ModeScope::Agent)),
        ),
        // Of two bundles the last one counts.
        (
            "wget",
            "wget",
            "b",
            (OfferMode::Disabled, Some(ModeScope::User)),
            (OfferMode::Disabled, Some(ModeScope::User)),
        ),
        // The project names a bundle of the user.
        (
            "hue",
            "hue",
            "b",
            (OfferMode::Disabled, Some(ModeScope::User)),
            (OfferMode::Pinned, Some(ModeScope::Project)),
        ),
        (
            "skill",
            "my.key",
            "b",
            (OfferMode::Pinned, Some(ModeScope::User)),
            (OfferMode::Pinned, Some(ModeScope::User)),
        ),
        // A bundle that the project redefines does not get the user's mode.
        ("evil", "evil", "b", (OfferMode::Auto, None), (OfferMode::Auto, None)),
        ("other", "other", "a", (OfferMode::Auto, None), (OfferMode::Auto, None)),
    ];
    let (alone, joined) = (config(None), config(Some(PROJECT)));
    for (name, key, agent, without, with) in table {
        assert_eq!(
            alone.mode_of(name, key, &alone.agent(Some(agent)).unwrap()),
            without,
            "{name} for {agent}"
        );
        assert_eq!(
            joined.mode_of(name, key, &joined.agent(Some(agent)).unwrap()),
            with,
            "{name} for {agent}, project"
        );
    }
}

#[test]
fn a_name_counts_before_a_key_and_before_a_bundle() {
    let text =
        "{skills: {modes: {b: 'disabled', key: 'manual', name: 'pinned'}, bundles: {b: ['name', 'key2']}}}";
    let (config, _) = Config::parse(Some(text), Path::new("/c.json"), ProfileName::Prowess);
    let agent = config.agent(None).unwrap();
    assert_eq!(config.mode_of("name", "key", &agent).0, OfferMode::Pinned);
    assert_eq!(config.mode_of("other", "key", &agent).0, OfferMode::Manual);
    assert_eq!(config.mode_of("other", "key2", &agent).0, OfferMode::Disabled);
}

#[test]
fn bundles_are_listed_as_they_are() {
    let bundles = config(Some(PROJECT)).bundles();
    let names: Vec<_> = bundles.iter().map(|(name, skills)| (name.as_str(), skills.len())).collect();
    assert_eq!(names, [("web", 1), ("home", 1), ("mine", 1)]);
}
