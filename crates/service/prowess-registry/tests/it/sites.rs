//! Sites with an index, and archives on servers.

use std::path::Path;

use prowess_fs::sha256_hex;
use prowess_net::NetError;
use prowess_registry::{Fetched, SourceError, SourceReference, fetch};
use prowess_testkit::web::{Answer, Web};
use serde_json::{Value, json};

use crate::support::{paths, with_context};

const INDEX: &str = "/.well-known/agent-skills/index.json";
const OLD_INDEX: &str = "/.well-known/skills/index.json";
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

fn get(reference: &str) -> Result<Fetched, SourceError> {
    let reference: SourceReference = reference.parse().unwrap();
    with_context("http://127.0.0.1:1", Path::new("/"), |context| fetch(&reference, context, &mut |_, _| {}))
}

fn entry(name: &str, kind: &str, url: &str, content: &str) -> Value {
    let digest = format!("sha256:{}", sha256_hex(content.as_bytes()));
    json!({ "name": name, "description": "d", "type": kind, "url": url, "digest": digest })
}

fn index(skills: Value) -> Answer {
    Answer::json(&json!({ "$schema": SCHEMA, "skills": skills }))
}

#[test]
fn one_file_and_one_archive() {
    let archive = json!({ "SKILL.md": "# B", "x": "1" }).to_string();
    let skills = json!([
        entry("a", "skill-md", "a/SKILL.md", "# A"),
        entry("b", "archive", "/files/b.zip", &archive),
        entry("c", "archive", "/files/b.zip", "something else"),
        entry("d", "archive", "file:///etc/passwd", ""),
        { "name": "Bad" },
    ]);
    let server = Web::pages(vec![
        (INDEX, index(skills)),
        ("/.well-known/agent-skills/a/SKILL.md", Answer::ok("# A")),
        ("/files/b.zip", Answer::ok(archive.as_str())),
    ]);
    let site = &server.url("");
    let one = get(&format!("{site}#a")).unwrap();
    assert_eq!(one.bundle.files[0].bytes, b"# A");
    assert_eq!(one.left_out.len(), 1, "the bad entry is told");
    let two = get(&format!("{site}/#b")).unwrap();
    assert_eq!(paths(&two.bundle), ["SKILL.md", "x"]);
    assert_eq!(two.resolved.digest, Some(format!("sha256:{}", sha256_hex(archive.as_bytes()))));
    assert_eq!(two.resolved.place, format!("{site}{INDEX}"));
    assert!(matches!(get(&format!("{site}#c")), Err(SourceError::Digest { .. })));
    assert!(matches!(get(&format!("{site}#d")), Err(SourceError::Index { .. })));
    let error = get(site).unwrap_err();
    assert!(error.to_string().contains(&format!("`{site}#b`")), "{error}");
    let error = get(&format!("{site}#z")).unwrap_err().to_string();
    assert!(error.contains("no skill `z`"), "{error}");
}

#[test]
fn lists_of_files() {
    let old = json!({ "skills": [{ "name": "a", "description": "d", "files": ["SKILL.md", "r/x y.md"] }] });
    let server = Web::pages(vec![
        (OLD_INDEX, Answer::json(&old)),
        ("/.well-known/skills/a/SKILL.md", Answer::ok("# A")),
        ("/.well-known/skills/a/r/x%20y.md", Answer::ok("x")),
    ]);
    let fetched = get(&server.url("")).unwrap();
    assert_eq!(paths(&fetched.bundle), ["SKILL.md", "r/x y.md"]);
    assert_eq!(fetched.resolved.digest, None);

    let hash = |text: &str| sha256_hex(text.as_bytes());
    let whole = hash(&format!("SKILL.md\0{}\nb\0{}\n", hash("# A"), hash("1")));
    for (promised, is_good) in [(whole, true), (hash("other"), false)] {
        let file =
            |path: &str, text: &str| json!({ "path": path, "digest": format!("sha256:{}", hash(text)) });
        let draft = json!({ "version": "0.2.0", "skills": [{
            "name": "a", "description": "d", "digest": format!("sha256:{promised}"),
            "files": [file("b", "1"), file("SKILL.md", "# A")],
        }]});
        let server = Web::pages(vec![
            (INDEX, Answer::json(&draft)),
            ("/.well-known/agent-skills/a/SKILL.md", Answer::ok("# A")),
            ("/.well-known/agent-skills/a/b", Answer::ok("1")),
        ]);
        assert_eq!(get(&server.url("")).is_ok(), is_good);
    }
}

#[test]
fn a_part_of_a_site_is_not_answered_for_by_the_whole() {
    let server = Web::pages(vec![
        (INDEX, index(json!([entry("a", "skill-md", "/a.md", "# A")]))),
        (
            "/u/ann/.well-known/agent-skills/index.json",
            index(json!([entry("b", "skill-md", "/b.md", "# B")])),
        ),
        ("/a.md", Answer::ok("# A")),
        ("/b.md", Answer::ok("# B")),
    ]);
    let site = &server.url("");
    assert_eq!(get(&format!("{site}/u/ann")).unwrap().resolved.name, "b");
    assert!(matches!(get(&format!("{site}/u/bob")), Err(SourceError::Index { .. })));
    assert_eq!(get(&format!("{site}/u/bob#a")).unwrap().resolved.name, "a");
    assert_eq!(get(&format!("{site}{INDEX}")).unwrap().resolved.name, "a");
}

#[test]
fn a_broken_index_is_passed_by() {
    let old = json!({ "skills": [{ "name": "a", "description": "d", "files": ["SKILL.md"] }] });
    let server = Web::pages(vec![
        (INDEX, Answer::ok("<html>")),
        (OLD_INDEX, Answer::json(&old)),
        ("/.well-known/skills/a/SKILL.md", Answer::ok("# A")),
    ]);
    assert_eq!(get(&server.url("")).unwrap().resolved.name, "a");
    let broken = Web::pages(vec![(INDEX, Answer::ok("<html>"))]);
    let error = get(&broken.url("")).unwrap_err().to_string();
    assert!(error.contains("not JSON"), "{error}");
    let empty = Web::pages(vec![(INDEX, index(json!([])))]);
    assert!(get(&empty.url("")).unwrap_err().to_string().contains("is empty"));
}

#[test]
fn an_archive_on_a_server() {
    let archive = json!({ "w/SKILL.md": "# W" }).to_string();
    let cut = Answer::ok("{\"w/SK").claiming(archive.len());
    let server = Web::pages(vec![("/w.zip", Answer::ok(archive.as_str())), ("/cut.zip", cut)]);
    let site = &server.url("");
    let good = sha256_hex(archive.as_bytes());
    let fetched = get(&format!("{site}/w.zip#sha256={good}")).unwrap();
    assert_eq!((paths(&fetched.bundle), fetched.resolved.name.as_str()), (vec!["SKILL.md"], "w"));
    assert!(get(&format!("{site}/w.zip?v=2")).is_ok());
    let other = sha256_hex(b"other");
    assert!(matches!(get(&format!("{site}/w.zip#sha256={other}")), Err(SourceError::Digest { .. })));
    assert!(matches!(get(&format!("{site}/cut.zip")), Err(SourceError::Http(NetError::Truncated { .. }))));
    assert!(matches!(get(&format!("{site}/none.zip")), Err(SourceError::Status { status: 404, .. })));
}
