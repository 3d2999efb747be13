//! Publishing: by tickets, in parts, and what is refused.

use prowess_registry::fingerprint;
use prowess_types::{Bundle, BundleFile};
use reqwest::Method;
use serde_json::json;

use crate::support::{BAD, Reply, Server, TEA, client, holds, reply, unzip};

const SCRIPT: &str = "#!/bin/sh\necho tea\n";

/// A registry with one skill of two files, and the answer to its publication.
fn stocked() -> (Server, Reply) {
    let server = Server::start();
    let token = server.token("ada");
    let done = server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), ("scripts/run.sh", SCRIPT)]);
    (server, done)
}

#[test]
fn a_publication_is_answered_with_its_ids() {
    let done = stocked().1.json();
    assert_eq!(done["publicationStatus"], "published");
    assert!(done["skillId"].is_string() && done["versionId"].is_string());
}

#[test]
fn the_detail_of_a_skill_says_what_was_published() {
    insta::assert_snapshot!(stocked().0.get("/api/v1/skills/tea").shown(), @r#"
    {
      "skill": {
        "slug": "tea",
        "displayName": "tea",
        "summary": "Brews tea. Use when somebody asks for a cup of tea.",
        "tags": {
          "latest": "1.0.0"
        },
        "stats": {
          "downloads": 0,
          "installs": 0,
          "installsCurrent": 0,
          "installsAllTime": 0,
          "stars": 0
        },
        "createdAt": "[TIME]",
        "updatedAt": "[TIME]"
      },
      "latestVersion": {
        "version": "1.0.0",
        "createdAt": "[TIME]",
        "changelog": "changes of 1.0.0"
      },
      "metadata": {
        "setup": []
      },
      "owner": {
        "handle": "ada"
      },
      "moderation": {
        "isSuspicious": false,
        "isMalwareBlocked": false,
        "verdict": "clean",
        "reasonCodes": [],
        "updatedAt": "[TIME]",
        "engineVersion": "prowess/[VERSION]"
      }
    }
    "#);
}

#[test]
fn a_version_lists_its_files_and_its_scan() {
    insta::assert_snapshot!(stocked().0.get("/api/v1/skills/tea/versions/1.0.0").shown(), @r#"
    {
      "version": {
        "version": "1.0.0",
        "createdAt": "[TIME]",
        "changelog": "changes of 1.0.0",
        "files": [
          {
            "path": "SKILL.md",
            "size": 122,
            "sha256": "[HEX]",
            "contentType": "text/markdown"
          },
          {
            "path": "scripts/run.sh",
            "size": 19,
            "sha256": "[HEX]",
            "contentType": "text/markdown"
          }
        ],
        "security": {
          "status": "clean",
          "passed": true,
          "hasWarnings": false,
          "checkedAt": "[TIME]",
          "engine": "prowess/[VERSION]",
          "capabilities": []
        }
      },
      "skill": {
        "slug": "tea",
        "displayName": "tea"
      }
    }
    "#);
}

#[test]
fn what_is_published_comes_back() {
    let (server, _) = stocked();
    let archive = server.get("/api/v1/download?slug=tea&version=1.0.0");
    assert_eq!(archive.status, 200);
    assert_eq!(archive.header("content-disposition"), "attachment; filename=\"tea-1.0.0.zip\"");
    let expected =
        [("SKILL.md".to_owned(), TEA.as_bytes().to_vec()), ("scripts/run.sh".to_owned(), SCRIPT.into())];
    assert_eq!(unzip(&archive.body), expected);
    let file = server.get("/api/v1/skills/tea/file?path=scripts/run.sh&preview=1");
    assert_eq!((file.text().as_str(), file.header("content-type")), (SCRIPT, "text/plain; charset=utf-8"));
}

#[test]
fn the_fingerprint_finds_the_version() {
    let server = Server::start();
    let token = server.token("ada");
    let files = [("SKILL.md", TEA), ("references/a.md", "x")];
    server.publish(&token, "tea", "1.0.0", &files).json();
    server.publish(&token, "tea", "1.1.0", &[("SKILL.md", TEA)]).json();
    let file = |(path, text): &(&str, &str)| BundleFile {
        path: (*path).to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: false,
    };
    let hash = fingerprint(&Bundle { files: files.iter().map(file).collect() });
    let found = server.get(&format!("/api/v1/resolve?slug=tea&hash={hash}")).json();
    assert_eq!(found, json!({ "match": { "version": "1.0.0" }, "latestVersion": { "version": "1.1.0" } }));
    let other = "0".repeat(64);
    let found = server.get(&format!("/api/v1/resolve?slug=tea&hash={other}&ownerHandle=ada")).json();
    assert_eq!(found["match"], json!(null));
    let missing = server.get(&format!("/api/v1/resolve?slug=nothing&hash={other}")).refused();
    assert_eq!(missing, (404, "Skill not found".to_owned()));
    assert_eq!(server.get("/api/v1/resolve?slug=tea&hash=abc").refused().0, 400);
}

#[test]
fn everything_at_once_in_parts() {
    let server = Server::start();
    let token = server.token("ada");
    let payload = json!({ "slug": "tea", "displayName": "Tea", "version": "1.0.0", "changelog": "" });
    let body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{payload}\r\n--x\r\n\
         Content-Disposition: form-data; name=\"files\"; filename=\"SKILL.md\"\r\n\
         Content-Type: text/markdown\r\n\r\n{TEA}\r\n--x\r\n\
         Content-Disposition: form-data; name=\"files\"; filename=\"docs/a b.md\"\r\n\r\nhello\r\n--x--\r\n"
    );
    let send = |body: String| {
        let request = client()
            .post(format!("{}/api/v1/skills", server.base))
            .bearer_auth(&token)
            .header("content-type", "multipart/form-data; boundary=x")
            .body(body);
        reply(request.send().unwrap())
    };
    assert_eq!(send(body).json()["version"], "1.0.0");
    assert_eq!(server.get("/api/v1/skills/tea/file?path=docs/a%20b.md").text(), "hello");
    assert_eq!(send("--x--\r\n".to_owned()).refused().0, 400);
    assert_eq!(send("nonsense".to_owned()).refused().0, 400);
}

#[test]
fn an_upload_must_be_what_was_announced() {
    let server = Server::start();
    let (ada, eve) = (server.token("ada"), server.token("eve"));
    let sha256 = prowess_fs::sha256_hex(b"tea");
    let ticket = |size: u64| {
        let question = json!({ "path": "SKILL.md", "size": size, "sha256": sha256 });
        server.post("/api/v1/skills/-/upload-url", &ada, question)
    };
    let place = ticket(3).json()["uploadUrl"].as_str().unwrap().to_owned();
    let send = |token: &str, body: &'static str| {
        reply(client().post(&place).bearer_auth(token).body(body).send().unwrap())
    };
    assert_eq!(send(&eve, "tea").refused().0, 404);
    assert_eq!(send(&ada, "coffee").refused().0, 400);
    assert_eq!(send(&ada, "eat").refused().0, 400);
    assert_eq!(send(&ada, "tea").status, 200);
    assert_eq!(send(&ada, "tea").refused().0, 404, "a ticket is good once");
    assert_eq!(ticket(11 * 1024 * 1024).refused().0, 413);
    let climbing = json!({ "path": "../x", "size": 3, "sha256": sha256 });
    assert_eq!(server.post("/api/v1/skills/-/upload-url", &ada, climbing).refused().0, 400);
}

