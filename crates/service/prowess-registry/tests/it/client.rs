//! Each row of the interface: what is asked, and how an answer or a refusal is understood.

use std::time::Duration;

use prowess_registry::protocol::{InstallResolution, SecurityVerdictsRequest, TagRequest, VerdictQuestion};
use prowess_registry::{
    BaseChoice, DEFAULT_REGISTRY, ListQuery, ModerationStatus, RegistryClient, RegistryError, SearchQuery,
    SkillId,
};
use prowess_testkit::web::{Answer, Web, WebRequest};
use prowess_types::Secret;
use serde_json::json;

use crate::support::http;

const WEATHER: SkillId<'static> = SkillId { slug: "weather", owner: Some("ann") };

fn answer(asked: &WebRequest) -> Answer {
    let version = json!({ "version": "1.2.0", "createdAt": 1, "changelog": "new", "license": "MIT-0" });
    let skill = json!({
        "slug": "weather", "displayName": "Weather", "tags": { "latest": "1.2.0" }, "stats": {},
        "createdAt": 1, "updatedAt": 2,
    });
    let (path, _) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let path = path.strip_prefix("/base/api/v1/").unwrap_or(path);
    Answer::json(&match (asked.method.as_str(), path) {
        ("GET", "search") => json!({ "results": [{ "score": 2.5, "slug": "weather", "unknown": 1 }] }),
        ("GET", "skills") => json!({ "items": [skill], "nextCursor": "n" }),
        ("GET", "skills/weather") => json!({
            "skill": skill, "latestVersion": version, "owner": { "handle": "ann" },
            "moderation": { "isSuspicious": true, "isMalwareBlocked": false },
        }),
        ("GET", "skills/weather/versions") => json!({ "items": [version], "nextCursor": null }),
        ("GET", "skills/weather/versions/1.2.0%2Bx") => json!({ "version": version, "skill": null }),
        ("GET", "skills/weather/file") => return Answer::ok("# Weather"),
        ("GET", "skills/weather/moderation") => json!({ "moderation": null }),
        ("GET", "skills/weather/install") => {
            let body =
                json!({ "ok": false, "slug": "weather", "reason": "r", "message": "m", "status": 423 });
            return Answer::status(423, body.to_string());
        }
        ("GET", "skills/weather/verify") => {
            json!({ "schema": "clawhub.skill.verify.v1", "ok": true, "decision": "pass", "reasons": [] })
        }
        ("POST", "skills/-/security-verdicts") => json!({ "schema": "s", "items": [] }),
        ("GET", "resolve") => {
            json!({ "match": { "version": "1.1.0" }, "latestVersion": { "version": "1.2.0" } })
        }
        ("GET", "download") => return Answer::ok("zip"),
        ("GET", "whoami") => json!({ "user": { "handle": "ann" } }),
        ("POST", "stars/weather") => json!({ "ok": true, "starred": true, "alreadyStarred": false }),
        ("DELETE", "stars/weather") => json!({ "ok": true, "unstarred": true, "alreadyUnstarred": true }),
        _ => json!({ "ok": true }),
    })
}

#[test]
fn every_row_is_asked_as_it_should_be() {
    let server = Web::start(answer);
    let http = http();
    let client = RegistryClient::new(&http, &format!("{}/base/", server.url("")), Some(Secret::new("clh_x")));
    let search = SearchQuery { text: "rain & sun", limit: Some(3), exact: true, ..SearchQuery::default() };
    assert_eq!(client.search(&search).unwrap().results[0].slug.as_deref(), Some("weather"));
    let list = ListQuery { limit: Some(900), sort: Some("downloads"), ..ListQuery::default() };
    assert_eq!(client.list(&list).unwrap().next_cursor.as_deref(), Some("n"));
    assert_eq!(ModerationStatus::of(&client.inspect(WEATHER).unwrap()), ModerationStatus::Suspicious);
    assert_eq!(client.versions(WEATHER, Some(2), None).unwrap().items.len(), 1);
    assert!(client.version(WEATHER, "1.2.0+x").unwrap().version.is_some());
    assert_eq!(client.file(WEATHER, "a b.md", Some("latest")).unwrap(), b"# Weather");
    let mut heard = Vec::new();
    client.download(WEATHER, Some("1.2.0"), &mut |bytes, of| heard.push((bytes, of))).unwrap();
    assert_eq!(heard, [(3, Some(3))]);
    assert_eq!(client.resolve(WEATHER, "f00").unwrap().matching.unwrap().version, "1.1.0");
    let plan = client.install_plan(WEATHER, true).unwrap().plan;
    assert!(matches!(plan, InstallResolution::Refused { status: 423, .. }));
    assert!(client.moderation(WEATHER).unwrap().moderation.is_none());
    assert!(client.verify(WEATHER, None).unwrap().ok);
    let question = VerdictQuestion { slug: "weather".into(), owner_handle: None, version: "1.2.0".into() };
    assert!(client.verdicts(&SecurityVerdictsRequest { items: vec![question] }).unwrap().items.is_empty());
    assert_eq!(client.whoami().unwrap().user.handle.as_deref(), Some("ann"));
    assert!(client.star(WEATHER).unwrap().starred && client.unstar(WEATHER).unwrap().already_unstarred);
    client.act(WEATHER, "tags/beta", &TagRequest { version: "1.0.0".into() }).unwrap();
    client.delete(WEATHER, Some("1.0.0")).unwrap();
    let expected = [
        "GET /base/api/v1/search?q=rain%20%26%20sun&limit=3&mode=exact",
        "GET /base/api/v1/skills?limit=200&sort=downloads",
        "GET /base/api/v1/skills/weather?ownerHandle=ann",
        "GET /base/api/v1/skills/weather/versions?limit=2&ownerHandle=ann",
        "GET /base/api/v1/skills/weather/versions/1.2.0%2Bx?ownerHandle=ann",
        "GET /base/api/v1/skills/weather/file?path=a%20b.md&tag=latest&ownerHandle=ann",
        "GET /base/api/v1/download?slug=weather&version=1.2.0&ownerHandle=ann",
        "GET /base/api/v1/resolve?slug=weather&hash=f00&ownerHandle=ann",
        "GET /base/api/v1/skills/weather/install?forceInstall=1&ownerHandle=ann",
        "GET /base/api/v1/skills/weather/moderation?ownerHandle=ann",
        "GET /base/api/v1/skills/weather/verify?ownerHandle=ann",
        "POST /base/api/v1/skills/-/security-verdicts",
        "GET /base/api/v1/whoami",
        "POST /base/api/v1/stars/weather?ownerHandle=ann",
        "DELETE /base/api/v1/stars/weather?ownerHandle=ann",
        "POST /base/api/v1/skills/weather/tags/beta?ownerHandle=ann",
        "DELETE /base/api/v1/skills/weather/versions/1.0.0?ownerHandle=ann",
    ];
    assert_eq!(server.targets(), expected);
    assert!(server.requests().iter().all(|asked| asked.header("authorization") == Some("Bearer clh_x")));
    assert_eq!(server.requests()[15].json(), json!({ "version": "1.0.0" }));
    assert!(!format!("{client:?}").contains("clh_x"));
}

