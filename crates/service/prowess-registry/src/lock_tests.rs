//! Lockfiles as their tools write them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::protocol::Millis;
use crate::reference::SourceReference;

const LOCK: &str = r#"{
  "version": 1,
  "skills": {
    "weather": {
      "version": "1.2.0",
      "installedAt": 1700000000000,
      "pinned": true,
      "pinReason": "newer ones rain",
      "futureField": {
        "a": null
      }
    },
    "@ann/pdf": {
      "version": null,
      "installedAt": 5,
      "ownerHandle": "ann"
    }
  },
  "alsoNew": true
}
"#;

#[test]
fn what_is_not_known_survives() {
    let lock = ClawhubLock::parse(LOCK).unwrap();
    assert_eq!(lock.to_text(), LOCK);
    let mut entry = lock.get("weather").unwrap();
    assert_eq!((entry.version.as_deref(), entry.pinned), (Some("1.2.0"), Some(true)));
    entry.version = Some("1.3.0".to_owned());
    let mut changed = lock.clone();
    changed.set("weather", &entry);
    assert_eq!(changed.to_text(), LOCK.replace("1.2.0", "1.3.0"));
    assert!(changed.remove("@ann/pdf") && !changed.remove("@ann/pdf"));
    assert_eq!(changed.entries().map(|(key, _)| key.to_owned()).collect::<Vec<_>>(), ["weather"]);
}

#[test]
fn a_new_lock_is_what_the_original_would_write() {
    let mut lock = ClawhubLock::default();
    let version = Some("1.0.0".to_owned());
    lock.set("a", &ClawhubEntry { version, installed_at: Millis(7), ..ClawhubEntry::default() });
    let expected = json!({ "version": 1, "skills": { "a": { "version": "1.0.0", "installedAt": 7 } } });
    assert_eq!(lock.to_text(), serde_json::to_string_pretty(&expected).unwrap() + "\n");
}

#[test]
fn broken_locks_are_refused() {
    for text in ["", "[]", "{", r#"{"version":1}"#, r#"{"version":1,"skills":{"a":{"version":"1"}}}"#] {
        assert!(matches!(ClawhubLock::parse(text), Err(LockfileError::Shape { .. })), "{text}");
    }
    let newer = r#"{"version":2,"skills":{}}"#;
    assert!(matches!(ClawhubLock::parse(newer), Err(LockfileError::Version { .. })));
}

