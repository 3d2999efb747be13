use std::convert::Infallible;
use std::fs;
use std::io::{self, BufRead as _};
use std::process::Child;
use std::thread;

use super::*;

const LONG: Duration = Duration::from_mins(2);

fn increment(file: &Path) {
    update_file(file, LONG, |old| {
        let count: u32 = old.map_or(0, |text| text.trim().parse().unwrap());
        Ok::<_, Infallible>(Some(format!("{}\n", count + 1)))
    })
    .unwrap();
}

/// Writes a generation that is larger than a page, so that a torn write would show.
fn next_generation(file: &Path) {
    update_file(file, LONG, |old| {
        let last: u64 =
            old.as_ref().and_then(|text| text.lines().next()).map_or(0, |line| line.parse().unwrap());
        Ok::<_, Infallible>(Some(format!("{}\n", last + 1).repeat(5_000)))
    })
    .unwrap();
}

/// Not a test: what another process does. It is told over its input, and is silent without one.
#[test]
#[ignore = "runs as the child process of other tests"]
fn child_process() {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let (Some(task), Some(file)) = (lines.next(), lines.next()) else {
        return;
    };
    let file = PathBuf::from(file);
    match task.as_str() {
        "increment" => (0..50).for_each(|_| increment(&file)),
        "generations" => loop {
            next_generation(&file);
        },
        other => panic!("unknown task {other}"),
    }
}

fn spawn(task: &str, file: &Path) -> Child {
    prowess_testkit::child_test("update::tests::child_process", &[task, &file.display().to_string()])
}

#[test]
fn no_update_is_lost_between_threads() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("count");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| increment(&file)));
        }
    });
    assert_eq!(fs::read_to_string(&file).unwrap(), "400\n");
}

#[test]
fn no_update_is_lost_between_processes() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("count");
    let children: Vec<Child> = (0..8).map(|_| spawn("increment", &file)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "400\n");
}

#[test]
fn a_killed_writer_leaves_old_or_new_content_and_no_lock() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("generations");
    next_generation(&file);
    let mut last = 1;
    for round in 0..12_u64 {
        let mut child = spawn("generations", &file);
        // Wait until it is at work, then strike at another moment each time.
        let is_old = || fs::read_to_string(&file).unwrap().starts_with(&format!("{last}\n"));
        prowess_testkit::wait_until("its first work", || !is_old());
        thread::sleep(Duration::from_micros(round * 977));
        child.kill().unwrap();
        child.wait().unwrap();

        let text = fs::read_to_string(&file).unwrap();
        let generation: u64 = text.lines().next().unwrap().parse().unwrap();
        assert!(generation > last);
        assert_eq!(text, format!("{generation}\n").repeat(5_000));
        update_file(&file, LONG, |old| {
            assert_eq!(old.as_deref(), Some(text.as_str()));
            Ok::<_, Infallible>(None)
        })
        .unwrap();
        last = generation;
    }
}

#[test]
fn nothing_is_written_unless_something_changes() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("folder/a");
    let none = update_file(&file, LONG, |old| {
        assert_eq!(old, None);
        Ok::<_, Infallible>(None)
    });
    assert_eq!(none.unwrap(), FileUpdate::Unchanged);
    assert!(!file.exists());
    let written = update_file(&file, LONG, |_| Ok::<_, Infallible>(Some("x".into())));
    assert_eq!(written.unwrap(), FileUpdate::Written);
    let before = crate::stamp(&file).unwrap();
    assert_eq!(update_file(&file, LONG, Ok::<_, Infallible>).unwrap(), FileUpdate::Unchanged);
    assert_eq!(crate::stamp(&file).unwrap(), before);
}

#[test]
fn a_refused_edit_changes_nothing_and_frees_the_lock() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    fs::write(&file, "x").unwrap();
    let refused = update_file(&file, LONG, |_| Err(io::Error::other("no")));
    assert!(matches!(refused, Err(UpdateError::Edit(_))));
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    Lock::acquire(&file, Duration::ZERO).unwrap();
}

#[test]
fn what_is_not_text_is_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    fs::write(&file, [0xff, 0xfe]).unwrap();
    let error = update_file(&file, LONG, |_| Ok::<_, Infallible>(Some(String::new())));
    assert!(matches!(error, Err(UpdateError::NotText { .. })));
    assert_eq!(fs::read(&file).unwrap(), [0xff, 0xfe]);
}

#[cfg(unix)]
#[test]
fn writers_that_know_the_file_by_different_names_share_its_lock() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let temp = tempfile::tempdir().unwrap();
    let (link, real) = (temp.path().join("link"), temp.path().join("real"));
    symlink("real", &link).unwrap();
    increment(&link);
    increment(&real);
    assert_eq!(fs::read_to_string(&real).unwrap(), "2\n");
    assert!(link.is_symlink());
    assert!(!temp.path().join("link.lock").exists());
    let mode = fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
