//! `prowess check`, `status`, `commands` and `snapshot`

use serde_json::json;

use crate::support::{Home, Program as _, keys, texts};

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
    insta::assert_snapshot!(home.shown_json(&home.json(&["check", "--json"])), @r#"
    {
      "agentId": "main",
      "workspaceDir": "[ROOT]/ws",
      "managedSkillsDir": "[ROOT]/.prowess/skills",
      "summary": {
        "total": 7,
        "eligible": 3,
        "modelVisible": 2,
        "commandVisible": 3,
        "disabled": 1,
        "blocked": 1,
        "agentFiltered": 0,
        "notInjected": 1,
        "missingRequirements": 2,
        "notLoaded": 2,
        "untrusted": 0,
        "listed": 2
      },
      "eligible": [
        "hidden",
        "notes",
        "weather"
      ],
      "modelVisible": [
        "notes",
        "weather"
      ],
      "commandVisible": [
        "hidden",
        "notes",
        "weather"
      ],
      "disabled": [
        "off"
      ],
      "blocked": [
        "unwanted"
      ],
      "agentFiltered": [],
      "notInjected": [
        {
          "name": "hidden",
          "reason": "disable-model-invocation"
        }
      ],
      "missingRequirements": [
        {
          "name": "amiga",
          "missing": {
            "bins": [],
            "anyBins": [],
            "env": [],
            "config": [],
            "os": [
              "amiga"
            ]
          },
          "install": []
        },
        {
          "name": "github",
          "missing": {
            "bins": [
              "gh"
            ],
            "anyBins": [],
            "env": [
              "GH_KEY"
            ],
            "config": [],
            "os": []
          },
          "install": [
            {
              "id": "brew",
              "kind": "brew",
              "label": "Install gh (brew)",
              "bins": [
                "gh"
              ]
            }
          ]
        }
      ],
      "notLoaded": [
        {
          "name": "broken",
          "source": "openclaw-workspace",
          "path": "[ROOT]/ws/skills/broken/SKILL.md",
          "reason": "invalid",
          "message": "the skill has no `description`",
          "diagnostics": [
            {
              "rule": "description/missing",
              "severity": "error",
              "span": null,
              "message": "the skill has no `description`",
              "help": "add `description:`: what it does and when to use it, in a user's words"
            }
          ]
        },
        {
          "name": "weather",
          "source": "openclaw-bundled",
          "path": "[ROOT]/bundled/weather/SKILL.md",
          "reason": "shadowed",
          "message": "Skill precedence collision: skill=\"weather\" winner=openclaw-workspace:[ROOT]/ws/skills/weather/SKILL.md loser=openclaw-bundled:[ROOT]/bundled/weather/SKILL.md",
          "winner": "[ROOT]/ws/skills/weather/SKILL.md"
        }
      ],
      "untrusted": [],
      "select": "message",
      "listCuts": []
    }
    "#);
}

#[test]
fn check_names_the_allowlist_of_the_agent() {
    let home = Home::new();
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
    assert_eq!(home.good(&["status"]), home.good(&["check"]), "for people it is the same");
}

#[test]
fn status_tells_everything_of_a_skill() {
    let home = Home::full();
    let report = home.json(&["status", "--json"]);
    insta::assert_snapshot!(home.shown_json(&report["skills"][6]), @r#"
    {
      "name": "weather",
      "description": "Does weather. Use when asked.",
      "source": "workspace",
      "bundled": false,
      "filePath": "[ROOT]/ws/skills/weather/SKILL.md",
      "baseDir": "[ROOT]/ws/skills/weather",
      "skillKey": "weather",
      "emoji": "🌦",
      "always": false,
      "disabled": false,
      "blockedByAllowlist": false,
      "blockedByAgentFilter": false,
      "eligible": true,
      "platformIncompatible": false,
      "modelVisible": true,
      "userInvocable": true,
      "commandVisible": true,
      "requirements": {
        "bins": [],
        "anyBins": [],
        "env": [],
        "config": [],
        "os": []
      },
      "missing": {
        "bins": [],
        "anyBins": [],
        "env": [],
        "config": [],
        "os": []
      },
      "configChecks": [],
      "install": [],
      "id": "weather",
      "displayName": "weather",
      "level": "extended",
      "mode": "auto",
      "contentHash": "[HEX]",
      "origin": {
        "tier": "workspace",
        "source": "openclaw-workspace",
        "root": "[ROOT]/ws/skills",
        "file": "[ROOT]/ws/skills/weather/SKILL.md",
        "base": "[ROOT]/ws/skills/weather",
        "realFile": "[ROOT]/ws/skills/weather/SKILL.md"
      },
      "shadowed": [
        {
          "tier": "bundled",
          "source": "openclaw-bundled",
          "root": "[ROOT]/bundled",
          "file": "[ROOT]/bundled/weather/SKILL.md",
          "base": "[ROOT]/bundled/weather",
          "realFile": "[ROOT]/bundled/weather/SKILL.md"
        }
      ],
      "reasons": [],
      "diagnostics": [
        {
          "rule": "metadata/nested",
          "severity": "note",
          "span": {
            "start": 61,
            "end": 69
          },
          "message": "`metadata` has nested values",
          "help": "engines read nested metadata; the bare specification does not know it"
        }
      ]
    }
    "#);
}

#[test]
fn status_tells_why_a_skill_is_blocked() {
    let report = Home::full().json(&["status", "--json"]);
    let github = &report["skills"][1];
    assert_eq!(github["reasons"], json!(["missing environment variable `GH_KEY`", "missing program `gh`"]));
}

#[test]
fn status_tells_what_was_not_loaded() {
    let home = Home::full();
    let report = home.json(&["status", "--json"]);
    insta::assert_snapshot!(home.shown_json(&report["notLoaded"][0]), @r#"
    {
      "name": "broken",
      "source": "openclaw-workspace",
      "path": "[ROOT]/ws/skills/broken/SKILL.md",
      "reason": "invalid",
      "message": "the skill has no `description`",
      "diagnostics": [
        {
          "rule": "description/missing",
          "severity": "error",
          "span": null,
          "message": "the skill has no `description`",
          "help": "add `description:`: what it does and when to use it, in a user's words"
        }
      ]
    }
    "#);
}

#[test]
fn status_knows_where_a_skill_was_installed_from() {
    let home = Home::new();
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
    assert_eq!(Home::new().good(&["commands"]), "No skill can be called by name.\n");
    assert_eq!(Home::new().json(&["commands", "--json"]), json!([]));
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
