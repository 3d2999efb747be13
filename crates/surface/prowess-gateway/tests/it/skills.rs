//! Skills over RPC: asked about, installed, sent, removed and brought back.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::Home;
use crate::support_openclaw::OpenclawHome;

fn message(answer: &(u16, Value)) -> &str {
    answer.1["error"]["message"].as_str().unwrap_or_else(|| panic!("no error in {answer:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_about_skills_are_answered() {
    let home = OpenclawHome::recorded();
    home.write(
        ".openclaw/skills/lab-ready/SKILL.md",
        "---\nname: lab-ready\ndescription: Hidden copy\n---\n",
    );
    home.write(".openclaw/workspace/skills/lab-ready/notes/a.txt", "a note");
    home.write(".openclaw/workspace/skills/lab-ready/skill-card.md", "# Card\n");
    let gateway = home.start().await;
    let (_, status) = gateway.call("skills.status", json!({ "agentId": "main" })).await;
    let ready =
        status["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "lab-ready").unwrap();
    assert_eq!(ready["shadowed"].as_array().unwrap().len(), 1, "{ready}");
    assert_eq!(status["installTarget"]["agentId"], "main");
    assert_eq!(status["settings"]["lab-key"]["hasApiKey"], false);
    assert!(status["snapshot"]["id"].is_string());

    let (_, text) = gateway.call("skills.read", json!({ "skillKey": "lab-ready" })).await;
    let start = usize::try_from(text["bodyStart"].as_u64().unwrap()).unwrap();
    assert!(text["text"].as_str().unwrap()[start..].contains("# lab-ready"), "{text}");
    assert!(text["files"].as_array().unwrap().iter().any(|file| file["path"] == "notes/a.txt"));
    let params = json!({ "skillKey": "lab-ready", "file": "notes/a.txt" });
    assert_eq!(gateway.call("skills.read", params).await.1["text"], "a note");
    let params = json!({ "skillKey": "lab-ready", "file": "../lab-bin/SKILL.md" });
    assert!(message(&gateway.call("skills.read", params).await).contains("is outside"));
    let (_, card) = gateway.call("skills.skillCard", json!({ "skillKey": "lab-ready" })).await;
    assert_eq!((&card["content"], &card["sizeBytes"]), (&json!("# Card\n"), &json!(7)));
    assert!(
        message(&gateway.call("skills.skillCard", json!({ "skillKey": "lab-bin" })).await)
            .contains("no skill card")
    );

    let (_, why) = gateway.call("skills.why", json!({ "skillKey": "lab-bin" })).await;
    assert_eq!(why["inPrompt"], false, "{why}");
    let (_, scan) = gateway.call("skills.scan", json!({ "skillKey": "lab-ready" })).await;
    assert_eq!(scan["verdict"], "clean", "{scan}");
    let (_, prompt) = gateway.call("skills.prompt", json!({})).await;
    assert!(prompt["text"].as_str().unwrap().contains("lab-ready"), "{prompt}");
    assert!(prompt["explanation"]["skills"].as_array().unwrap().len() >= 4);
    let (_, commands) = gateway.call("skills.commands", json!({})).await;
    assert_eq!(commands["commands"][0]["skillName"], "lab-ready", "{commands}");
    assert_eq!(message(&gateway.call("skills.bins", json!({})).await), "unauthorized role: operator");
    assert_eq!(
        message(&gateway.call("skills.read", json!({ "skillKey": "none" })).await),
        "Skill not found: none"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_follows_what_changes() {
    let home = Home::new();
    home.skill("tidy", "Tidies up a folder");
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
async fn an_install_is_shown_before_and_its_failure_is_told_whole() {
    let home = OpenclawHome::recorded();
    home.write(
        ".openclaw/workspace/skills/lab-go/SKILL.md",
        "---\nname: lab-go\ndescription: Needs brew.\nmetadata: {\"openclaw\": {\"requires\": {\"bins\": [\"lab-x\"]}, \"install\": [{\"id\": \"brew\", \"kind\": \"brew\", \"formula\": \"lab-x\", \"bins\": [\"lab-x\"]}]}}\n---\n",
    );
    let gateway = home.start().await;
    let params = json!({ "name": "lab-bin", "installId": "npm" });
    let (status, plan) = gateway.call("skills.install.plan", params).await;
    assert_eq!(status, 200, "{plan}");
    assert!(plan["commands"].is_array() && plan["target"]["workspace"].is_string(), "{plan}");
    let params = json!({ "name": "lab-go", "installId": "brew", "timeoutMs": 5000 });
    let answer = gateway.call("skills.install", params).await;
    assert_eq!((answer.0, &answer.1["error"]["code"]), (503, &json!("UNAVAILABLE")), "{answer:?}");
    assert!(message(&answer).starts_with("brew not installed"), "{answer:?}");
    let payload = &answer.1["payload"];
    assert_eq!((&payload["ok"], &payload["message"]), (&json!(false), &answer.1["error"]["message"]));
    for field in ["stdout", "stderr", "code", "target", "warnings"] {
        assert!(payload.get(field).is_some(), "{field}: {payload}");
    }
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