#[test]
fn origins_survive_too() {
    let text = "{\n  \"version\": 1,\n  \"registry\": \"https://clawhub.ai\",\n  \"slug\": \"a\",\n  \
                \"installedVersion\": \"1.0.0\",\n  \"installedAt\": 9,\n  \"fingerprint\": \"f\",\n  \
                \"digests\": {\n    \"x\": 1\n  }\n}\n";
    let origin = ClawhubOrigin::parse(text).unwrap();
    assert_eq!(origin.to_text(), text);
    let mut made = ClawhubOrigin::new("https://clawhub.ai", "a", "1.0.0", Millis(9));
    made.fingerprint = Some("f".to_owned());
    made.other = origin.other.clone();
    assert_eq!(made, origin);
    assert!(ClawhubOrigin::parse(r#"{"version":1,"slug":"a"}"#).is_err());
}

fn foreign(file: &str, document: &Value) -> Vec<(String, Option<String>, Option<String>)> {
    let lock = ForeignLock::parse(file, &document.to_string()).unwrap();
    let entry = |entry: ForeignEntry| (entry.name, entry.reference.map(|it| it.to_string()), entry.hash);
    lock.entries.into_iter().map(entry).collect()
}

fn row(name: &str, reference: Option<&str>, hash: Option<&str>) -> (String, Option<String>, Option<String>) {
    (name.to_owned(), reference.map(str::to_owned), hash.map(str::to_owned))
}

#[test]
fn the_lock_of_a_project() {
    let document = json!({ "version": 1, "skills": {
        "pdf": { "source": "anthropics/skills", "sourceType": "github", "skillPath": "skills/pdf/SKILL.md", "computedHash": "h1" },
        "tagged": { "source": "a/b", "ref": "v1", "sourceType": "github", "computedHash": "h2" },
        "site": { "source": "docs.x.y", "sourceUrl": "https://docs.x.y/p", "sourceType": "well-known", "wellKnownDigest": "sha256:d" },
        "npm": { "source": "some-package", "sourceType": "node_modules", "computedHash": "h3" },
        "here": { "source": "../mine", "sourceType": "local", "computedHash": "h4" },
        "evil": { "source": "a/b", "ref": "--upload-pack=x", "sourceType": "github", "computedHash": "h5" },
        "up": { "source": "a/b", "skillPath": "../../etc", "sourceType": "github" },
        "nothing": 5,
    }});
    let expected = [
        row("pdf", Some("anthropics/skills/skills/pdf"), Some("h1")),
        row("tagged", Some("a/b@v1"), Some("h2")),
        row("site", Some("https://docs.x.y/p#site"), Some("sha256:d")),
        row("npm", None, Some("h3")),
        row("here", Some("../mine"), Some("h4")),
        row("evil", None, Some("h5")),
        row("up", None, None),
    ];
    assert_eq!(foreign("x/skills-lock.json", &document), expected);
}

#[test]
fn the_locks_of_others() {
    let global = json!({ "version": 3, "dismissed": {}, "skills": { "fd": {
        "source": "vercel-labs/agent-skills", "sourceType": "github",
        "sourceUrl": "https://github.com/vercel-labs/agent-skills.git", "skillPath": "skills/fd/SKILL.md",
        "skillFolderHash": "abc", "installedAt": "2026-01-15T10:30:00.000Z",
    }}});
    let expected = [row("fd", Some("vercel-labs/agent-skills/skills/fd"), Some("abc"))];
    assert_eq!(foreign(".skill-lock.json", &global), expected);

    let commit = "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6a1b2";
    let pinned = json!({ "version": 1, "skills": { "pdf": {
        "source": "https://github.com/anthropics/skills.git", "path": "skills/pdf", "ref": commit,
    }}});
    let url = format!("git+https://github.com/anthropics/skills.git#{commit}:skills/pdf");
    assert_eq!(foreign("skills.lock", &pinned), [row("pdf", Some(&url), None)]);

    let tank = json!({ "lockfileVersion": 1, "skills": { "@acme/x": {
        "resolved": "https://s.x/acme/x/1.2.3.tgz", "integrity": "sha512-abc==", "permissions": {},
    }}});
    let expected = [row("@acme/x", Some("https://s.x/acme/x/1.2.3.tgz"), Some("sha512-abc=="))];
    assert_eq!(foreign("skills.lock", &tank), expected);

    let vskill = json!({ "version": 1, "agents": [], "skills": { "v": {
        "version": "1.0.0", "sha": "s", "tier": "t", "installedAt": "i", "source": "github:o/r",
    }}});
    assert_eq!(foreign("vskill.lock", &vskill), [row("v", Some("o/r"), Some("s"))]);

    let clawhub: Value = serde_json::from_str(LOCK).unwrap();
    let expected = [row("weather", Some("weather@1.2.0"), None), row("pdf", Some("@ann/pdf"), None)];
    assert_eq!(foreign(".clawhub/lock.json", &clawhub), expected);
}

#[test]
fn what_is_no_lockfile_is_said_to_be_none() {
    let parse = |file: &str, text: &str| ForeignLock::parse(file, text).unwrap_err();
    assert!(matches!(parse("a.json", "{}"), LockfileError::Unknown { .. }));
    assert!(matches!(parse("skills-lock.json", "{\"version\":1}"), LockfileError::Unknown { .. }));
    assert!(matches!(
        parse("skills-lock.json", "{\"version\":9,\"skills\":{}}"),
        LockfileError::Version { .. }
    ));
    assert!(matches!(parse("skills-lock.json", "x"), LockfileError::Shape { .. }));
    let conflict = "{\n<<<<<<< ours\n}\n=======\n>>>>>>> theirs\n";
    assert!(matches!(parse("skills-lock.json", conflict), LockfileError::Conflict { .. }));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z./@#:~-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let key = prop_oneof![
            Just("version".to_owned()),
            Just("source".to_owned()),
            Just("sourceType".to_owned()),
            Just("path".to_owned()),
            Just("installedAt".to_owned()),
            "[a-z]{1,4}",
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_lock_is_kept_or_refused(skills in json_value(), other in json_value()) {
        let text = serde_json::to_string_pretty(&json!({ "version": 1, "skills": skills, "x": other })).unwrap();
        if let Ok(lock) = ClawhubLock::parse(&text) {
            prop_assert_eq!(lock.to_text(), format!("{text}\n"));
        }
        for file in ["skills-lock.json", ".skill-lock.json", "skills.lock", "vskill.lock", "lock.json"] {
            if let Ok(lock) = ForeignLock::parse(file, &text) {
                for reference in lock.entries.iter().filter_map(|entry| entry.reference.as_ref()) {
                    let again = SourceReference::parse(&reference.to_string());
                    prop_assert_eq!(again.as_ref(), Ok(reference));
                }
            }
        }
    }
}
