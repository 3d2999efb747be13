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

#[test]
fn a_version_can_be_verified() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let verify = server.get("/api/v1/skills/tea/verify?tag=latest").json();
    assert_eq!(verify["schema"], "clawhub.skill.verify.v1");
    assert_eq!((&verify["ok"], &verify["decision"]), (&json!(true), &json!("pass")));
    assert_eq!((&verify["resolvedFrom"], &verify["tag"]), (&json!("tag"), &json!("latest")));
    let archive = server.get("/api/v1/download?slug=tea").body;
    assert_eq!(verify["artifact"]["archiveSha256"], json!(prowess_fs::sha256_hex(&archive)));

    let url = verify["card"]["url"].as_str().unwrap().strip_prefix(&server.base).unwrap();
    let card = server.get(url);
    assert!(card.text().starts_with("# tea\n\nBrews tea."), "{}", card.text());
    assert_eq!(verify["card"]["sha256"], json!(prowess_fs::sha256_hex(&card.body)));
    assert_eq!(server.get("/ada/skills/tea").text(), card.text());

    let question = json!({ "items": [
        { "slug": "tea", "version": "1.0.0" }, { "slug": "tea", "version": "3.0.0" },
    ] });
    let verdicts = server.post("/api/v1/skills/-/security-verdicts", &token, question).json();
    assert_eq!(verdicts["items"][0]["security"]["status"], "clean");
    assert_eq!(verdicts["items"][1]["reasons"], json!(["not_found"]));
    let none = json!({ "items": [] });
    assert_eq!(server.post("/api/v1/skills/-/security-verdicts", &token, none).refused().0, 400);
    assert_eq!(server.get("/api/v1/skills/tea/scan").json()["security"]["status"], "clean");
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

#[test]
fn the_fields_that_openclaw_needs_are_there_and_true() {
    let server = Server::start();
    let token = server.token("acme");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    server.publish(&token, "lamp", "1.0.0", &[("SKILL.md", &TEA.replace("tea", "lamp"))]).json();
    let doubtful = format!("{}\n!`touch /tmp/x`\n", TEA.replace("tea", "kettle"));
    server.publish(&token, "kettle", "1.0.0", &[("SKILL.md", &doubtful)]).json();
    server.publish(&token, "tidy-up", "1.0.0", &[("SKILL.md", BAD)]).json();
    let found = server.get("/api/v1/search?q=tea").json();
    assert_eq!(found["results"][0]["source"], "clawhub");

    let item = |slug: &str| json!({ "slug": slug, "ownerHandle": "acme", "version": "1.0.0" });
    let asked = json!({ "items": [item("tea"), item("kettle"), item("tidy-up"), item("nothing")] });
    let verdicts =
        server.send(reqwest::Method::POST, "/api/v1/skills/-/security-verdicts", None, Some(asked)).json();
    let items = verdicts["items"].as_array().unwrap();
    let passed: Vec<&serde_json::Value> = items.iter().map(|item| &item["security"]["passed"]).collect();
    assert_eq!(passed, [&json!(true), &json!(false), &json!(false), &json!(null)]);
    for (item, slug) in items.iter().zip(["tea", "kettle", "tidy-up"]) {
        assert_eq!((&item["publisherHandle"], &item["slug"]), (&json!("acme"), &json!(slug)));
        assert!(item["overview"].as_str().is_some_and(|text| !text.trim().is_empty()), "{item}");
        let audit = item["securityAuditUrl"].as_str().unwrap().strip_prefix(server.base.as_str()).unwrap();
        assert_eq!(server.get(audit).json()["slug"], slug);
    }
    let missing = &items[3];
    for field in ["slug", "version", "publisherHandle"] {
        assert_eq!(missing.get(field), Some(&json!(null)), "{field}");
    }
    assert!(items[2]["overview"].as_str().unwrap().contains("download/pipe-to-shell"), "{}", items[2]);

    for _ in 0..2 {
        assert_eq!(server.get("/api/v1/download?slug=tea").status, 200);
    }
    let trending = server.get("/api/v1/trending?kind=skills&limit=20").json();
    let slugs: Vec<&str> =
        trending["items"].as_array().unwrap().iter().filter_map(|item| item["slug"].as_str()).collect();
    assert_eq!((slugs.len(), slugs[0]), (3, "tea"));
    let first = &trending["items"][0];
    assert_eq!((&first["source"], &first["publisher"]["handle"]), (&json!("clawhub"), &json!("acme")));
    assert_eq!(first["metrics"]["downloads"], 2);
    assert!(first["metrics"]["updatedAt"].is_number() && first["summary"].is_string());
    assert_eq!(server.get("/api/v1/trending?limit=1").json()["items"].as_array().unwrap().len(), 1);
    for (query, count) in [("limit=0", 1), ("limit=100000", 3)] {
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
