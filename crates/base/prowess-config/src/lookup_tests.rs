use super::*;
use crate::keys::KEYS;

fn split(path: &str) -> Vec<&str> {
    path.split('.').collect()
}

#[test]
fn paths_and_what_they_are() {
    let kind = |path: &str| match find(&split(path)) {
        Spot::Key(key) => key.pattern,
        Spot::Section => "section",
        Spot::Unknown => "unknown",
    };
    let table = [
        ("skills", "section"),
        ("skills.load", "section"),
        ("skills.load.watch", "skills.load.watch"),
        ("skills.load.watchDebounceMs", "skills.load.debounceMs"),
        ("skills.entries", "section"),
        ("skills.entries.gh", "section"),
        ("skills.entries.gh.env", "section"),
        ("skills.entries.gh.env.A", "skills.entries.*.env.*"),
        ("skills.entries.gh.env.A.B", "unknown"),
        ("agents.list", "agents.list"),
        ("agents.list.0", "agents.entries.*"),
        ("agents.list.0.skills", "agents.entries.*.skills"),
        ("agents.list.x.skills", "unknown"),
        ("agents.entries.main.skillModes.gh", "agents.entries.*.skillModes.*"),
        ("gateway", "gateway"),
        ("gateway.port", "gateway.port"),
        ("gateway.unheardOf", "unknown"),
        ("nobody", "unknown"),
    ];
    for (path, expected) in table {
        assert_eq!(kind(path), expected, "{path}");
    }
    assert!(matches!(find(&[]), Spot::Section));
}

#[test]
fn names_that_are_free() {
    for path in [
        "skills.modes.gh",
        "skills.entries.gh",
        "skills.entries.gh.env.A",
        "agents.entries.main",
        "agents.list.0",
    ] {
        assert!(is_free_name(&split(path)), "{path}");
    }
    for path in ["skills.modes", "skills.entries.gh.env", "gateway", "agents.entries.main.skills"] {
        assert!(!is_free_name(&split(path)), "{path}");
    }
    assert!(!is_free_name(&[]));
}

#[test]
fn slips_of_the_pen_are_recognised() {
    let table = [
        ("skils", Some("skills")),
        ("skills.limts", Some("skills.limits")),
        ("skills.load.extra_dirs", Some("skills.load.extraDirs")),
        ("skills.load.Watch", Some("skills.load.watch")),
        ("skills.extraDirs", Some("skills.load.extraDirs")),
        ("skills.preferBrew", Some("skills.install.preferBrew")),
        ("skills.entries.gh.enabeld", Some("skills.entries.gh.enabled")),
        ("skills.entries.my key.apikey", Some("skills.entries[\"my key\"].apiKey")),
        ("agents.list.2.skils", Some("agents.list[2].skills")),
        ("skills.entries.gh.colour", None),
        ("agents.entries.main.thinking", None),
        ("x", None),
    ];
    for (path, expected) in table {
        assert_eq!(suggestion(&split(path)).as_deref(), expected, "{path}");
    }
}

#[test]
fn the_table_is_consistent() {
    for (index, key) in KEYS.iter().enumerate() {
        assert!(KEYS[..index].iter().all(|other| other.pattern != key.pattern), "{} twice", key.pattern);
        assert!(
            !key.pattern.contains('*') || key.aliases.is_empty(),
            "{}: renaming needs a plain path",
            key.pattern
        );
        for profile in [
            crate::profile(prowess_types::ProfileName::Prowess),
            crate::profile(prowess_types::ProfileName::Openpocket),
        ] {
            let default = key.default_value(profile);
            assert!(default.is_none_or(|value| key.kind.accepts(&value)), "{}", key.pattern);
        }
        if let Kind::ListOf(target) = key.kind {
            assert!(KEYS.iter().any(|key| key.pattern == target), "{target}");
        }
    }
}
