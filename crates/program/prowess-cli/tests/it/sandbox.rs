//! `prowess sandbox sync DIR`

use serde_json::{Value, json};

use crate::support::{Home, Program as _, files_below};

fn home() -> Home {
    let home = Home::new();
    home.skill("ws/skills/notes", "notes", "");
    home.tree.write_program("ws/skills/notes/scripts/add.sh");
    home.skill("bundled/weather", "weather", "");
    home.skill("ws/skills/amiga", "amiga", "metadata: {\"prowess\":{\"os\":[\"amiga\"]}}\n");
    home
}

#[test]
fn skills_are_copied_and_kept_up_to_date() {
    let home = home();
    insta::assert_snapshot!(home.good(&["sandbox", "sync", "../box", "--dry-run"]), @"
    + skills/notes/SKILL.md
    + skills/notes/scripts/add.sh
    + skills/weather/SKILL.md
    3 files would be written, 0 removed, 0 unchanged
    ");
    assert!(!home.tree.path("box").exists());
    insta::assert_snapshot!(home.good(&["sandbox", "sync", "../box"]), @"
    + skills/notes/SKILL.md
    + skills/notes/scripts/add.sh
    + skills/weather/SKILL.md
    3 files written, 0 removed, 0 unchanged
    ");
    assert_eq!(
        files_below(&home.tree.path("box/skills")),
        ["notes/SKILL.md", "notes/scripts/add.sh", "weather/SKILL.md"]
    );
    std::fs::remove_dir_all(home.tree.path("bundled/weather")).expect("removed");
    home.tree.write("box/skills/notes/SKILL.md", "changed");
    insta::assert_snapshot!(home.good(&["sandbox", "sync", "../box"]), @"
    + skills/notes/SKILL.md (was changed there)
    - skills/weather/SKILL.md
    1 file written, 1 removed, 1 unchanged
    ");
    assert_eq!(home.good(&["sandbox", "sync", "../box"]), "0 files written, 0 removed, 2 unchanged\n");
}

#[test]
fn the_prompt_follows() {
    let home = home();
    let report = home.json(&["sandbox", "sync", "../box", "--mounted-at", "/workspace", "--json"]);
    let expected = json!({
        "[ROOT]/bundled/weather/SKILL.md": "/workspace/skills/weather/SKILL.md",
        "[ROOT]/ws/skills/notes/SKILL.md": "/workspace/skills/notes/SKILL.md",
    });
    assert_eq!(report["locations"], expected);
    let prompt = home.good(&["prompt", "--sandbox", "../box"]);
    insta::assert_snapshot!(prompt, @"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    <available_skills>
      <skill>
        <name>notes</name>
        <description>Does notes. Use when asked.</description>
        <location>/workspace/skills/notes/SKILL.md</location>
      </skill>
      <skill>
        <name>weather</name>
        <description>Does weather. Use when asked.</description>
        <location>/workspace/skills/weather/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    assert!(!home.good(&["prompt"]).contains("/workspace"));
    let ran = home.run(&["prompt", "--sandbox", "."]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[files]: `[ROOT]/ws` was not filled by `prowess sandbox sync`
    help: check the path and its permissions; `prowess doctor` finds such problems
    ");
}

#[cfg(unix)]
#[test]
fn what_is_not_copied_is_told() {
    let home = home();
    std::os::unix::fs::symlink("/etc/passwd", home.tree.path("ws/skills/notes/users")).expect("a link");
    let ran = home.run(&["sandbox", "sync", "../box"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    + skills/notes/SKILL.md
    + skills/notes/scripts/add.sh
    + skills/weather/SKILL.md
    not copied: [ROOT]/ws/skills/notes/users it is a link that leaves the skill
    3 files written, 0 removed, 0 unchanged
    ");
    let ran = home.run(&["sandbox", "sync", "../box", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((report["unchanged"].clone(), ran.code), (json!(3), 1));
}

/// Files are old or new whenever the program is killed, and the next sync finishes the work.
#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    const FILES: usize = 60;
    let home = home();
    let content = |round: usize| format!("round {round}\n").repeat(2_000);
    for round in 0..12 {
        for number in 0..FILES {
            home.tree.write(&format!("ws/skills/notes/data/{number}.txt"), content(round));
        }
        let mut child = home
            .process()
            .args(["sandbox", "sync", "../box"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        // Another moment each time: where a kill falls is what is tested.
        std::thread::sleep(std::time::Duration::from_millis(7 * round as u64));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        for number in 0..FILES {
            let copy = home.tree.path(&format!("box/skills/notes/data/{number}.txt"));
            if let Ok(text) = std::fs::read_to_string(copy) {
                assert!(
                    (0..=round).any(|round| text == content(round)),
                    "file {number} is torn in round {round}"
                );
            }
        }
    }
    home.good(&["sandbox", "sync", "../box"]);
    let last = content(11);
    let is_last = |number: usize| {
        let copy = home.tree.path(&format!("box/skills/notes/data/{number}.txt"));
        std::fs::read_to_string(copy).expect("a copy") == last
    };
    assert!((0..FILES).all(is_last));
    std::fs::remove_dir_all(home.tree.path("ws/skills/notes")).expect("removed");
    home.good(&["sandbox", "sync", "../box"]);
    let left = files_below(&home.tree.path("box"));
    assert_eq!(left, [".prowess-sync.json", ".prowess-sync.json.lock", "skills/weather/SKILL.md"]);
}

#[test]
fn a_folder_that_cannot_be_filled() {
    let home = home();
    home.tree.write("file", "x");
    assert_eq!(home.run(&["sandbox", "sync", "../file"]).code, 3);
    assert_eq!(home.run(&["sandbox", "sync"]).code, 2);
}
