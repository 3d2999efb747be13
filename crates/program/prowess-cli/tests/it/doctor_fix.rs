//! `prowess doctor --fix`: what it mends, and that it touches nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Home, Program as _};

/// A home with everything in it that can be mended.
fn broken() -> Home {
    let home = Home::new();
    home.skill("ws/skills/one", "one", "");
    home.good(&["cortex", "show", "--json"]);
    home.config("{skills: {entries: {one: {apiKey: 'hunter2'}}}}");
    home.set_mode(".prowess/prowess.json", 0o664);
    home.tree.write(".prowess/trust.json", "{}");
    home.set_mode(".prowess/trust.json", 0o666);
    home.tree.write(".prowess/trust.json.lock", "4194303\n");
    home.leftover(".prowess/sessions/s1/.prowess-old.tmp");
    home.tree.write(".prowess/cache/skills/00.bin", "damaged");
    home.tree.write(".prowess/cache/vectors/x/00.vec", "damaged");
    home.tree.write(".prowess/cortex.json", "{ no cortex");
    home.tree.write("ws/skills/.prowess-staging/new/SKILL.md", "half");
    home
}

/// The kinds of things that are mended in it.
const MENDED: [&str; 7] = [
    "cache/damaged",
    "cortex/export",
    "install/interrupted",
    "leftovers/temporary",
    "locks/abandoned",
    "permissions/writable",
    "secrets/readable",
];

/// Everything below a folder: contents, where links lead, and rights.
fn state(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let metadata = std::fs::symlink_metadata(&path).expect("metadata");
            let content = if metadata.is_symlink() {
                format!("-> {}", std::fs::read_link(&path).expect("a link").display())
            } else if metadata.is_dir() {
                waiting.push(path.clone());
                String::new()
            } else {
                String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned()
            };
            found.insert(path.display().to_string(), format!("{:o} {content}", mode(&metadata)));
        }
    }
    found
}

#[cfg(unix)]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

#[cfg(not(unix))]
fn mode(_metadata: &std::fs::Metadata) -> u32 {
    0
}

fn answer(home: &Home, args: &[&str], code: i32) -> Value {
    let ran = home.run(args);
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    assert!(!(ran.stdout.clone() + &ran.stderr).contains("hunter2"), "{ran:?}");
    serde_json::from_str(&ran.stdout).expect("JSON and nothing else")
}

