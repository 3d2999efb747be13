//! `forge promote` and `restore`, killed or failing at one call of the system after the other.
//!
//! `strace` counts the calls of an undisturbed run and then disturbs one of them per run, as the tests of installs do.
//! Whatever happens, the next command finds the old or the new state as a whole. The usual test takes samples;
//! `cargo nextest run -p prowess-cli --run-ignored all -E 'test(forge_faults)'` takes every call.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use prowess_testkit::Tree;
use serde_json::Value;

use crate::forge_support::{good, imported_draft, run};
use crate::support::{Home, Program as _, files_below};

/// Calls that change files, and those whose answers decide what is changed.
const CALLS: &str = "write,rename,renameat,renameat2,fsync,fdatasync,ftruncate,unlink,unlinkat,rmdir,mkdir,\
                     mkdirat,openat,close,flock,fchmod,statx,newfstatat,read,getdents64";
const FAULTS: [&str; 3] = ["signal=KILL", "error=EIO", "error=ENOSPC"];
const THREADS: usize = 2;

/// A command in a home that is ready for it.
struct Scenario {
    home: Home,
    args: Vec<String>,
    /// The folder of the skill, below the home.
    skill: String,
    /// The first path of the command's own work.
    begins: &'static str,
    /// Says what is wrong in a home after the command was disturbed.
    check: fn(&Home, &Self, Disturbed) -> Result<(), String>,
}

/// How a disturbed command ended.
#[derive(Clone, Copy)]
struct Disturbed {
    succeeded: bool,
    /// Its number among all.
    number: usize,
}

fn promotion() -> Scenario {
    let home = Home::new();
    let commands = ["sort -k2 a.csv", "wc -l a.csv", "head a.csv", "grep -c x a.csv"];
    let name = imported_draft(&home, "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5", &commands);
    good(&home, &["forge", "test", &name]);
    Scenario {
        skill: format!(".prowess/skills/{name}"),
        args: vec!["forge".to_owned(), "promote".to_owned(), name, "--yes".to_owned()],
        begins: "/forge/queue",
        check: promoted_or_not,
        home,
    }
}

fn restoring() -> Scenario {
    let home = Home::new();
    home.skill("src/weather", "weather", "");
    home.tree.write("src/weather/scripts/run.sh", "#!/bin/sh\necho fine\n");
    good(&home, &["install", "../src/weather", "--yes"]);
    good(&home, &["uninstall", "weather", "--yes"]);
    let trash = good(&home, &["restore"]);
    let id = trash["trash"][0]["id"].as_str().expect("something in the trash").to_owned();
    Scenario {
        skill: "ws/skills/weather".to_owned(),
        args: vec!["restore".to_owned(), id],
        begins: "/ws/.prowess/",
        check: restored_or_not,
        home,
    }
}

/// A copy of a scenario's home.
fn copy(scenario: &Scenario) -> Home {
    let tree = Tree::new();
    let from = format!("{}/.", scenario.home.tree.root().display());
    let copied = Command::new("cp").args(["-a", &from]).arg(tree.root()).status();
    assert!(copied.is_ok_and(|status| status.success()));
    // The trash notes where a folder was.
    let (old, new) = (scenario.home.tree.root().display().to_string(), tree.root().display().to_string());
    for entry in std::fs::read_dir(tree.path("ws/.prowess/trash")).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "json") {
            let note = std::fs::read_to_string(entry.path()).expect("a note");
            std::fs::write(entry.path(), note.replace(&old, &new)).expect("a note");
        }
    }
    Home { tree }
}

/// The files of the skill; none if there is no folder.
fn skill_files(home: &Home, scenario: &Scenario) -> Vec<String> {
    let files = files_below(&home.tree.path(&scenario.skill));
    files.into_iter().filter(|file| file != ".prowess-new").collect()
}

