//! Lists, versions, verification and what is not there.

use serde_json::{Value, json};

use crate::support::{BAD, Server, TEA, unzip};

fn slugs(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap()).collect()
}

#[test]
fn lists_are_sorted_and_paged() {
    let server = Server::start();
    let token = server.token("ada");
    for slug in ["green-tea", "black-tea", "coffee"] {
        server.publish(&token, slug, "1.0.0", &[("SKILL.md", TEA)]).json();
        server.pass(1000);
    }
    server.get("/api/v1/download?slug=black-tea");
    server.post("/api/v1/stars/green-tea", &token, json!({})).json();
    let list = |query: &str| server.get(&format!("/api/v1/skills?{query}")).json();
    assert_eq!(slugs(&list("")), ["coffee", "black-tea", "green-tea"]);
    assert_eq!(slugs(&list("sort=createdAt&limit=1")), ["coffee"]);
    assert_eq!(slugs(&list("sort=downloads"))[0], "black-tea");
    assert_eq!(slugs(&list("sort=stars"))[0], "green-tea");
    assert_eq!(slugs(&list("sort=name")), ["black-tea", "coffee", "green-tea"]);
    assert_eq!(slugs(&list("prefix=Co")), ["coffee"]);
    assert_eq!(server.get("/api/v1/skills?sort=colour").refused().0, 400);

    let first = list("limit=2");
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = list(&format!("limit=2&cursor={cursor}"));
    assert_eq!(slugs(&second), ["green-tea"]);
    assert_eq!(second["nextCursor"], json!(null));
    assert_eq!(first["items"][0]["latestVersion"]["version"], "1.0.0");
}

#[test]
fn versions_are_listed_newest_first() {
    let server = Server::start();
    let token = server.token("ada");
    for version in ["1.0.0", "1.1.0", "2.0.0-beta.1"] {
        server.publish(&token, "tea", version, &[("SKILL.md", TEA)]).json();
        server.pass(1);
    }
    let page = server.get("/api/v1/skills/tea/versions?limit=2").json();
    assert_eq!(page["items"][0]["version"], "2.0.0-beta.1");
    assert_eq!(page["items"][0]["changelog"], "changes of 2.0.0-beta.1");
    let cursor = page["nextCursor"].as_str().unwrap();
    let page = server.get(&format!("/api/v1/skills/tea/versions?cursor={cursor}")).json();
    assert_eq!((&page["items"][0]["version"], &page["nextCursor"]), (&json!("1.0.0"), &json!(null)));
    assert_eq!(server.get("/api/v1/skills/tea/versions/9.9.9").refused().0, 404);
}

#[test]
fn what_is_not_there() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), ("a.bin", "\u{0}")]).json();
    for path in [
        "/api/v1/skills/nothing",
        "/api/v1/skills/tea?ownerHandle=bob",
        "/api/v1/download?slug=nothing",
        "/api/v1/skills/nothing/moderation",
    ] {
        assert_eq!(server.get(path).refused(), (404, "Skill not found".to_owned()), "{path}");
    }
    for (path, status) in [
        ("/api/v1/download?slug=tea&version=2.0.0", 404),
        ("/api/v1/download?slug=tea&tag=beta", 404),
        ("/api/v1/download", 400),
        ("/api/v1/skills/tea/file?path=b.md", 404),
        ("/api/v1/skills/tea/file?path=../registry.db", 404),
        ("/api/v1/skills/tea/file", 400),
        ("/api/v1/nothing", 404),
        ("/api/v1/skills/-/scan/x", 401),
    ] {
        assert_eq!(server.get(path).refused().0, status, "{path}");
    }
    assert_eq!(server.post("/api/v1/search", &token, json!({})).refused().0, 405);
}

