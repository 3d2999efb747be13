//! Searching, by words and by meaning.

use std::path::Path;

use prowess::{Engine, EngineOptions};
use prowess_config::Env;
use prowess_context::Models;
use prowess_testkit::{Home, Programs, SkillFile, wait_for};
use serde_json::{Value, json};

use crate::support::{Server, TEA};

fn skill(name: &str, description: &str) -> String {
    SkillFile::new(name).description(description).body(&format!("# {name}\n")).text()
}

fn slugs(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().unwrap().iter().map(|hit| hit["slug"].as_str().unwrap()).collect()
}

fn stocked(server: &Server) {
    let token = server.token("ada");
    let weather = skill("weather", "Forecasts rain, sunshine and temperature for a place.");
    let invoices = skill("invoices", "Reads bills and books them into the ledger.");
    server.publish(&token, "tea", "1.0.0", &[("SKILL.md", TEA)]).json();
    server.publish(&token, "weather", "1.0.0", &[("SKILL.md", &weather)]).json();
    server.publish(&token, "invoices", "1.0.0", &[("SKILL.md", &invoices)]).json();
}

#[test]
fn words_find_skills_without_any_model() {
    let server = Server::start();
    assert_eq!(server.get("/api/v1/search?q=tea").json()["results"], json!([]));
    stocked(&server);
    let search = |query: &str| server.get(&format!("/api/v1/search?{query}")).json();
    let found = search("q=a%20cup%20of%20tea");
    assert_eq!(slugs(&found), ["tea"]);
    let hit = &found["results"][0];
    assert_eq!((&hit["version"], &hit["ownerHandle"]), (&json!("1.0.0"), &json!("ada")));
    assert_eq!(slugs(&search("q=rain")), ["weather"]);
    assert!(slugs(&search("q=submarine")).is_empty());
    assert!(slugs(&search("q=")).is_empty());
    assert_eq!(slugs(&search("q=weather&mode=exact")), ["weather"]);
    assert!(slugs(&search("q=rain&mode=exact")).is_empty());
    assert!(slugs(&search("q=tea&highlightedOnly=true")).is_empty());
    assert_eq!(slugs(&search("q=%40ada%2Ftea"))[0], "tea");
}

#[test]
fn a_meaning_finds_a_skill_without_a_word_in_common() {
    let home = Home::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    let engine = Engine::open(EngineOptions {
        env: Env::new(home.variables(Programs::Own), home.workspace()),
        models: Models::in_folder(&root).unwrap(),
        ..EngineOptions::default()
    });
    let server = Server::start_with(|options| options.engine = Some(engine.unwrap()));
    stocked(&server);
    let best = |query: &str| {
        let found = server.get(&format!("/api/v1/search?q={query}")).json();
        slugs(&found).first().map(|slug| (*slug).to_owned())
    };
    // The vectors are made beside the searches.
    let found = wait_for("the vectors", || best("do%20i%20need%20an%20umbrella%20tomorrow"));
    assert_eq!(found, "weather");
    assert_eq!(best("drink").as_deref(), Some("tea"));
    assert_eq!(best("assembler%20for%20the%20amiga"), None, "nothing here is about that");
}
