//! What a session was told, across turns and restarts.

use std::fs;
use std::sync::Arc;

use prowess_catalog::{Snapshot, SnapshotFreshness, StaleReason};
use prowess_inventory::PromptRequest;
use prowess_sessions::{Opened, SessionSnapshot, StoredSnapshot};
use prowess_testkit::Tree;

use crate::support::{configure, inventory, skill, write_skill};

fn current(tree: &Tree) -> Arc<Snapshot> {
    Arc::new(inventory(tree).snapshot(&PromptRequest::default(), 1))
}

#[test]
fn a_session_keeps_its_snapshot_until_its_next_turn() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    let folder = tree.path("home/.prowess/sessions/s1");
    let first = current(&tree);
    let (mut session, opened) = SessionSnapshot::open(&folder, &first).unwrap();
    assert_eq!(opened, Opened::New);
    assert_eq!(session.next_turn(&current(&tree)).unwrap(), SnapshotFreshness::default());
    assert!(Arc::ptr_eq(session.snapshot(), &first), "nothing is different");

    write_skill(&tree, "ws/skills/two", "two");
    let second = current(&tree);
    assert_eq!(session.snapshot().skills.len(), 1, "the turn goes on with what it has");
    let freshness = session.freshness(&second);
    assert_eq!(freshness.reasons, [StaleReason::Skills, StaleReason::Prompt]);
    assert_eq!(session.next_turn(&second).unwrap(), freshness);
    assert_eq!(session.snapshot().id(), second.id());
    assert!(!session.next_turn(&second).unwrap().stale);
}

#[test]
fn a_snapshot_survives_a_restart_and_tells_whether_it_is_stale() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    let folder = tree.path("home/.prowess/sessions/s1");
    let first = current(&tree);
    SessionSnapshot::open(&folder, &first).unwrap();
    assert_eq!(SessionSnapshot::load(&folder).unwrap(), StoredSnapshot::Intact((*first).clone()));

    let again = Arc::new(inventory(&tree).snapshot(&PromptRequest::default(), 0));
    let (session, opened) = SessionSnapshot::open(&folder, &again).unwrap();
    assert_eq!(
        opened,
        Opened::Resumed(SnapshotFreshness::default()),
        "a counter that began anew says nothing"
    );
    assert_eq!(session.snapshot().as_ref(), first.as_ref());

    tree.write("ws/skills/one/SKILL.md", skill("one", "") + "Other text.\n");
    let (session, opened) = SessionSnapshot::open(&folder, &current(&tree)).unwrap();
    let Opened::Resumed(freshness) = opened else { panic!("{opened:?}") };
    assert_eq!(freshness.reasons, [StaleReason::Skills]);
    assert_eq!(session.snapshot().id(), first.id(), "until its next turn");

    configure(&tree, "{agents: {defaults: {skills: ['one', 'other']}}}");
    let (mut session, _) = SessionSnapshot::open(&folder, &current(&tree)).unwrap();
    session.next_turn(&current(&tree)).unwrap();
    configure(&tree, "{agents: {defaults: {skills: ['other', 'one']}}}");
    assert!(!session.freshness(&current(&tree)).stale, "the same set");
    configure(&tree, "{agents: {defaults: {skills: ['one']}}}");
    assert_eq!(session.freshness(&current(&tree)).reasons, [StaleReason::Filter]);
}

#[test]
fn a_damaged_file_is_kept_and_replaced() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    let folder = tree.path("sessions/s1");
    let now = current(&tree);
    SessionSnapshot::store(&folder, &now).unwrap();
    let file = folder.join("snapshot.json");
    let text = fs::read_to_string(&file).unwrap();
    let damages =
        [String::new(), "{}".to_owned(), text[..text.len() / 2].to_owned(), text.replacen("Does", "Dies", 1)];
    for damaged in damages {
        fs::write(&file, &damaged).unwrap();
        let (session, opened) = SessionSnapshot::open(&folder, &now).unwrap();
        let Opened::Rebuilt { kept, reason } = opened else { panic!("{opened:?}") };
        assert_eq!(fs::read_to_string(kept).unwrap(), damaged);
        assert!(!reason.is_empty());
        assert_eq!(session.snapshot().id(), now.id());
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "a good one took its place");
    }
    assert_eq!(SessionSnapshot::load(&tree.path("sessions/none")).unwrap(), StoredSnapshot::Missing);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    SessionSnapshot::store(&tree.path("s"), &current(&tree)).unwrap();
    let mode = fs::metadata(tree.path("s/snapshot.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
