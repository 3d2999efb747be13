//! Snapshots that follow the disk, on a real file system.

use std::fs;
use std::sync::atomic::Ordering;

use prowess_fs::{ChangeReason, WatchBackend, WatchMode};
use prowess_types::{LossReason, ProfileName, RemoteNode};
use serde_json::json;

use crate::live_support::{Followed, QUICK, each_backend, follow, tree};
use crate::support::{configure, skill};

fn native() -> Followed {
    follow(tree(), WatchBackend::Native)
}

#[test]
fn a_skill_comes_changes_moves_and_goes() {
    each_backend(|followed| {
        let first = followed.snapshot();
        followed.write("one", "");
        let event = followed.expect_published("it came");
        assert_eq!(event.diff.added, ["one"]);
        assert_eq!(event.id, followed.snapshot().id());
        assert!(event.version > first.version() && event.version == followed.snapshot().version());
        assert!(first.skills.is_empty(), "whoever holds a snapshot keeps it");

        followed.write("one", "More.\n");
        let event = followed.expect_published("it changed");
        assert_eq!(event.diff.changed, ["one"]);
        assert_eq!(event.changed_path, Some(followed.tree.path("ws/skills/one/SKILL.md")));
        let reason = match followed.mode() {
            WatchMode::Watching => ChangeReason::Watch,
            _ => ChangeReason::WatchUnavailable,
        };
        assert_eq!(event.reason, reason);

        fs::rename(followed.tree.path("ws/skills/one"), followed.tree.path("ws/skills/two")).unwrap();
        followed.expect_fresh("its folder was renamed");
        assert!(followed.snapshot().skills[0].file_path.ends_with("two/SKILL.md"));
        fs::remove_dir_all(followed.tree.path("ws/skills/two")).unwrap();
        let event = followed.expect("it went", |event| event.diff.removed == ["one"]);
        assert!(event.published && followed.names().is_empty());
        followed.expect_fresh("nothing is left");
    });
}

#[test]
fn what_changes_nothing_publishes_nothing() {
    each_backend(|followed| {
        followed.write("one", "");
        followed.expect_published("it came");
        followed.settle();
        let file = followed.tree.path("ws/skills/one/SKILL.md");
        let text = fs::read(&file).unwrap();
        fs::write(&file, &text).unwrap();
        followed.expect_nothing("the same text");
        let times = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
        fs::File::options().write(true).open(&file).unwrap().set_times(times).unwrap();
        followed.expect_nothing("another time");
        followed.tree.write("ws/skills/one/notes.md", "a");
        followed.tree.write("ws/skills/one/scripts/run.sh", "a");
        followed.tree.write("ws/skills/README.md", "a");
        followed.tree.write("ws/skills/empty/data.json", "{}");
        followed.tree.write("ws/src/main.rs", "a");
        followed.expect_nothing("unrelated files");
        fs::rename(&file, file.with_extension("bak")).unwrap();
        fs::write(&file, &text).unwrap();
        followed.settle();
        assert_eq!(followed.names(), ["one"]);
    });
}

#[test]
fn every_root_is_followed_also_those_that_come_later() {
    let followed = native();
    configure(
        &followed.tree,
        &format!("{{ {}, extraDirs: ['$ROOT/extra'] }} }} }}", &QUICK[..QUICK.len() - 4]),
    );
    followed.settle();
    let roots =
        ["extra", "bundled", "home/.prowess/skills", "home/.agents/skills", "ws/.agents/skills", "ws/skills"];
    for (number, root) in roots.iter().enumerate() {
        followed.tree.write(&format!("{root}/a/b/SKILL.md"), skill("same", "") + &format!("{number}\n"));
        followed.expect_state(root, |followed| {
            let root = followed.tree.path(root).display().to_string();
            followed.snapshot().skills.iter().any(|skill| skill.file_path.starts_with(&root))
        });
        followed.expect_fresh(root);
    }
}

#[test]
fn folders_made_at_once_are_not_missed() {
    let followed = native();
    for number in 0..50 {
        followed
            .tree
            .write(&format!("ws/skills/a{number}/b/c/SKILL.md"), skill(&format!("skill-{number:02}"), ""));
    }
    followed.expect_state("all of them", |followed| followed.names().len() == 50);
    followed.expect_fresh("deep folders");
    for number in 0..50 {
        let name = format!("skill-{number:02}");
        followed.tree.write(&format!("ws/skills/a{number}/b/c/SKILL.md"), skill(&name, "") + "again\n");
    }
    followed.expect_fresh("each is watched");
}

