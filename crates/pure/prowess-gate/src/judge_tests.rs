use std::collections::BTreeSet;

use prowess_types::{CheckOutcome, Facts, GateRules, ModeScope, OfferMode, RemoteNode, Skill, Verdict};
use serde_json::json;

use super::*;
use crate::test_support::{OPENCLAW, OPENPOCKET, skill, strings};

fn facts() -> Facts {
    Facts {
        platform: "linux".to_owned(),
        bins: set(&["gh", "sh"]),
        env: set(&["HOME", "TOKEN"]),
        config: json!({ "channels": { "slack": { "token": "x" } }, "off": false }),
        remotes: Vec::new(),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn judge_with(skill: &Skill, entry: &EntrySettings, rules: GateRules, facts: &Facts) -> Verdict {
    let input = GateInput { skill, bundled: false, entry, allow_bundled: &[], rules };
    let verdict = judge(&input, facts);
    let terse = Verdict { checks: Vec::new(), ..verdict.clone() };
    assert_eq!(screen(&input, facts), terse, "both ways to ask agree");
    verdict
}

fn judge_here(skill: &Skill) -> Verdict {
    judge_with(skill, &EntrySettings::default(), OPENCLAW, &facts())
}

fn outcomes(verdict: &Verdict) -> Vec<(&str, CheckOutcome)> {
    let checks = verdict.checks.iter();
    checks.map(|check| (check.rule.as_str(), check.outcome)).collect()
}

#[test]
fn a_skill_without_needs_is_eligible_and_every_rule_is_listed() {
    use CheckOutcome::{Pass, Skip};
    let verdict = judge_here(&skill("a"));
    assert!(verdict.eligible);
    assert!(verdict.reasons.is_empty());
    assert_eq!(
        outcomes(&verdict),
        [
            ("enabled", Pass),
            ("secret", Pass),
            ("trust", Skip),
            ("allow-bundled", Skip),
            ("os", Skip),
            ("always", Skip),
            ("env", Skip),
            ("config", Skip),
            ("bins", Skip),
            ("any-bins", Skip),
        ]
    );
}

#[test]
fn everything_missing_is_listed_at_once_with_the_platform_first() {
    let mut skill = skill("a");
    skill.requirements = Requirements {
        bins: strings(&["gh", "jq", "rg"]),
        any_bins: strings(&["x", "y"]),
        env: strings(&["TOKEN", "KEY"]),
        config: strings(&["channels.slack", "off", "nowhere"]),
        os: strings(&["macos"]),
    };
    let verdict = judge_here(&skill);
    assert!(!verdict.eligible);
    assert!(verdict.platform_incompatible);
    assert_eq!(
        verdict.missing,
        Requirements {
            bins: strings(&["jq", "rg"]),
            any_bins: strings(&["x", "y"]),
            env: strings(&["KEY"]),
            config: strings(&["off", "nowhere"]),
            os: strings(&["macos"]),
        }
    );
    let checks: Vec<_> = verdict.config_checks.iter().map(|check| check.satisfied).collect();
    assert_eq!(checks, [true, false, false]);
    assert_eq!(
        verdict.reasons,
        [
            "made for `macos`, but this is `linux`",
            "missing environment variable `KEY`",
            "missing config setting `off`, `nowhere`",
            "missing program `jq`, `rg`",
            "missing every one of the programs `x`, `y`",
        ]
    );
}

#[test]
fn a_disabled_skill_still_reports_what_it_misses() {
    let mut skill = skill("a");
    skill.metadata.skill_key = Some("aye".to_owned());
    skill.requirements.bins = strings(&["nope"]);
    let entry = EntrySettings { enabled: Some(false), ..EntrySettings::default() };
    let verdict = judge_with(&skill, &entry, OPENCLAW, &facts());
    assert!(verdict.disabled && !verdict.eligible);
    assert_eq!(verdict.missing.bins, ["nope"]);
    assert_eq!(verdict.reasons, ["switched off by `skills.entries.aye.enabled`", "missing program `nope`"]);
}

#[test]
fn modes_switch_off_only_when_disabled() {
    let table = [
        (OfferMode::Pinned, false),
        (OfferMode::Auto, false),
        (OfferMode::NameOnly, false),
        (OfferMode::Manual, false),
        (OfferMode::Disabled, true),
    ];
    for (mode, disabled) in table {
        let entry = EntrySettings {
            enabled: Some(true),
            mode,
            mode_scope: Some(ModeScope::Agent),
            ..EntrySettings::default()
        };
        let verdict = judge_with(&skill("a"), &entry, OPENCLAW, &facts());
        assert_eq!((verdict.disabled, verdict.eligible), (disabled, !disabled), "{mode:?}");
        if disabled {
            assert_eq!(verdict.reasons, ["switched off by mode `disabled` in the agent's config"]);
        }
    }
}

#[test]
fn a_failed_secret_stops_even_a_skill_that_is_always_in() {
    let mut skill = skill("a");
    skill.metadata.always = true;
    let entry = EntrySettings { secret_failed: true, ..EntrySettings::default() };
    let verdict = judge_with(&skill, &entry, OPENCLAW, &facts());
    assert_eq!(verdict.reasons, ["its configured secret could not be resolved"]);
    assert!(!verdict.eligible && !verdict.disabled);
}

#[test]
fn the_allowlist_counts_for_bundled_skills_only_and_matches_name_or_key() {
    let mut two = skill("two");
    two.metadata.skill_key = Some("zwei".to_owned());
    let table: [(&Skill, bool, &[&str], bool); 8] = [
        (&skill("one"), true, &["one", "zwei"], false),
        (&two, true, &["one", "zwei"], false),
        (&two, true, &[" two "], false),
        (&skill("three"), true, &["one", "zwei"], true),
        (&skill("three"), false, &["one", "zwei"], false),
        (&skill("three"), true, &[], false),
        (&skill("three"), true, &["", "  "], false),
        (&skill("three"), true, &["Three"], true),
    ];
    for (skill, bundled, allow_bundled, blocked) in table {
        let input = GateInput {
            skill,
            bundled,
            entry: &EntrySettings::default(),
            allow_bundled: &strings(allow_bundled),
            rules: OPENCLAW,
        };
        let verdict = judge(&input, &facts());
        assert_eq!(
            (verdict.blocked_by_allowlist, verdict.eligible),
            (blocked, !blocked),
            "{} bundled={bundled} {allow_bundled:?}",
            skill.name
        );
    }
}

#[test]
fn always_spares_requirements_but_not_the_platform() {
    let mut skill = skill("a");
    skill.metadata.always = true;
    skill.requirements.bins = strings(&["nope"]);
    skill.requirements.config = strings(&["nowhere"]);
    let verdict = judge_here(&skill);
    assert!(verdict.eligible);
    assert!(verdict.missing.is_empty());
    assert!(!verdict.config_checks[0].satisfied, "the check itself stays visible");

    skill.requirements.os = strings(&["darwin"]);
    let verdict = judge_here(&skill);
    assert!(!verdict.eligible && verdict.platform_incompatible);
    assert_eq!(verdict.missing.os, ["darwin"]);
    assert!(verdict.missing.bins.is_empty());
}

#[test]
fn a_variable_may_come_from_three_places() {
    let mut skill = skill("a");
    skill.metadata.primary_env = Some("API".to_owned());
    skill.requirements.env = strings(&["TOKEN", "FROM_ENTRY", "API"]);
    let entry =
        EntrySettings { env_names: set(&["FROM_ENTRY"]), has_api_key: true, ..EntrySettings::default() };
    let verdict = judge_with(&skill, &entry, OPENCLAW, &facts());
    assert!(verdict.eligible);
    let env = verdict.checks.iter().find(|check| check.rule == "env").unwrap();
    assert_eq!(env.detail, "set: `TOKEN` (environment), `FROM_ENTRY` (config entry), `API` (API key)");

    skill.metadata.primary_env = Some("OTHER".to_owned());
    let verdict = judge_with(&skill, &entry, OPENCLAW, &facts());
    assert_eq!(verdict.missing.env, ["API"], "an API key counts for the primary variable only");
}

#[test]
fn one_alternative_is_enough() {
    let mut skill = skill("a");
    skill.requirements.any_bins = strings(&["no1", "gh"]);
    let verdict = judge_here(&skill);
    assert!(verdict.eligible && verdict.missing.any_bins.is_empty());
}

#[test]
fn another_machine_counts_for_platform_and_binaries() {
    let mut facts = facts();
    facts.remotes =
        vec![RemoteNode { platform: "macOS".to_owned(), bins: set(&["osascript", "imsg"]), note: None }];
    let mut skill = skill("a");
    skill.requirements = Requirements {
        bins: strings(&["gh", "osascript"]),
        any_bins: strings(&["nope", "imsg"]),
        os: strings(&["darwin"]),
        ..Requirements::default()
    };
    let verdict = judge_with(&skill, &EntrySettings::default(), OPENCLAW, &facts);
    assert!(verdict.eligible, "{:?}", verdict.reasons);
    let bins = verdict.checks.iter().find(|check| check.rule == "bins").unwrap();
    assert_eq!(bins.detail, "found: `gh` (here), `osascript` (on a connected node)");
}

#[test]
fn openpocket_knows_neither_always_nor_alternatives() {
    let mut any = skill("any");
    any.requirements.any_bins = strings(&["nope"]);
    let verdict = judge_with(&any, &EntrySettings::default(), OPENPOCKET, &facts());
    assert!(verdict.eligible && verdict.missing.is_empty());

    let mut always = skill("always");
    always.metadata.always = true;
    always.requirements.bins = strings(&["nope"]);
    let verdict = judge_with(&always, &EntrySettings::default(), OPENPOCKET, &facts());
    assert_eq!(verdict.missing.bins, ["nope"]);
}

#[test]
fn the_binaries_to_look_for_are_all_that_are_named() {
    let mut skill = skill("a");
    skill.requirements.bins = strings(&["gh"]);
    skill.requirements.any_bins = strings(&["rg", "grep"]);
    assert_eq!(requirement_names(&skill).collect::<Vec<_>>(), ["gh", "rg", "grep"]);
}

#[test]
fn only_what_is_trusted_is_eligible_and_every_refusal_says_why() {
    let table = [
        (Trust::NotAsked, CheckOutcome::Skip, None),
        (Trust::Given, CheckOutcome::Pass, None),
        (Trust::Undecided, CheckOutcome::Fail, Some("not trusted yet: run `prowess trust`")),
        (Trust::Refused, CheckOutcome::Fail, Some("refused; `prowess trust forget a` takes that back")),
        (Trust::Unknowable("too large".to_owned()), CheckOutcome::Fail, Some("cannot be trusted: too large")),
    ];
    let mut always = skill("a");
    always.metadata.always = true;
    for (trust, outcome, reason) in table {
        assert_eq!(trust.allows(), reason.is_none());
        let entry = EntrySettings { trust, ..EntrySettings::default() };
        // `always` spares requirements, not the user's consent.
        for skill in [&skill("a"), &always] {
            let verdict = judge_with(skill, &entry, OPENCLAW, &facts());
            assert_eq!(verdict.eligible, reason.is_none(), "{entry:?}");
            assert_eq!(verdict.reasons, strings(reason.as_slice()));
            assert!(outcomes(&verdict).contains(&("trust", outcome)), "{entry:?}");
        }
    }
}