fn refusal(answer: Answer) -> RegistryError {
    let server = Web::start(move |_| answer.clone());
    let http = http();
    RegistryClient::new(&http, &server.url(""), None).inspect(WEATHER).unwrap_err()
}

#[test]
fn refusals_are_told_apart() {
    let said = |status: u16| refusal(Answer::status(status, "in plain words"));
    assert!(matches!(said(401), RegistryError::Unauthorized { .. }));
    assert!(matches!(said(403), RegistryError::Blocked { .. }));
    assert!(matches!(said(404), RegistryError::NotFound { message } if message == "in plain words"));
    assert!(matches!(said(409), RegistryError::Status { status: 409, .. }));
    assert!(matches!(said(410), RegistryError::Deleted { .. }));
    assert!(matches!(said(423), RegistryError::Pending { .. }));
    assert!(matches!(said(500), RegistryError::Status { status: 500, .. }));
    for status in [401, 403, 404, 410, 423, 500] {
        assert!(said(status).to_string().contains("in plain words"), "{status}");
    }
}

#[test]
fn a_choice_of_owners_is_listed() {
    let body = json!({ "code": "AMBIGUOUS_SKILL_SLUG", "message": "Several skills", "matches": [
        { "ownerHandle": "ann", "slug": "weather", "ref": "@ann/weather", "url": "https://x" },
        { "ownerHandle": "bob", "slug": "weather", "ref": "@bob/weather" },
    ]});
    let error = refusal(Answer::status(409, body.to_string()));
    assert_eq!(error.to_string(), "Several skills: `@ann/weather`, `@bob/weather`");
}

#[test]
fn a_limit_says_when_to_come_back() {
    let limited = Answer::status(429, "Rate limit exceeded")
        .header("Retry-After", "17")
        .header("RateLimit-Limit", "3000")
        .header("RateLimit-Remaining", "0");
    let error = refusal(limited);
    let RegistryError::RateLimited { limit, .. } = &error else { panic!("{error:?}") };
    assert_eq!((limit.limit, limit.remaining), (Some(3000), Some(0)));
    assert_eq!(limit.retry_after, Some(Duration::from_secs(17)));
    assert!(error.to_string().contains("try again in 17 s"), "{error}");
    let reset = refusal(Answer::status(429, "").header("RateLimit-Reset", "4"));
    assert!(reset.to_string().contains("try again in 4 s"), "{reset}");
}

#[test]
fn the_registry_is_chosen_by_the_strongest_word() {
    let site = Web::pages(vec![(
        "/.well-known/clawdhub.json",
        Answer::json(&json!({ "registry": "https://found.example/" })),
    )]);
    let http = http();
    let all = BaseChoice {
        argument: Some("https://argument.example/x/".into()),
        environment: Some("https://environment.example".into()),
        site: Some(site.url("")),
        config: Some("https://config.example".into()),
    };
    assert_eq!(all.resolve(&http), "https://argument.example/x");
    let without = BaseChoice { argument: Some("  ".into()), ..all.clone() };
    assert_eq!(without.resolve(&http), "https://environment.example");
    assert!(site.targets().is_empty(), "a named registry needs no discovery");
    let without = BaseChoice { argument: None, environment: None, ..all.clone() };
    assert_eq!(without.resolve(&http), "https://found.example");
    assert_eq!(site.targets(), ["GET /.well-known/clawhub.json", "GET /.well-known/clawdhub.json"]);
    let silent = Web::pages(Vec::new());
    let without = BaseChoice { site: Some(silent.url("")), ..without };
    assert_eq!(without.resolve(&http), "https://config.example");
    assert_eq!(BaseChoice::default().resolve(&http), DEFAULT_REGISTRY);
    let environment = BaseChoice::from_environment(|name| match name {
        "CLAWHUB_REGISTRY" => Some(String::new()),
        "CLAWDHUB_REGISTRY" => Some("https://old.example".to_owned()),
        _ => None,
    });
    assert_eq!(environment.resolve(&http), "https://old.example");
}
