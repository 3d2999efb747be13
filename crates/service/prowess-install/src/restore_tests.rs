use std::time::Duration;

use super::*;
use crate::test_support::{Case, bundle, demo};
use crate::{LockFile, Recovered, recover, status};

fn id() -> Folder {
    Folder::parse("0000000001000-demo").unwrap()
}

/// A home whose skill `demo` is in the trash.
fn trashed() -> Case {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "old")]));
    std::fs::create_dir_all(&case.home.trash).unwrap();
    std::fs::write(case.home.trash.join(format!("{}.json", id())), "{}").unwrap();
    let kept = case.home.trash.join(id().as_str());
    case.writer().uninstall(&demo(), None, |path| std::fs::rename(path, &kept)).unwrap();
    case
}

fn restore(case: &Case, replaces: bool) -> Result<RestoredFolder, InstallError> {
    let wish = RestoreWish { folder: &demo(), id: &id(), replaces, mirror: None, now: 2000 };
    case.writer().restore(&wish, |path| std::fs::rename(case.home.trash.join(id().as_str()), path))
}

/// Begins to restore, and stops after `put`, as if the process had been killed.
fn killed(case: &Case, replaced: Option<&Folder>, put: impl FnOnce(&Path)) {
    let mut lock = LockFile::read(&case.home).unwrap();
    let change = Change::Restore { id: id(), replaced: replaced.cloned(), at: 2000 };
    let (before, after) = (lock.skills.remove(&demo()), lock.removed.remove(&demo()));
    let journal = case.writer().journal(&demo(), change, before, after, None).unwrap();
    journal.begin(&case.home).unwrap();
    put(&case.home.target(&demo()));
}

fn is_in_trash(case: &Case) -> bool {
    [id().to_string(), format!("{}.json", id())].iter().all(|name| case.home.trash.join(name).exists())
}

#[test]
fn folder_lock_and_trash_change_together() {
    let case = trashed();
    let back = restore(&case, false).unwrap();
    assert!(back.is_listed && back.replaced.is_none());
    assert!(status(&case.home).unwrap()[0].state.is_clean());
    assert_eq!(std::fs::read_dir(&case.home.trash).unwrap().count(), 0);
    assert!(LockFile::read(&case.home).unwrap().removed.is_empty());
}

#[test]
fn what_has_the_place_is_kept_and_its_entry_with_it() {
    let case = trashed();
    case.install(&bundle(&[("SKILL.md", "new")]));
    assert!(matches!(restore(&case, false), Err(InstallError::NotOurs { .. })));
    let back = restore(&case, true).unwrap();
    assert_eq!(case.read("demo/SKILL.md"), "old");
    let replaced = case.home.trash.join(back.replaced.unwrap().as_str());
    assert_eq!(std::fs::read_to_string(replaced.join("SKILL.md")).unwrap(), "new");
    // The lock forgot the old one when the new one came, so it is an edit of the new one.
    assert!(back.is_listed && !status(&case.home).unwrap()[0].state.is_clean());
}

#[test]
fn a_kill_before_the_move_leaves_the_old_state() {
    let case = trashed();
    killed(&case, None, |_| {});
    assert_eq!(recover(&case.home, Duration::from_secs(5)).unwrap(), Some(Recovered::Undone(demo())));
    assert!(is_in_trash(&case) && case.listed().is_empty());
    assert!(restore(&case, false).unwrap().is_listed);
}

#[test]
fn a_kill_after_the_move_leaves_the_new_state() {
    for is_copy in [false, true] {
        let case = trashed();
        let kept = case.home.trash.join(id().as_str());
        killed(&case, None, |path| {
            if is_copy {
                prowess_fs::copy_tree(&kept, path).unwrap();
            } else {
                std::fs::rename(&kept, path).unwrap();
            }
        });
        let recovered = recover(&case.home, Duration::from_secs(5)).unwrap();
        assert_eq!(recovered, Some(Recovered::Restored { folder: demo(), id: id() }));
        assert!(status(&case.home).unwrap()[0].state.is_clean());
        assert_eq!(std::fs::read_dir(&case.home.trash).unwrap().count(), 0);
    }
}

#[test]
fn a_kill_between_two_moves_brings_back_what_made_room() {
    let case = trashed();
    case.install(&bundle(&[("SKILL.md", "new")]));
    let replaced = Folder::parse("0000000002000-demo").unwrap();
    killed(&case, Some(&replaced), |path| {
        std::fs::write(case.home.trash.join(format!("{replaced}.json")), "{}").unwrap();
        std::fs::rename(path, case.home.trash.join(replaced.as_str())).unwrap();
    });
    assert_eq!(recover(&case.home, Duration::from_secs(5)).unwrap(), Some(Recovered::Undone(demo())));
    assert_eq!(case.read("demo/SKILL.md"), "new");
    assert!(status(&case.home).unwrap()[0].state.is_clean());
    assert!(is_in_trash(&case));
    assert_eq!(std::fs::read_dir(&case.home.trash).unwrap().count(), 2);
}
