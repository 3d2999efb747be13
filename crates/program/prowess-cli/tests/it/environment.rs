//! Homes, configs and folders that are not as they should be, and the flags that move them.

use serde_json::json;

use crate::support::{Home, Program as _, files_below, texts};

#[test]
fn without_a_home_there_is_a_hint() {
    let home = Home::full();
    let ran = home.finish(home.command().env_remove("HOME").arg("list"));
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[no-home]: `HOME` is not set, so the home directory is unknown
    help: set `HOME`, or name a folder with `--home`
    ");
    let json = home.finish(home.command().env_remove("HOME").args(["list", "--json"]));
    assert_eq!(json.code, 3);
    let answer: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&answer["ok"], &answer["error"]["type"]), (&json!(false), &json!("cli_error")));
}

#[test]
fn what_the_hint_proposes_works() {
    let home = Home::full();
    let ran = home.finish(home.command().env_remove("HOME").args(["list", "--home", "elsewhere"]));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn with_a_config_that_is_not_json5_skills_are_still_listed() {
    let home = Home::full();
    home.config("{ skills: { entries: [ }");
    let ran = home.run(&["list"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stdout, @"
    Skills (5/7 ready)
    Status            Skill      Description                     Source
    ✗ not supported   amiga      Does amiga. Use when asked.     workspace
    △ needs setup     github     Does github. Use when asked.    workspace
    ✓ ready (hidden)  hidden     Does hidden. Use when asked.    workspace
    ✓ ready           notes      Does notes. Use when asked.     bundled
    ✓ ready           off        Does off. Use when asked.       workspace
    ✓ ready           unwanted   Does unwanted. Use when asked.  bundled
    ✓ ready           🌦 weather  Does weather. Use when asked.   workspace
    2 others were found and not loaded: prowess list --all
    ");
    insta::assert_snapshot!(ran.stderr, @"error[config]: [ROOT]/.prowess/prowess.json:1:24: expected a value, found `}`");
    let ran = home.run(&["list", "--json"]);
    assert_eq!(ran.code, 3);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(texts(&report["skills"], "name").contains(&"weather"));
    let ran = home.run(&["config", "set", "skills.load.watch", "true"]);
    assert_eq!(ran.code, 3);
    assert_eq!(home.config_text(), "{ skills: { entries: [ }", "what cannot be read is not touched");
}

#[test]
fn a_config_that_cannot_be_opened_is_an_error() {
    let home = Home::full();
    let ran = home.run(&["list", "--config", "."]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[config]: cannot read the config file
    cause: `[ROOT]/ws` is not a regular file
    help: `prowess config path` prints the path of the file
    ");
}

#[test]
fn flags_move_the_places() {
    let home = Home::new();
    home.skill("elsewhere/skills/managed", "managed", "");
    home.skill("other-ws/skills/own", "own", "");
    home.tree.write("ws/mine.json", "{skills: {entries: {own: {enabled: false}}}}");
    let report = home.json(&[
        "status",
        "--json",
        "--home",
        "../elsewhere",
        "--workspace",
        "../other-ws",
        "--config",
        "mine.json",
    ]);
    assert_eq!(texts(&report["skills"], "name"), ["managed", "own"]);
    assert_eq!(report["skills"][1]["disabled"], json!(true));
    assert_eq!(report["workspaceDir"], json!("[ROOT]/other-ws"));
    assert_eq!(report["managedSkillsDir"], json!("[ROOT]/elsewhere/skills"));
}

#[test]
fn variables_move_the_places() {
    let home = Home::new();
    home.skill("elsewhere/skills/managed", "managed", "");
    home.skill("other-ws/skills/own", "own", "");
    let mut command = home.command();
    command
        .env("PROWESS_HOME", home.tree.path("elsewhere"))
        .env("PROWESS_WORKSPACE", home.tree.path("other-ws"))
        .args(["list", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&home.finish(&mut command).stdout).unwrap();
    assert_eq!(texts(&report["skills"], "name"), ["managed", "own"]);

    let mut command = home.command();
    command.env("PROWESS_PROFILE", "openclaw").args(["config", "path"]);
    assert_eq!(home.finish(&mut command).stdout, "[ROOT]/.openclaw/openclaw.json\n");
}

#[test]
fn openclaw_is_read_where_it_is() {
    let home = Home::new();
    home.skill(".openclaw/skills/managed", "managed", "");
    home.skill(".openclaw/workspace/skills/own", "own", "");
    home.tree.write(".openclaw/openclaw.json", "{skills: {entries: {own: {enabled: false}}}}");
    let report = home.json(&["--profile", "openclaw", "status", "--json"]);
    assert_eq!(texts(&report["skills"], "name"), ["managed", "own"]);
    assert_eq!(report["skills"][1]["disabled"], json!(true));
    let prompt = home.good(&["--profile", "openclaw", "prompt"]);
    insta::assert_snapshot!(prompt, @"
    ## Skills
    The skills listed below are files of instructions, each for one kind of task.
    When your task matches a skill by its description, read the file at its location before anything else.
    A relative path in a skill starts at the folder that holds its file: make it absolute from there before you pass it to any tool or command.

    <available_skills>
      <skill>
        <name>managed</name>
        <description>Does managed. Use when asked.</description>
        <location>~/.openclaw/skills/managed/SKILL.md</location>
      </skill>
    </available_skills>
    ");
}

#[test]
fn an_installed_program_brings_its_bundled_skills() {
    let home = Home::new();
    let installed = home.tree.path("usr/local/bin/prowess");
    std::fs::create_dir_all(installed.parent().unwrap()).unwrap();
    // Copied by another process: a file that this one has open for writing cannot be started.
    let program = assert_cmd::cargo::cargo_bin!("prowess");
    assert!(std::process::Command::new("cp").arg(program).arg(&installed).status().unwrap().success());
    let mut command = assert_cmd::Command::new(&installed);
    command.env_clear().env("HOME", home.tree.root()).current_dir(home.tree.path("ws"));
    let ran = home.finish(command.args(["list", "--json"]));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let names = texts(&report["skills"], "name");
    for name in ["github", "skill-creator", "tmux", "weather"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert!(report["skills"].as_array().unwrap().iter().all(|skill| skill["bundled"] == json!(true)));
    let unpacked = files_below(&home.tree.path(".prowess/bundled"));
    let has = |end: &str| unpacked.iter().any(|file| file.ends_with(end));
    assert!(has("tmux/scripts/wait-for-text.sh") && has("tmux/evals/triggers.json"), "{unpacked:?}");
    assert!(!unpacked.iter().any(|file| file.contains("/tests/")), "{unpacked:?}");
}

#[test]
fn the_current_folder_may_be_gone() {
    let home = Home::full();
    let gone = home.tree.path("gone");
    std::fs::create_dir(&gone).unwrap();
    let script = format!(
        "cd {0} && rmdir {0} && exec {1} list",
        gone.display(),
        assert_cmd::cargo::cargo_bin!("prowess").display()
    );
    let mut command = assert_cmd::Command::new("/bin/sh");
    command.env_clear().env("HOME", home.tree.root()).args(["-c", &script]);
    let ran = home.finish(&mut command);
    assert_eq!(ran.code, 3, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @"
    error[files]: No such file or directory (os error 2)
    help: the current folder is gone; change to another one
    ");
}
