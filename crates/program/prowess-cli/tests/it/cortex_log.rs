//! A log of what was learned that is damaged: moved aside, made anew from the export, and said once.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Home, Program as _};

const LOG: &str = ".prowess/state.db";

fn record(home: &Home, skill: &str, more: &[&str]) {
    let args = ["cortex", "record", "--task", "query my todos", "--skill", skill, "--result", "success"];
    home.good(&[&args, more].concat());
}

/// A home in which something of every kind was learned.
fn learned() -> Home {
    let home = Home::new();
    record(&home, "todo", &["--skill-version", "1.2.0"]);
    record(&home, "todo", &["--env-ready", "TODO_KEY"]);
    record(&home, "todo", &["--env-ready", "TODO_KEY"]);
    record(&home, "own", &["--long-term"]);
    home.good(&["cortex", "blacklist", "evil"]);
    home
}

/// The learned state, without the count of rows and the place of the file.
fn state(home: &Home) -> Value {
    let mut shown = home.json(&["cortex", "show", "--json"]);
    shown["events"] = Value::Null;
    shown
}

fn kept(home: &Home) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(home.tree.path(".prowess"))
        .expect("the state")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| {
            name.starts_with("state.db.damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm")
        })
        .collect();
    names.sort();
    names
}

type Damage = fn(&Path);

const DAMAGES: [(&str, Damage); 9] = [
    ("garbage", |log| std::fs::write(log, "no database at all ".repeat(300)).expect("written")),
    ("garbage over its start", |log| overwrite(log, 0, b"garbage")),
    ("another header", |log| overwrite(log, 16, &[0xA5; 84])),
    ("another kind of database", |log| overwrite(log, 68, &[0x41; 4])),
    ("an absurd version", |log| overwrite(log, 60, &[0x41; 4])),
    ("cut in half", |log| {
        let bytes = std::fs::read(log).expect("read");
        std::fs::write(log, &bytes[..bytes.len() / 2]).expect("written");
    }),
    ("zero bytes", |log| std::fs::write(log, "").expect("written")),
    ("holes in its middle", |log| {
        let length = std::fs::metadata(log).expect("a file").len();
        overwrite(log, 4096, &vec![0; usize::try_from(length).expect("small") - 4096]);
    }),
    ("a folder", |log| {
        std::fs::remove_file(log).expect("removed");
        std::fs::create_dir(log).expect("a folder");
        std::fs::write(log.join("x"), "mine").expect("written");
    }),
];

fn overwrite(log: &Path, at: usize, bytes: &[u8]) {
    let mut content = std::fs::read(log).expect("read");
    content[at..at + bytes.len()].copy_from_slice(bytes);
    std::fs::write(log, content).expect("written");
}

#[test]
fn whatever_the_damage_nothing_is_lost_and_it_is_said_once() {
    for (name, damage) in DAMAGES {
        let home = learned();
        let before = state(&home);
        let log = home.tree.path(LOG);
        damage(&log);
        let next = home.run(&["cortex", "lessons"]);
        assert_eq!(next.code, 0, "{name}: {}", next.stderr);
        assert_eq!(next.stderr.matches("was damaged").count(), 1, "{name}: {}", next.stderr);
        assert!(next.stderr.contains("made anew from"), "{name}: {}", next.stderr);
        assert_eq!(state(&home), before, "{name}");
        assert_eq!(kept(&home).len(), 1, "{name}: {:?}", kept(&home));
        record(&home, "todo", &[]);
        assert_eq!(home.json(&["cortex", "replay", "--json"])["same"], true, "{name}");
    }
}

#[test]
fn a_task_is_perceived_in_spite_of_the_damage() {
    let home = learned();
    (DAMAGES[0].1)(&home.tree.path(LOG));
    let seen = home.run(&["cortex", "perceive", "query my todos", "--offline", "--anyway", "--json"]);
    let answer: Value = serde_json::from_str(&seen.stdout).expect("JSON");
    assert_eq!(
        (seen.code, &answer["candidates"][0]["slug"]),
        (0, &json!("todo")),
        "{} {}",
        seen.stdout,
        seen.stderr
    );
    assert!(seen.stderr.contains("was damaged"), "{}", seen.stderr);
}

#[test]
fn one_of_many_processes_repairs_and_no_outcome_is_lost() {
    const PROCESSES: usize = 6;
    let home = learned();
    (DAMAGES[5].1)(&home.tree.path(LOG));
    let told = std::thread::scope(|scope| {
        let run = |number: usize| {
            let skill = format!("todo-{}", number % 2);
            let task = "query my todos";
            home.run(&["cortex", "record", "--task", task, "--skill", &skill, "--result", "success"])
        };
        let threads: Vec<_> = (0..PROCESSES).map(|number| scope.spawn(move || run(number))).collect();
        let ran: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("it ends")).collect();
        assert!(ran.iter().all(|ran| ran.code == 0), "{ran:?}");
        ran.iter().filter(|ran| ran.stderr.contains("was damaged")).count()
    });
    assert_eq!((told, kept(&home).len()), (1, 1), "{:?}", kept(&home));
    let shown = home.json(&["cortex", "show", "--json"])["regions"][0]["candidates"].clone();
    let uses: u64 = shown
        .as_array()
        .expect("candidates")
        .iter()
        .filter_map(|one| one["candidate"]["runs"]["success"].as_u64())
        .sum();
    assert_eq!(uses, 3 + PROCESSES as u64, "{shown}");
    assert_eq!(home.json(&["cortex", "replay", "--json"])["same"], true);
}

#[test]
fn without_an_export_it_starts_anew_and_says_so() {
    let home = learned();
    std::fs::remove_file(home.tree.path(".prowess/cortex.json")).expect("removed");
    (DAMAGES[1].1)(&home.tree.path(LOG));
    let next = home.run(&["cortex", "show"]);
    assert_eq!(next.code, 0);
    assert!(next.stderr.contains("so it starts anew"), "{}", next.stderr);
    assert_eq!(kept(&home).len(), 1);
}

#[test]
fn the_doctor_finds_and_repairs_it() {
    for (name, damage) in DAMAGES {
        let home = learned();
        let before = state(&home);
        damage(&home.tree.path(LOG));
        let found = home.run(&["doctor", "--check", "cortex", "--json"]).stdout;
        assert!(found.contains("cortex/log"), "{name}: {found}");
        assert!(kept(&home).is_empty(), "looking changes nothing");
        home.run(&["doctor", "--check", "cortex", "--fix", "--yes", "--json"]);
        assert_eq!(kept(&home).len(), 1, "{name}");
        assert!(
            !home.run(&["doctor", "--check", "cortex", "--json"]).stdout.contains("cortex/log"),
            "{name}"
        );
        assert_eq!(state(&home), before, "{name}");
    }
}
