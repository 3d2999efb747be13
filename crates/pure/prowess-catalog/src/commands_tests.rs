use std::path::Path;

use proptest::prelude::*;
use prowess_types::{Dispatch, Skill};
use serde_json::json;

use super::*;
use crate::test_support::skill;

const RESERVED: &[&str] = &["help", "new", "skill", "status", "t"];

fn specs(skills: &[Skill], reserved: &[&str]) -> Vec<CommandSpec> {
    let inputs: Vec<_> = skills
        .iter()
        .map(|skill| CommandCandidate {
            skill,
            file: Path::new("/w/SKILL.md"),
            source: CommandSource::Workspace,
            model_visible: true,
        })
        .collect();
    command_specs(&inputs, reserved)
}

fn names(skills: &[&str], reserved: &[&str]) -> Vec<String> {
    let skills: Vec<Skill> = skills.iter().map(|name| skill(name)).collect();
    specs(&skills, reserved).into_iter().map(|spec| spec.name).collect()
}

/// Recorded answers of OpenClaw 2026.9.6, in the order of its list.
#[test]
fn names_are_sanitised_cut_and_numbered() {
    let (a40, a41) = ("a".repeat(40), "a".repeat(41));
    let (a32, a30) = ("a".repeat(32), format!("{}_2", "a".repeat(30)));
    let table = [
        ("--__--", "skill_2"),
        ("9lives", "9lives"),
        ("a.b.c", "a_b_c"),
        (&a40, &a32),
        (&a41, &a30),
        ("café", "caf"),
        ("é", "skill_3"),
        ("My Skill", "my_skill"),
        ("my_skill", "my_skill_2"),
        ("my-skill", "my_skill_3"),
        ("skill", "skill_4"),
        ("UPPER Case", "upper_case"),
        ("x/y", "x_y"),
        ("한국어", "skill_5"),
        ("日本語", "skill_6"),
    ];
    let (skills, commands): (Vec<&str>, Vec<&str>) = table.into_iter().unzip();
    assert_eq!(names(&skills, RESERVED), commands);
}

#[test]
fn built_in_names_and_given_ones_are_reserved() {
    assert_eq!(names(&["Status", "new", "go"], RESERVED), ["status_2", "new_2", "go"]);
    assert_eq!(names(&["go", "go 2"], &["GO"]), ["go_2", "go_2_2"]);
    assert_eq!(names(&["status", "skill"], &[]), ["status", "skill_2"]);
}

#[test]
fn more_than_a_thousand_of_a_name_still_get_one_each() {
    let long = "b".repeat(40);
    let given = names(&vec![long.as_str(); 1003], &[]);
    assert_eq!(given[0], "b".repeat(32));
    assert_eq!(given[98], format!("{}_99", "b".repeat(29)));
    assert_eq!(given[998], format!("{}_999", "b".repeat(28)));
    assert_eq!(given[999], format!("{}_x", "b".repeat(30)));
    assert_eq!(given[1000], format!("{}_x2", "b".repeat(29)));
    let unique: HashSet<_> = given.iter().collect();
    assert_eq!(unique.len(), given.len());
}

#[test]
fn a_skill_that_people_may_not_call_has_no_command() {
    let mut hidden = skill("a");
    hidden.invocation.user_invocable = false;
    assert_eq!(specs(&[hidden, skill("b")], &[])[0].skill_name, "b");
}

#[test]
fn the_shape_clients_know() {
    let mut tool = skill("my-skill");
    tool.display_name = "My Skill".to_owned();
    tool.description = "  ".to_owned();
    tool.invocation.dispatch = Some(Dispatch::Tool { tool_name: "run".to_owned() });
    let spec = CommandCandidate {
        skill: &tool,
        file: Path::new("/real/SKILL.md"),
        source: Tier::Bundled.into(),
        model_visible: false,
    };
    let shown = serde_json::to_value(command_specs(&[spec], &[])).unwrap();
    assert_eq!(
        shown,
        json!([{
            "name": "my_skill",
            "displayName": "My Skill",
            "skillFile": "/real/SKILL.md",
            "skillName": "my-skill",
            "description": "my-skill",
            "modelVisible": false,
            "skillSource": "bundled",
            "dispatch": { "kind": "tool", "toolName": "run", "argMode": "raw" },
        }])
    );
    let plain = serde_json::to_value(&specs(&[skill("a")], &[])[0]).unwrap();
    assert_eq!(plain["skillSource"], "workspace");
    assert!(plain.get("dispatch").is_none());
}

proptest! {
    #[test]
    fn names_are_unique_short_and_plain(skills in prop::collection::vec("[a-cA-C _é日./-]{0,40}", 0..60)) {
        let skills: Vec<&str> = skills.iter().map(String::as_str).collect();
        let names = names(&skills, RESERVED);
        prop_assert_eq!(names.len(), skills.len());
        let mut seen = HashSet::new();
        for name in &names {
            prop_assert!((1..=MAX_NAME).contains(&name.len()));
            prop_assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_')));
            prop_assert!(!RESERVED.contains(&name.as_str()));
            prop_assert!(seen.insert(name));
        }
    }
}
