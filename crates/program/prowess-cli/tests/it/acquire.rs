//! Installing from folders and archives: what is shown, what is agreed to, what is refused, what is left behind.

use serde_json::{Value, json};

use crate::acquire_support::{MALICIOUS, skill, zip};
use crate::support::{Home, files_below, texts};

fn home() -> Home {
    let home = Home::empty();
    home.tree.write("src/weather/SKILL.md", skill("weather", "Look out of the window."));
    home.tree.write_program("src/weather/scripts/run.sh");
    home
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON and nothing else")
}

#[test]
fn a_plan_is_shown_and_nothing_happens_without_consent() {
    let home = home();
    let ran = home.run(&["install", "../src/weather"]);
    insta::assert_snapshot!(ran.stdout, @"
    weather
      from    [ROOT]/src/weather
      to      [ROOT]/ws/skills/weather (new)
      files   2 files, 110 bytes; can be run: scripts/run.sh
      scan    clean
    ");
    assert_eq!((ran.code, ran.stderr.contains("--yes")), (1, true), "{}", ran.stderr);
    assert!(home.good(&["install", "../src/weather", "--dry-run"]).contains("weather"));
    assert_eq!(files_below(&home.tree.path("ws")), Vec::<String>::new(), "nothing is left behind");
}

#[test]
fn what_was_agreed_to_is_installed_and_written_down() {
    let home = home();
    let text = home.good(&["install", "../src/weather", "--yes"]);
    assert!(
        text.contains("✓ installed weather") && text.contains("`weather` is available to agents"),
        "{text}"
    );
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(home.tree.path("ws/skills/weather/scripts/run.sh")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o111, 0o111, "it can still be run");
    let lock = json_of(&std::fs::read_to_string(home.tree.path("ws/.prowess/lock.json")).unwrap());
    let entry = &lock["skills"]["weather"];
    assert_eq!(entry["scan"]["verdict"], "clean");
    assert_eq!(entry["hash"].as_str().map(str::len), Some(64));
    let listed = home.json(&["installed", "--json"]);
    assert_eq!((&listed["skills"][0]["state"], &listed["unlisted"]), (&json!("intact"), &json!([])));
    assert_eq!(home.json(&["verify", "--json"])["ok"], true);
    let again = home.run(&["install", "../src/weather", "--yes"]);
    assert!(again.code == 1 && again.stderr.contains("already exists"), "{}", again.stderr);
    assert!(home.good(&["list"]).contains("weather"));
}

#[test]
fn answers_in_json_say_the_same() {
    let home = home();
    let ran = home.run(&["install", "../src/weather", "../src/nothing", "--yes", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let results = json_of(&ran.stdout)["results"].clone();
    assert_eq!(texts(&results, "status"), ["done", "failed"]);
    let plan = &results[0]["plan"];
    assert_eq!((&plan["action"], &plan["folder"]), (&json!("install"), &json!("weather")));
    assert_eq!(plan["review"]["verdict"], "clean");
    assert_eq!(results[0]["done"]["readiness"]["isReady"], true);
    assert!(results[1]["error"]["cause"].as_str().is_some_and(|text| text.contains("nothing")));
    let waits = home.run(&["install", "../src/weather", "--force", "--json"]);
    assert_eq!((waits.code, &json_of(&waits.stdout)["results"][0]["status"]), (1, &json!("needsConsent")));
}

#[test]
fn malice_is_refused_whoever_agrees() {
    let home = Home::empty();
    home.tree.write("src/helper/SKILL.md", skill("helper", MALICIOUS));
    let ran = home.run(&["install", "../src/helper", "--yes", "--force"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("malicious") && ran.stderr.contains("`helper` is refused"), "{}", ran.stderr);
    assert_eq!(files_below(&home.tree.path("ws")), Vec::<String>::new());
}

#[test]
fn an_operator_can_forbid_and_sees_the_files() {
    let home = home();
    let command = home.tree.write_program("policy/decide");
    let script = "#!/bin/sh\n/bin/cat > \"$OUT/request.json\"\n/bin/ls \"$(/bin/sed -n \
                  's/.*\"sourcePath\":\"\\([^\"]*\\)\".*/\\1/p' \"$OUT/request.json\")\" > \"$OUT/files\"\n\
                  echo '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"not on my machine\"}'\n";
    std::fs::write(&command, script).unwrap();
    let config = format!(
        "{{security: {{installPolicy: {{enabled: true, exec: {{command: '{}', env: {{OUT: '$ROOT/policy'}}}}}}}}}}",
        command.display()
    );
    home.config(&config);
    let ran = home.run(&["install", "../src/weather", "--yes", "--force"]);
    assert!(ran.code == 1 && ran.stderr.contains("not on my machine"), "{}\n{}", ran.stdout, ran.stderr);
    let seen = std::fs::read_to_string(home.tree.path("policy/files")).unwrap();
    assert!(seen.contains("SKILL.md"), "{seen}");
    assert!(!home.tree.path("ws/skills").exists());
}

#[test]
fn names_that_disagree_and_skills_that_are_hidden_are_told() {
    let home = Home::empty();
    home.skill("bundled/notes", "notes", "");
    home.tree.write("src/pad/SKILL.md", skill("notes", "Text."));
    let plan = json_of(&home.run(&["install", "../src/pad", "--dry-run", "--json"]).stdout);
    let warnings = plan["results"][0]["plan"]["review"]["warnings"].to_string();
    assert!(warnings.contains("it hides the skill of the same name"), "{warnings}");
    home.tree.write("src/Odd Name/SKILL.md", skill("Odd Name", "Text."));
    let text = home.good(&["install", "../src/Odd Name", "--yes"]);
    assert!(text.contains("it calls itself `Odd Name`, and its folder is `odd-name`"), "{text}");
    let global = home.good(&["install", "../src/pad", "--global", "--yes"]);
    assert!(global.contains("[ROOT]/.prowess/skills/notes"), "{global}");
    let hidden = home.good(&["install", "../src/pad", "--yes"]);
    assert!(hidden.contains("it hides"), "{hidden}");
    assert!(home.good(&["installed", "--global"]).contains("notes"));
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let home = Home::empty();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"rain-gauge\"]}}}\n";
    home.skill("src/weather", "weather", needs);
    let text = home.good(&["install", "../src/weather", "--yes"]);
    assert!(text.contains("needs   bins: rain-gauge"), "{text}");
    assert!(text.contains("try     prowess deps weather"), "{text}");
}

#[test]
fn archives_are_skills_too() {
    let home = Home::empty();
    let text = skill("weather", "Text.");
    home.tree.write("weather-1.0.zip", zip(&[("weather-1.0/SKILL.md", text.as_bytes())]));
    home.good(&["install", "../weather-1.0.zip", "--yes"]);
    assert_eq!(files_below(&home.tree.path("ws/skills")), ["weather/SKILL.md"]);
    let forged = [("SKILL.md", text.as_bytes()), (".clawhub/origin.json", b"{}"), ("x.md", b"x")];
    home.tree.write("forged.zip", zip(&forged));
    let told = home.good(&["install", "../forged.zip", "--yes", "--force"]);
    assert!(told.contains("`.clawhub/origin.json` is left out"), "{told}");
    assert_eq!(files_below(&home.tree.path("ws/skills")), ["weather/SKILL.md", "weather/x.md"]);
}

#[test]
fn a_path_and_a_repository_are_not_confused() {
    let home = home();
    home.tree.write("ws/mine/weather/SKILL.md", skill("weather", "Text."));
    let ran = home.run(&["install", "mine/weather", "--yes"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("./mine/weather") && ran.stderr.contains("github:mine/weather"),
        "{}",
        ran.stderr
    );
    home.good(&["install", "./mine/weather", "--yes"]);
    let source = home.json(&["installed", "--json"])["skills"][0]["source"].clone();
    assert_eq!(source, "./mine/weather", "the lock holds for every clone");
    for bad in ["", "a//b", "weather@", "file:///x"] {
        assert_eq!(home.run(&["install", bad, "--yes"]).code, 2, "{bad}");
    }
    assert_eq!(home.run(&["install"]).code, 2);
    assert_eq!(home.run(&["install", "./mine/weather", "--version", "1.0.0"]).code, 2);
}

#[test]
fn whoever_installs_into_a_clone_need_not_trust_again() {
    let home = home();
    home.tree.write("ws/.git/config", "[remote \"origin\"]\n\turl = https://example.org/team/repo.git\n");
    home.good(&["install", "../src/weather", "--yes"]);
    let list = home.good(&["list"]);
    assert!(list.contains("✓ ready") && !list.contains("not trusted"), "{list}");
    home.tree.write("ws/skills/weather/SKILL.md", skill("weather", "Somebody pulled this."));
    assert!(home.good(&["list"]).contains("not trusted"));
    home.tree.write("src/weather/more.md", "More.\n");
    home.good(&["update", "weather", "--yes"]);
    assert!(home.good(&["list"]).contains("not trusted"), "an update does not vouch for what was pulled");
    let ignored = std::fs::read_to_string(home.tree.path("ws/.prowess/.gitignore")).unwrap();
    assert!(ignored.contains("/base/") && !ignored.contains("/lock.json\n"), "{ignored}");
}

#[test]
fn what_other_tools_installed_is_shown_and_left_alone() {
    let home = Home::empty();
    home.tree.write("ws/skills/theirs/SKILL.md", skill("theirs", "Text."));
    let lock =
        "{\"version\":1,\"skills\":{\"theirs\":{\"version\":\"1.0.0\",\"installedAt\":1,\"pinned\":true}}}\n";
    home.tree.write("ws/.clawhub/lock.json", lock);
    home.tree.write("ws/skills/own/SKILL.md", skill("own", "Text."));
    home.tree.write("ws/.agents/skills/pdf/SKILL.md", skill("pdf", "Text."));
    let skills = "{\"version\":1,\"skills\":{\"pdf\":{\"source\":\"a/b\",\"sourceType\":\"github\"},\"lost\":{\"source\":\"a/b\"}}}";
    home.tree.write("ws/skills-lock.json", skills);
    home.tree.write("ws/vskill.lock", "{");
    let listing = home.json(&["installed", "--json"]);
    let rows: Vec<String> = listing["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            format!(
                "{} {} {}",
                row["folder"].as_str().unwrap(),
                row["tool"].as_str().unwrap(),
                row["state"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(rows, ["theirs clawhub unknown", "pdf skills unknown", "lost skills gone"]);
    assert_eq!(listing["unlisted"], json!([format!("{}/ws/skills/own", "[ROOT]")]));
    assert!(listing["problems"].to_string().contains("vskill.lock"));
    for command in ["update", "pin", "uninstall"] {
        let ran = home.run(&[command, "theirs"]);
        assert!(
            ran.code == 1 && ran.stderr.contains("was installed by `clawhub`"),
            "{command}: {}",
            ran.stderr
        );
    }
    assert_eq!(home.run(&["verify"]).code, 1, "one is gone");
    assert_eq!(home.run(&["verify", "theirs"]).code, 0);
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/.clawhub/lock.json")).unwrap(), lock);
}
