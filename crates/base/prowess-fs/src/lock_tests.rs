use super::*;

const LONG: Duration = Duration::from_mins(1);

#[test]
fn a_second_holder_waits_and_is_told_for_whom() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("new/folder/config.json");
    let lock = Lock::acquire(&file, LONG).unwrap();
    assert_eq!(lock.path(), temp.path().join("new/folder/config.json.lock"));
    let error = Lock::acquire(&file, Duration::from_millis(5)).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("config.json.lock`"), "{message}");
    let pid = std::process::id();
    assert!(message.contains(&format!("process {pid}")), "{message}");
    assert!(matches!(error, LockError::Busy { pid: Some(found), .. } if found == pid));
    drop(lock);
    Lock::acquire(&file, Duration::ZERO).unwrap();
}

#[test]
fn a_lock_file_that_was_left_behind_means_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    fs::write(temp.path().join("a.lock"), "999999 and more than a pid\n").unwrap();
    let lock = Lock::acquire(&file, Duration::ZERO).unwrap();
    let written = fs::read_to_string(lock.path()).unwrap();
    assert_eq!(written, format!("{}\n", std::process::id()));
    drop(lock);
    assert_eq!(fs::read_to_string(temp.path().join("a.lock")).unwrap(), "");
}

#[test]
fn a_holder_who_did_not_sign_stays_unnamed() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    let lock = Lock::acquire(&file, LONG).unwrap();
    fs::write(lock.path(), "nonsense").unwrap();
    let error = Lock::acquire(&file, Duration::ZERO).unwrap_err();
    assert!(error.to_string().contains("another process"));
}

#[test]
fn different_files_do_not_wait_for_each_other() {
    let temp = tempfile::tempdir().unwrap();
    let _one = Lock::acquire(&temp.path().join("a"), LONG).unwrap();
    Lock::acquire(&temp.path().join("b"), Duration::ZERO).unwrap();
}

#[cfg(unix)]
#[test]
fn a_lock_file_is_private_and_never_reached_through_a_link() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let temp = tempfile::tempdir().unwrap();
    let lock = Lock::acquire(&temp.path().join("a"), LONG).unwrap();
    let mode = fs::metadata(lock.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    fs::write(temp.path().join("precious"), "text").unwrap();
    symlink("precious", temp.path().join("b.lock")).unwrap();
    let error = Lock::acquire(&temp.path().join("b"), LONG).unwrap_err();
    assert!(matches!(error, LockError::Io { .. }));
    assert_eq!(fs::read_to_string(temp.path().join("precious")).unwrap(), "text");
}