#[test]
fn a_bad_edit_keeps_the_last_good_version() {
    each_backend(|followed| {
        followed.write("one", "");
        followed.write("two", "");
        followed.expect_state("both", |followed| followed.names() == ["one", "two"]);
        followed.settle();
        let good = followed.snapshot();
        let file = followed.tree.path("ws/skills/one/SKILL.md");
        fs::write(&file, "---\nname: one\n---\nNo description.\n").unwrap();
        let event = followed.expect("the edit is reported", |event| !event.stale_edits.is_empty());
        assert!(!event.published && event.diff.is_empty());
        assert_eq!(followed.snapshot().id(), good.id());
        let edit = &event.stale_edits[0];
        assert_eq!((edit.name.as_str(), &edit.file, edit.reason), ("one", &file, LossReason::Invalid));
        assert!(!edit.diagnostics.is_empty() && edit.message.contains("description"), "{edit:?}");
        let view = followed.live.view(None).unwrap();
        let loss = view.inventory().losses.iter().find(|loss| loss.path == file).unwrap();
        assert!(loss.message.starts_with("stale edit: "), "{}", loss.message);
        assert_eq!(followed.live.status().views[0].stale_edits, event.stale_edits);

        followed.write("two", "Still live.\n");
        let event = followed.expect_published("another skill");
        assert_eq!(event.diff.changed, ["two"]);
        assert_eq!(followed.names(), ["one", "two"]);
        fs::write(&file, "x".repeat(300_000)).unwrap();
        followed.expect("another bad edit", |event| {
            event.stale_edits.first().is_some_and(|edit| edit.reason == LossReason::Oversize)
        });

        followed.write("one", "Mended.\n");
        let event = followed.expect_published("it was mended");
        assert_eq!(event.diff.changed, ["one"]);
        assert!(event.stale_edits.is_empty() && followed.live.view(None).unwrap().stale_edits().is_empty());
        fs::write(&file, "").unwrap();
        followed.expect("a third", |event| !event.stale_edits.is_empty());
        fs::remove_file(&file).unwrap();
        let event = followed.expect_published("it was removed");
        assert!(event.diff.removed == ["one"] && event.stale_edits.is_empty());
    });
}

#[test]
fn the_config_is_followed() {
    let followed = native();
    followed.write("one", "");
    followed.write("two", "");
    followed.expect_state("both", |followed| followed.names().len() == 2);
    let before = followed.snapshot().version();
    configure(
        &followed.tree,
        "{ skills: { load: { debounceMs: 20 }, entries: { two: { enabled: false } } } }",
    );
    let event = followed.expect_published("a skill was switched off");
    assert_eq!((event.reason, event.version > before), (ChangeReason::ConfigChange, true));
    assert_eq!(event.diff.removed, ["two"]);

    followed.settle();
    configure(&followed.tree, "{ this is not JSON5");
    followed.expect_state("the damage is told", |followed| followed.live.status().config_problem.is_some());
    assert_eq!(followed.names(), ["one"], "the last good config is used");
    configure(&followed.tree, &format!("{{ {QUICK} }}"));
    followed.expect_state("mended", |followed| followed.names().len() == 2);
    assert_eq!(followed.live.status().config_problem, None);

    followed.settle();
    let project = followed.tree.path("ws/.prowess/config.json");
    followed.tree.write("ws/.prowess/config.json", "{ skills: { modes: { two: 'disabled' } } }");
    let event = followed.expect_published("the workspace's own config");
    assert_eq!((event.reason, event.changed_path.as_ref()), (ChangeReason::ConfigChange, Some(&project)));
    assert_eq!(followed.names(), ["one"]);
    fs::write(&project, "{ broken").unwrap();
    followed.expect_state("told too", |followed| followed.live.status().views[0].config_problem.is_some());
    assert_eq!(followed.names(), ["one"]);
    fs::remove_file(&project).unwrap();
    followed.expect_state("gone", |followed| followed.names().len() == 2);
}

