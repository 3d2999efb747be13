//! Recorded answers of OpenPocket 0.2.3's `skills` commands.

use std::path::Path;

use assert_cmd::Command;
use prowess_testkit::Case;
use serde_json::{Value, json};

use crate::support::{Home, Program as _, files_below};

fn run(case: &Case) -> Option<String> {
    let tree = case.lay_out_openpocket();
    let roots = [
        ("{BUNDLED}", tree.path("bundled/skills")),
        ("{LOCAL}", tree.path("home/skills")),
        ("{WORKSPACE}", tree.path("home/workspace/skills")),
        ("{HOME}", tree.path("home")),
    ];
    let shown = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        roots.iter().fold(text, |text, (name, path)| text.replace(&path.display().to_string(), name))
    };
    let args = case.value["args"].as_array().expect("arguments").iter().filter_map(Value::as_str);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("prowess"));
    command
        .env_clear()
        .env("HOME", tree.path("os-home"))
        .env("OPENPOCKET_HOME", tree.path("home"))
        .env("PROWESS_BUNDLED_SKILLS_DIR", tree.path("bundled/skills"))
        .env("PATH", "/usr/bin:/bin")
        .current_dir(tree.root())
        .args(["--profile", "openpocket"])
        .args(args);
    for (name, value) in case.value["env"].as_object().into_iter().flatten() {
        command.env(name, value.as_str().unwrap_or_default());
    }
    let output = command.output().expect("the program starts");
    let actual = json!({
        "exit": output.status.code(),
        "stdout": shown(&output.stdout),
        "stderr": shown(&output.stderr),
        "workspaceFilesAfter": files_below(&tree.path("home/workspace/skills")),
    });
    let expected = &case.value["expected"];
    (actual != *expected).then(|| format!("{}\n  expected {expected:#}\n  actual   {actual:#}", case.id))
}

#[test]
fn openpocket_prints_the_same() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../facade/prowess/tests/fixtures/openpocket-cases");
    let cases: Vec<Case> = Case::all(&folder).into_iter().filter(|case| case.value["op"] == "cli").collect();
    assert!(cases.len() >= 6, "only {} cases", cases.len());
    let problems: Vec<String> = cases.iter().filter_map(run).collect();
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn load_needs_a_terminal_or_all() {
    let home = Home::new();
    home.skill("bundled/one", "one", "");
    let ran = home.run(&["--profile", "openpocket", "skills", "load"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(
        ran.stderr,
        "[ERROR] OpenPocket error: `skills load` requires an interactive terminal, or pass --all.\n"
    );
}

#[test]
fn load_replaces_nothing() {
    let home = Home::new();
    home.skill("bundled/group/one", "one", "");
    home.tree.write(".openpocket/workspace/skills/group/one/notes.txt", "mine");
    let ran = home.run(&["--profile", "openpocket", "skills", "load", "--all"]);
    assert_eq!(ran.code, 1, "nothing was copied");
    insta::assert_snapshot!(ran.stdout, @"
    [WARN] Skipped one: destination already exists at [ROOT]/.openpocket/workspace/skills/group/one
    [INFO] Skills load summary: selected=1 copied=0 skipped=1
    ");
    let files = files_below(&home.tree.path(".openpocket/workspace/skills"));
    assert_eq!(files, ["README.md", "group/one/notes.txt"]);
}

#[test]
fn unknown_subcommands() {
    let home = Home::new();
    for (args, message) in [
        (&["skills"][..], "Unknown skills subcommand: (missing)"),
        (&["skills", "dance"], "Unknown skills subcommand: dance"),
        (&["skills", "load", "--all", "--x", "y"], "Unknown skills load option(s): --x y"),
    ] {
        let ran = home.finish(home.command().args(["--profile", "openpocket"]).args(args));
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
        assert_eq!(ran.stderr, format!("[ERROR] OpenPocket error: {message}\n"));
    }
    assert!(!home.tree.path(".openpocket").exists(), "a wrong command creates nothing");
}

#[test]
fn a_strict_config_makes_validation_strict() {
    let home = Home::new();
    home.tree.write(".openpocket/config.json", "{agent: {skillsSpecMode: ' STRICT '}}");
    home.skill(".openpocket/skills/folder", "other-name", "");
    let ran = home.run(&["--profile", "openpocket", "skills", "validate"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    === Skill Validation (strict) ===
    FAIL [ROOT]/.openpocket/skills/folder/SKILL.md
      - [error] NAME_PATH_MISMATCH: Strict mode requires frontmatter `name` to match parent directory name.

    [INFO] Validation summary: valid=0 invalid=1 total=1
    ");
}

#[test]
fn they_belong_to_one_profile() {
    let ran = Home::new().run(&["skills", "list"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[usage]: `prowess skills` belongs to the openpocket profile
    help: add `--profile openpocket`, or use `prowess list` and `prowess validate`
    ");
}
