//! Updating, pinning, removing, restoring: what somebody edited is merged, named or kept, and never lost.

use std::fs;

use crate::acquire_support::skill;
use crate::support::{Home, Program as _, files_below, texts};

const BODY: &str = "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.";

fn home() -> Home {
    let home = Home::new();
    upstream(&home, BODY);
    home.good(&["install", "../src/weather", "--yes"]);
    home
}

fn upstream(home: &Home, body: &str) {
    home.tree.write("src/weather/SKILL.md", skill("weather", body));
}

fn edit(home: &Home, from: &str, to: &str) {
    let path = home.tree.path("ws/skills/weather/SKILL.md");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).unwrap();
}

fn installed(home: &Home) -> String {
    fs::read_to_string(home.tree.path("ws/skills/weather/SKILL.md")).unwrap()
}

/// The only thing in the trash.
fn trash_id(home: &Home) -> String {
    let trash = home.json(&["restore", "--json"])["trash"].clone();
    texts(&trash, "id").pop().expect("something").to_owned()
}

#[test]
fn edits_are_merged_with_what_comes() {
    let home = home();
    assert_eq!(home.good(&["update", "weather", "--yes"]), "weather: up to date\n");
    assert_eq!(home.run(&["outdated"]).code, 0);
    edit(&home, "One.", "My one.");
    upstream(&home, &BODY.replace("Five.", "Five and six."));
    assert_eq!(home.run(&["outdated"]).code, 1);
    let diff = home.run(&["diff", "weather"]);
    assert!(diff.code == 1 && diff.stdout.contains("+Five and six."), "{}", diff.stdout);
    assert!(!diff.stdout.contains("-My one."), "what was edited stays");
    assert!(home.run(&["diff", "weather", "--local"]).stdout.contains("+My one."));
    let dry = home.good(&["update", "weather", "--dry-run"]);
    assert!(dry.contains("merged: SKILL.md") && !installed(&home).contains("six"), "{dry}");
    home.good(&["update", "--all", "--yes"]);
    let text = installed(&home);
    assert!(text.contains("My one.") && text.contains("Five and six."), "{text}");
}

