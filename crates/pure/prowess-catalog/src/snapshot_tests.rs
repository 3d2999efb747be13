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

#[test]
fn a_stored_snapshot_is_read_back_whole_or_not_at_all() {
    let snapshot = Snapshot::build(content(&["a", "b"]), 7);
    let text = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), snapshot);
    for (from, to) in [("About a", "About z"), ("\"b\"", "\"c\""), (snapshot.id(), "0")] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text);
        let error = serde_json::from_str::<Snapshot>(&damaged).unwrap_err().to_string();
        assert_eq!(error, "the id is not the hash of the content");
    }
    assert!(serde_json::from_str::<Snapshot>(&text[..text.len() / 2]).is_err());
}

#[test]
fn freshness_is_about_content() {
    use crate::StaleReason::{Filter, Format, Prompt, Skills, View};
    let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
    let build = |change: &dyn Fn(&mut SnapshotContent), version| {
        let mut content = content(&["a", "b"]);
        content.skill_filter = names(&["a", "b"]);
        change(&mut content);
        Snapshot::build(content, version)
    };
    let now = build(&|_| {}, 1);
    let reasons = |change: &dyn Fn(&mut SnapshotContent)| {
        let freshness = build(change, 1).freshness(&now);
        assert_eq!(freshness.stale, !freshness.reasons.is_empty());
        freshness.reasons
    };
    assert_eq!(build(&|_| {}, 99).freshness(&now).reasons, [], "a counter says nothing");
    assert_eq!(reasons(&|content| content.skill_filter = names(&["b", "a", "a"])), [], "a set has no order");
    assert_eq!(reasons(&|content| content.skill_filter = names(&["a"])), [Filter]);
    assert_eq!(reasons(&|content| content.skill_filter = None), [Filter]);
    assert_eq!(reasons(&|content| content.prompt.push('!')), [Prompt]);
    assert_eq!(reasons(&|content| content.workspace_dir.push('!')), [View]);
    assert_eq!(reasons(&|content| content.skills[0].content_hash = hash_of("z")), [Skills]);
    assert_eq!(reasons(&|content| content.skills[0].primary_env = Some("K".to_owned())), [Skills]);
    assert_eq!(reasons(&|content| drop(content.skills.pop())), [Skills]);
    let mut old = serde_json::to_value(&now).unwrap();
    old["promptFormatVersion"] = json!(5);
    old["id"] = json!(hash(5, &now));
    let old: Snapshot = serde_json::from_value(old).unwrap();
    assert_eq!(old.freshness(&now).reasons, [Format]);
}

#[test]
fn two_differences_make_one() {
    let names = ["a", "b", "c", "d", "e"];
    // Every way in which five skills can be absent, present or other, at three moments.
    let moment = |code: usize, step: usize| {
        let states = names
            .iter()
            .enumerate()
            .map(|(place, &name)| (name, (code / [1, 3, 9, 27, 81][place] + step) % 3));
        let present: Vec<&str> =
            states.clone().filter(|(_, state)| *state > 0).map(|(name, _)| name).collect();
        let mut content = content(&present);
        for skill in &mut content.skills {
            if states.clone().any(|(name, state)| name == skill.name && state == 2) {
                skill.content_hash = hash_of("other");
            }
        }
        content
    };
    for code in 0..3usize.pow(5) {
        let (first, second, third) = (moment(code, 0), moment(code * 7 + 1, 1), moment(code * 5 + 2, 2));
        let joined = diff(&first, &second).then(diff(&second, &third));
        let direct = diff(&first, &third);
        assert_eq!((&joined.added, &joined.removed), (&direct.added, &direct.removed));
        // What changed and changed back is still named: nobody remembers what it was.
        assert!(direct.changed.iter().all(|name| joined.changed.contains(name)), "{joined:?} {direct:?}");
    }
}
