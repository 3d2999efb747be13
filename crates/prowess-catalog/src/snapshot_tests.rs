use prowess_types::{Skill, Tier};
use serde_json::json;

use super::*;
use crate::test_support::{hash_of, origin, skill};

fn content(names: &[&str]) -> SnapshotContent {
    let origins = names.iter().map(|name| origin(Tier::Workspace, "/w/skills", name));
    let skills: Vec<(Skill, Origin)> = names.iter().map(|name| skill(name)).zip(origins).collect();
    SnapshotContent {
        agent_id: Some("main".to_owned()),
        workspace_dir: "/w".to_owned(),
        prompt: format!("{names:?}"),
        skills: skills.iter().map(|(skill, origin)| SnapshotSkill::new(skill, origin)).collect(),
        skill_filter: None,
        resolved: skills.iter().map(|(skill, origin)| ResolvedSkill::new(skill, origin)).collect(),
    }
}

#[test]
fn the_id_is_the_hash_of_the_content_and_of_nothing_else() {
    let first = Snapshot::build(content(&["a", "b"]), 1);
    let later = Snapshot::build(content(&["a", "b"]), 99);
    assert_eq!(first.id(), later.id());
    assert_ne!(first.version(), later.version());
    assert_eq!(first.id().len(), 64);
    assert!(first.id().bytes().all(|byte| byte.is_ascii_hexdigit()));

    let changes: [fn(&mut SnapshotContent); 6] = [
        |content| content.agent_id = None,
        |content| content.workspace_dir.push('x'),
        |content| content.prompt.push('x'),
        |content| content.skill_filter = Some(Vec::new()),
        |content| content.skills[0].content_hash = hash_of("other"),
        |content| content.resolved.truncate(1),
    ];
    for change in changes {
        let mut content = content(&["a", "b"]);
        change(&mut content);
        assert_ne!(Snapshot::build(content, 1).id(), first.id());
    }
}

#[test]
fn the_shape_clients_know() {
    let mut content = content(&["a"]);
    content.skill_filter = Some(vec!["a".to_owned()]);
    content.skills[0].primary_env = Some("KEY".to_owned());
    let snapshot = Snapshot::build(content, 7);
    let mut shown = serde_json::to_value(&snapshot).unwrap();
    assert_eq!(shown["id"].take(), json!(snapshot.id()));
    assert_eq!(
        shown,
        json!({
            "id": null,
            "version": 7,
            "promptFormatVersion": 6,
            "agentId": "main",
            "workspaceDir": "/w",
            "prompt": "[\"a\"]",
            "skills": [{
                "name": "a",
                "skillKey": "a",
                "primaryEnv": "KEY",
                "filePath": "/w/skills/a/SKILL.md",
                "source": "workspace",
                "contentHash": hash_of("a"),
            }],
            "skillFilter": ["a"],
            "resolvedSkills": [{
                "name": "a",
                "description": "About a",
                "filePath": "/w/skills/a/SKILL.md",
                "baseDir": "/w/skills/a",
                "source": "workspace",
                "contentHash": hash_of("a"),
                "disableModelInvocation": false,
            }],
        })
    );
}

/// As recorded from OpenClaw 2026.9.6: the key is there whenever a `requires` block is.
#[test]
fn required_variables_are_listed_for_any_requires_block() {
    let required = |declared: bool, env: &[&str]| {
        let mut skill = skill("a");
        skill.metadata.requires_declared = declared;
        skill.requirements.env = env.iter().map(|&name| name.to_owned()).collect();
        SnapshotSkill::new(&skill, &origin(Tier::Workspace, "/w", "a")).required_env
    };
    assert_eq!(required(false, &[]), None);
    assert_eq!(required(true, &[]), Some(vec![]));
    assert_eq!(required(true, &["KEY"]), Some(vec!["KEY".to_owned()]));
}

#[test]
fn versions_rise_even_when_the_clock_does_not() {
    for (current, now, next) in [(0, 5, 5), (5, 5, 6), (9, 5, 10), (u64::MAX, 0, u64::MAX)] {
        assert_eq!(next_version(current, now), next);
    }
}

#[test]
fn a_snapshot_is_stale_when_its_version_or_filter_was_passed() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let filtered = |filter: Option<&[&str]>| {
        let mut content = content(&["a"]);
        content.skill_filter = filter.map(names);
        Snapshot::build(content, 10)
    };
    let plain = filtered(None);
    assert!(!plain.is_stale(10, None));
    assert!(!plain.is_stale(9, None));
    assert!(plain.is_stale(11, None));
    assert!(plain.is_stale(0, None), "the counter was reset");
    assert!(plain.is_stale(10, Some(&[])));
    let both = filtered(Some(&["a", "b"]));
    assert!(!both.is_stale(10, Some(&names(&["b", "a", "a"]))), "order does not count");
    assert!(both.is_stale(10, Some(&names(&["a"]))));
    assert!(both.is_stale(10, None));
}

#[test]
fn differences_are_by_identity() {
    let earlier = content(&["gone", "same", "edited", "moved", "rekeyed", "resourced"]);
    let mut later = content(&["edited", "moved", "new", "rekeyed", "resourced", "same"]);
    later.skills[0].content_hash = hash_of("another text");
    later.skills[1].file_path = "/elsewhere".to_owned();
    later.skills[3].skill_key = "other".to_owned();
    later.skills[4].source = "managed".to_owned();
    assert_eq!(
        diff(&earlier, &later),
        SnapshotDiff {
            added: vec!["new".to_owned()],
            removed: vec!["gone".to_owned()],
            changed: ["edited", "moved", "rekeyed", "resourced"].map(str::to_owned).to_vec(),
        }
    );
    assert!(diff(&earlier, &earlier).is_empty());
    let (earlier, later) = (Snapshot::build(earlier, 1), Snapshot::build(later, 2));
    assert!(!diff(&earlier, &later).is_empty());
}