fn promoted_or_not(home: &Home, scenario: &Scenario, disturbed: Disturbed) -> Result<(), String> {
    let name = scenario.args[2].as_str();
    let whole = ["SKILL.md".to_owned(), "evals/triggers.json".to_owned(), format!("scripts/auto/{name}.sh")];
    let at_once = skill_files(home, scenario);
    if !at_once.is_empty() && at_once != whole {
        return Err(format!("half a skill: {at_once:?}"));
    }
    let listed = good(home, &["forge", "list"]);
    let is_promoted = listed["drafts"][0]["status"] == "promoted";
    let files = skill_files(home, scenario);
    let is_there = files == whole;
    if is_promoted != is_there || (!is_there && !files.is_empty()) {
        return Err(format!("the record says {listed}, the disk {files:?}"));
    }
    if disturbed.succeeded && !is_promoted {
        return Err("it was said to be promoted".to_owned());
    }
    if run(home, &["prompt"]).stdout.contains(name) != is_there {
        return Err("the prompt does not agree".to_owned());
    }
    if disturbed.number.is_multiple_of(2) {
        let again = run(home, &["forge", "promote", name, "--yes"]);
        if again.code != 0 || skill_files(home, scenario) != whole {
            return Err(format!("promoting again: {}", again.stderr));
        }
    } else {
        let rejected = run(home, &["forge", "reject", name]);
        if rejected.code != 0 || home.tree.path(&scenario.skill).exists() {
            return Err(format!("rejecting: {}", rejected.stderr));
        }
    }
    nothing_left(home, ".prowess")
}

fn restored_or_not(home: &Home, scenario: &Scenario, disturbed: Disturbed) -> Result<(), String> {
    let id = scenario.args[1].as_str();
    let whole = ["SKILL.md", "scripts/run.sh"];
    let at_once = skill_files(home, scenario);
    if !at_once.is_empty() && at_once != whole {
        return Err(format!("half a skill: {at_once:?}"));
    }
    if disturbed.number.is_multiple_of(2) {
        // The next command settles it.
        let trash = good(home, &["restore"]);
        let is_trashed = trash["trash"].as_array().is_some_and(|all| all.iter().any(|one| one["id"] == id));
        let is_there = skill_files(home, scenario) == whole;
        let is_listed = is_in_lock(home);
        if is_there == is_trashed || is_there != is_listed || (disturbed.succeeded && !is_there) {
            return Err(format!("there: {is_there}, in the trash: {is_trashed}, in the lock: {is_listed}"));
        }
        if is_there {
            return nothing_left(home, "ws/.prowess");
        }
    } else if disturbed.succeeded && skill_files(home, scenario) != whole {
        return Err("it was said to be back".to_owned());
    }
    if disturbed.succeeded {
        // The next command tidies up what could not be.
        good(home, &["restore"]);
    } else if !is_in_lock(home) || nothing_left(home, "ws/.prowess").is_err() {
        let again = run(home, &["restore", id]);
        if again.code != 0 {
            return Err(format!("restoring again: {}", again.stderr));
        }
    }
    let left = files_below(&home.tree.path("ws/.prowess/trash"));
    if skill_files(home, scenario) != whole || !is_in_lock(home) || !left.is_empty() {
        return Err(format!("afterwards: {:?}, {left:?}", skill_files(home, scenario)));
    }
    nothing_left(home, "ws/.prowess")
}

fn is_in_lock(home: &Home) -> bool {
    let text = std::fs::read_to_string(home.tree.path("ws/.prowess/lock.json")).unwrap_or_default();
    let lock: Value = serde_json::from_str(&text).unwrap_or_default();
    lock["skills"]["weather"].is_object()
}

fn nothing_left(home: &Home, state: &str) -> Result<(), String> {
    let journals = ["install-journal.json", "forge/install-journal.json"];
    match journals.iter().find(|journal| home.tree.path(&format!("{state}/{journal}")).exists()) {
        Some(journal) => Err(format!("{journal} is left")),
        None => Ok(()),
    }
}

