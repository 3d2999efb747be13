use std::fs;
use std::io::BufRead as _;
use std::process::Child;
use std::thread;

use super::*;

const LONG: Duration = Duration::from_mins(2);

fn add_numbered(file: &Path, writer: u32, count: u32) {
    for number in 0..count {
        // Longer than a page now and then, so that a torn or mixed write would show.
        let padding = "x".repeat(if number % 10 == 0 { 9_000 } else { 20 });
        append_line(file, &format!("{writer}:{number}:{padding}:end"), LONG).unwrap();
    }
}

fn assert_all_there(file: &Path, writers: u32, count: u32) {
    let text = fs::read_to_string(file).unwrap();
    for writer in 0..writers {
        let own = text.lines().filter_map(|line| line.strip_prefix(&format!("{writer}:")));
        let numbers: Vec<u32> = own
            .map(|line| {
                assert!(line.ends_with(":end"));
                line.split(':').next().unwrap().parse().unwrap()
            })
            .collect();
        assert_eq!(numbers, (0..count).collect::<Vec<_>>(), "writer {writer}");
    }
    assert_eq!(text.lines().count(), (writers * count) as usize);
}

/// Not a test: what another process does. It is told over its input, and is silent without one.
#[test]
#[ignore = "runs as the child process of other tests"]
fn child_process() {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let (Some(writer), Some(file)) = (lines.next(), lines.next()) else {
        return;
    };
    let file = PathBuf::from(file);
    match writer.as_str() {
        "endless" => loop {
            add_numbered(&file, 0, 20);
        },
        number => add_numbered(&file, number.parse().unwrap(), 50),
    }
}

fn spawn(task: &str, file: &Path) -> Child {
    prowess_testkit::child_test("append::tests::child_process", &[task, &file.display().to_string()])
}

#[test]
fn no_line_is_lost_between_threads() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    thread::scope(|scope| {
        for writer in 0..8 {
            let file = &file;
            scope.spawn(move || add_numbered(file, writer, 50));
        }
    });
    assert_all_there(&file, 8, 50);
}

#[test]
fn no_line_is_lost_between_processes() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    let children: Vec<Child> = (0..8).map(|writer| spawn(&writer.to_string(), &file)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_all_there(&file, 8, 50);
}

#[test]
fn a_killed_writer_loses_no_earlier_line() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    append_line(&file, "first:end", LONG).unwrap();
    for round in 0..8_u64 {
        let before = fs::read(&file).unwrap();
        let mut child = spawn("endless", &file);
        prowess_testkit::wait_until("a line", || fs::read(&file).unwrap().len() > before.len());
        // Another moment each time: where a kill falls is what is tested.
        thread::sleep(Duration::from_micros(round * 911));
        child.kill().unwrap();
        child.wait().unwrap();

        let torn = !fs::read(&file).unwrap().ends_with(b"\n");
        let appended = append_line(&file, &format!("round {round}:end"), LONG).unwrap();
        assert_eq!(appended == Appended::AfterTornLine, torn);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.as_bytes().starts_with(&before));
        assert!(text.ends_with(&format!("\nround {round}:end\n")));
    }
}

#[test]
fn a_torn_line_becomes_a_line_of_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    fs::write(&file, "one\ntw").unwrap();
    assert_eq!(append_line(&file, "three", LONG).unwrap(), Appended::AfterTornLine);
    assert_eq!(append_line(&file, "four", LONG).unwrap(), Appended::Cleanly);
    assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntw\nthree\nfour\n");
}

#[test]
fn more_than_one_line_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    for text in ["a\nb", "a\r", "\n"] {
        assert!(matches!(append_line(&file, text, LONG), Err(AppendError::NotOneLine { .. })), "{text:?}");
    }
    assert!(!file.exists());
}

#[test]
fn a_busy_file_says_who_holds_it() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("log");
    let lock = Lock::acquire(&file, LONG).unwrap();
    let error = append_line(&file, "a", Duration::ZERO).unwrap_err();
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    drop(lock);
    append_line(&file, "a", Duration::ZERO).unwrap();
}

#[test]
fn what_is_no_file_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("folder");
    fs::create_dir(&folder).unwrap();
    assert!(append_line(&folder, "a", LONG).is_err());
    assert!(matches!(sync_file(&temp.path().join("nothing")), Err(AppendError::Io { .. })));
}

#[cfg(unix)]
#[test]
fn a_new_file_is_the_users_alone_and_links_are_refused() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("new/folder/log");
    append_line(&file, "a", LONG).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    sync_file(&file).unwrap();

    let link = temp.path().join("link");
    symlink(&file, &link).unwrap();
    assert!(append_line(&link, "b", LONG).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\n");
}
