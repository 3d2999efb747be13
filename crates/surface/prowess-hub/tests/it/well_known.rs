//! The indexes for clients that know no registry.

use serde_json::json;

use crate::support::{BAD, Server, TEA, unzip};

const NEW: &str = ".well-known/agent-skills/index.json";
const OLD: &str = ".well-known/skills/index.json";

#[test]
fn a_skill_and_a_publisher_have_an_index_of_their_own() {
    let server = Server::start_with(|options| options.featured = vec![("ada".to_owned(), "tea".to_owned())]);
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA), ("docs/a.md", "hello")]).json();
    server.publish(&token, "cake", "1.0.0", &[("SKILL.md", TEA)]).json();
    server.publish(&token, "tidy-up", "1.0.0", &[("SKILL.md", BAD)]).json();
    server.publish(&token, "nameless", "1.0.0", &[("SKILL.md", "---\ndescription: Does.\n---\n")]).json();
    server.publish(&token, "lower-case", "1.0.0", &[("skill.md", TEA)]).json();

    let index = server.get(&format!("/ada/skills/tea/{NEW}")).json();
    assert_eq!(index["$schema"], "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    assert_eq!(index["skills"].as_array().unwrap().len(), 1);
    let entry = &index["skills"][0];
    assert_eq!((&entry["name"], &entry["type"]), (&json!("tea"), &json!("archive")));
    let url = entry["url"].as_str().unwrap().strip_prefix(&server.base).unwrap();
    let archive = server.get(url);
    assert_eq!(entry["digest"], json!(format!("sha256:{}", prowess_fs::sha256_hex(&archive.body))));
    assert_eq!(archive.header("content-type"), "application/zip");
    assert_eq!(unzip(&archive.body)[0].0, "SKILL.md");

    let old = server.get(&format!("/ada/skills/tea/{OLD}")).json();
    assert_eq!(old["skills"][0]["files"], json!(["SKILL.md", "docs/a.md"]));
    assert_eq!(server.get("/ada/skills/tea/.well-known/skills/tea/docs/a.md").text(), "hello");
    assert_eq!(server.get("/ada/skills/tea/.well-known/skills/cake/SKILL.md").refused().0, 404);
    assert_eq!(server.get("/ada/skills/tea/.well-known/skills/tea/..%2Fx").refused().0, 404);

    let names = |path: &str| -> Vec<String> {
        let index = server.get(path).json();
        let skills = index["skills"].as_array().unwrap().clone();
        skills.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    for scope in ["/ada", "/ada/skills"] {
        assert_eq!(names(&format!("{scope}/{NEW}")), ["cake", "tea"]);
        assert_eq!(names(&format!("{scope}/{OLD}")), ["cake", "tea"]);
        assert_eq!(server.get(&format!("{scope}/.well-known/skills/tea/docs/a.md")).text(), "hello");
    }
    assert_eq!(names(&format!("/{NEW}")), ["tea"]);
    assert_eq!(names(&format!("/{OLD}")), ["tea"]);
    assert_eq!(server.get("/.well-known/skills/tea/docs/a.md").text(), "hello");
    for path in ["/ada/skills/tidy-up", "/ada/skills/nothing", "/bob"] {
        assert_eq!(server.get(&format!("{path}/{NEW}")).refused().0, 404, "{path}");
    }
}

#[test]
fn an_archive_never_changes() {
    let server = Server::start();
    let token = server.token("ada");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    let before = server.get("/api/v1/agent-skills/ada/tea/archive?version=1.0.0");
    server.publish(&token, "tea", "1.1.0", &[("SKILL.md", TEA), ("more.md", "x")]).json();
    let folder = server.stop();
    let server = Server::start_in(folder, |_| {});
    let after = server.get("/api/v1/agent-skills/ada/tea/archive?version=1.0.0");
    assert_eq!((before.body, before.headers["etag"].clone()), (after.body, after.headers["etag"].clone()));
    let latest = server.get("/api/v1/agent-skills/ada/tea/archive");
    assert_eq!(unzip(&latest.body).len(), 2);
}