#[test]
fn a_publication_cannot_use_what_is_not_its_own() {
    let server = Server::start();
    let (ada, eve) = (server.token("ada"), server.token("eve"));
    let file = server.upload(&ada, "SKILL.md", TEA);
    let body = |file: &serde_json::Value| json!({ "slug": "tea", "displayName": "Tea", "version": "1.0.0", "changelog": "", "files": [file] });
    assert_eq!(server.post("/api/v1/skills", &eve, body(&file)).refused().0, 400);
    let mut renamed = file.clone();
    renamed["path"] = json!("other/SKILL.md");
    assert_eq!(server.post("/api/v1/skills", &ada, body(&renamed)).refused().0, 400);
    server.pass(61 * 60 * 1000);
    assert_eq!(server.post("/api/v1/skills", &ada, body(&file)).refused().0, 400, "after an hour");
    let file = server.upload(&ada, "SKILL.md", TEA);
    server.post("/api/v1/skills", &ada, body(&file)).json();
    let mut again = body(&file);
    again["version"] = json!("1.0.1");
    assert_eq!(server.post("/api/v1/skills", &ada, again).refused().0, 400, "uploads are used up");
}

#[test]
fn names_and_versions_have_rules() {
    let server = Server::start();
    let token = server.token("ada");
    let files = [("SKILL.md", TEA)];
    for (slug, version, part) in [
        ("Te", "1.0.0", "is not a slug"),
        ("admin", "1.0.0", "is reserved"),
        ("official-tea", "1.0.0", "may not begin or end with"),
        ("tea", "1.0", "is not a version"),
    ] {
        let (status, text) = server.publish(&token, slug, version, &files).refused();
        assert!(status == 400 && text.contains(part), "{text}");
    }
    assert_eq!(server.publish(&token, "tea", "1.0.0", &[("readme.md", TEA)]).refused().0, 400);
    server.publish(&token, "tea", "1.0.0", &files).json();
    let (status, text) = server.publish(&token, "tea", "1.0.0", &files).refused();
    assert_eq!((status, text.as_str()), (409, "Version 1.0.0 of tea already exists"));
    let body = json!({
        "slug": "tea", "displayName": "Tea", "version": "2.0.0", "changelog": "", "ownerHandle": "bob",
        "files": [],
    });
    assert_eq!(server.post("/api/v1/skills", &token, body).refused().0, 403);
    assert_eq!(server.post("/api/v1/skills", &token, json!([1])).refused().0, 400);
}