/// The command under `strace`.
fn traced(home: &Home, scenario: &Scenario, options: &[&str]) -> bool {
    let program = home.process();
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", &format!("trace={CALLS}")]).args(options);
    command.arg(program.get_program()).args(&scenario.args).env_clear();
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PATH", path);
    command.current_dir(home.tree.path("ws")).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn has_strace() -> bool {
    let works = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status();
    works.is_ok_and(|status| status.success())
}

/// The calls of an undisturbed run from the beginning of the command's own work: their names, and which of its kind.
fn points(scenario: &Scenario) -> Vec<(String, usize)> {
    let home = copy(scenario);
    let log = home.tree.path("trace");
    assert!(traced(&home, scenario, &["-o", &log.display().to_string()]));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mut is_begun = false;
    for line in std::fs::read_to_string(log).expect("a trace").lines() {
        let Some((call, _)) = line.split_whitespace().nth(1).and_then(|word| word.split_once('(')) else {
            continue;
        };
        let count = counts.entry(call.to_owned()).or_default();
        *count += 1;
        is_begun |= line.contains(scenario.begins);
        if is_begun {
            found.push((call.to_owned(), *count));
        }
    }
    found
}

/// Disturbs every `step`-th call with every fault.
#[expect(clippy::print_stdout, reason = "a sweep says how much it covered")]
fn sweep(scenario: &Scenario, faults: &[&str], step: usize) {
    if !has_strace() {
        println!("skipped: there is no `strace` that may trace");
        return;
    }
    let points = points(scenario);
    let kinds: BTreeSet<&str> = points.iter().map(|(call, _)| call.as_str()).collect();
    assert!(points.len() > 50, "{points:?}");
    println!("{} calls of {kinds:?}", points.len());
    let mut jobs = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        jobs.extend(
            points.iter().skip(number * step / faults.len()).step_by(step).map(|point| (point, *fault)),
        );
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut problems = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(((call, count), fault)) = jobs.get(number) else { return problems };
            let home = copy(scenario);
            let inject = format!("inject={call}:{fault}:when={count}");
            let succeeded = traced(&home, scenario, &["-o", "/dev/null", "-e", &inject]);
            if let Err(problem) = (scenario.check)(&home, scenario, Disturbed { succeeded, number }) {
                problems.push(format!("{fault} at {call} #{count}: {problem}"));
            }
        }
    };
    let problems: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    println!("{} disturbed runs", jobs.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Kills the command after growing times.
fn kill_after(scenario: &Scenario, times: impl Iterator<Item = Duration>) {
    for (number, time) in times.enumerate() {
        let home = copy(scenario);
        let mut command = home.process();
        let mut child = command
            .args(&scenario.args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Another moment each time: where a kill falls is what is tested.
        std::thread::sleep(time);
        let _ = child.kill();
        let succeeded = child.wait().is_ok_and(|status| status.success());
        let checked = (scenario.check)(&home, scenario, Disturbed { succeeded, number });
        assert_eq!(checked, Ok(()), "killed after {time:?}");
    }
}

fn is_empty_folder(path: &Path) -> bool {
    !path.exists() || files_below(path).is_empty()
}

#[test]
fn a_sample_of_interrupted_promotions_leaves_the_old_or_the_new_state() {
    sweep(&promotion(), &FAULTS, 61);
}

#[test]
fn a_sample_of_interrupted_restores_leaves_the_old_or_the_new_state() {
    sweep(&restoring(), &FAULTS, 61);
}

#[test]
fn kills_at_growing_times_leave_the_old_or_the_new_state() {
    let scenario = promotion();
    assert!(is_empty_folder(&scenario.home.tree.path(&scenario.skill)));
    kill_after(&scenario, (0..8).map(|step| Duration::from_millis(step * step * 2)));
    kill_after(&restoring(), (0..8).map(|step| Duration::from_millis(step * step * 2)));
}

#[test]
#[ignore = "takes minutes"]
fn every_interrupted_promotion_leaves_the_old_or_the_new_state() {
    sweep(&promotion(), &FAULTS, 1);
}

#[test]
#[ignore = "takes minutes"]
fn every_interrupted_restore_leaves_the_old_or_the_new_state() {
    sweep(&restoring(), &FAULTS, 1);
}
