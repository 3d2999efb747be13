//! Stars, deletion, names, tags, other owners, reports, telemetry, and the addresses of earlier clients.

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, TEA, client, reply};

#[test]
fn stars_are_given_once() {
    let server = Server::start();
    let (ada, bob) = (server.token("ada"), server.token("bob"));
    server.publish(&ada, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let star = |method: Method| server.send(method, "/api/v1/stars/tea", Some(&bob), None).json();
    assert_eq!(star(Method::POST), json!({ "ok": true, "starred": true, "alreadyStarred": false }));
    assert_eq!(star(Method::POST)["alreadyStarred"], true);
    assert_eq!(server.get("/api/v1/skills/tea").json()["skill"]["stats"]["stars"], 1);
    assert_eq!(star(Method::DELETE), json!({ "ok": true, "unstarred": true, "alreadyUnstarred": false }));
    assert_eq!(star(Method::DELETE)["alreadyUnstarred"], true);
    assert_eq!(server.send(Method::POST, "/api/v1/stars/tea", None, None).refused().0, 401);
}

#[test]
fn a_deleted_skill_is_gone_and_can_come_back() {
    let server = Server::start();
    let (ada, eve) = (server.token("ada"), server.token("eve"));
    server.publish(&ada, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let delete = |token: &str| server.send(Method::DELETE, "/api/v1/skills/tea", Some(token), None);
    assert_eq!(delete(&eve).refused().0, 403);
    let until = delete(&ada).json()["slugReservedUntil"].as_u64().unwrap();
    assert_eq!(until, 1_700_000_000_000 + 30 * 24 * 60 * 60 * 1000);
    assert_eq!(server.get("/api/v1/skills/tea").refused().0, 404);
    assert_eq!(server.get("/api/v1/download?slug=tea").refused().0, 410);
    assert_eq!(server.publish(&ada, "tea", "1.0.1", &[("SKILL.md", TEA)]).refused().0, 409);
    assert_eq!(server.post("/api/v1/skills/tea/undelete", &eve, json!({})).refused().0, 403);
    let body = json!({ "reason": "a mistake", "ownerHandle": "ada" });
    server.post("/api/v1/skills/tea/undelete", &ada, body).json();
    assert_eq!(server.get("/api/v1/download?slug=tea").status, 200);
}

#[test]
fn a_version_is_withdrawn_and_its_number_stays_taken() {
    let server = Server::start();
    let ada = server.token("ada");
    for version in ["1.0.0", "1.1.0"] {
        server.publish(&ada, "tea", version, &[("SKILL.md", TEA)]).json();
        server.pass(1);
    }
    let delete = |version: &str| {
        server.send(Method::DELETE, &format!("/api/v1/skills/tea/versions/{version}"), Some(&ada), None)
    };
    assert_eq!(delete("1.1.0").refused().0, 409, "the latest");
    delete("1.0.0").json();
    assert_eq!(server.get("/api/v1/download?slug=tea&version=1.0.0").refused().0, 410);
    assert_eq!(server.get("/api/v1/skills/tea/versions/1.0.0").refused().0, 404);
    assert_eq!(server.publish(&ada, "tea", "1.0.0", &[("SKILL.md", TEA)]).refused().0, 409);
    server.post("/api/v1/skills/tea/versions/1.0.0/restore", &ada, json!({ "version": "1.0.0" })).json();
    assert_eq!(server.get("/api/v1/download?slug=tea&version=1.0.0").status, 200);
}

#[test]
fn names_and_tags_change() {
    let server = Server::start();
    let (ada, eve) = (server.token("ada"), server.token("eve"));
    for version in ["1.0.0", "1.1.0"] {
        server.publish(&ada, "tea", version, &[("SKILL.md", TEA)]).json();
    }
    server.publish(&ada, "cake", "1.0.0", &[("SKILL.md", TEA)]).json();
    let rename = |token: &str, to: &str| {
        server.post("/api/v1/skills/tea/rename", token, json!({ "newSlug": to, "ownerHandle": "ada" }))
    };
    assert_eq!(rename(&eve, "chai").refused().0, 403);
    assert_eq!(rename(&ada, "cake").refused().0, 409);
    assert_eq!(rename(&ada, "admin").refused().0, 400);
    assert_eq!(rename(&ada, "chai").json(), json!({ "ok": true, "slug": "chai", "previousSlug": "tea" }));
    assert_eq!(server.get("/api/v1/skills/tea").json()["skill"]["slug"], "chai");

    let tag = |tag: &str, version: &str| {
        server.post(&format!("/api/v1/skills/chai/tags/{tag}"), &ada, json!({ "version": version }))
    };
    let expected = json!({ "ok": true, "slug": "chai", "tag": "latest", "version": "1.0.0" });
    assert_eq!(tag("latest", "1.0.0").json(), expected);
    assert_eq!(tag("latest", "7.0.0").refused().0, 404);
    assert_eq!(tag("_x", "1.0.0").refused().0, 400);
    assert_eq!(server.get("/api/v1/skills/chai").json()["latestVersion"]["version"], "1.0.0");

    let merged = server.post("/api/v1/skills/cake/merge", &ada, json!({ "targetSlug": "chai" })).json();
    assert_eq!(merged, json!({ "ok": true, "sourceSlug": "cake", "targetSlug": "chai" }));
    assert_eq!(server.get("/api/v1/skills/cake").json()["skill"]["slug"], "chai");
    let itself = server.post("/api/v1/skills/chai/merge", &ada, json!({ "targetSlug": "chai" }));
    assert_eq!(itself.refused().0, 400);
}

#[test]
fn a_skill_gets_another_owner_who_agrees() {
    let server = Server::start();
    let (ada, bob) = (server.token("ada"), server.token("bob"));
    server.publish(&ada, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let offer = |to: &str| server.post("/api/v1/skills/tea/transfer", &ada, json!({ "toUserHandle": to }));
    assert_eq!(offer("nobody").refused().0, 404);
    assert_eq!(offer("@bob").json()["toUserHandle"], "bob");
    let list = |token: &str, direction: &str| {
        server.send(Method::GET, &format!("/api/v1/transfers/{direction}"), Some(token), None).json()
    };
    assert_eq!(list(&bob, "incoming")["transfers"][0]["skill"]["slug"], "tea");
    assert_eq!(list(&ada, "outgoing")["transfers"][0]["toUser"]["handle"], "bob");
    assert_eq!(list(&ada, "incoming")["transfers"], json!([]));
    let reply = |token: &str, word: &str| {
        server.send(Method::POST, &format!("/api/v1/skills/tea/transfer/{word}"), Some(token), None)
    };
    assert_eq!(reply(&ada, "accept").refused().0, 404);
    reply(&ada, "cancel").json();
    assert_eq!(reply(&bob, "accept").refused().0, 404);
    offer("bob").json();
    reply(&bob, "accept").json();
    assert_eq!(server.get("/api/v1/skills/tea?ownerHandle=bob").json()["owner"]["handle"], "bob");
    assert_eq!(server.get("/api/v1/skills/tea?ownerHandle=ada").json()["owner"]["handle"], "bob");
}

#[test]
fn reports_and_installations_are_counted() {
    let server = Server::start();
    let (ada, bob) = (server.token("ada"), server.token("bob"));
    server.publish(&ada, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let report = |reason: &str| server.post("/api/v1/skills/tea/report", &bob, json!({ "reason": reason }));
    let first = report("tastes odd").json();
    assert_eq!((&first["alreadyReported"], &first["reportCount"]), (&json!(false), &json!(1)));
    assert_eq!(report("again").json()["alreadyReported"], true);
    assert_eq!(report(" ").refused().0, 400);

    let event = json!({ "event": "install", "slug": "tea", "ownerHandle": "ada", "version": "1.0.0" });
    assert_eq!(server.post("/api/cli/telemetry/install", &bob, event).json(), json!({ "ok": true }));
    let unknown = json!({ "event": "install", "slug": "nothing" });
    assert_eq!(server.post("/api/cli/telemetry/install", &bob, unknown).status, 200);
    assert_eq!(server.get("/api/v1/skills/tea").json()["skill"]["stats"]["installs"], 1);
}

#[test]
fn earlier_clients_are_served_at_their_addresses() {
    let server = Server::start();
    let ada = server.token("ada");
    let ticket = server.post("/api/cli/upload-url", &ada, json!({})).json();
    let place = ticket["uploadUrl"].as_str().unwrap();
    let stored = reply(client().post(place).bearer_auth(&ada).body(TEA).send().unwrap()).json();
    let file = json!({
        "path": "SKILL.md", "size": TEA.len(), "sha256": prowess_fs::sha256_hex(TEA.as_bytes()),
        "storageId": stored["storageId"],
    });
    let body = json!({
        "slug": "tea", "displayName": "Tea", "version": "1.0.0", "changelog": "", "tags": ["latest"],
        "files": [file],
    });
    server.post("/api/cli/publish", &ada, body).json();
    assert_eq!(server.get("/api/skill?slug=tea").json()["latestVersion"]["version"], "1.0.0");
    assert_eq!(server.get("/api/search?q=tea").json()["results"][0]["slug"], "tea");
    assert_eq!(server.get("/api/download?slug=tea").status, 200);
    let hash = "0".repeat(64);
    assert_eq!(server.get(&format!("/api/skill/resolve?slug=tea&hash={hash}")).json()["match"], json!(null));
    let whoami = server.send(Method::GET, "/api/cli/whoami", Some(&ada), None).json();
    assert_eq!(whoami["user"]["handle"], "ada");
    server.post("/api/cli/skill/delete", &ada, json!({ "slug": "tea" })).json();
    assert_eq!(server.get("/api/download?slug=tea").refused().0, 410);
    server.post("/api/cli/skill/undelete", &ada, json!({ "slug": "tea" })).json();
    assert_eq!(server.get("/api/download?slug=tea").status, 200);
}
