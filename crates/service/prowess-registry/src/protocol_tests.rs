//! Each answer is read from a text as a server sends it, and a missing required field is noticed.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;

/// Reads the value, and reads again what is written: nothing known is lost.
fn read<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(value: &Value) -> T {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(serde_json::from_value::<T>(written).unwrap(), read);
    read
}

/// Each named field is required.
fn requires<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(value: &Value, fields: &[&str]) {
    read::<T>(value);
    for field in fields {
        let mut less = value.clone();
        less.as_object_mut().unwrap().remove(*field).unwrap();
        assert!(serde_json::from_value::<T>(less).is_err(), "`{field}` is required");
    }
}

fn skill() -> Value {
    json!({
        "slug": "weather", "displayName": "Weather", "summary": "Tells the weather",
        "tags": { "latest": "1.2.0" }, "stats": { "downloads": 3, "stars": 1 },
        "createdAt": 1_700_000_000_000_i64, "updatedAt": 1_700_000_000_123.5, "more": [1, 2],
    })
}

fn version() -> Value {
    json!({ "version": "1.2.0", "createdAt": 1, "changelog": "", "license": null })
}

#[test]
fn required_fields_are_required() {
    requires::<SkillSummary>(&skill(), &["slug", "displayName", "tags", "stats", "createdAt", "updatedAt"]);
    requires::<VersionSummary>(&version(), &["version", "createdAt", "changelog"]);
    requires::<SkillDetail>(
        &json!({ "skill": skill(), "latestVersion": version(), "owner": { "handle": "ann" } }),
        &["skill", "latestVersion", "owner"],
    );
    requires::<SkillList>(&json!({ "items": [skill()], "nextCursor": null }), &["items", "nextCursor"]);
    requires::<VersionList>(&json!({ "items": [version()], "nextCursor": "x" }), &["items", "nextCursor"]);
    requires::<VersionAnswer>(&json!({ "version": version(), "skill": null }), &["version", "skill"]);
    requires::<ResolveAnswer>(
        &json!({ "match": null, "latestVersion": { "version": "1.0.0" } }),
        &["match", "latestVersion"],
    );
    requires::<WhoamiAnswer>(&json!({ "user": { "handle": null } }), &["user"]);
    requires::<User>(&json!({ "handle": null }), &["handle"]);
    requires::<SearchHit>(&json!({ "score": 0.5 }), &["score"]);
    requires::<Moderation>(
        &json!({ "isSuspicious": false, "isMalwareBlocked": true }),
        &["isSuspicious", "isMalwareBlocked"],
    );
    requires::<ModerationAnswer>(&json!({ "moderation": null }), &["moderation"]);
    requires::<UploadTicket>(
        &json!({ "uploadUrl": "https://a/b", "uploadTicket": "t" }),
        &["uploadUrl", "uploadTicket"],
    );
    requires::<PublishAnswer>(
        &json!({ "ok": true, "skillId": "s", "versionId": "v", "publicationStatus": "pending" }),
        &["ok", "skillId", "versionId"],
    );
    requires::<StarAnswer>(
        &json!({ "ok": true, "starred": true, "alreadyStarred": false }),
        &["ok", "starred", "alreadyStarred"],
    );
    requires::<DoneAnswer>(&json!({ "ok": true, "slugReservedUntil": 5 }), &["ok"]);
}

#[test]
fn what_must_be_true_is_not_false() {
    let no = json!({ "ok": false, "skillId": "s", "versionId": "v" });
    assert!(serde_json::from_value::<PublishAnswer>(no).is_err());
}

#[test]
fn fractions_of_a_millisecond_are_dropped() {
    let skill: SkillSummary = read(&skill());
    assert_eq!(skill.updated_at, Millis(1_700_000_000_123));
    assert_eq!(skill.tag("latest"), Some("1.2.0"));
    assert_eq!(skill.tag("beta"), None);
    assert!(serde_json::from_value::<Millis>(json!("5")).is_err());
    assert!(serde_json::from_value::<Millis>(json!(1e300)).is_err());
}

#[test]
fn a_discovery_document_has_either_name_of_the_base() {
    let new: Discovery = read(&json!({ "apiBase": "https://a", "authBase": "https://b" }));
    let old: Discovery = read(&json!({ "registry": "https://a", "authBase": "https://b" }));
    assert_eq!(new, old);
    let both: Discovery = read(&json!({ "registry": "https://old", "apiBase": "https://new" }));
    assert_eq!(both.api_base, "https://new");
    assert!(serde_json::from_value::<Discovery>(json!({ "authBase": "https://b" })).is_err());
}

#[test]
fn the_three_plans_of_an_install() {
    let archive: InstallAnswer = read(&json!({
        "ok": true, "slug": "x", "installKind": "archive",
        "archive": { "version": "1.0.0", "downloadUrl": "https://a/z" },
    }));
    assert!(matches!(archive.plan, InstallResolution::Archive { .. }));
    let github: InstallAnswer = read(&json!({
        "ok": true, "slug": "x", "installKind": "github",
        "github": { "repo": "o/r", "path": "p", "commit": "c", "contentHash": "h", "sourceUrl": "u" },
    }));
    assert!(matches!(github.plan, InstallResolution::GitHub { .. }));
    let refused: InstallAnswer =
        read(&json!({ "ok": false, "slug": "x", "reason": "r", "message": "m", "status": 423 }));
    assert!(matches!(refused.plan, InstallResolution::Refused { status: 423, .. }));
    let hollow = json!({ "ok": true, "slug": "x", "installKind": "github", "archive": {} });
    assert!(serde_json::from_value::<InstallAnswer>(hollow).is_err());
}

#[test]
fn absent_fields_stay_absent_on_the_wire() {
    let hit = SearchHit { score: 1.0, ..SearchHit::default() };
    assert_eq!(serde_json::to_value(hit).unwrap(), json!({ "score": 1.0 }));
    let request = PublishRequest { slug: "a".into(), ..PublishRequest::default() };
    let written = serde_json::to_value(request).unwrap();
    assert_eq!(written.as_object().unwrap().len(), 4, "{written}");
}

#[test]
fn verdicts_and_evidence() {
    let moderation: ModerationAnswer = read(&json!({ "moderation": {
        "isSuspicious": true, "isMalwareBlocked": false, "verdict": "suspicious", "reasonCodes": ["a"],
        "evidence": [{ "code": "a", "severity": "high", "file": "SKILL.md", "line": 3, "message": "m", "evidence": "e" }],
    }}));
    assert_eq!(moderation.moderation.unwrap().evidence[0].line, 3);
    let verify: VerifyAnswer = read(&json!({
        "schema": VERIFY_SCHEMA, "ok": true, "decision": "pass", "reasons": [], "security": { "status": "clean" },
    }));
    assert_eq!(verify.security["status"], "clean");
    let verdicts: SecurityVerdicts = read(&json!({ "schema": VERDICTS_SCHEMA, "items": [{
        "ok": false, "decision": "fail", "reasons": ["version.missing"],
        "requestedSlug": "a", "requestedVersion": "1.0.0",
    }]}));
    assert!(!verdicts.items[0].ok);
}