#[test]
fn conflicts_are_named_and_nothing_happens() {
    let home = home();
    edit(&home, "Three.", "My three.");
    upstream(&home, &BODY.replace("Three.", "Their three."));
    let before = installed(&home);
    let ran = home.run(&["update", "weather", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[conflict]: `weather` has conflicting local and upstream changes: `SKILL.md` (the same lines in 1 place)
    help: `prowess diff weather` shows both sides; `--mark-conflicts` leaves them marked in the files; `--force` takes the new version and keeps a copy of yours in the trash
    ");
    assert_eq!(installed(&home), before);
    let json = home.json(&["installed", "--json"]);
    assert_eq!(json["skills"][0]["state"], "edited");

    home.good(&["update", "weather", "--yes", "--mark-conflicts"]);
    let marked = installed(&home);
    assert!(marked.contains("<<<<<<< here\nMy three.\n") && marked.contains("Their three."), "{marked}");
}

#[test]
fn force_takes_what_comes_and_keeps_a_copy() {
    let home = home();
    edit(&home, "Three.", "My three.");
    upstream(&home, &BODY.replace("Three.", "Their three."));
    let text = home.good(&["update", "weather", "--yes", "--force"]);
    assert!(text.contains("replaced folder: [ROOT]/ws/.prowess/trash/"), "{text}");
    assert!(installed(&home).contains("Their three."));
    let id = trash_id(&home);
    let taken = home.run(&["restore", &id]);
    assert!(taken.code == 1 && taken.stderr.contains("--force"), "{}", taken.stderr);
    home.good(&["restore", &id, "--force"]);
    assert!(installed(&home).contains("My three."));
    assert_eq!(home.run(&["verify"]).code, 1, "it is not what the lock says");
    assert_eq!(home.json(&["installed", "--json"])["skills"][0]["state"], "edited");
}

#[test]
fn an_edit_can_be_given_up_without_anything_new() {
    let home = home();
    edit(&home, "Three.", "My three.");
    home.good(&["update", "weather", "--yes", "--force"]);
    assert!(installed(&home).contains("\nThree."));
    assert_eq!(home.run(&["verify"]).code, 0);
}

#[test]
fn drift_is_named_file_by_file() {
    let home = home();
    edit(&home, "One.", "1.");
    home.tree.write("ws/skills/weather/extra.md", "x");
    let ran = home.run(&["verify"]);
    insta::assert_snapshot!(ran.stdout, @"
    △ edited weather
      changed  SKILL.md
      extra    extra.md
    1 installed skill, 1 not as installed
    ");
    assert_eq!(ran.code, 1);
    let unknown = home.run(&["verify", "wether"]);
    assert_eq!(unknown.code, 1);
    insta::assert_snapshot!(unknown.stderr, @"
    error[not-found]: `wether` is not installed; did you mean `weather`?
    help: `prowess installed` lists installed skills
    ");
}

#[test]
fn a_pin_holds() {
    let home = home();
    upstream(&home, "New.");
    home.good(&["pin", "weather", "--reason", "2.0 needs a key"]);
    let one = home.run(&["update", "weather", "--yes"]);
    assert_eq!(one.code, 1);
    insta::assert_snapshot!(one.stderr, @"
    error[refused]: `weather` is pinned (2.0 needs a key); unpin it first
    help: `prowess unpin weather` unpins it
    ");
    assert_eq!(home.good(&["update", "--all", "--yes"]), "weather: pinned (2.0 needs a key)\n");
    let force = home.run(&["install", "../src/weather", "--yes", "--force"]);
    assert_eq!(force.code, 1);
    insta::assert_snapshot!(force.stderr, @"
    error[refused]: `weather` is pinned (2.0 needs a key); unpin it first
    help: `prowess unpin weather` unpins it
    ");
    insta::assert_snapshot!(home.good(&["installed"]), @"
    Skill    Version  State     From                             Note
    weather           ✓ intact  [ROOT]/src/weather  pinned (2.0 needs a key)
    ");
    home.good(&["unpin", "weather"]);
    home.good(&["update", "weather", "--yes"]);
    assert!(installed(&home).contains("New."));
    assert_eq!(home.run(&["pin", "nothing"]).code, 1);
}

#[test]
fn what_is_removed_comes_back() {
    let home = home();
    edit(&home, "One.", "My one.");
    let waits = home.run(&["uninstall", "weather"]);
    assert_eq!((waits.code, home.tree.path("ws/skills/weather").exists()), (1, true), "{}", waits.stderr);
    let dry = home.good(&["uninstall", "weather", "--dry-run"]);
    insta::assert_snapshot!(dry, @"
    weather
      path    [ROOT]/ws/skills/weather
      from    [ROOT]/src/weather
      edited  `SKILL.md` (changed)
    ");
    home.good(&["uninstall", "weather", "--yes"]);
    assert_eq!(files_below(&home.tree.path("ws/skills")), Vec::<String>::new());
    assert_eq!(home.run(&["uninstall", "weather", "--yes"]).code, 1);
    home.good(&["restore", &trash_id(&home)]);
    assert!(installed(&home).contains("My one."));
    assert_eq!(
        home.json(&["installed", "--json"])["skills"][0]["state"],
        "edited",
        "the lock knows it again"
    );
    assert_eq!(home.good(&["restore"]), "The trash is empty.\n");
    assert_eq!(home.run(&["restore", "nothing"]).code, 1);
}

#[test]
fn a_note_in_the_trash_cannot_name_another_place() {
    let home = home();
    home.tree.write("ws/.prowess/trash/1-evil/SKILL.md", skill("evil", "Text."));
    let note = format!("{{\"from\": \"{}\", \"removedAt\": 1}}", home.tree.path("autostart/evil").display());
    home.tree.write("ws/.prowess/trash/1-evil.json", note);
    let ran = home.run(&["restore", "1-evil"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `1-evil` would go back to `[ROOT]/autostart/evil`, outside the folder of skills
    help: check the spelling; `prowess list --all` lists every skill
    ");
    assert!(!home.tree.path("autostart").exists());
}

#[test]
fn frozen_is_exactly_the_lock_or_nothing() {
    let home = home();
    home.tree.write("ws/skills/own/SKILL.md", skill("own", "Text."));
    fs::remove_dir_all(home.tree.path("ws/skills/weather")).unwrap();
    let text = home.good(&["install", "--frozen", "--yes"]);
    insta::assert_snapshot!(text, @"
    weather
      from    [ROOT]/src/weather
      to      [ROOT]/ws/skills/weather (missing; exactly as the lock says)
      files   1 file, 109 bytes
      scan    clean
    ✓ put back weather
      ready   `weather` is available to agents
    0 skills are as the lock says, 1 put back
    not in the lock: [ROOT]/ws/skills/own
    ");
    assert_eq!(home.run(&["verify"]).code, 0);

    // On another machine there is only the lock.
    fs::remove_dir_all(home.tree.path("ws/skills/weather")).unwrap();
    fs::remove_dir_all(home.tree.path("ws/.prowess/base")).unwrap();
    let lock = fs::read(home.tree.path("ws/.prowess/lock.json")).unwrap();
    home.good(&["install", "--frozen", "--yes"]);
    assert_eq!(fs::read(home.tree.path("ws/.prowess/lock.json")).unwrap(), lock, "the lock does not change");

    fs::remove_dir_all(home.tree.path("ws/skills/weather")).unwrap();
    fs::remove_dir_all(home.tree.path("ws/.prowess/base")).unwrap();
    upstream(&home, "Another one.");
    let ran = home.run(&["install", "--frozen", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(prowess_testkit::stable::text(&ran.stderr), @"
    error[refused]: the lock cannot be installed exactly: `weather`: `weather` is not what the lock says: locked [HEX], found [HEX]
    help: `prowess verify` names every file, `prowess diff NAME --local` shows what was changed
    ");
    assert!(!home.tree.path("ws/skills/weather").exists());

    upstream(&home, BODY);
    home.good(&["install", "--frozen", "--yes"]);
    edit(&home, "One.", "My one.");
    let ran = home.run(&["install", "--frozen", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: the lock cannot be installed exactly: `weather` was edited: `SKILL.md` (changed)
    help: `prowess verify` names every file, `prowess diff NAME --local` shows what was changed
    ");
    assert!(installed(&home).contains("My one."));
}

#[test]
fn nothing_installed_is_no_error() {
    let home = Home::new();
    assert_eq!(home.good(&["update", "--all", "--yes"]), "No installed skills.\n");
    assert_eq!(home.good(&["installed"]), "No installed skills.\n");
    assert_eq!(home.good(&["outdated"]), "No installed skills.\n");
    assert_eq!(home.run(&["update", "weather", "--yes"]).code, 1);
    assert_eq!(home.run(&["update"]).code, 2);
    assert_eq!(files_below(home.tree.root()), Vec::<String>::new(), "looking writes nothing");
}

#[test]
fn a_damaged_lock_is_not_written_over() {
    let home = home();
    home.tree.write("ws/.prowess/lock.json", "{");
    for command in
        [&["installed"][..], &["update", "--all"], &["install", "../src/weather", "--force", "--yes"]]
    {
        let ran = home.run(command);
        assert!(ran.code == 3 && ran.stderr.contains("damaged"), "{command:?}: {}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(home.tree.path("ws/.prowess/lock.json")).unwrap(), "{");
}
