//! `prowess demo`: the tour is real, complete, offline, and leaves nothing behind.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below, fingerprint};

/// The program, with the system's own programs and a folder for temporary files.
fn command(home: &Home, program: &[&str]) -> assert_cmd::Command {
    let own = assert_cmd::cargo::cargo_bin!("prowess").display().to_string();
    let line: Vec<&str> = program.iter().map(|part| if *part == "prowess" { &own } else { *part }).collect();
    let mut command = assert_cmd::Command::new(line[0]);
    std::fs::create_dir_all(home.tree.path("tmp")).expect("a folder");
    command
        .args(&line[1..])
        .env_clear()
        .env("HOME", home.tree.root())
        .env("TMPDIR", home.tree.path("tmp"))
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir(home.tree.path("ws"));
    command
}

fn demo(home: &Home, args: &[&str]) -> Ran {
    home.finish(&mut command(home, &[&["prowess", "demo"], args].concat()))
}

/// What is not the same twice: moments, durations, and scores, whose last digit may depend on the processor.
fn steady(text: &str) -> String {
    let is_number = |word: &str| {
        let digits = word.trim_start_matches(['+', '-', '(']).trim_end_matches([',', ')']);
        !digits.is_empty() && digits.chars().all(|each| each.is_ascii_digit() || ".:-".contains(each))
    };
    let is_steady = |word: &str| !is_number(word) || word.chars().all(|each| each.is_ascii_digit());
    let steady = |word: &str| if is_steady(word.trim()) { word.to_owned() } else { "#".repeat(word.len()) };
    text.split_inclusive(' ')
        .map(|word| {
            let (body, end) = word.strip_suffix(' ').map_or((word, ""), |body| (body, " "));
            let lines: Vec<String> = body.split('\n').map(steady).collect();
            lines.join("\n") + end
        })
        .collect()
}

#[test]
fn it_shows_everything_in_its_order() {
    let home = Home::new();
    let before = fingerprint(home.tree.root());
    let ran = demo(&home, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    insta::assert_snapshot!("tour", steady(&ran.stdout));
    std::fs::remove_dir(home.tree.path("tmp")).expect("an empty folder: nothing is left");
    assert_eq!(fingerprint(home.tree.root()), before, "nothing outside was touched");
    assert_eq!(demo(&home, &["--step"]).stdout.len(), ran.stdout.len(), "nobody is asked without a terminal");
}

#[test]
fn programs_get_every_command_and_what_became_of_it() {
    let home = Home::new();
    let ran = demo(&home, &["--json"]);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON and nothing else");
    assert_eq!((ran.code, &told["ok"], &told["kept"]), (0, &json!(true), &Value::Null));
    let steps = told["steps"].as_array().expect("steps");
    let parts: Vec<&str> = steps.iter().filter_map(|step| step["part"].as_str()).collect();
    let mut order = parts.clone();
    order.dedup();
    assert_eq!(order, ["find", "gate", "match", "run", "learn", "forge"]);
    let output = |command: &str| {
        let step = steps.iter().rfind(|step| step["command"] == command);
        step.and_then(|step| step["output"].as_str()).unwrap_or_else(|| panic!("{command}: {told:#}"))
    };
    assert!(output("prowess list").contains("(5/8 ready)"));
    assert!(
        output("prowess why meeting-notes").contains("wins over ~/.prowess/skills/meeting-notes/SKILL.md")
    );
    assert!(output("prowess why diagrams").contains("missing program `d2`"));
    assert!(output("prowess cortex show").contains("1 of 1 runs worked, weight 0.575"));
    assert!(output("prowess forge list").contains("count-server-errors"));
    assert!(
        output("prowess match \"how many server errors were there?\"")
            .starts_with("load count-server-errors")
    );
    let refused = steps.iter().find(|step| step["exitCode"] != 0).expect("one is refused");
    assert_eq!(refused["exitCode"], 1);
    assert!(refused["output"].as_str().is_some_and(|text| text.contains("scan    malicious")), "{refused}");
    assert!(!ran.stdout.contains("[ROOT]"), "the home of the tour is written as ~");
}

#[test]
fn nothing_is_sent() {
    // Without a network, not even with itself, wherever the system lets us try.
    let home = Home::new();
    let isolated = ["/usr/bin/unshare", "--map-root-user", "--net"];
    let can_isolate = Command::new(isolated[0]).args(&isolated[1..]).arg("true").output();
    let can_isolate = can_isolate.is_ok_and(|output| output.status.success());
    let line = if can_isolate {
        [&isolated[..], &["prowess", "demo", "--json"]].concat()
    } else {
        vec!["prowess", "demo", "--json"]
    };
    let ran = home.finish(&mut command(&home, &line));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn it_stays_if_it_is_asked_to() {
    let home = Home::new();
    let ran = demo(&home, &["--keep", "--json"]);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let kept =
        told["kept"].as_str().expect("a folder").replace("[ROOT]", &home.tree.root().display().to_string());
    let files = files_below(kept.as_ref());
    let skills = files.iter().filter(|file| file.ends_with("/SKILL.md"));
    let promoted = ".prowess/skills/count-server-errors/SKILL.md";
    assert_eq!(skills.clone().filter(|file| !file.contains("count-server-errors")).count(), 10, "{files:?}");
    assert!(skills.clone().any(|file| file == promoted), "{files:?}");
}

#[test]
fn whatever_ends_it_the_folder_goes() {
    for signal in ["-INT", "-TERM"] {
        let home = Home::new();
        std::fs::create_dir_all(home.tree.path("tmp")).expect("a folder");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("prowess"))
            .arg("demo")
            .env_clear()
            .env("HOME", home.tree.root())
            .env("TMPDIR", home.tree.path("tmp"))
            .env("PATH", "/usr/bin:/bin")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        assert!(lines.any(|line| line.is_ok_and(|line| line.starts_with("$ prowess"))));
        let id = child.id().to_string();
        assert!(Command::new("/bin/kill").args([signal, &id]).status().expect("kill").success());
        lines.for_each(drop);
        assert_eq!(child.wait().expect("an end").code(), Some(130), "{signal}");
        assert_eq!(files_below(&home.tree.path("tmp")), Vec::<String>::new(), "{signal}");
    }
}

#[test]
fn a_scene_that_goes_wrong_is_told_and_cleaned_up() {
    let home = Home::new();
    let mut without_programs = command(&home, &["prowess", "demo"]);
    let ran = home.finish(without_programs.env("PATH", home.tree.path("bin")));
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("ended with 1 instead of 0"), "{}", ran.stderr);
    assert_eq!(files_below(&home.tree.path("tmp")), Vec::<String>::new());
}
