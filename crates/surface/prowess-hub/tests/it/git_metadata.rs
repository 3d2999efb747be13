//! Git metadata in a publication: refused in every form, and not served where version 0.1 accepted it.

use prowess_store::registry::{
    FileRecord, NewVersion, PublishOutcome, SqliteRegistry, VersionRecord, Versions as _,
};
use reqwest::Method;
use serde_json::json;

use crate::support::{Server, TEA, client, reply};

const FORMS: [&str; 9] = [
    ".git/config",
    ".GIT/config",
    "docs/.Git/HEAD",
    "a/b/c/.git",
    "git~1/config",
    ".git./config",
    ".git::$INDEX_ALLOCATION/config",
    ".g\u{200c}it/config",
    "docs\\.git\\config",
];

fn multipart(server: &Server, token: &str, paths: &[&str]) -> (u16, String) {
    let payload = json!({ "slug": "tea", "displayName": "Tea", "version": "1.0.0", "changelog": "" });
    let part = |path: &str, text: &str| {
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{path}\"\r\n\r\n{text}\r\n"
        )
    };
    let files: String = paths.iter().map(|path| part(path, "[core]\n")).collect();
    let body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{payload}\r\n{}{files}--x--\r\n",
        part("SKILL.md", TEA)
    );
    let request = client()
        .post(format!("{}/api/v1/skills", server.base))
        .bearer_auth(token)
        .header("content-type", "multipart/form-data; boundary=x")
        .body(body);
    reply(request.send().expect("an answer")).refused()
}

#[test]
fn no_way_to_publish_takes_git_metadata() {
    let server = Server::start();
    let token = server.token("acme");
    for path in FORMS {
        let (status, text) = multipart(&server, &token, &[path]);
        assert!(status == 400 && text.contains("git metadata"), "{path}: {status} {text}");
        let sha256 = prowess_fs::sha256_hex(b"");
        let question = json!({ "path": path, "size": 0, "sha256": sha256 });
        let (status, text) = server.post("/api/v1/skills/-/upload-url", &token, question).refused();
        assert!(status == 400 && text.contains("git metadata"), "{path}: {status} {text}");
        // A ticket for another path does not help either.
        let mut file = server.upload(&token, "config", "[core]\n");
        file["path"] = json!(path);
        let body = json!({
            "slug": "tea", "displayName": "Tea", "version": "1.0.0", "changelog": "",
            "files": [server.upload(&token, "SKILL.md", TEA), file],
        });
        let (status, text) = server.post("/api/v1/skills", &token, body).refused();
        assert!(status == 400 && text.contains("git metadata"), "{path}: {status} {text}");
    }
    let bare = multipart(&server, &token, &["lib/HEAD", "lib/config", "lib/objects/x", "lib/refs/x"]);
    assert!(bare.0 == 400 && bare.1.contains("`lib` is git metadata"), "{bare:?}");
    assert_eq!(server.get("/api/v1/skills/tea").status, 404);
    server
        .publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), (".gitignore", "*.tmp"), ("docs/git.md", "x")])
        .json();
}

/// A version as version 0.1 kept it: judged clean, with git metadata.
fn old_version(path: &str) -> NewVersion {
    let file = |path: &str| FileRecord {
        path: path.to_owned(),
        size: 1,
        sha256: "0".repeat(64),
        content_type: None,
    };
    let version = VersionRecord {
        id: format!("version-{}", path.len()),
        skill: String::new(),
        number: "1.0.0".to_owned(),
        changelog: String::new(),
        created_at: 5,
        deleted_at: None,
        fingerprint: "1".repeat(64),
        archive: "2".repeat(64),
        archive_size: 1,
        size: 2,
        verdict: prowess_types::ScanVerdict::Clean.into(),
        report: json!({}),
        facts: json!({ "summary": "Brews tea.", "isListable": true, "license": "MIT-0" }),
        source: None,
    };
    NewVersion {
        skill_id: format!("skill-{}", path.len()),
        owner: "acme".to_owned(),
        slug: format!("old-{}", path.len()),
        display_name: "Old".to_owned(),
        summary: "Brews tea.".to_owned(),
        topics: None,
        categories: None,
        fork_of: None,
        tags: vec!["latest".to_owned()],
        version,
        files: vec![file("SKILL.md"), file(path)],
        uploads: Vec::new(),
        quota: u64::MAX,
    }
}

#[test]
fn versions_that_version_0_1_accepted_are_not_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteRegistry::open(&folder.path().join("registry.db")).expect("a store");
    for path in [".git/config", "lib/.g\u{200c}it/x", "notes/git.md"] {
        let outcome = store.publish(&old_version(path)).expect("a version");
        assert!(matches!(outcome, PublishOutcome::Published(_)), "{outcome:?}");
    }
    drop(store);
    let server = Server::start_in(folder, |_| {});
    let listed = server.get("/api/v1/skills").json();
    let slugs: Vec<&str> =
        listed["items"].as_array().unwrap().iter().filter_map(|item| item["slug"].as_str()).collect();
    assert_eq!(slugs, ["old-12"]);
    // What is not concerned stays as it was recorded, the licence of version 0.1 included.
    let kept = server.get("/api/v1/skills/old-12").json();
    assert_eq!(
        (&kept["latestVersion"]["license"], &kept["moderation"]["verdict"]),
        (&json!("MIT-0"), &json!("clean"))
    );
    for slug in ["old-11", "old-13"] {
        let (status, text) = server.get(&format!("/api/v1/download?slug={slug}")).refused();
        assert!(status == 403 && text.contains("git"), "{status} {text}");
        let detail = server.get(&format!("/api/v1/skills/{slug}")).json();
        assert_eq!(detail["moderation"]["isMalwareBlocked"], true);
        let file = server.get(&format!("/api/v1/skills/{slug}/file?path=SKILL.md"));
        assert_eq!(file.status, 403);
        let index = server.send(
            Method::GET,
            &format!("/acme/skills/{slug}/.well-known/agent-skills/index.json"),
            None,
            None,
        );
        assert_eq!(index.status, 404);
    }
}
