//! Installing from folders and archives: what is shown, what is agreed to, what is refused, what is left behind.

use serde_json::{Value, json};

use crate::acquire_support::{MALICIOUS, skill, zip};
use crate::support::{Home, Program as _, files_below, texts};

fn home() -> Home {
    let home = Home::new();
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
    insta::assert_snapshot!(home.good(&["install", "../src/weather", "--dry-run"]), @"
    weather
      from    [ROOT]/src/weather
      to      [ROOT]/ws/skills/weather (new)
      files   2 files, 110 bytes; can be run: scripts/run.sh
      scan    clean
    ");
    assert_eq!(files_below(&home.tree.path("ws")), Vec::<String>::new(), "nothing is left behind");
}

#[test]
fn what_was_agreed_to_is_installed_and_written_down() {
    let home = home();
    let text = home.good(&["install", "../src/weather", "--yes"]);
    insta::assert_snapshot!(text, @"
    weather
      from    [ROOT]/src/weather
      to      [ROOT]/ws/skills/weather (new)
      files   2 files, 110 bytes; can be run: scripts/run.sh
      scan    clean
    ✓ installed weather
      ready   `weather` is available to agents
    ");
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
    assert_eq!(again.code, 1);
    insta::assert_snapshot!(again.stderr, @"
    error[already-there]: `[ROOT]/ws/skills/weather` already exists
    help: `prowess update` updates it; `--force` replaces it and keeps your edits in the trash
    ");
    insta::assert_snapshot!(home.good(&["list"]), @"
    Skills (1/1 ready)
    Status   Skill    Description                    Source
    ✓ ready  weather  Does weather. Use when asked.  workspace
    ");
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
    let home = Home::new();
    home.tree.write("src/helper/SKILL.md", skill("helper", MALICIOUS));
    let ran = home.run(&["install", "../src/helper", "--yes", "--force"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    insta::assert_snapshot!(ran.stdout, @"
    helper
      from    [ROOT]/src/helper
      to      [ROOT]/ws/skills/helper (new)
      files   1 file, 182 bytes
      scan    malicious
              download/pipe-to-shell SKILL.md:10 what the server sends at that moment is run; it can differ for every user and every day
              lure/terminal-paste SKILL.md:10 a command that is decoded or fetched while it runs cannot be judged by who pastes it
      can     network:203.0.113.7 read:curl shell:bash shell:sudo shell:unknown
    ");
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: `helper` is refused: download/pipe-to-shell (SKILL.md, line 10): what the server sends at that moment is run; it can differ for every user and every day; lure/terminal-paste (SKILL.md, line 10): a command that is decoded or fetched while it runs cannot be judged by who pastes it
    help: nothing was installed, and no option changes that
    ");
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
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: `weather` is refused: not on my machine
    help: nothing was installed, and no option changes that
    ");
    let seen = std::fs::read_to_string(home.tree.path("policy/files")).unwrap();
    assert!(seen.contains("SKILL.md"), "{seen}");
    assert!(!home.tree.path("ws/skills").exists());
}

#[test]
fn names_that_disagree_and_skills_that_are_hidden_are_told() {
    let home = Home::new();
    home.skill("bundled/notes", "notes", "");
    home.tree.write("src/pad/SKILL.md", skill("notes", "Text."));
    let plan = json_of(&home.run(&["install", "../src/pad", "--dry-run", "--json"]).stdout);
    let warnings = plan["results"][0]["plan"]["review"]["warnings"].to_string();
    assert!(warnings.contains("it hides the skill of the same name"), "{warnings}");
    home.tree.write("src/Odd Name/SKILL.md", skill("Odd Name", "Text."));
    let text = home.good(&["install", "../src/Odd Name", "--yes"]);
    insta::assert_snapshot!(text, @"
    Odd Name
      from    [ROOT]/src/Odd Name
      to      [ROOT]/ws/skills/odd-name (new)
      files   1 file, 85 bytes
      scan    clean
      note    it calls itself `Odd Name`, and its folder is `odd-name`
    ✓ installed Odd Name
      ready   `Odd Name` is available to agents
    ");
    let global = home.good(&["install", "../src/pad", "--global", "--yes"]);
    insta::assert_snapshot!(global, @"
    notes
      from    [ROOT]/src/pad
      to      [ROOT]/.prowess/skills/notes (new)
      files   1 file, 76 bytes
      scan    clean
      note    it hides the skill of the same name in `[ROOT]/bundled/notes/SKILL.md` (bundled)
    ✓ installed notes
      ready   `notes` is available to agents
    ");
    let hidden = home.good(&["install", "../src/pad", "--yes"]);
    insta::assert_snapshot!(hidden, @"
    notes
      from    [ROOT]/src/pad
      to      [ROOT]/ws/skills/notes (new)
      files   1 file, 76 bytes
      scan    clean
      note    it hides the skill of the same name in `[ROOT]/bundled/notes/SKILL.md` (bundled)
      note    it hides the skill of the same name in `[ROOT]/.prowess/skills/notes/SKILL.md` (managed)
    ✓ installed notes
      ready   `notes` is available to agents
    ");
    insta::assert_snapshot!(home.good(&["installed", "--global"]), @"
    Skill  Version  State     From                         Note
    notes           ✓ intact  [ROOT]/src/pad
    ");
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let home = Home::new();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"rain-gauge\"]}}}\n";
    home.skill("src/weather", "weather", needs);
    let text = home.good(&["install", "../src/weather", "--yes"]);
    insta::assert_snapshot!(text, @"
    weather
      from    [ROOT]/src/weather
      to      [ROOT]/ws/skills/weather (new)
      files   1 file, 141 bytes
      scan    clean
      needs   bins: rain-gauge
    ✓ installed weather
      not yet missing program `rain-gauge`
      try     prowess deps weather
    ");
}

#[test]
fn archives_are_skills_too() {
    let home = Home::new();
    let text = skill("weather", "Text.");
    home.tree.write("weather-1.0.zip", zip(&[("weather-1.0/SKILL.md", text.as_bytes())]));
    home.good(&["install", "../weather-1.0.zip", "--yes"]);
    assert_eq!(files_below(&home.tree.path("ws/skills")), ["weather/SKILL.md"]);
    let forged = [("SKILL.md", text.as_bytes()), (".clawhub/origin.json", b"{}"), ("x.md", b"x")];
    home.tree.write("forged.zip", zip(&forged));
    let told = home.good(&["install", "../forged.zip", "--yes", "--force"]);
    insta::assert_snapshot!(told, @"
    weather
      from    ./../forged.zip
      to      [ROOT]/ws/skills/weather (replaces what is installed; edits are kept in the trash)
      files   2 files, 83 bytes
      scan    clean
      note    `.clawhub/origin.json` is left out: only an installer writes it
    ✓ installed weather
      ready   `weather` is available to agents
    ");
    assert_eq!(files_below(&home.tree.path("ws/skills")), ["weather/SKILL.md", "weather/x.md"]);
}

#[test]
fn a_path_and_a_repository_are_not_confused() {
    let home = home();
    home.tree.write("ws/mine/weather/SKILL.md", skill("weather", "Text."));
    let ran = home.run(&["install", "mine/weather", "--yes"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error[usage]: `mine/weather` is a folder here, and would be a repository on GitHub
    help: write `./mine/weather` for the folder, `github:mine/weather` for the repository
    ");
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
    insta::assert_snapshot!(list, @"
    Skills (1/1 ready)
    Status   Skill    Description                    Source
    ✓ ready  weather  Does weather. Use when asked.  workspace
    ");
    home.tree.write("ws/skills/weather/SKILL.md", skill("weather", "Somebody pulled this."));
    insta::assert_snapshot!(home.good(&["list"]), @"
    Skills (0/1 ready)
    Status         Skill    Description                    Source
    △ not trusted  weather  Does weather. Use when asked.  workspace
    The prompt has no skills: no skill is ready (1 skill found): 1 is not trusted
      `prowess why weather` explains the first of them, `prowess check` lists all
    ");
    home.tree.write("src/weather/more.md", "More.\n");
    home.good(&["update", "weather", "--yes"]);
    insta::assert_snapshot!(home.good(&["list"]), @"
    Skills (0/1 ready)
    Status         Skill    Description                    Source
    △ not trusted  weather  Does weather. Use when asked.  workspace
    The prompt has no skills: no skill is ready (1 skill found): 1 is not trusted
      `prowess why weather` explains the first of them, `prowess check` lists all
    ");
    let ignored = std::fs::read_to_string(home.tree.path("ws/.prowess/.gitignore")).unwrap();
    assert!(ignored.contains("/base/") && !ignored.contains("/lock.json\n"), "{ignored}");
}

#[test]
fn what_other_tools_installed_is_shown_and_left_alone() {
    let home = Home::new();
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