#[test]
fn watching_can_be_switched_off_in_the_config() {
    let tree = tree();
    configure(&tree, "{ skills: { load: { watch: false } } }");
    let followed = follow(tree, WatchBackend::Native);
    assert_eq!(followed.mode(), WatchMode::Off);
    followed.write("one", "");
    followed.expect_nothing("nobody watches");
    assert_eq!(followed.live.refresh(ChangeReason::Manual), 1);
    let event = followed.expect_published("it was asked for");
    assert_eq!((event.reason, followed.names()), (ChangeReason::Manual, vec!["one".to_owned()]));
    assert_eq!(followed.live.refresh(ChangeReason::Manual), 0, "nothing is different");

    configure(&followed.tree, &format!("{{ {QUICK} }}"));
    followed.live.refresh(ChangeReason::ConfigChange);
    assert_eq!(followed.mode(), WatchMode::Watching);
    followed.write("two", "");
    followed.expect_state("watched again", |followed| followed.names().len() == 2);
    configure(&followed.tree, "{ skills: { load: { watch: false } } }");
    followed.expect_state("off again", |followed| followed.mode() == WatchMode::Off);
}

#[test]
fn another_machine_may_make_a_skill_ready() {
    let followed = native();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"only-there\"]},\"os\":[\"darwin\"]}}\n";
    followed.tree.write("ws/skills/far/SKILL.md", skill("far", needs));
    followed.write("near", "");
    followed.expect_state("the near one", |followed| followed.names() == ["near"]);
    followed.settle();
    let before = followed.snapshot().version();
    let node = RemoteNode {
        platform: "darwin".to_owned(),
        bins: ["only-there".to_owned()].into(),
        note: Some("A Mac is connected.".to_owned()),
    };
    assert_eq!(followed.live.notify_remote(vec![node]), 1);
    let event = followed.expect_published("it came");
    assert_eq!((event.reason, event.changed_path), (ChangeReason::RemoteNode, None));
    assert!(event.version > before && event.diff.added == ["far"]);
    configure(&followed.tree, &format!("{{ {QUICK}, agents: {{ defaults: {{ skills: ['far'] }} }} }}"));
    followed.expect_state("a new config keeps the machine", |followed| followed.names() == ["far"]);
    assert_eq!(followed.live.notify_remote(Vec::new()), 1);
    assert!(followed.names().is_empty());
}

#[test]
fn agents_have_views_of_their_own() {
    let tree = tree();
    let agents = "agents: { entries: { main: { default: true }, a: { workspace: '$ROOT/a' }, b: { workspace: '$ROOT/b' } } }";
    configure(&tree, &format!("{{ {QUICK}, {agents} }}"));
    let mut options = crate::support::options(&tree, ProfileName::Prowess, &[]);
    options.overrides.workspace = None;
    let engine = prowess::Engine::open(options).unwrap();
    let followed = crate::live_support::follow_engine(tree, engine, WatchBackend::Native);
    let of = |agent: &str| followed.live.snapshot(Some(agent)).unwrap();
    assert!(of("a").skills.is_empty() && of("b").skills.is_empty());
    followed.settle();
    followed.tree.write("a/skills/one/SKILL.md", skill("one", ""));
    let event = followed.expect_published("for one of them");
    assert_eq!((event.agent_id.as_str(), event.diff.added.as_slice()), ("a", &["one".to_owned()][..]));
    followed.expect_nothing("not for the other");
    followed.tree.write("home/.agents/skills/two/SKILL.md", skill("two", ""));
    followed.expect_state("for all of them", |_| {
        ["main", "a", "b"].iter().all(|agent| of(agent).skills.iter().any(|skill| skill.name == "two"))
    });
    assert!(followed.live.snapshot(Some("nobody")).is_err());
    assert_eq!(followed.live.status().views.len(), 3);

    followed.clock.fetch_add(30 * 60 * 1_000, Ordering::Relaxed);
    of("a");
    assert_eq!(followed.live.retire_idle(), 0);
    let before = followed.live.health().directories;
    followed.clock.fetch_add(30 * 60 * 1_000, Ordering::Relaxed);
    assert_eq!(followed.live.retire_idle(), 2);
    let open: Vec<String> = followed.live.status().views.into_iter().map(|view| view.agent_id).collect();
    assert_eq!(open, ["a"]);
    assert!(followed.live.health().directories < before);
    let version = followed.live.status().version;
    assert!(of("b").version() > version, "a view that is opened anew is newer");
}