#[test]
fn a_malicious_skill_is_blocked_and_says_why() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tidy-up", "1.0.0", &[("SKILL.md", BAD)]).json();
    let detail = server.get("/api/v1/skills/tidy-up").json();
    assert_eq!(detail["moderation"]["isMalwareBlocked"], true);
    assert_eq!(detail["moderation"]["reasonCodes"][0], "download/pipe-to-shell");
    for path in [
        "/api/v1/download?slug=tidy-up",
        "/api/v1/agent-skills/ada/tidy-up/archive?version=1.0.0",
        "/api/v1/skills/tidy-up/file?path=SKILL.md",
    ] {
        let (status, text) = server.get(path).refused();
        assert!(status == 403 && text.contains("malicious"), "{path}: {text}");
    }
    let moderation = server.get("/api/v1/skills/tidy-up/moderation").json();
    let evidence = &moderation["moderation"]["evidence"][0];
    assert_eq!((&evidence["severity"], &evidence["line"]), (&json!("critical"), &json!(7)));
    let verify = server.get("/api/v1/skills/tidy-up/verify").json();
    assert_eq!((&verify["ok"], &verify["decision"]), (&json!(false), &json!("fail")));
    assert_eq!(server.get("/api/v1/skills").json()["items"], json!([]));
    assert_eq!(server.get("/api/v1/search?q=tidy-up").json()["results"], json!([]));
    let install = server.get("/api/v1/skills/tidy-up/install").json();
    assert_eq!((&install["ok"], &install["status"]), (&json!(false), &json!(403)));
    // A better version ends it.
    server.publish(&token, "tidy-up", "1.0.1", &[("SKILL.md", TEA)]).json();
    assert_eq!(server.get("/api/v1/download?slug=tidy-up").status, 200);
    assert_eq!(server.get("/api/v1/download?slug=tidy-up&version=1.0.0").refused().0, 403);
}

#[test]
fn a_suspicious_skill_is_marked_and_can_be_fetched() {
    let server = Server::start();
    let token = server.token("ada");
    let odd = "---\nname: odd\ndescription: Cleans the shell.\n---\n\n```sh\nhistory -c\n```\n";
    server.publish(&token, "odd-one", "1.0.0", &[("SKILL.md", odd)]).json();
    let marks = server.get("/api/v1/skills/odd-one").json()["moderation"].clone();
    assert_eq!((&marks["isSuspicious"], &marks["isMalwareBlocked"]), (&json!(true), &json!(false)));
    assert_eq!(marks["reasonCodes"], json!(["destruction/covers-tracks"]));
    assert_eq!(server.get("/api/v1/download?slug=odd-one").status, 200);
    let count = |path: &str, list: &str| server.get(path).json()[list].as_array().unwrap().len();
    assert_eq!(count("/api/v1/skills", "items"), 1);
    assert_eq!(count("/api/v1/skills?nonSuspiciousOnly=1", "items"), 0);
    assert_eq!(count("/api/v1/search?q=odd-one", "results"), 1);
    assert_eq!(count("/api/v1/search?q=odd-one&nonSuspiciousOnly=true", "results"), 0);
    let index = "/ada/skills/odd-one/.well-known/agent-skills/index.json";
    assert_eq!(server.get(index).refused().0, 404);
}

#[test]
fn a_publisher_has_a_quota() {
    let size = TEA.len() as u64;
    let server = Server::start_with(|options| options.quota = size + 10);
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    assert_eq!(server.publish(&token, "cake", "1.0.0", &[("SKILL.md", TEA)]).refused().0, 413);
    let other = server.token("bob");
    server.publish(&other, "cake", "1.0.0", &[("SKILL.md", TEA)]).json();
}

#[test]
fn bundles_have_a_size_before_anything_is_read() {
    let server = Server::start();
    let token = server.token("ada");
    let file = |number: u64| {
        json!({
            "path": format!("{number}.bin"), "size": 10 * 1024 * 1024, "sha256": "0".repeat(64),
            "storageId": "x", "uploadTicket": "y",
        })
    };
    let files: Vec<_> = (0..6).map(file).collect();
    let body =
        json!({ "slug": "tea", "displayName": "T", "version": "1.0.0", "changelog": "", "files": files });
    assert_eq!(server.post("/api/v1/skills", &token, body).refused().0, 413);
}

#[test]
fn what_nobody_published_is_swept_away() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let leftover = "left behind, never published";
    server.upload(&token, "SKILL.md", leftover);
    assert!(holds(server.folder.path(), leftover.as_bytes()));
    let folder = server.stop();
    let server =
        Server::start_in(folder, |options| options.clock = prowess_context::Clock::new(|| 1_800_000_000_000));
    assert!(!holds(server.folder.path(), leftover.as_bytes()));
    assert_eq!(server.get("/api/v1/skills/tea/file?path=SKILL.md").text(), TEA);
    assert_eq!(
        server.send(Method::GET, "/api/v1/whoami", Some(&token), None).json()["user"]["handle"],
        "ada"
    );
}
