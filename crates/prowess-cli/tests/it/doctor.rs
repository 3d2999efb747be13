//! `prowess doctor`

use serde_json::{Value, json};

use crate::support::{Home, texts};

#[test]
fn all_is_well() {
    let home = Home::empty();
    home.skill("ws/skills/one", "one", "");
    insta::assert_snapshot!(home.good(&["doctor"]), @"
    ✓ config: `[ROOT]/.prowess/prowess.json` does not exist; defaults are used
    ✓ bundled: `[ROOT]/bundled`, named by the environment
    ✓ skills: 1 of 1 skills are ready
    ");
    let findings = home.json(&["doctor", "--json"]);
    assert_eq!(texts(&findings["findings"], "check"), ["config", "bundled", "skills"]);
    assert!(texts(&findings["findings"], "severity").iter().all(|severity| *severity == "note"));
}

#[test]
fn every_problem_has_its_cure() {
    let home = Home::full();
    home.config("{skills: {lod: {}, entries: {weather: {apiKey: 'k'}}}}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(home.tree.path(".prowess/prowess.json"), open).unwrap();
    }
    home.tree.write("ws/.prowess/config.json", "{skills: {load: {extraDirs: ['/']}}}");
    let mut command = home.command();
    command.env("PATH", "relative/folder").env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("nowhere"));
    let ran = home.finish(command.arg("doctor"));
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    △ config: [ROOT]/.prowess/prowess.json:1:11: unknown key `skills.lod` (did you mean `skills.load`?)
    △ secrets: `[ROOT]/.prowess/prowess.json` contains keys, and other users can read it
        chmod 600 [ROOT]/.prowess/prowess.json
    △ path: `PATH` has the relative folder `relative/folder`
        what counts as installed then depends on the current folder
    △ bundled: the bundled folder `[ROOT]/nowhere` does not exist
        correct the variable or flag that names it
    △ config: [ROOT]/ws/.prowess/config.json:1:11: `skills.load` is ignored in a project's config (only `skills.modes` and `skills.bundles` count here)
    ✓ skills: 3 of 5 skills are ready
    △ skills: `[ROOT]/ws/skills/broken/SKILL.md`: the skill has no `description`
        run `prowess validate` on it
    ");
}

#[test]
fn a_config_that_cannot_be_read_is_an_error() {
    let home = Home::full();
    home.config("{ skills: ");
    let ran = home.run(&["doctor", "--json"]);
    assert_eq!(ran.code, 3);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["findings"][0]["severity"], json!("error"));
}