#[test]
fn the_number_of_views_is_bounded() {
    let tree = tree();
    let agents: Vec<String> =
        (0..140).map(|number| format!("a{number}: {{ workspace: '$ROOT/w{number}' }}")).collect();
    configure(&tree, &format!("{{ {QUICK}, agents: {{ entries: {{ {} }} }} }}", agents.join(", ")));
    let mut options = crate::support::options(&tree, ProfileName::Prowess, &[]);
    options.overrides.workspace = None;
    let engine = prowess::Engine::open(options).unwrap();
    let followed = crate::live_support::follow_engine(tree, engine, WatchBackend::Native);
    for number in 0..140 {
        followed.clock.fetch_add(1, Ordering::Relaxed);
        followed.live.snapshot(Some(&format!("a{number}"))).unwrap();
    }
    let open: Vec<String> = followed.live.status().views.into_iter().map(|view| view.agent_id).collect();
    assert_eq!(open.len(), 128);
    assert!(!open.contains(&"a0".to_owned()) && open.contains(&"a139".to_owned()));
}

#[test]
fn plugins_are_followed() {
    let followed = native();
    let plugin = "home/.prowess/plugins/mine";
    followed.tree.write(&format!("{plugin}/skills/one/SKILL.md"), skill("one", ""));
    let manifest = json!({"id": "mine", "skills": ["skills"]}).to_string();
    followed.tree.write(&format!("{plugin}/prowess.plugin.json"), manifest);
    followed.expect_state("a plugin came", |followed| followed.names() == ["one"]);
    followed.tree.write(&format!("{plugin}/skills/two/SKILL.md"), skill("two", ""));
    followed.expect_state("its folder is watched", |followed| followed.names().len() == 2);
    fs::remove_file(followed.tree.path(&format!("{plugin}/prowess.plugin.json"))).unwrap();
    followed.expect_state("it went", |followed| followed.names().is_empty());
}

#[test]
fn versions_follow_the_clock_but_never_fall() {
    let followed = native();
    followed.clock.store(5_000_000, Ordering::Relaxed);
    followed.write("one", "");
    assert_eq!(followed.expect_published("one").version, 5_000_000);
    followed.clock.store(1, Ordering::Relaxed);
    followed.write("two", "");
    assert_eq!(followed.expect_published("two").version, 5_000_001);
}

#[test]
fn the_end_ends_everything() {
    let followed = native();
    let Followed { live, events, .. } = followed;
    drop(live);
    assert!(events.is_closed());
}

#[test]
fn an_answer_about_a_clones_skills_is_followed() {
    let tree = tree();
    tree.write("ws/.git/config", "[remote \"origin\"]\n\turl = https://example.org/team/repo.git\n");
    let followed = follow(tree, WatchBackend::Native);
    followed.write("theirs", "");
    let engine = followed.live.engine();
    let undecided =
        |followed: &Followed| engine.trust().undecided(followed.live.view(None).unwrap().inventory());
    followed.expect_state("it waits", |followed| undecided(followed).len() == 1);
    assert!(followed.names().is_empty(), "not offered yet");
    let waiting = undecided(&followed);
    engine
        .trust()
        .decide(&waiting.iter().collect::<Vec<_>>(), prowess_inventory::TrustDecision::Trusted, None)
        .unwrap();
    let event = followed.expect_published("the answer");
    assert_eq!(
        (event.reason, event.diff.added.as_slice()),
        (ChangeReason::ConfigChange, &["theirs".to_owned()][..])
    );
}

#[test]
fn a_program_that_was_installed_counts_without_a_restart() {
    each_backend(|followed| {
        let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"new-tool\"]}}}\n";
        followed.tree.write("ws/skills/cow/SKILL.md", skill("cow", needs));
        followed.expect_state("it was read", |followed| {
            followed
                .live
                .view(None)
                .unwrap()
                .inventory()
                .entries
                .iter()
                .any(|entry| entry.skill.name == "cow")
        });
        assert!(followed.names().is_empty());
        // What an installer leaves, and then the engine that called it.
        followed.tree.write_program("home/.prowess/tools/node/npm/bin/new-tool");
        followed.tree.write("home/.prowess/tools/.installed", "01");
        followed.expect_state("its program came", |followed| followed.names() == ["cow"]);
    });
}
