//! Publishing with upload tickets, and without.

use std::sync::{Arc, OnceLock};

use prowess_fs::sha256_hex;
use prowess_registry::protocol::{PublicationStatus, PublishRequest};
use prowess_registry::{Publication, RegistryClient, RegistryError};
use prowess_testkit::web::{Answer, Web};
use prowess_types::{Bundle, BundleFile, Secret};
use serde_json::json;

use crate::support::http;

fn bundle(files: &[(&str, &str)]) -> Bundle {
    let file = |(path, text): &(&str, &str)| BundleFile {
        path: (*path).to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: false,
    };
    Bundle { files: files.iter().map(file).collect() }
}

fn request() -> PublishRequest {
    PublishRequest {
        slug: "weather".into(),
        display_name: "Weather".into(),
        version: "1.0.0".into(),
        changelog: "first".into(),
        accept_license_terms: Some(true),
        tags: Some(vec!["latest".into()]),
        ..PublishRequest::default()
    }
}

#[test]
fn files_are_uploaded_one_by_one() {
    // The bytes of one file go to another server, which must not see the token.
    let storage = Web::start(|_| Answer::json(&json!({ "storageId": "far" })));
    let elsewhere = storage.url("");
    let server = Web::start(move |asked| match asked.path.as_str() {
        "/api/v1/skills/-/upload-url" => {
            let far = asked.json()["path"] == "b.sh";
            let url = if far { format!("{elsewhere}/put") } else { "/put".to_owned() };
            Answer::json(&json!({ "uploadUrl": url, "uploadTicket": format!("t-{}", asked.json()["path"]) }))
        }
        "/put" => Answer::json(&json!({ "storageId": "near" })),
        _ => Answer::json(
            &json!({ "ok": true, "skillId": "s", "versionId": "v", "publicationStatus": "pending" }),
        ),
    });
    let http = http();
    let client = RegistryClient::new(&http, &server.url(""), Some(Secret::new("clh_x")));
    let bundle = bundle(&[("SKILL.md", "# W"), ("b.sh", "echo")]);
    let mut heard = Vec::new();
    let publication = Publication { request: request(), bundle: &bundle };
    let answer = client.publish(&publication, &mut |path| heard.push(path.to_owned())).unwrap();
    assert_eq!(answer.publication_status, Some(PublicationStatus::Pending));
    assert_eq!(heard, ["SKILL.md", "b.sh"]);
    assert_eq!(storage.requests()[0].body, b"echo");
    assert_eq!(storage.requests()[0].header("authorization"), None);
    let asked = server.requests();
    let put = asked.iter().find(|asked| asked.path == "/put").unwrap();
    assert_eq!((put.body.as_slice(), put.header("authorization")), (&b"# W"[..], Some("Bearer clh_x")));
    let body = asked.last().unwrap().json();
    let expected = json!({
        "slug": "weather", "displayName": "Weather", "version": "1.0.0", "changelog": "first",
        "acceptLicenseTerms": true, "tags": ["latest"],
        "files": [
            { "path": "SKILL.md", "size": 3, "storageId": "near", "sha256": sha256_hex(b"# W"),
              "contentType": "text/markdown", "uploadTicket": "t-\"SKILL.md\"" },
            { "path": "b.sh", "size": 4, "storageId": "far", "sha256": sha256_hex(b"echo"),
              "contentType": "application/x-sh", "uploadTicket": "t-\"b.sh\"" },
        ],
    });
    assert_eq!(body, expected);
}

#[test]
fn a_server_without_tickets_gets_all_at_once() {
    let server = Web::start(|asked| match asked.path.as_str() {
        "/api/v1/skills" => Answer::json(&json!({ "ok": true, "skillId": "s", "versionId": "v" })),
        _ => Answer::status(404, "Not found"),
    });
    let http = http();
    let client = RegistryClient::new(&http, &server.url(""), None);
    let bundle = bundle(&[("SKILL.md", "# W"), ("d/x\".md", "--b\r\n")]);
    client.publish(&Publication { request: request(), bundle: &bundle }, &mut |_| {}).unwrap();
    let asked = server.requests();
    let sent = asked.last().unwrap();
    let kind = sent.header("content-type").unwrap();
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body = String::from_utf8(sent.body.clone()).unwrap();
    let parts: Vec<&str> = body.split(&format!("--{boundary}")).collect();
    assert_eq!(parts.len(), 5, "{body}");
    assert!(parts[1].contains("name=\"payload\"") && parts[1].contains("\"slug\":\"weather\""));
    assert!(parts[2].contains("filename=\"SKILL.md\"") && parts[2].ends_with("\r\n\r\n# W\r\n"));
    assert!(parts[3].contains("filename=\"d/x%22.md\"") && parts[3].ends_with("\r\n\r\n--b\r\n\r\n"));
    assert_eq!(parts[4], "--\r\n");
}

#[test]
fn what_a_registry_would_refuse_is_not_sent() {
    let server = Web::start(|_| Answer::status(500, "not asked"));
    let http = http();
    let client = RegistryClient::new(&http, &server.url(""), None);
    let good = bundle(&[("SKILL.md", "# W")]);
    let check = |change: &dyn Fn(&mut PublishRequest), bundle: &Bundle| {
        let mut request = request();
        change(&mut request);
        client.publish(&Publication { request, bundle }, &mut |_| {}).unwrap_err()
    };
    assert!(matches!(check(&|it| it.slug = "publish".into(), &good), RegistryError::Name(_)));
    assert!(matches!(check(&|it| it.version = "1.0".into(), &good), RegistryError::Name(_)));
    assert!(matches!(check(&|it| it.owner_handle = Some("A B".into()), &good), RegistryError::Name(_)));
    assert!(matches!(check(&|_| (), &bundle(&[("a.md", "")])), RegistryError::NoSkill { .. }));
    assert!(matches!(check(&|_| (), &bundle(&[("SKILL.md", ""), ("../x", "")])), RegistryError::Name(_)));
    let large = "x".repeat(10 * 1024 * 1024 + 1);
    let error = check(&|_| (), &bundle(&[("SKILL.md", ""), ("big", &large)]));
    assert!(matches!(error, RegistryError::TooLarge { ref path, .. } if path == "big"), "{error}");
    assert!(server.targets().is_empty());
}

#[test]
fn a_failure_in_the_middle_is_told() {
    let seen: Arc<OnceLock<()>> = Arc::default();
    let server = Web::start(move |asked| match asked.path.as_str() {
        "/api/v1/skills/-/upload-url" if seen.set(()).is_ok() => {
            Answer::json(&json!({ "uploadUrl": "/put", "uploadTicket": "t" }))
        }
        "/put" => Answer::json(&json!({ "storageId": "near" })),
        _ => Answer::status(413, "Too large"),
    });
    let http = http();
    let client = RegistryClient::new(&http, &server.url(""), None);
    let bundle = bundle(&[("SKILL.md", "# W"), ("b.sh", "echo")]);
    let error =
        client.publish(&Publication { request: request(), bundle: &bundle }, &mut |_| {}).unwrap_err();
    assert!(matches!(error, RegistryError::Status { status: 413, .. }), "{error}");
}
