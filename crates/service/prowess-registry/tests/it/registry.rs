//! Fetching from a registry, from folders and from archives on this machine.

use std::fs;
use std::path::Path;

use prowess_fs::sha256_hex;
use prowess_registry::protocol::Moderation;
use prowess_registry::{Fetched, SourceError, SourceReference, fetch, fingerprint};
use prowess_testkit::web::{Answer, Web};
use serde_json::{Value, json};

use crate::support::{paths, with_context};

fn detail(moderation: &Value, latest: &Value) -> Answer {
    let skill = json!({
        "slug": "weather", "displayName": "Weather", "tags": { "latest": "1.2.0", "old": "1.0.0" }, "stats": {},
        "createdAt": 1, "updatedAt": 2,
    });
    Answer::json(&json!({
        "skill": skill, "latestVersion": latest, "owner": { "handle": "ann" }, "moderation": moderation,
    }))
}

fn latest() -> Value {
    json!({ "version": "1.2.0", "createdAt": 1, "changelog": "" })
}

/// A registry with one skill; the archive and what is promised for it may differ.
fn registry(moderation: Value, archive: Value, promised: Value) -> Web {
    let files: Vec<Value> = promised
        .as_object()
        .unwrap()
        .iter()
        .map(|(path, text)| {
            let text = text.as_str().unwrap();
            json!({ "path": path, "size": text.len(), "sha256": sha256_hex(text.as_bytes()), "contentType": "x" })
        })
        .collect();
    Web::start(move |asked| match asked.page() {
        "/api/v1/skills/weather" => detail(&moderation, &latest()),
        path if path.starts_with("/api/v1/skills/weather/versions/1.") => {
            let version = path.rsplit('/').next().unwrap();
            let version = json!({ "version": version, "createdAt": 1, "changelog": "", "files": files });
            Answer::json(&json!({ "version": version, "skill": null }))
        }
        "/api/v1/download" => Answer::json(&archive),
        _ => Answer::not_found(),
    })
}

fn get(base: &str, reference: &str) -> Result<Fetched, SourceError> {
    get_in(base, Path::new("/"), reference)
}

fn get_in(base: &str, folder: &Path, reference: &str) -> Result<Fetched, SourceError> {
    let reference: SourceReference = reference.parse().unwrap();
    with_context(base, folder, |context| fetch(&reference, context, &mut |_, _| {}))
}

#[test]
fn a_version_is_what_was_published() {
    let files = json!({ "SKILL.md": "# W", "a/b.sh": "echo" });
    let archive = json!({ "SKILL.md": "# W", "a/b.sh": "echo", "_meta.json": "{}" });
    let server = registry(Value::Null, archive.clone(), files);
    let fetched = get(&server.url(""), "weather").unwrap();
    assert_eq!(paths(&fetched.bundle), ["SKILL.md", "a/b.sh"], "the generated file is no part of it");
    assert_eq!(fingerprint(&fetched.bundle).len(), 64);
    let resolved = fetched.resolved;
    assert_eq!((resolved.name.as_str(), resolved.place.as_str()), ("weather", server.url("").as_str()));
    assert_eq!((resolved.version.as_deref(), resolved.owner.as_deref()), (Some("1.2.0"), Some("ann")));
    let digest = format!("sha256:{}", sha256_hex(archive.to_string().as_bytes()));
    assert_eq!(resolved.digest, Some(digest));
    assert_eq!(get(&server.url(""), "weather@old").unwrap().resolved.version.as_deref(), Some("1.0.0"));
    assert_eq!(get(&server.url(""), "weather@1.1.0").unwrap().resolved.version.as_deref(), Some("1.1.0"));
    assert!(matches!(get(&server.url(""), "weather@2.0.0"), Err(SourceError::NoVersion { .. })));
    assert!(matches!(get(&server.url(""), "weather@beta"), Err(SourceError::NoVersion { .. })));
    assert!(matches!(get(&server.url(""), "nothing"), Err(SourceError::Registry(_))));
}

#[test]
fn an_archive_that_differs_from_its_version_is_refused() {
    let promised = json!({ "SKILL.md": "# W", "a": "1" });
    for archive in [
        json!({ "SKILL.md": "# W", "a": "2" }),
        json!({ "SKILL.md": "# W" }),
        json!({ "SKILL.md": "# W", "a": "1", "evil.sh": "x" }),
    ] {
        let server = registry(Value::Null, archive, promised.clone());
        let error = get(&server.url(""), "weather").unwrap_err();
        assert!(matches!(error, SourceError::Digest { .. }), "{error}");
    }
    let server = registry(Value::Null, json!("no archive"), promised.clone());
    assert!(matches!(get(&server.url(""), "weather"), Err(SourceError::Unpack { .. })));
    let server = registry(Value::Null, json!({ "README.md": "" }), promised);
    assert!(matches!(get(&server.url(""), "weather"), Err(SourceError::NotASkill { .. })));
}

