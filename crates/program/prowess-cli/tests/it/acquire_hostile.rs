//! Archives that are built to break an installer, installs that meet, and installs that are killed.

use std::process::Stdio;
use std::time::Duration;

use prowess_testkit::hostile::{Expect, archives};

use crate::acquire_support::skill;
use crate::support::{Home, Program as _, files_below};

#[test]
fn every_hostile_archive_is_refused_and_leaves_nothing_behind() {
    let home = Home::new();
    home.tree.write("outside/canary.txt", "unchanged");
    let archives = archives();
    assert_eq!(archives.len(), 45);
    for archive in &archives {
        home.tree.write(&format!("in/{}", archive.name), &archive.bytes);
    }
    let before = files_below(home.tree.root());
    let mut problems = Vec::new();
    for archive in &archives {
        let ran = home.run(&["install", &format!("../in/{}", archive.name), "--yes"]);
        let is_installed = home.tree.path("ws/skills").exists();
        let must_fail = archive.expect == Expect::RefuseAll;
        let must_work =
            matches!(archive.expect, Expect::Extract | Expect::ExtractMasked | Expect::ExtractFlat);
        if ran.code > 1 || (ran.code == 0) != is_installed {
            problems.push(format!("{}: ends with {}\n{}", archive.name, ran.code, ran.stderr));
        }
        if (must_fail && is_installed) || (must_work && !is_installed) {
            problems.push(format!("{} ({}): {}{}", archive.name, archive.why, ran.stdout, ran.stderr));
        }
        if is_installed {
            for file in files_below(&home.tree.path("ws/skills")) {
                let mode = std::fs::symlink_metadata(home.tree.path("ws/skills").join(&file)).unwrap();
                let mode = std::os::unix::fs::PermissionsExt::mode(&mode.permissions());
                assert_eq!(mode & 0o7000, 0, "{}: {file}", archive.name);
            }
            std::fs::remove_dir_all(home.tree.path("ws/skills")).unwrap();
            std::fs::remove_dir_all(home.tree.path("ws/.prowess")).unwrap();
        }
        let after: Vec<String> = files_below(home.tree.root())
            .into_iter()
            .filter(|file| !file.starts_with(".prowess/cache"))
            .collect();
        if after != before {
            problems.push(format!("{} leaves something behind: {after:?}", archive.name));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(std::fs::read_to_string(home.tree.path("outside/canary.txt")).unwrap(), "unchanged");
}

/// A skill of several files.
fn large(home: &Home, name: &str, word: &str) {
    home.tree.write(&format!("src/{name}/SKILL.md"), skill(name, word));
    for number in 0..40 {
        home.tree.write(&format!("src/{name}/notes/{number}.md"), format!("{word} {number}\n").repeat(50));
    }
}

#[test]
fn installs_that_meet_do_not_lose_each_other() {
    let home = Home::new();
    let names: Vec<String> = (0..6).map(|number| format!("skill-{number}")).collect();
    for name in &names {
        large(&home, name, "one");
    }
    std::thread::scope(|scope| {
        for name in &names {
            let home = &home;
            scope.spawn(move || {
                let ran = home.run(&["install", &format!("../src/{name}"), "--yes"]);
                assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
            });
        }
    });
    let listing = home.json(&["verify", "--json"]);
    assert_eq!((listing["ok"].as_bool(), listing["skills"].as_array().map(Vec::len)), (Some(true), Some(6)));
}

#[test]
fn two_installs_of_one_skill_leave_one() {
    let home = Home::new();
    large(&home, "weather", "one");
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..3).map(|_| scope.spawn(|| home.run(&["install", "../src/weather", "--yes"]).code)).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(codes.contains(&0) && codes.iter().all(|code| *code <= 1), "{codes:?}");
    assert_eq!(home.json(&["verify", "--json"])["ok"], true);
}

#[test]
fn a_killed_update_leaves_the_old_or_the_new_state() {
    let home = Home::new();
    large(&home, "weather", "old");
    home.good(&["install", "../src/weather", "--yes"]);
    for round in 0..12_u64 {
        large(&home, "weather", &format!("round-{round}"));
        let mut child = home
            .process()
            .args(["update", "weather", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Another moment each time: where a kill falls is what is tested.
        std::thread::sleep(Duration::from_millis(30 * round));
        let _ = child.kill();
        let _ = child.wait();
        let ran = home.run(&["verify", "--json"]);
        assert_eq!(ran.code, 0, "round {round}: {}{}", ran.stdout, ran.stderr);
        let left = files_below(&home.tree.path("ws/skills"));
        assert_eq!(left.len(), 41, "round {round}: {left:?}");
    }
    home.good(&["update", "weather", "--yes"]);
}
