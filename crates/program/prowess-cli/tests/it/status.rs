//! `prowess check`, `status`, `commands` and `snapshot`

use serde_json::json;

use crate::support::{Home, keys, texts};

#[test]
fn check_counts_and_names() {
    insta::assert_snapshot!(Home::full().good(&["check"]), @r#"
    Skills check
    Agent: main

    Total: 7
    Ready: 3
    Visible to the model: 2
    Available as commands: 3
    Disabled: 1
    Blocked by allowBundled: 1
    Excluded for this agent: 0
    Ready but hidden from the model: 1
    Missing requirements: 2
    Found and not loaded: 2

    Ready and visible to the model:
      notes
      weather

    Ready but hidden from the model:
      hidden disable-model-invocation

    Missing requirements:
      amiga (os: amiga)
      github (bins: gh; env: GH_KEY) → Install gh (brew)

    Found and not loaded:
      [ROOT]/ws/skills/broken/SKILL.md: the skill has no `description`
      [ROOT]/bundled/weather/SKILL.md: Skill precedence collision: skill="weather" winner=openclaw-workspace:[ROOT]/ws/skills/weather/SKILL.md loser=openclaw-bundled:[ROOT]/bundled/weather/SKILL.md
    "#);
}

#[test]
fn check_json_has_the_shape_that_clients_know() {
    let home = Home::full();
    let report = home.json(&["check", "--json"]);
    let theirs = [
        "agentId",
        "workspaceDir",
        "managedSkillsDir",
        "summary",
        "eligible",
        "modelVisible",
        "commandVisible",
        "disabled",
        "blocked",
        "agentFiltered",
        "notInjected",
        "missingRequirements",
    ];
    assert_eq!(keys(&report)[..theirs.len()], theirs);
    assert_eq!(
        report["summary"],
        json!({
            "total": 7, "eligible": 3, "modelVisible": 2, "commandVisible": 3, "disabled": 1, "blocked": 1,
            "agentFiltered": 0, "notInjected": 1, "missingRequirements": 2, "notLoaded": 2, "untrusted": 0,
        })
    );
    assert_eq!(report["eligible"], json!(["hidden", "notes", "weather"]));
    assert_eq!(report["modelVisible"], json!(["notes", "weather"]));
    assert_eq!(report["commandVisible"], json!(["hidden", "notes", "weather"]));
    assert_eq!((&report["disabled"], &report["blocked"]), (&json!(["off"]), &json!(["unwanted"])));
    assert_eq!(report["notInjected"], json!([{"name": "hidden", "reason": "disable-model-invocation"}]));
    assert_eq!(
        report["missingRequirements"],
        json!([
            {
                "name": "amiga",
                "missing": {"bins": [], "anyBins": [], "env": [], "config": [], "os": ["amiga"]},
                "install": [],
            },
            {
                "name": "github",
                "missing": {"bins": ["gh"], "anyBins": [], "env": ["GH_KEY"], "config": [], "os": []},
                "install": [{"id": "brew", "kind": "brew", "label": "Install gh (brew)", "bins": ["gh"]}],
            },
        ])
    );
}

#[test]
fn check_names_the_allowlist_of_the_agent() {
    let home = Home::empty();
    home.skill("ws/skills/one", "one", "");
    home.skill("ws/skills/two", "two", "");
    home.config("{agents: {entries: {writer: {skills: ['one']}}}}");
    let report = home.json(&["check", "--json", "--agent", "writer"]);
    assert_eq!(keys(&report)[..2], ["agentId", "agentSkillFilter"]);
    assert_eq!((&report["agentSkillFilter"], &report["agentFiltered"]), (&json!(["one"]), &json!(["two"])));
}

#[test]
fn status_is_the_full_report() {
    let home = Home::full();
    let report = home.json(&["status", "--json"]);
    assert_eq!(keys(&report), ["workspaceDir", "managedSkillsDir", "agentId", "skills", "notLoaded"]);
    let weather = &report["skills"][6];
    assert_eq!(
        keys(weather),
        [
            "name",
            "description",
            "source",
            "bundled",
            "filePath",
            "baseDir",
            "skillKey",
            "emoji",
            "always",
            "disabled",
            "blockedByAllowlist",
            "blockedByAgentFilter",
            "eligible",
            "platformIncompatible",
            "modelVisible",
            "userInvocable",
            "commandVisible",
            "requirements",
            "missing",
            "configChecks",
            "install",
            "id",
            "displayName",
            "level",
            "mode",
            "contentHash",
            "origin",
            "shadowed",
            "reasons",
            "diagnostics",
        ]
    );
    assert_eq!(weather["filePath"], json!("[ROOT]/ws/skills/weather/SKILL.md"));
    assert_eq!(weather["origin"]["tier"], json!("workspace"));
    assert_eq!(weather["shadowed"][0]["file"], json!("[ROOT]/bundled/weather/SKILL.md"));
    let broken = &report["notLoaded"][0];
    assert_eq!((&broken["reason"], &broken["name"]), (&json!("invalid"), &json!("broken")));
    assert_eq!(texts(&broken["diagnostics"], "rule"), ["description/missing"]);
    let github = &report["skills"][1];
    assert_eq!(github["reasons"], json!(["missing environment variable `GH_KEY`", "missing program `gh`"]));
    assert_eq!(home.good(&["status"]), home.good(&["check"]), "for people it is the same");
}

#[test]
fn status_knows_where_a_skill_was_installed_from() {
    let home = Home::empty();
    home.skill("ws/skills/one", "one", "");
    let origin = r#"{"registry": "https://example.org", "slug": "one", "installedVersion": "1.0.0", "installedAt": 5}"#;
    home.tree.write("ws/skills/one/.clawhub/origin.json", origin);
    home.tree.write("ws/skills/one/skill-card.md", "# Card\n");
    let entry = |home: &Home| home.json(&["info", "one", "--json"]);
    assert_eq!(entry(&home)["clawhub"]["valid"], json!(false));
    home.tree.write("ws/.clawhub/lock.json", r#"{"skills": {"one": {"version": "1.0.0"}}}"#);
    assert_eq!(
        entry(&home)["clawhub"],
        json!({
            "status": "linked",
            "valid": true,
            "registry": "https://example.org",
            "slug": "one",
            "installedVersion": "1.0.0",
            "installedAt": 5,
            "originPath": "[ROOT]/ws/skills/one/.clawhub/origin.json",
            "lockPath": "[ROOT]/ws/.clawhub/lock.json",
        })
    );
    let card = json!({"present": true, "path": "[ROOT]/ws/skills/one/skill-card.md", "sizeBytes": 7});
    assert_eq!(entry(&home)["skillCard"], card);
}

#[test]
fn commands_lists_what_a_person_can_call() {
    let home = Home::full();
    home.skill("ws/skills/lamp", "lamp", "command-dispatch: tool\ncommand-tool: lights\n");
    insta::assert_snapshot!(home.good(&["commands"]), @"
    Command       Skill    Description
    /hidden       hidden   Does hidden. Use when asked.
    /lamp → tool  lamp     Does lamp. Use when asked.
    /notes        notes    Does notes. Use when asked.
    /weather      weather  Does weather. Use when asked.
    ");
    let commands = home.json(&["commands", "--json"]);
    assert_eq!(texts(&commands, "name"), ["hidden", "lamp", "notes", "weather"]);
    assert_eq!(
        commands[1],
        json!({
            "name": "lamp",
            "displayName": "lamp",
            "skillFile": "[ROOT]/ws/skills/lamp/SKILL.md",
            "skillName": "lamp",
            "description": "Does lamp. Use when asked.",
            "modelVisible": true,
            "skillSource": "workspace",
            "dispatch": {"kind": "tool", "toolName": "lights", "argMode": "raw"},
        })
    );
    assert_eq!(Home::empty().good(&["commands"]), "No skill can be called by name.\n");
    assert_eq!(Home::empty().json(&["commands", "--json"]), json!([]));
}

#[test]
fn snapshot_has_an_id_that_follows_the_content() {
    let home = Home::full();
    let first = home.json(&["snapshot", "--json"]);
    let again = home.json(&["snapshot", "--json"]);
    assert_eq!(first["id"], again["id"]);
    assert!(first["version"].as_u64().unwrap() <= again["version"].as_u64().unwrap());
    assert_eq!(texts(&first["resolvedSkills"], "name"), ["notes", "weather"]);
    assert_eq!(first["prompt"].as_str().unwrap(), home.good(&["prompt"]));
    home.skill("ws/skills/new", "new", "");
    assert_ne!(home.json(&["snapshot", "--json"])["id"], first["id"]);
    let text = home.good(&["snapshot"]);
    assert!(text.contains("4 skills, 3 of them in the prompt"), "{text}");
}