#[test]
fn what_the_registry_thinks_is_heard() {
    let files = json!({ "SKILL.md": "# W" });
    let blocked = json!({ "isSuspicious": true, "isMalwareBlocked": true, "summary": "steals keys" });
    let server = registry(blocked, files.clone(), files.clone());
    let error = get(&server.url(""), "weather").unwrap_err();
    assert_eq!(error.to_string(), "`weather` is blocked as malware by the registry: steals keys");
    assert!(!server.targets().iter().any(|target| target.contains("download")), "nothing is downloaded");
    let suspicious = json!({ "isSuspicious": true, "isMalwareBlocked": false });
    let server = registry(suspicious, files.clone(), files);
    let moderation = get(&server.url(""), "weather").unwrap().moderation;
    assert!(matches!(moderation, Some(Moderation { is_suspicious: true, .. })));
}

#[test]
fn a_skill_without_a_version_is_where_the_registry_says() {
    let server = Web::start(|asked| match asked.path.as_str() {
        "/api/v1/skills/weather" => detail(&Value::Null, &Value::Null),
        "/api/v1/skills/weather/install" => {
            let host = asked.header("host").unwrap();
            let archive = json!({ "version": "0.1.0", "downloadUrl": format!("http://{host}/z") });
            Answer::json(
                &json!({ "ok": true, "slug": "weather", "installKind": "archive", "archive": archive }),
            )
        }
        "/z" => Answer::json(&json!({ "SKILL.md": "# W" })),
        _ => Answer::not_found(),
    });
    assert_eq!(get(&server.url(""), "weather").unwrap().resolved.version.as_deref(), Some("0.1.0"));
    let pending = Web::start(|asked| match asked.path.as_str() {
        "/api/v1/skills/weather" => detail(&Value::Null, &Value::Null),
        _ => Answer::status(
            423,
            json!({ "ok": false, "slug": "w", "reason": "pending", "message": "Wait", "status": 423 })
                .to_string(),
        ),
    });
    let error = get(&pending.url(""), "weather").unwrap_err();
    assert_eq!(error.to_string(), "`weather` cannot be installed: Wait");
    let evil = Web::start(|asked| match asked.path.as_str() {
        "/api/v1/skills/weather" => detail(&Value::Null, &Value::Null),
        _ => Answer::json(&json!({ "ok": true, "slug": "weather", "installKind": "github", "github": {
            "repo": "a/b", "path": "../x", "commit": "--upload-pack=x", "contentHash": "h", "sourceUrl": "u",
        }})),
    });
    assert!(matches!(get(&evil.url(""), "weather"), Err(SourceError::Unavailable { .. })));
}

#[cfg(unix)]
#[test]
fn a_folder_is_taken_without_links_and_tools() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("My Skill");
    for path in
        ["SKILL.md", "run.sh", ".env.example", ".git/config", "node_modules/x/y.js", "a/.clawhub/o.json"]
    {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    fs::set_permissions(folder.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.path().join("secret"), "s").unwrap();
    symlink("../secret", folder.join("link")).unwrap();
    let fetched = get_in("http://127.0.0.1:1", place.path(), "./My Skill").unwrap();
    assert_eq!(paths(&fetched.bundle), [".env.example", "SKILL.md", "run.sh"]);
    let executable: Vec<bool> = fetched.bundle.files.iter().map(|file| file.executable).collect();
    assert_eq!(executable, [false, false, true]);
    let left_out: Vec<&str> = fetched.left_out.iter().map(|left_out| left_out.path.as_str()).collect();
    assert_eq!(left_out, [".git", "a/.clawhub", "link", "node_modules"]);
    assert_eq!(fetched.resolved.name, "My Skill");
    let home = get_in("http://127.0.0.1:1", place.path(), "~/My Skill").unwrap();
    assert_eq!(home.bundle, fetched.bundle);
    for (reference, expected) in
        [("./none", "cannot read"), ("./secret", "not a folder"), (".", "no `SKILL.md`")]
    {
        let error = get_in("http://127.0.0.1:1", place.path(), reference).unwrap_err().to_string();
        assert!(error.contains(expected), "{reference}: {error}");
    }
}

#[test]
fn an_archive_on_this_machine() {
    let place = tempfile::tempdir().unwrap();
    let archive = json!({ "w-1.0/SKILL.md": "# W", "w-1.0/a": "1" }).to_string();
    fs::write(place.path().join("w-1.0.tar.gz"), &archive).unwrap();
    fs::write(place.path().join("bad.zip"), "PK").unwrap();
    let fetched = get_in("http://127.0.0.1:1", place.path(), "w-1.0.tar.gz").unwrap();
    assert_eq!(paths(&fetched.bundle), ["SKILL.md", "a"]);
    assert_eq!(fetched.resolved.name, "w-1.0");
    assert_eq!(fetched.resolved.digest, Some(format!("sha256:{}", sha256_hex(archive.as_bytes()))));
    let error = get_in("http://127.0.0.1:1", place.path(), "./bad.zip").unwrap_err();
    assert_eq!(error.to_string(), "cannot unpack `bad.zip`: it is damaged");
    assert!(matches!(get_in("http://127.0.0.1:1", place.path(), "none.zip"), Err(SourceError::Read(_))));
}