#[test]
fn two_publishers_of_one_slug_are_told_apart() {
    let server = Server::start();
    for handle in ["ada", "bob"] {
        server.publish(&server.token(handle), "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    }
    let both = server.get("/api/v1/skills/tea");
    assert_eq!(both.status, 409);
    let body: Value = serde_json::from_slice(&both.body).unwrap();
    assert_eq!(body["code"], "AMBIGUOUS_SKILL_SLUG");
    assert_eq!(body["matches"][1]["ref"], "@bob/tea");
    assert_eq!(server.get("/api/v1/skills/tea?ownerHandle=@bob").json()["owner"]["handle"], "bob");
    assert_eq!(server.get("/api/v1/download?slug=tea&ownerHandle=ada").status, 200);
}

/// A registry with one skill, and the token of its publisher.
fn with_tea() -> (Server, String) {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    (server, token)
}

#[test]
fn a_version_can_be_verified() {
    let (server, _) = with_tea();
    let answer = server.get("/api/v1/skills/tea/verify?tag=latest");
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "schema": "clawhub.skill.verify.v1",
      "ok": true,
      "decision": "pass",
      "reasons": [],
      "slug": "tea",
      "displayName": "tea",
      "pageUrl": "http://[ADDRESS]/ada/skills/tea",
      "publisherHandle": "ada",
      "publisherDisplayName": null,
      "publisherProfileUrl": "http://[ADDRESS]/ada",
      "version": "1.0.0",
      "resolvedFrom": "tag",
      "tag": "latest",
      "createdAt": "[TIME]",
      "card": {
        "available": true,
        "path": "skill-card.md",
        "url": "http://[ADDRESS]/api/v1/skills/tea/card?ownerHandle=ada&version=1.0.0",
        "sha256": "[HEX]",
        "contentType": "text/markdown"
      },
      "artifact": {
        "sourceFingerprint": "[HEX]",
        "archiveSha256": "[HEX]",
        "archiveSize": 216,
        "files": [
          {
            "path": "SKILL.md",
            "size": 122,
            "sha256": "[HEX]"
          }
        ]
      },
      "provenance": {
        "source": "upload",
        "publisher": "ada"
      },
      "security": {
        "status": "clean",
        "passed": true,
        "hasWarnings": false,
        "checkedAt": "[TIME]",
        "engine": "prowess/[VERSION]",
        "capabilities": []
      },
      "signature": {
        "status": "unsigned"
      }
    }
    "#);
    let verify = answer.json();
    let archive = server.get("/api/v1/download?slug=tea").body;
    assert_eq!(verify["artifact"]["archiveSha256"], json!(prowess_fs::sha256_hex(&archive)));
    let url = verify["card"]["url"].as_str().unwrap().strip_prefix(&server.base).unwrap();
    assert_eq!(verify["card"]["sha256"], json!(prowess_fs::sha256_hex(&server.get(url).body)));
}

#[test]
fn a_skill_has_a_card() {
    let (server, _) = with_tea();
    let card = server.get("/ada/skills/tea");
    insta::assert_snapshot!(prowess_testkit::stable::text(&card.text()), @"
    # tea

    Brews tea. Use when somebody asks for a cup of tea.

    - Skill: `@ada/tea`
    - Version: `1.0.0`
    - Fingerprint: `[HEX]`
    - Verdict of the scan: clean

    ## Files

    - `SKILL.md` (122 bytes)
    ");
}

#[test]
fn verdicts_are_given_for_many_versions() {
    let (server, token) = with_tea();
    let question = json!({ "items": [
        { "slug": "tea", "version": "1.0.0" }, { "slug": "tea", "version": "3.0.0" },
    ] });
    let verdicts = server.post("/api/v1/skills/-/security-verdicts", &token, question);
    insta::assert_snapshot!(verdicts.shown(), @r#"
    {
      "schema": "clawhub.skill.security-verdicts.v1",
      "items": [
        {
          "ok": true,
          "decision": "pass",
          "reasons": [],
          "requestedSlug": "tea",
          "requestedVersion": "1.0.0",
          "slug": "tea",
          "version": "1.0.0",
          "displayName": "tea",
          "publisherHandle": "ada",
          "skillUrl": "http://[ADDRESS]/ada/skills/tea",
          "securityAuditUrl": "http://[ADDRESS]/api/v1/skills/tea/scan?ownerHandle=ada&version=1.0.0",
          "overview": "clean: the scan by prowess/[VERSION] found nothing.",
          "security": {
            "status": "clean",
            "passed": true,
            "hasWarnings": false,
            "checkedAt": "[TIME]",
            "engine": "prowess/[VERSION]",
            "capabilities": []
          }
        },
        {
          "ok": false,
          "decision": "fail",
          "reasons": [
            "not_found"
          ],
          "requestedSlug": "tea",
          "requestedVersion": "3.0.0",
          "slug": null,
          "version": null,
          "publisherHandle": null,
          "security": null
        }
      ]
    }
    "#);
    let none = json!({ "items": [] });
    assert_eq!(server.post("/api/v1/skills/-/security-verdicts", &token, none).refused().0, 400);
}

#[test]
fn the_scan_of_a_skill_is_public() {
    let (server, _) = with_tea();
    insta::assert_snapshot!(server.get("/api/v1/skills/tea/scan").shown(), @r#"
    {
      "slug": "tea",
      "version": "1.0.0",
      "security": {
        "status": "clean",
        "passed": true,
        "hasWarnings": false,
        "checkedAt": "[TIME]",
        "engine": "prowess/[VERSION]",
        "capabilities": []
      },
      "moderation": {
        "isSuspicious": false,
        "isMalwareBlocked": false,
        "verdict": "clean",
        "reasonCodes": [],
        "updatedAt": "[TIME]",
        "engineVersion": "prowess/[VERSION]"
      },
      "report": {
        "verdict": "clean",
        "findings": [],
        "capabilities": [],
        "coverage": {
          "filesRead": 1,
          "bytesRead": 122,
          "bytesExamined": 366,
          "unread": []
        },
        "content": "[HEX]"
      }
    }
    "#);
}

#[test]
fn a_scan_can_be_fetched() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let body = json!({ "source": { "kind": "published", "slug": "tea" }, "update": false });
    let scan = server.post("/api/v1/skills/-/scan", &token, body).json();
    let id = scan["scanId"].as_str().unwrap();
    let get = |path: &str| server.send(reqwest::Method::GET, path, Some(&token), None);
    let status = get(&format!("/api/v1/skills/-/scan/{id}")).json();
    assert_eq!((&status["status"], &status["artifact"]["slug"]), (&json!("succeeded"), &json!("tea")));
    let files = unzip(&get("/api/v1/skills/-/scan/download/tea?version=1.0.0&kind=skill").body);
    assert_eq!(files[0].0, "manifest.json");
    assert_eq!(files, unzip(&get(&format!("/api/v1/skills/-/scan/{id}/download")).body));
}

/// A registry with skills of every verdict: fine, doubtful and malicious.
fn mixed() -> Server {
    let server = Server::start();
    let token = server.token("acme");
    let doubtful = format!("{}\n!`touch /tmp/x`\n", TEA.replace("tea", "kettle"));
    for (slug, text) in [
        ("tea", TEA),
        ("lamp", TEA.replace("tea", "lamp").as_str()),
        ("kettle", doubtful.as_str()),
        ("tidy-up", BAD),
    ] {
        server.publish(&token, slug, "1.0.0", &[("SKILL.md", text)]).json();
    }
    server
}

#[test]
fn openclaw_is_told_where_a_skill_comes_from() {
    let found = mixed().get("/api/v1/search?q=tea").json();
    assert_eq!(found["results"][0]["source"], "clawhub");
}

#[test]
fn openclaw_gets_a_verdict_with_overview_and_audit() {
    let server = mixed();
    let item = |slug: &str| json!({ "slug": slug, "ownerHandle": "acme", "version": "1.0.0" });
    let asked = json!({ "items": [item("tea"), item("kettle"), item("tidy-up"), item("nothing")] });
    let verdicts =
        server.send(reqwest::Method::POST, "/api/v1/skills/-/security-verdicts", None, Some(asked));
    insta::assert_snapshot!(verdicts.shown(), @r#"
    {
      "schema": "clawhub.skill.security-verdicts.v1",
      "items": [
        {
          "ok": true,
          "decision": "pass",
          "reasons": [],
          "requestedSlug": "tea",
          "requestedVersion": "1.0.0",
          "requestedOwnerHandle": "acme",
          "slug": "tea",
          "version": "1.0.0",
          "displayName": "tea",
          "publisherHandle": "acme",
          "skillUrl": "http://[ADDRESS]/acme/skills/tea",
          "securityAuditUrl": "http://[ADDRESS]/api/v1/skills/tea/scan?ownerHandle=acme&version=1.0.0",
          "overview": "clean: the scan by prowess/[VERSION] found nothing.",
          "security": {
            "status": "clean",
            "passed": true,
            "hasWarnings": false,
            "checkedAt": "[TIME]",
            "engine": "prowess/[VERSION]",
            "capabilities": []
          }
        },
        {
          "ok": false,
          "decision": "fail",
          "reasons": [
            "structure/command-injection"
          ],
          "requestedSlug": "kettle",
          "requestedVersion": "1.0.0",
          "requestedOwnerHandle": "acme",
          "slug": "kettle",
          "version": "1.0.0",
          "displayName": "kettle",
          "publisherHandle": "acme",
          "skillUrl": "http://[ADDRESS]/acme/skills/kettle",
          "securityAuditUrl": "http://[ADDRESS]/api/v1/skills/kettle/scan?ownerHandle=acme&version=1.0.0",
          "overview": "suspicious: the scan by prowess/[VERSION] has 1 finding.\nwarn structure/command-injection in SKILL.md:9: `!` and a command in backticks puts its output into the prompt without confirmation",
          "security": {
            "status": "suspicious",
            "passed": false,
            "hasWarnings": true,
            "checkedAt": "[TIME]",
            "engine": "prowess/[VERSION]",
            "capabilities": [
              "shell:touch",
              "write:/tmp/x"
            ]
          }
        },
        {
          "ok": false,
          "decision": "fail",
          "reasons": [
            "download/pipe-to-shell"
          ],
          "requestedSlug": "tidy-up",
          "requestedVersion": "1.0.0",
          "requestedOwnerHandle": "acme",
          "slug": "tidy-up",
          "version": "1.0.0",
          "displayName": "tidy-up",
          "publisherHandle": "acme",
          "skillUrl": "http://[ADDRESS]/acme/skills/tidy-up",
          "securityAuditUrl": "http://[ADDRESS]/api/v1/skills/tidy-up/scan?ownerHandle=acme&version=1.0.0",
          "overview": "malicious: the scan by prowess/[VERSION] has 1 finding.\ncritical download/pipe-to-shell in SKILL.md:7: what the server sends at that moment is run; it can differ for every user and every day",
          "security": {
            "status": "malicious",
            "passed": false,
            "hasWarnings": true,
            "checkedAt": "[TIME]",
            "engine": "prowess/[VERSION]",
            "capabilities": [
              "network:x.example.invalid",
              "read:curl",
              "shell:sh",
              "shell:unknown"
            ]
          }
        },
        {
          "ok": false,
          "decision": "fail",
          "reasons": [
            "not_found"
          ],
          "requestedSlug": "nothing",
          "requestedVersion": "1.0.0",
          "requestedOwnerHandle": "acme",
          "slug": null,
          "version": null,
          "publisherHandle": null,
          "security": null
        }
      ]
    }
    "#);
    for (item, slug) in verdicts.json()["items"].as_array().unwrap().iter().zip(["tea", "kettle", "tidy-up"])
    {
        let audit = item["securityAuditUrl"].as_str().unwrap().strip_prefix(server.base.as_str()).unwrap();
        assert_eq!(server.get(audit).json()["slug"], slug);
    }
}

#[test]
fn what_is_downloaded_most_leads_the_trend() {
    let server = mixed();
    for _ in 0..2 {
        assert_eq!(server.get("/api/v1/download?slug=tea").status, 200);
    }
    let trending = server.get("/api/v1/trending?kind=skills&limit=20").json();
    insta::assert_snapshot!(prowess_testkit::stable::json(&trending["items"][0]), @r#"
    {
      "slug": "tea",
      "displayName": "tea",
      "summary": "Brews tea. Use when somebody asks for a cup of tea.",
      "source": "clawhub",
      "publisher": {
        "handle": "acme"
      },
      "metrics": {
        "updatedAt": "[TIME]",
        "downloads": 2,
        "stars": 0
      }
    }
    "#);
    for (query, count) in [("limit=0", 1), ("limit=1", 1), ("limit=20", 3), ("limit=100000", 3)] {
        let answer = server.get(&format!("/api/v1/trending?kind=skills&{query}")).json();
        assert_eq!(answer["items"].as_array().unwrap().len(), count, "{query}");
    }
    assert_eq!(server.get("/api/v1/trending?kind=plugins").refused().0, 400);
    assert_eq!(server.get("/api/v1/trending?limit=many").status, 400);
}

#[test]
fn the_licence_is_the_one_that_the_skill_declares() {
    let server = Server::start();
    let token = server.token("acme");
    for (slug, field, license, declared) in [
        ("one-tea", "license: Proprietary\n", json!(null), json!("Proprietary")),
        ("two-tea", "license: MIT-0\n", json!("MIT-0"), json!("MIT-0")),
        ("three-tea", "", json!(null), json!(null)),
    ] {
        let text = TEA.replace("name: tea\n", &format!("name: tea\n{field}"));
        server.publish(&token, slug, "1.0.0", &[("SKILL.md", &text)]).json();
        let detail = server.get(&format!("/api/v1/skills/{slug}")).json();
        let version = server.get(&format!("/api/v1/skills/{slug}/versions/1.0.0")).json();
        for answer in [&detail["latestVersion"], &version["version"]] {
            assert_eq!((&answer["license"], &answer["declaredLicense"]), (&license, &declared), "{slug}");
        }
    }
    let card = server.get("/api/v1/skills/one-tea/card").text();
    assert!(card.contains("- Licence: Proprietary"), "{card}");
    assert_eq!(
        server.send(reqwest::Method::GET, "/api/v1/whoami", Some(&token), None).json()["skillLicense"],
        "declared"
    );
}