fn ids(answer: &Value, is_wanted: impl Fn(&Value) -> bool) -> Vec<&str> {
    let findings = answer["findings"].as_array().expect("a list").iter();
    let mut ids: Vec<&str> = findings
        .filter(|finding| is_wanted(finding))
        .map(|finding| finding["id"].as_str().expect("an id"))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[test]
fn what_is_mended_stays_mended() {
    let home = broken();
    let before = answer(&home, &["doctor", "--json"], 1);
    assert_eq!(ids(&before, |finding| finding["fixable"] == true), MENDED);
    let mended = answer(&home, &["doctor", "--fix", "--yes", "--json"], 0);
    assert_eq!(ids(&mended, |finding| finding["fixed"] == true), MENDED);
    assert_eq!(mended["failures"], json!([]));
    let state = state(home.tree.root());
    let again = answer(&home, &["doctor", "--fix", "--yes", "--json"], 0);
    assert_eq!(ids(&again, |finding| finding["fixable"] == true || finding["fixed"] == true), [""; 0]);
    assert_eq!(self::state(home.tree.root()), state, "there was nothing left to do");
    assert_eq!(home.config_text(), "{skills: {entries: {one: {apiKey: 'hunter2'}}}}");
    let kept = std::fs::read_to_string(home.tree.path(".prowess/cortex.json.bak")).unwrap();
    assert_eq!(kept, "{ no cortex", "data is set aside, not destroyed");
}

#[test]
fn nothing_is_touched_that_was_not_named() {
    let home = broken();
    let before = state(home.tree.root());
    let looked = home.run(&["doctor", "--fix", "--dry-run"]);
    assert_eq!(state(home.tree.root()), before, "looking changes nothing");
    insta::assert_snapshot!(looked.stdout, @"
    Fixable
    △ permissions/writable: other users may change `[ROOT]/.prowess/trust.json`
        take the right to change `[ROOT]/.prowess/trust.json` from other users
    △ secrets/readable: `[ROOT]/.prowess/prowess.json` contains keys, and other users can read it
        take all rights to `[ROOT]/.prowess/prowess.json` from other users
    △ leftovers/temporary: `[ROOT]/.prowess/sessions/s1/.prowess-old.tmp` was left behind by a write that was interrupted
        remove `[ROOT]/.prowess/sessions/s1/.prowess-old.tmp`
    △ locks/abandoned: process 4194303 ended without letting go of `[ROOT]/.prowess/trust.json.lock`
        empty `[ROOT]/.prowess/trust.json.lock`
    △ install/interrupted: a change in `[ROOT]/ws/skills` was interrupted
        finish or take back the interrupted change in `[ROOT]/ws/skills` and `[ROOT]/ws/.prowess`
    △ cache/damaged: `[ROOT]/.prowess/cache/skills/00.bin` is damaged, and not used
        remove `[ROOT]/.prowess/cache/skills/00.bin`
    △ cache/damaged: `[ROOT]/.prowess/cache/vectors/x/00.vec` is damaged, and not used
        remove `[ROOT]/.prowess/cache/vectors/x/00.vec`
    △ cortex/export: `[ROOT]/.prowess/cortex.json` cannot be read: the file is damaged (line 1, column 3): key must be a string at line 1 column 3
        keep a copy beside `[ROOT]/.prowess/cortex.json`, and write it anew from the log `[ROOT]/.prowess/state.db`
    Nothing was changed. 0 errors, 8 warnings, 5 notes. `prowess doctor --fix` can fix 8.
    ");
    let plan = answer(&home, &["doctor", "--fix", "--dry-run", "--json"], 1);
    let plan = plan["findings"].as_array().unwrap().iter();
    let named: Vec<String> = plan
        .filter_map(|finding| finding["fix"].as_str())
        .flat_map(|fix| fix.split('`').skip(1).step_by(2).map(|path| path.replace("[ROOT]", &root(&home))))
        .collect();
    answer(&home, &["doctor", "--fix", "--yes", "--json"], 0);
    let after = state(home.tree.root());
    let changed = before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path));
    for path in changed {
        assert!(named.iter().any(|name| path.starts_with(name.as_str())), "{path} is not among {named:#?}");
    }
}

fn root(home: &Home) -> String {
    home.tree.root().display().to_string()
}

