//! Several processes that install at once.

use std::process::{Child, Command};

use prowess_install::{is_interrupted, status};

use crate::faults::{home, program};

#[test]
fn processes_wait_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let start = |action: &str| -> Child {
        Command::new(program()).arg(folder.path()).arg(action).spawn().expect("the example runs")
    };
    let installs: Vec<Child> = (0..6).map(|_| start("first")).collect();
    for mut process in installs {
        assert!(process.wait().unwrap().success());
    }
    // Only one of these has something to take away.
    let removals: Vec<Child> = (0..4).map(|_| start("remove")).collect();
    let ended = removals.into_iter().filter_map(|mut process| process.wait().ok());
    assert_eq!(ended.filter(std::process::ExitStatus::success).count(), 1);
    let home = home(folder.path());
    assert!(status(&home).unwrap().is_empty() && !is_interrupted(&home));
    assert!(home.trash.join("removed/SKILL.md").is_file());
}
