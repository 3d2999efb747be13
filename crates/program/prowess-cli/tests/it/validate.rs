//! `prowess validate` and `prowess lint`

use prowess_testkit::SkillFile;
use serde_json::{Value, json};

use crate::support::{Home, Program as _, texts};

/// One skill that follows the specification, one with extensions, one that is refused.
fn three() -> Home {
    let home = Home::new();
    home.skill("ws/skills/portable", "portable", "");
    home.skill("ws/skills/extended", "extended", "user-invocable: true\n");
    home.tree.write(
        "ws/skills/refused/SKILL.md",
        "---\nname: Refused Skill\nlicense: MIT\n---\nNo description.\n",
    );
    home
}

#[test]
fn a_good_skill_in_every_way_of_naming_it() {
    let home = three();
    let folder = home.good(&["validate", "skills/portable"]);
    insta::assert_snapshot!(folder, @"✓ skills/portable/SKILL.md portable");
    assert_eq!(home.good(&["validate", "skills/portable/SKILL.md"]), folder);
    let absolute = home.tree.path("ws/skills/portable");
    insta::assert_snapshot!(home.good(&["validate", absolute.to_str().unwrap()]), @"✓ [ROOT]/ws/skills/portable/SKILL.md portable");
}

#[test]
fn a_bad_skill_is_shown_with_the_place_and_the_cure() {
    let home = three();
    let ran = home.run(&["validate", "skills/refused"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @"
    error[description/missing]: the skill has no `description`
    --> skills/refused/SKILL.md
     = help: add `description:`: what it does and when to use it, in a user's words

    warning[name/characters]: the name `Refused Skill` contains 'R'
     --> skills/refused/SKILL.md:2:7
      |
    2 | name: Refused Skill
      |       ^^^^^^^^^^^^^
      |
      = help: use lower-case letters, digits and single hyphens

    warning[name/folder-mismatch]: the name is `Refused Skill`, the folder is `refused`
     --> skills/refused/SKILL.md:2:7
      |
    2 | name: Refused Skill
      |       ^^^^^^^^^^^^^
      |
      = help: rename the folder or the skill; agents find skills by either

    ✗ skills/refused/SKILL.md rejected
    ");
}

#[test]
fn without_paths_the_workspace_is_meant() {
    let home = three();
    let ran = home.run(&["validate"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    ✓ [ROOT]/ws/skills/extended/SKILL.md extended
    ✓ [ROOT]/ws/skills/portable/SKILL.md portable
    error[description/missing]: the skill has no `description`
    --> [ROOT]/ws/skills/refused/SKILL.md
     = help: add `description:`: what it does and when to use it, in a user's words

    warning[name/characters]: the name `Refused Skill` contains 'R'
     --> [ROOT]/ws/skills/refused/SKILL.md:2:7
      |
    2 | name: Refused Skill
      |       ^^^^^^^^^^^^^
      |
      = help: use lower-case letters, digits and single hyphens

    warning[name/folder-mismatch]: the name is `Refused Skill`, the folder is `refused`
     --> [ROOT]/ws/skills/refused/SKILL.md:2:7
      |
    2 | name: Refused Skill
      |       ^^^^^^^^^^^^^
      |
      = help: rename the folder or the skill; agents find skills by either

    ✗ [ROOT]/ws/skills/refused/SKILL.md rejected

    2 valid, 1 invalid
    ");
    assert_eq!(home.run(&["validate", "skills"]).code, 1);
    assert_eq!(Home::new().good(&["validate"]), "There are no skills here.\n");
}

#[test]
fn strict_demands_the_bare_specification() {
    let home = three();
    assert_eq!(home.run(&["validate", "--strict", "skills/portable"]).code, 0);
    assert_eq!(home.run(&["validate", "skills/extended"]).code, 0);
    let ran = home.run(&["validate", "--strict", "skills/extended"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    error[field/extension]: `user-invocable` is an extension of the specification
     --> skills/extended/SKILL.md:4:1
      |
    4 | user-invocable: true
      | ^^^^^^^^^^^^^^
      |
      = help: known to some engines; others ignore it

    ✗ skills/extended/SKILL.md extended
    ");
}

#[test]
fn json_has_every_file() {
    let home = three();
    let ran = home.run(&["validate", "--json"]);
    assert_eq!(ran.code, 1);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["summary"], json!({"valid": 2, "invalid": 1}));
    assert_eq!(texts(&answer["files"], "level"), ["extended", "portable", "rejected"]);
    let refused = &answer["files"][2];
    assert_eq!((&refused["valid"], &refused["error"]), (&json!(false), &Value::Null));
    let rules = texts(&refused["diagnostics"], "rule");
    assert!(rules.contains(&"description/missing") && rules.contains(&"name/characters"), "{rules:?}");
}

#[test]
fn a_path_that_does_not_exist_is_a_usage_error() {
    let home = three();
    for command in ["validate", "lint"] {
        let ran = home.run(&[command, "skills/portable", "no/such/path"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{command}");
        assert!(
            ran.stderr.starts_with("error[usage]: `no/such/path` does not exist\nhelp: "),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_folder_without_skills_is_no_success() {
    let home = Home::new();
    home.tree.write("ws/empty/notes.txt", "nothing");
    let ran = home.run(&["validate", "empty"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    error: empty/SKILL.md: cannot read `[ROOT]/ws/empty/SKILL.md`: No such file or directory (os error 2)

    ✗ empty/SKILL.md unreadable
    ");
}

#[test]
fn as_skills_ref_would_say_it() {
    let home = three();
    let good = home.run(&["validate", "--compat", "skills-ref", "skills/portable"]);
    assert_eq!(
        (good.code, good.stdout.as_str(), good.stderr.as_str()),
        (0, "Valid skill: skills/portable\n", "")
    );
    let bad = home.run(&["validate", "--compat", "skills-ref", "skills/refused"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(bad.stderr, @"
    Validation failed for skills/refused:
      - Skill name 'Refused Skill' must be lowercase
      - Skill name 'Refused Skill' contains invalid characters. Only letters, digits, and hyphens are allowed.
      - Directory name 'refused' must match skill name 'Refused Skill'
      - Missing required field in frontmatter: description
    ");
    home.tree.write("ws/empty/notes.txt", "nothing");
    let none = home.run(&["validate", "--compat", "skills-ref", "empty"]);
    assert_eq!(none.code, 1);
    insta::assert_snapshot!(none.stderr, @"
    Validation failed for empty:
      - Missing required file: SKILL.md
    ");
    let ran = home.run(&["validate", "--compat", "skills-ref", "--json", "skills"]);
    assert_eq!(ran.code, 1);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["files"][1], json!({"path": "skills/portable", "valid": true, "errors": []}));
}

#[test]
fn as_openpocket_would_say_it() {
    let home = three();
    let loose = home.run(&["validate", "--compat", "openpocket"]);
    assert_eq!(loose.code, 1);
    insta::assert_snapshot!(loose.stdout, @"
    PASS [ROOT]/ws/skills/extended/SKILL.md
    PASS [ROOT]/ws/skills/portable/SKILL.md
    FAIL [ROOT]/ws/skills/refused/SKILL.md
      - [error] DESCRIPTION_MISSING: Frontmatter must include non-empty `description`.

    Validation summary: valid=2 invalid=1 total=3
    ");
    let strict = home.run(&["validate", "--compat", "openpocket", "--strict", "skills/refused"]);
    assert_eq!(strict.code, 1);
    insta::assert_snapshot!(strict.stdout, @"
    FAIL skills/refused/SKILL.md
      - [error] DESCRIPTION_MISSING: Frontmatter must include non-empty `description`.
      - [error] NAME_INVALID: Strict mode requires frontmatter `name` to be kebab-case [a-z0-9-].
      - [error] NAME_PATH_MISMATCH: Strict mode requires frontmatter `name` to match parent directory name.

    Validation summary: valid=0 invalid=1 total=1
    ");
    assert_eq!(home.run(&["validate", "--compat", "openpocket", "--strict", "skills/portable"]).code, 0);
}

#[test]
fn lint_advises() {
    let home = Home::new();
    home.tree.write(
        "ws/skills/vague/SKILL.md",
        SkillFile::new("vague")
            .description("Helps.")
            .body("# Vague\n\nSee [the guide](references/guide.md).\n")
            .text(),
    );
    home.tree.write("ws/skills/vague/scripts/run.sh", "echo hello\n");
    let ran = home.run(&["lint", "skills/vague"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @"
    warning[lint/description-when]: the description does not say when to use the skill
    --> skills/vague/SKILL.md
     = help: add `Use when …` with words a user would say

    warning[lint/description-short]: the description has only 6 characters
    --> skills/vague/SKILL.md
     = help: say what the skill does and name the things users ask for

    warning[lint/reference-missing]: `references/guide.md` does not exist
     --> skills/vague/SKILL.md:7:5
      |
    7 | See [the guide](references/guide.md).
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    note[lint/script-shebang]: `scripts/run.sh` has no `#!` line
    --> skills/vague/SKILL.md

    note[lint/script-not-executable]: `scripts/run.sh` is not executable
    --> skills/vague/SKILL.md
     = help: chmod +x

    1 file, 5 remarks
    ");
    let ran = home.run(&["lint", "--json"]);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rules = texts(&answer["files"][0]["diagnostics"], "rule");
    for rule in ["lint/reference-missing", "lint/script-shebang", "lint/script-not-executable"] {
        assert!(rules.contains(&rule), "{rule} is not in {rules:?}");
    }
}

#[test]
fn lint_has_nothing_to_say_about_the_bundled_skills() {
    let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../skills");
    let ran = Home::new().run(&["lint", skills]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let ran = Home::new().run(&["validate", skills]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

#[test]
fn files_that_cannot_be_shown_are_named() {
    let home = Home::new();
    home.tree.write("ws/skills/utf16/SKILL.md", b"\xFF\xFE-\0-\0-\0\n\0");
    home.tree.write(
        "ws/skills/long/SKILL.md",
        format!("---\nname: long\ndescription: {}\n---\n", "k".repeat(5_000)),
    );
    home.tree.write("ws/skills/nul/SKILL.md", "---\nname: n\0ul\n---\n");
    for args in
        [&["validate"][..], &["validate", "--strict"], &["lint"], &["validate", "--compat", "skills-ref"]]
    {
        let ran = home.run(args);
        assert_eq!(ran.code, 1, "{args:?} {} {}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("k".repeat(500).as_str()), "{args:?} prints a very long line");
    }
}

#[test]
fn what_lies_there_and_is_no_file_is_named() {
    let home = Home::new();
    home.skill("ws/skills/good", "good", "");
    std::fs::create_dir_all(home.tree.path("ws/skills/folder/SKILL.md")).unwrap();
    home.tree.lay("ws/skills/link/SKILL.md", &json!({"symlink": "nowhere.md"}));
    for args in [&["validate"][..], &["validate", "skills"], &["lint"]] {
        let ran = home.run(args);
        assert_eq!(ran.code, 1, "{args:?}\n{}", ran.stdout);
        for name in ["folder", "link"] {
            assert!(ran.stdout.contains(&format!("skills/{name}/SKILL.md")), "{args:?}\n{}", ran.stdout);
        }
    }
}

#[test]
fn values_that_yaml_refuses_cost_no_skill_and_no_field() {
    let home = Home::new();
    home.tree.write(
        "ws/skills/convert/SKILL.md",
        "---\nname: convert\ndescription: Converts a file. Use when asked to convert #1 or: more.\n\
         argument-hint: [filename] [format]\nlicense: MIT\n---\nConvert it.\n",
    );
    let info = home.json(&["info", "convert", "--json"]);
    assert_eq!(info["description"], "Converts a file. Use when asked to convert #1 or: more.");
    let ran = home.run(&["validate", "skills/convert", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains(
        "`argument-hint` in line 4 is not valid YAML as written; it is read as `[filename] [format]`"
    ));
    let theirs = home.run(&["--profile", "openclaw", "--workspace", "../ws", "info", "convert"]);
    assert_eq!(theirs.code, 1, "{}", theirs.stdout);
}
