//! Skills over RPC: asked about, installed, sent, removed and brought back.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{GatewayHome as _, Home, Running, skill};
use crate::support_openclaw::OpenclawHome;

fn message(answer: &(u16, Value)) -> &str {
    answer.1["error"]["message"].as_str().unwrap_or_else(|| panic!("no error in {answer:?}"))
}

/// A gateway over the recorded home, with a skill that hides another and has files.
async fn lab() -> (OpenclawHome, Running) {
    let home = OpenclawHome::recorded();
    let hidden = skill("lab-ready", "Hidden copy").body("").text();
    home.write(".openclaw/skills/lab-ready/SKILL.md", &hidden);
    home.write(".openclaw/workspace/skills/lab-ready/notes/a.txt", "a note");
    home.write(".openclaw/workspace/skills/lab-ready/skill-card.md", "# Card\n");
    let gateway = home.start().await;
    (home, gateway)
}

/// The answer to one call, for a snapshot.
async fn answered(method: &str, params: Value) -> String {
    let (home, gateway) = lab().await;
    let (_, answer) = gateway.call(method, params).await;
    home.shown_json(&answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_status_has_settings_and_what_is_shadowed() {
    let (home, gateway) = lab().await;
    let (_, status) = gateway.call("skills.status", json!({ "agentId": "main" })).await;
    assert!(status["snapshot"]["id"].is_string());
    let ready = status["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "lab-ready");
    let parts = json!({
        "ready": ready, "installTarget": status["installTarget"], "settings": status["settings"],
    });
    insta::assert_snapshot!(home.shown_json(&parts), @r#"
    {
      "ready": {
        "name": "lab-ready",
        "description": "Lab fixture lab-ready.",
        "source": "openclaw-workspace",
        "bundled": false,
        "filePath": "[ROOT]/.openclaw/workspace/skills/lab-ready/SKILL.md",
        "baseDir": "[ROOT]/.openclaw/workspace/skills/lab-ready",
        "skillKey": "lab-ready",
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
        "skillCard": {
          "present": true,
          "path": "[ROOT]/.openclaw/workspace/skills/lab-ready/skill-card.md",
          "sizeBytes": 7
        },
        "id": "lab-ready",
        "displayName": "lab-ready",
        "level": "portable",
        "mode": "auto",
        "contentHash": "[HEX]",
        "origin": {
          "tier": "workspace",
          "source": "openclaw-workspace",
          "root": "[ROOT]/.openclaw/workspace/skills",
          "file": "[ROOT]/.openclaw/workspace/skills/lab-ready/SKILL.md",
          "base": "[ROOT]/.openclaw/workspace/skills/lab-ready",
          "realFile": "[ROOT]/.openclaw/workspace/skills/lab-ready/SKILL.md"
        },
        "shadowed": [
          {
            "tier": "managed",
            "source": "openclaw-managed",
            "root": "[ROOT]/.openclaw/skills",
            "file": "[ROOT]/.openclaw/skills/lab-ready/SKILL.md",
            "base": "[ROOT]/.openclaw/skills/lab-ready",
            "realFile": "[ROOT]/.openclaw/skills/lab-ready/SKILL.md"
          }
        ],
        "reasons": [],
        "diagnostics": []
      },
      "installTarget": {
        "agentId": "main",
        "workspace": "[ROOT]/.openclaw/workspace",
        "isDefault": true
      },
      "settings": {
        "lab-bin": {
          "hasApiKey": false,
          "env": []
        },
        "lab-config": {
          "hasApiKey": false,
          "env": []
        },
        "lab-key": {
          "hasApiKey": false,
          "env": []
        },
        "lab-ready": {
          "hasApiKey": false,
          "env": []
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_read_answers_with_text_and_files() {
    let answer = answered("skills.read", json!({ "skillKey": "lab-ready" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "name": "lab-ready",
      "skillKey": "lab-ready",
      "file": "SKILL.md",
      "text": "---\nname: lab-ready\ndescription: Lab fixture lab-ready.\n---\n\n# lab-ready\n",
      "bodyStart": 60,
      "files": [
        {
          "path": "SKILL.md",
          "size": 73,
          "special": false
        },
        {
          "path": "notes/a.txt",
          "size": 6,
          "special": false
        },
        {
          "path": "skill-card.md",
          "size": 7,
          "special": false
        }
      ],
      "isCut": false
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_read_answers_with_one_file() {
    let answer = answered("skills.read", json!({ "skillKey": "lab-ready", "file": "notes/a.txt" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "name": "lab-ready",
      "skillKey": "lab-ready",
      "file": "notes/a.txt",
      "text": "a note",
      "files": [
        {
          "path": "SKILL.md",
          "size": 73,
          "special": false
        },
        {
          "path": "notes/a.txt",
          "size": 6,
          "special": false
        },
        {
          "path": "skill-card.md",
          "size": 7,
          "special": false
        }
      ],
      "isCut": false
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_read_stays_in_the_folder() {
    let answer =
        answered("skills.read", json!({ "skillKey": "lab-ready", "file": "../lab-bin/SKILL.md" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "error": {
        "code": "INVALID_REQUEST",
        "message": "`[ROOT]/.openclaw/workspace/skills/lab-bin/SKILL.md` is outside `[ROOT]/.openclaw/workspace/skills/lab-ready`",
        "details": {
          "code": "refused"
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_read_of_an_unknown_skill_is_refused() {
    let answer = answered("skills.read", json!({ "skillKey": "none" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "error": {
        "code": "INVALID_REQUEST",
        "message": "Skill not found: none",
        "details": {
          "code": "not-found"
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_skill_card_answers_with_the_card() {
    let answer = answered("skills.skillCard", json!({ "skillKey": "lab-ready" })).await;
    insta::assert_snapshot!(answer, @r##"
    {
      "skillKey": "lab-ready",
      "path": "[ROOT]/.openclaw/workspace/skills/lab-ready/skill-card.md",
      "sizeBytes": 7,
      "content": "# Card\n"
    }
    "##);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_skill_card_is_refused_without_a_card() {
    let answer = answered("skills.skillCard", json!({ "skillKey": "lab-bin" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "error": {
        "code": "INVALID_REQUEST",
        "message": "skill \"lab-bin\" has no skill card",
        "details": {
          "code": "not-found"
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_why_names_what_is_missing() {
    let answer = answered("skills.why", json!({ "skillKey": "lab-bin" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "name": "lab-bin",
      "fate": "hidden from the model: missing program `lab-missing-program`",
      "inPrompt": false,
      "steps": [
        {
          "stage": "find",
          "rule": "source",
          "outcome": "pass",
          "detail": "openclaw-workspace (workspace tier), [ROOT]/.openclaw/workspace/skills/lab-bin/SKILL.md"
        },
        {
          "stage": "parse",
          "rule": "level",
          "outcome": "pass",
          "detail": "extended, one remark (see `prowess lint`)"
        },
        {
          "stage": "merge",
          "rule": "precedence",
          "outcome": "skip",
          "detail": "no other skill has this name"
        },
        {
          "stage": "gate",
          "rule": "enabled",
          "outcome": "pass",
          "detail": "not switched off"
        },
        {
          "stage": "gate",
          "rule": "secret",
          "outcome": "pass",
          "detail": "no configured secret failed"
        },
        {
          "stage": "gate",
          "rule": "trust",
          "outcome": "skip",
          "detail": "did not come with a cloned repository"
        },
        {
          "stage": "gate",
          "rule": "allow-bundled",
          "outcome": "skip",
          "detail": "not bundled"
        },
        {
          "stage": "gate",
          "rule": "os",
          "outcome": "skip",
          "detail": "runs on any operating system"
        },
        {
          "stage": "gate",
          "rule": "always",
          "outcome": "skip",
          "detail": "not set"
        },
        {
          "stage": "gate",
          "rule": "env",
          "outcome": "skip",
          "detail": "nothing needed"
        },
        {
          "stage": "gate",
          "rule": "config",
          "outcome": "skip",
          "detail": "nothing needed"
        },
        {
          "stage": "gate",
          "rule": "bins",
          "outcome": "fail",
          "detail": "missing program `lab-missing-program`"
        },
        {
          "stage": "gate",
          "rule": "any-bins",
          "outcome": "skip",
          "detail": "nothing needed"
        },
        {
          "stage": "agent",
          "rule": "allowlist",
          "outcome": "skip",
          "detail": "agent `main` has none"
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_scan_answers_with_a_verdict() {
    let answer = answered("skills.scan", json!({ "skillKey": "lab-ready" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "name": "lab-ready",
      "skillKey": "lab-ready",
      "verdict": "clean",
      "findings": [],
      "capabilities": [],
      "coverage": {
        "filesRead": 3,
        "bytesRead": 86,
        "bytesExamined": 258,
        "unread": []
      },
      "content": "[HEX]"
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_prompt_answers_with_text_and_explanation() {
    let answer = answered("skills.prompt", json!({})).await;
    insta::assert_snapshot!(answer, @r###"
    {
      "text": "## Skills\nThe skills listed below are files of instructions, each for one kind of task.\nWhen your task matches a skill by its description, read the file at its location before anything else.\nA relative path in a skill starts at the folder that holds its file: make it absolute from there before you pass it to any tool or command.\n\n<available_skills>\n  <skill>\n    <name>lab-ready</name>\n    <description>Lab fixture lab-ready.</description>\n    <location>~/.openclaw/workspace/skills/lab-ready/SKILL.md</location>\n  </skill>\n</available_skills>",
      "context": null,
      "message": null,
      "skills": null,
      "told": [
        {
          "name": "lab-bin",
          "when": "never",
          "reason": "missing program `lab-missing-program`"
        },
        {
          "name": "lab-config",
          "when": "never",
          "reason": "missing config setting `channels.lab.enabled`"
        },
        {
          "name": "lab-key",
          "when": "never",
          "reason": "missing environment variable `LAB_KEY`"
        },
        {
          "name": "lab-ready",
          "when": "always"
        }
      ],
      "explanation": {
        "chars": 545,
        "maxChars": 18000,
        "tokens": 137,
        "overheadTokens": 93,
        "stableChars": 351,
        "note": null,
        "descriptionLimit": null,
        "cuts": [],
        "skills": [
          {
            "name": "lab-bin",
            "included": false,
            "reason": "missing program `lab-missing-program`",
            "tokens": 0,
            "wouldCost": 19
          },
          {
            "name": "lab-config",
            "included": false,
            "reason": "missing config setting `channels.lab.enabled`",
            "tokens": 0,
            "wouldCost": 21
          },
          {
            "name": "lab-key",
            "included": false,
            "reason": "missing environment variable `LAB_KEY`",
            "tokens": 0,
            "wouldCost": 19
          },
          {
            "name": "lab-ready",
            "included": true,
            "tokens": 44
          }
        ]
      },
      "snapshot": {
        "id": "[HEX]",
        "version": "[TIME]"
      }
    }
    "###);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_commands_answers_with_the_ready_ones() {
    let answer = answered("skills.commands", json!({})).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "commands": [
        {
          "name": "lab_ready",
          "displayName": "lab-ready",
          "skillFile": "[ROOT]/.openclaw/workspace/skills/lab-ready/SKILL.md",
          "skillName": "lab-ready",
          "description": "Lab fixture lab-ready.",
          "modelVisible": true,
          "skillSource": "workspace"
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_bins_is_not_for_operators() {
    let answer = answered("skills.bins", json!({})).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "error": {
        "code": "INVALID_REQUEST",
        "message": "unauthorized role: operator",
        "details": {
          "code": "refused"
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_follows_what_changes() {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    let gateway = home.start().await;
    let (_, first) = gateway.call("skills.status", json!({})).await;
    let (_, second) = gateway.call("skills.status", json!({})).await;
    assert_eq!(first, second);
    gateway.call("skills.update", json!({ "skillKey": "tidy", "enabled": false })).await;
    let (_, third) = gateway.call("skills.status", json!({})).await;
    assert_eq!(
        (&third["skills"][0]["disabled"], &third["settings"]["tidy"]["enabled"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_install_is_shown_before() {
    let home = OpenclawHome::recorded();
    let params = json!({ "name": "lab-bin", "installId": "npm" });
    let (status, plan) = home.start().await.call("skills.install.plan", params).await;
    assert_eq!(status, 200, "{plan}");
    insta::assert_snapshot!(home.shown_json(&plan), @r#"
    {
      "id": "npm",
      "kind": "node",
      "label": "Install is-odd (npm)",
      "bins": [
        "lab-missing-program"
      ],
      "steps": [
        {
          "type": "command",
          "argv": [
            "npm",
            "install",
            "-g",
            "--ignore-scripts",
            "is-odd"
          ],
          "env": [
            [
              "NPM_CONFIG_PREFIX",
              "[ROOT]/.openclaw/tools/node/npm"
            ],
            [
              "npm_config_prefix",
              "[ROOT]/.openclaw/tools/node/npm"
            ]
          ]
        }
      ],
      "admission": {
        "decision": "allow",
        "warnings": []
      },
      "warnings": [
        "WARNING: Skill \"lab-bin\" install triggered from non-bundled source \"openclaw-workspace\". Verify the install recipe is trusted."
      ],
      "agreedByPolicy": false,
      "commands": [
        "NPM_CONFIG_PREFIX=[ROOT]/.openclaw/tools/node/npm npm_config_prefix=[ROOT]/.openclaw/tools/node/npm npm install -g --ignore-scripts is-odd"
      ],
      "target": {
        "agentId": "main",
        "workspace": "[ROOT]/.openclaw/workspace",
        "isDefault": true
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_install_is_told_whole() {
    let home = OpenclawHome::recorded();
    let needs = "metadata: {\"openclaw\": {\"requires\": {\"bins\": [\"lab-x\"]}, \"install\": [{\"id\": \"brew\", \"kind\": \"brew\", \"formula\": \"lab-x\", \"bins\": [\"lab-x\"]}]}}\n";
    let file = skill("lab-go", "Needs brew.").fields(needs).text();
    home.write(".openclaw/workspace/skills/lab-go/SKILL.md", &file);
    let params = json!({ "name": "lab-go", "installId": "brew", "timeoutMs": 5000 });
    let (status, answer) = home.start().await.call("skills.install", params).await;
    assert_eq!(status, 503, "{answer}");
    insta::assert_snapshot!(home.shown_json(&answer), @r#"
    {
      "error": {
        "code": "UNAVAILABLE",
        "message": "brew not installed — Homebrew is not installed. Install it from https://brew.sh or install \"lab-x\" manually using your system package manager (e.g. apt, dnf, pacman).",
        "details": {
          "code": "environment"
        }
      },
      "payload": {
        "ok": false,
        "message": "brew not installed — Homebrew is not installed. Install it from https://brew.sh or install \"lab-x\" manually using your system package manager (e.g. apt, dnf, pacman).",
        "stdout": "",
        "stderr": "",
        "code": null,
        "warnings": [
          "WARNING: Skill \"lab-go\" install triggered from non-bundled source \"openclaw-workspace\". Verify the install recipe is trusted."
        ],
        "target": {
          "agentId": "main",
          "workspace": "[ROOT]/.openclaw/workspace",
          "isDefault": true
        },
        "readiness": {
          "eligible": false,
          "missing": {
            "bins": [
              "lab-x"
            ],
            "anyBins": [],
            "env": [],
            "config": [],
            "os": []
          },
          "reasons": [
            "missing program `lab-x`"
          ]
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_install_of_nothing_or_with_bad_params_is_refused() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    for (params, expected) in [
        (json!({ "name": "nobody", "installId": "x" }), "Skill not found: nobody"),
        (json!({ "name": "lab-bin", "installId": "x" }), "Installer not found: x"),
    ] {
        let answer = gateway.call("skills.install", params).await;
        assert_eq!((message(&answer), &answer.1["payload"]["ok"]), (expected, &json!(false)));
    }
    for (params, expected) in [
        (json!({ "name": "lab-bin", "installId": "npm", "timeoutMs": 10 }), "at /timeoutMs: must be >= 1000"),
        (json!({ "name": "lab-bin" }), "must have required property 'installId'"),
        (json!({ "source": "clawhub" }), "must have required property 'slug'"),
        (json!({ "source": "clawhub", "slug": "./here" }), "is not a slug of a registry"),
        (json!({ "source": "clawhub", "slug": "git+file:///etc" }), "is not a slug of a registry"),
    ] {
        let answer = gateway.call("skills.install", params).await;
        assert_eq!(answer.1["error"]["code"], "INVALID_REQUEST", "{answer:?}");
        assert!(message(&answer).contains(expected), "{answer:?}");
    }
    let (_, cancelled) =
        gateway.call("skills.install.cancel", json!({ "name": "lab-bin", "installId": "npm" })).await;
    assert_eq!(cancelled["cancelled"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_goes_to_the_trash_and_comes_back() {
    let home = OpenclawHome::recorded();
    let gateway = home.start().await;
    let folder = home.workspace().join("skills/lab-ready");
    let (_, plan) = gateway.call("skills.remove.plan", json!({ "skillKey": "lab-ready" })).await;
    assert_eq!(plan["path"], json!(folder), "{plan}");
    assert_eq!((&plan["scope"], &plan["agents"]), (&json!("workspace"), &json!(["main"])));
    let other = json!({ "skillKey": "lab-ready", "confirm": home.workspace() });
    assert!(message(&gateway.call("skills.remove", other).await).contains("was not confirmed"));
    assert!(folder.is_dir());
    let params = json!({ "skillKey": "lab-ready", "confirm": plan["path"] });
    let (status, removed) = gateway.call("skills.remove", params.clone()).await;
    assert_eq!((status, &removed["removed"]), (200, &json!(true)), "{removed}");
    assert!(!folder.exists());
    assert_eq!(message(&gateway.call("skills.remove", params).await), "Skill not found: lab-ready");
    let (_, trash) = gateway.call("skills.trash", json!({})).await;
    assert_eq!(trash["skills"][0]["trashId"], removed["trashId"], "{trash}");
    let params = json!({ "trashId": removed["trashId"], "scope": "workspace" });
    let (status, restored) = gateway.call("skills.restore", params).await;
    assert_eq!(status, 200, "{restored}");
    assert!(folder.join("SKILL.md").is_file());
    // A file is used when it has settled, which takes a moment.
    let is_back = |status: &Value| {
        status["skills"].as_array().unwrap().iter().any(|skill| skill["name"] == "lab-ready")
    };
    gateway.until("skills.status", json!({}), is_back).await;
}

/// A ZIP archive of stored files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (offset, size) = (u32::try_from(archive.len()).unwrap(), u32::try_from(text.len()).unwrap());
        let mut common = Vec::new();
        common.extend_from_slice(&[20, 0, 0, 0, 0, 0, 0, 0, 33, 0]);
        common.extend_from_slice(&crc32(text.as_bytes()).to_le_bytes());
        common.extend_from_slice(&size.to_le_bytes());
        common.extend_from_slice(&size.to_le_bytes());
        common.extend_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&common);
        archive.extend_from_slice(name.as_bytes());
        archive.extend_from_slice(text.as_bytes());
        directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let (start, size) = (u32::try_from(archive.len()).unwrap(), u32::try_from(directory.len()).unwrap());
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    archive.extend_from_slice(&directory);
    archive.extend_from_slice(b"PK\x05\x06\x00\x00\x00\x00");
    archive.extend_from_slice(&count);
    archive.extend_from_slice(&count);
    archive.extend_from_slice(&size.to_le_bytes());
    archive.extend_from_slice(&start.to_le_bytes());
    archive.extend_from_slice(&[0, 0]);
    archive
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |mut crc: u32, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
        crc
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().enumerate().fold(0_u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for at in 0..=group.len() {
            let letter = LETTERS[usize::try_from(bits >> (18 - 6 * at) & 63).unwrap()];
            write!(text, "{}", char::from(letter)).unwrap();
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_is_sent_in_pieces_and_installed() {
    let home = Home::new();
    let gateway = home.start().await;
    let archive = zip(&[
        ("SKILL.md", "---\nname: sent\ndescription: Sent over the wire\n---\n\n# Sent\n"),
        ("a.txt", "a"),
    ]);
    let begin = json!({ "kind": "skill-archive", "slug": "sent", "sizeBytes": archive.len() });
    assert!(
        message(&gateway.call("skills.upload.begin", begin.clone()).await)
            .contains("uploaded archives are off")
    );
    let raw = "{skills: {install: {allowUploadedArchives: true}}}";
    gateway.confirmed(&home.engine(), "config.set", json!({ "raw": raw })).await;
    let (status, begun) = gateway.call("skills.upload.begin", begin).await;
    assert_eq!(status, 200, "{begun}");
    let id = &begun["uploadId"];
    for (at, piece) in archive.chunks(64).enumerate() {
        let params = json!({ "uploadId": id, "offset": at * 64, "dataBase64": base64(piece) });
        let (status, answer) = gateway.call("skills.upload.chunk", params).await;
        assert_eq!(status, 200, "{answer}");
    }
    let (status, committed) = gateway.call("skills.upload.commit", json!({ "uploadId": id })).await;
    assert_eq!((status, &committed["receivedBytes"]), (200, &json!(archive.len())), "{committed}");
    let params = json!({ "source": "upload", "uploadId": id, "slug": "sent", "sha256": committed["sha256"] });
    let (status, installed) = gateway.call("skills.install", params.clone()).await;
    assert_eq!((status, &installed["ok"]), (200, &json!(true)), "{installed}");
    assert_eq!(std::fs::read_to_string(home.workspace().join("skills/sent/a.txt")).unwrap(), "a");
    let (_, listed) = gateway.call("skills.installed", json!({})).await;
    assert_eq!(listed["skills"][0]["name"], "sent", "{listed}");
    let again = gateway.call("skills.install", params).await;
    assert!(message(&again).contains("unknown or expired upload"), "{again:?}");
}
