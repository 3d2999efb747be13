use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::Lock;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(path: &Path, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "x").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    condition(path).unwrap().unwrap().mode
}

#[test]
fn rights_are_taken_and_no_other_is_touched() {
    let folder = folder();
    let root = folder.path();
    let file = root.join("deep/a");
    write(&file, 0o766);
    assert!(condition(&file).unwrap().unwrap().is_writable_by_others());
    take_rights(root, &file, TakenRights::Write).unwrap();
    assert_eq!(mode(&file), 0o744);
    take_rights(root, &file, TakenRights::All).unwrap();
    assert_eq!(mode(&file), 0o700);
    fs::set_permissions(root, fs::Permissions::from_mode(0o777)).unwrap();
    take_rights(root, root, TakenRights::Write).unwrap();
    assert_eq!(mode(root), 0o755);
}

#[test]
fn links_and_second_names_are_refused() {
    let folder = folder();
    let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
    fs::create_dir(&root).unwrap();
    write(&outside.join("a"), 0o666);
    symlink(outside.join("a"), root.join("link")).unwrap();
    symlink(&outside, root.join("way")).unwrap();
    fs::hard_link(outside.join("a"), root.join("twin")).unwrap();
    for name in ["link", "way/a", "twin", "../outside/a"] {
        let path = root.join(name);
        assert!(take_rights(&root, &path, TakenRights::All).is_err(), "{name}");
        assert!(remove_own_file(&root, &path).is_err(), "{name}");
        assert!(release_abandoned(&root, &path).is_err(), "{name}");
    }
    assert_eq!((mode(&outside.join("a")), fs::read(outside.join("a")).unwrap()), (0o666, b"x".to_vec()));
    assert!(remove_own_file(&root, &root).is_err());
}

#[test]
fn a_root_that_is_reached_by_a_link_is_the_users_choice() {
    let folder = folder();
    let (real, root) = (folder.path().join("real"), folder.path().join("root"));
    write(&real.join("deep/a"), 0o666);
    symlink(&real, &root).unwrap();
    take_rights(&root, &root.join("deep/a"), TakenRights::Write).unwrap();
    assert_eq!(mode(&real.join("deep/a")), 0o644);
    remove_own_file(&root, &root.join("deep/a")).unwrap();
    remove_own_file(&root, &root.join("deep/a")).unwrap();
    assert!(!real.join("deep/a").exists());
}

#[test]
fn a_lock_tells_whether_its_holder_is_gone() {
    let folder = folder();
    let data = folder.path().join("data");
    let file = folder.path().join("data.lock");
    assert_eq!(lock_state(&file), LockState::Free);
    let lock = Lock::acquire(&data, Duration::ZERO).unwrap();
    assert_eq!(lock_state(&file), LockState::Held(std::process::id()));
    assert!(matches!(release_abandoned(folder.path(), &file), Err(RepairError::Busy(_))));
    drop(lock);
    assert_eq!(lock_state(&file), LockState::Free);
    fs::write(&file, "4194303\n").unwrap();
    assert_eq!(lock_state(&file), LockState::Abandoned(4_194_303));
    release_abandoned(folder.path(), &file).unwrap();
    assert_eq!((lock_state(&file), fs::read(&file).unwrap()), (LockState::Free, Vec::new()));
    fs::write(&file, "not a number").unwrap();
    assert_eq!(lock_state(&file), LockState::Free);
}

#[test]
fn entries_behind_links_and_in_folders_of_others_are_left_out() {
    let folder = folder();
    let root = folder.path();
    for name in ["a", "deep/skills/b", "skills/c/SKILL.md"] {
        write(&root.join(name), 0o644);
    }
    symlink(root.join("deep"), root.join("way")).unwrap();
    let names = |max: usize| -> Vec<String> {
        let found = own_entries(root, &["skills"], max);
        found.iter().map(|(path, _)| path.strip_prefix(root).unwrap().display().to_string()).collect()
    };
    assert_eq!(names(100), ["a", "deep", "deep/skills", "deep/skills/b", "skills", "way"]);
    assert_eq!(names(2).len(), 2);
}

#[test]
fn a_file_system_tells_its_room() {
    let folder = folder();
    let found = room(folder.path()).unwrap();
    assert!(found.bytes > 0 && found.has_names && !found.is_read_only);
    assert!(may_write_in(folder.path()));
    assert!(!may_write_in(&folder.path().join("none")));
    assert_eq!(room(&folder.path().join("none")), None);
}