#[test]
fn nobody_is_taken_at_their_silence() {
    let home = broken();
    let before = state(home.tree.root());
    let ran = home.run(&["doctor", "--fix"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    Fixable
    △ permissions/writable: other users may change `[ROOT]/.prowess/trust.json`
        take the right to change `[ROOT]/.prowess/trust.json` from other users
    △ secrets/readable: `[ROOT]/.prowess/prowess.json` contains keys, and other users can read it
        take all rights to `[ROOT]/.prowess/prowess.json` from other users
    △ leftovers/temporary: `[ROOT]/.prowess/sessions/s1/.prowess-old.tmp` was left behind by a write that was interrupted
        remove `[ROOT]/.prowess/sessions/s1/.prowess-old.tmp`
    △ locks/abandoned: process 4194303 ended without letting go of `[ROOT]/.prowess/trust.json.lock`
        empty `[ROOT]/.prowess/trust.json.lock`
    △ install/interrupted: a change in `[ROOT]/ws/skills` was interrupted
        finish or take back the interrupted change in `[ROOT]/ws/skills` and `[ROOT]/ws/.prowess`
    △ cache/damaged: `[ROOT]/.prowess/cache/skills/00.bin` is damaged, and not used
        remove `[ROOT]/.prowess/cache/skills/00.bin`
    △ cache/damaged: `[ROOT]/.prowess/cache/vectors/x/00.vec` is damaged, and not used
        remove `[ROOT]/.prowess/cache/vectors/x/00.vec`
    △ cortex/export: `[ROOT]/.prowess/cortex.json` cannot be read: the file is damaged (line 1, column 3): key must be a string at line 1 column 3
        keep a copy beside `[ROOT]/.prowess/cortex.json`, and write it anew from the log `[ROOT]/.prowess/state.db`
    ");
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: nothing was changed
    help: `--yes` applies the fixes without asking
    ");
    assert_eq!(home.run(&["doctor", "--fix", "--json"]).code, 2);
    assert_eq!(state(home.tree.root()), before);
}

#[test]
fn what_was_mended_is_told_before_what_remains() {
    let home = Home::new();
    home.tree.write(".prowess/cache/skills/00.bin", "damaged");
    home.tree.write("ws/skills/broken/SKILL.md", "---\nname: broken\n---\n");
    let ran = home.run(&["doctor", "--fix", "--yes", "--check", "cache,skills"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @"
    Fixable
    △ cache/damaged: `[ROOT]/.prowess/cache/skills/00.bin` is damaged, and not used
        remove `[ROOT]/.prowess/cache/skills/00.bin`
    ✓ fixed cache/damaged: `[ROOT]/.prowess/cache/skills/00.bin` is damaged, and not used
    Warnings
    △ skills/invalid: `[ROOT]/ws/skills/broken/SKILL.md`: the skill has no `description`
        run `prowess validate` on it
    Notes
    ✓ skills/ready: 0 of 0 skills are ready
    0 errors, 1 warning, 1 note.
    ");
}

#[cfg(unix)]
#[test]
fn links_and_second_names_in_place_of_files_are_left_alone() {
    let home = Home::new();
    for name in ["rights", "lock", "temporary", "cache", "twin", "export"] {
        let text = if name == "lock" { "4194303\n" } else { "theirs" };
        home.tree.write(&format!("outside/{name}"), text);
        home.set_mode(&format!("outside/{name}"), 0o666);
    }
    home.good(&["cortex", "show", "--json"]);
    let planted = [
        (".prowess/trust.json", "rights"),
        (".prowess/trust.json.lock", "lock"),
        (".prowess/.prowess-old.tmp", "temporary"),
        (".prowess/cache/skills/00.bin", "cache"),
        (".prowess/cortex.json", "export"),
    ];
    for (place, target) in planted {
        let _ = std::fs::remove_file(home.tree.path(place));
        home.tree.lay(place, &json!({ "symlink": format!("$ROOT/outside/{target}") }));
    }
    home.tree.lay(".prowess/twin.json", &json!({ "hardlink": "outside/twin" }));
    home.tree.lay(".prowess/sessions", &json!({ "symlink": "$ROOT/outside" }));
    let before = state(home.tree.root());
    let ran = home.run(&["doctor", "--fix", "--yes", "--json"]);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ids(&answer, |finding| finding["fixed"] == true), [""; 0], "{answer:#}");
    assert_eq!(state(home.tree.root()), before);
    assert!(ids(&answer, |_| true).contains(&"permissions/writable"), "the second name is told: {answer:#}");
}

#[test]
fn a_leftover_that_may_be_in_use_is_not_one() {
    let home = Home::new();
    home.tree.write(".prowess/.prowess-new.tmp", "being written");
    home.leftover("ws/.prowess/.prowess-old.tmp");
    let found = answer(&home, &["doctor", "--json", "--check", "leftovers"], 1);
    let found = found["findings"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0]["subject"].as_str().unwrap().ends_with("ws/.prowess/.prowess-old.tmp"));
    assert_eq!(found[0]["fixable"], json!(false), "what lies in a workspace may belong to a repository");
}
