//! `prowess search` and `prowess registry explore`, `inspect`, `moderation` and the small changes, against a registry
//! that is a script.

use prowess_testkit::web::{Answer, Web, WebRequest};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran};

/// The token of every test; it must never be seen.
pub(crate) const TOKEN: &str = "clh_hunter2_open_sesame";

/// The path of a request below the registry, without its query.
pub(crate) fn route(request: &WebRequest) -> String {
    let path = request.path.split('?').next().unwrap_or_default();
    format!("{} {}", request.method, path.strip_prefix("/api/v1/").unwrap_or(path))
}

pub(crate) fn json_answer(value: &Value) -> Answer {
    Answer::ok(value.to_string()).header("content-type", "application/json")
}

/// A registry with one skill, `@ann/weather`. What `own` answers goes first.
pub(crate) fn registry(own: impl Fn(&WebRequest) -> Option<Answer> + Send + Sync + 'static) -> Web {
    Web::start(move |request| own(request).unwrap_or_else(|| usual(request)))
}

fn usual(request: &WebRequest) -> Answer {
    let version = json!({ "version": "1.2.0", "createdAt": 1_767_225_600_000_i64, "changelog": "Knows\nsnow", "license": "MIT-0" });
    let skill = json!({
        "slug": "weather", "displayName": "Weather", "summary": "Tells the\n\u{1b}[31mweather", "tags": { "latest": "1.2.0", "old": "1.0.0" },
        "stats": { "downloads": 1234, "stars": 5 }, "createdAt": 1, "updatedAt": 1_767_225_600_000_i64,
    });
    let file =
        json!({ "path": "SKILL.md", "size": 9, "sha256": "ab".repeat(32), "contentType": "text/markdown" });
    json_answer(&match route(request).as_str() {
        "GET search" if request.path.contains("nowhere") => json!({ "results": [] }),
        "GET search" => json!({ "results": [
            { "score": 2.5, "slug": "weather", "displayName": "Weather", "summary": "Tells the\nweather \u{1b}]0;x\u{7}",
              "version": "1.2.0", "downloads": 1234, "ownerHandle": "ann" },
            { "score": 1.0, "slug": "rain", "owner": { "handle": "bob" } },
            { "score": 0.5 },
        ] }),
        "GET skills" => json!({ "items": [skill], "nextCursor": "next-page" }),
        "GET skills/weather" => json!({
            "skill": skill, "latestVersion": version, "owner": { "handle": "ann" },
            "metadata": { "setup": [{ "key": "WEATHER_KEY", "required": true }], "os": ["linux"] },
        }),
        "GET skills/weather/versions" => json!({ "items": [version], "nextCursor": null }),
        "GET skills/weather/versions/1.2.0" | "GET skills/weather/versions/1.0.0" => {
            let mut version = version;
            version["files"] = json!([file]);
            json!({ "version": version, "skill": { "slug": "weather", "displayName": "Weather" } })
        }
        "GET skills/weather/file" => return Answer::ok("# Weather\n"),
        "GET skills/weather/moderation" => json!({ "moderation": null }),
        "GET whoami" => match request.header("authorization") {
            Some(bearer) if bearer == format!("Bearer {TOKEN}") => {
                json!({ "user": { "handle": "ann", "displayName": "Ann" } })
            }
            _ => return Answer::status(401, "Unauthorized"),
        },
        "POST stars/weather" => json!({ "ok": true, "starred": true, "alreadyStarred": false }),
        "DELETE stars/weather" => json!({ "ok": true, "unstarred": true, "alreadyUnstarred": true }),
        "DELETE skills/weather" => json!({ "ok": true, "slugReservedUntil": 1_767_225_600_000_i64 }),
        route if route.starts_with("POST skills/weather/") || route.starts_with("DELETE skills/weather/") => {
            json!({ "ok": true })
        }
        _ => return Answer::status(404, "Skill not found"),
    })
}

/// Runs a command against a registry, with the token or without; its address is shown as `[REGISTRY]`.
pub(crate) fn ask(home: &Home, web: &Web, token: bool, args: &[&str]) -> Ran {
    let mut command = home.command();
    command.env("PROWESS_REGISTRY", web.url(""));
    if token {
        command.env("PROWESS_REGISTRY_TOKEN", TOKEN);
    }
    let ran = home.finish(command.args(args));
    cleaned(ran, web)
}

/// Nothing that a command prints may hold the token.
pub(crate) fn cleaned(ran: Ran, web: &Web) -> Ran {
    assert!(!ran.stdout.contains("hunter2") && !ran.stderr.contains("hunter2"), "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
    let shown = |text: String| text.replace(&web.url(""), "[REGISTRY]");
    Ran { code: ran.code, stdout: shown(ran.stdout), stderr: shown(ran.stderr) }
}

/// A command that works, without the token.
fn good(home: &Home, web: &Web, args: &[&str]) -> String {
    let ran = ask(home, web, false, args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}\n{}", ran.stdout);
    ran.stdout
}

#[test]
fn a_search_is_a_table_with_what_is_installed_marked() {
    let (home, web) = (Home::new(), registry(|_| None));
    insta::assert_snapshot!(good(&home, &web, &["search", "will", "it rain?"]), @"
    Slug     Version  Owner  Name     Downloads  Summary
    weather  1.2.0    @ann   Weather  1234       Tells the weather
    rain     -        @bob
    next: prowess registry inspect SLUG, prowess install SLUG
    ");
    assert_eq!(web.requests()[0].path, "/api/v1/search?q=will%20it%20rain%3F&limit=25");
    home.tree.write(
        "ws/.clawhub/lock.json",
        json!({ "version": 1, "skills": {
            "weather": { "version": "1.1.0", "installedAt": 1 },
            "@eve/rain": { "version": "9.0.0", "installedAt": 1 },
        } })
        .to_string(),
    );
    let text = good(&home, &web, &["search", "rain", "--limit", "3", "--exact"]);
    assert!(text.contains("weather ✓ installed 1.1.0") && !text.contains("rain ✓"), "{text}");
    assert_eq!(web.requests()[1].path, "/api/v1/search?q=rain&limit=3&mode=exact");
    let answer: Value = serde_json::from_str(&good(&home, &web, &["search", "rain", "--json"])).unwrap();
    assert_eq!((&answer["registry"], &answer["query"]), (&json!("[REGISTRY]"), &json!("rain")));
    assert_eq!(answer["results"][0]["installed"]["version"], json!("1.1.0"));
    assert_eq!(answer["results"][1]["installed"], Value::Null);
}

#[test]
fn a_search_that_finds_nothing_says_what_to_try() {
    let (home, web) = (Home::new(), registry(|_| None));
    insta::assert_snapshot!(good(&home, &web, &["search", "nowhere"]), @r#"
    Nothing found for "nowhere".
    Try fewer or more general words, or look around: prowess registry explore --sort downloads
    "#);
    insta::assert_snapshot!(good(&home, &web, &["search", "nowhere", "--exact"]), @r#"
    Nothing found for "nowhere".
    Leave out `--exact` to find skills with other names.
    "#);
    let ran = ask(&home, &web, false, &["search", " "]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ask(&home, &web, false, &["search"]).code, 2);
    assert_eq!(ask(&home, &web, false, &["search", "x", "--limit", "0"]).code, 2);
}

#[test]
fn all_skills_page_by_page() {
    let (home, web) = (Home::new(), registry(|_| None));
    insta::assert_snapshot!(good(&home, &web, &["registry", "explore"]), @"
    Slug     Version  Name     Downloads  Stars  Summary
    weather  1.2.0    Weather  1234       5      Tells the weather
    More: --cursor next-page
    ");
    good(&home, &web, &["registry", "explore", "--sort", "updated", "--limit", "7", "--cursor", "a b"]);
    let paths: Vec<String> = web.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/api/v1/skills?limit=25&sort=createdAt", "/api/v1/skills?limit=7&cursor=a%20b"]);
    let page: Value = serde_json::from_str(&good(&home, &web, &["registry", "explore", "--json"])).unwrap();
    assert_eq!((&page["nextCursor"], &page["items"][0]["slug"]), (&json!("next-page"), &json!("weather")));
}

#[test]
fn a_skill_is_shown_before_it_is_installed() {
    let (home, web) = (Home::new(), registry(|_| None));
    insta::assert_snapshot!(good(&home, &web, &["registry", "inspect", "weather"]), @"
    Weather @ann/weather
    Tells the weather
      latest: 1.2.0 (2026-01-01)
      licence: MIT-0
      tags: latest 1.2.0, old 1.0.0
      downloads: 1234
      stars: 5
      updated: 2026-01-01
      needs: WEATHER_KEY
      systems: linux
    ");
    insta::assert_snapshot!(
        good(&home, &web, &["registry", "inspect", "@ann/weather", "--versions", "--files", "--tag", "old"]), @"
        Weather @ann/weather
        Tells the weather
          latest: 1.2.0 (2026-01-01)
          licence: MIT-0
          tags: latest 1.2.0, old 1.0.0
          downloads: 1234
          stars: 5
          updated: 2026-01-01
          needs: WEATHER_KEY
          systems: linux
        1.2.0 Knows snow
        File      Bytes  SHA-256
        SKILL.md  9      abababababababababababababababababababababababababababababababab
        1.2.0 2026-01-01 Knows snow
        ");
    let paths: Vec<String> = web.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths[2], "/api/v1/skills/weather/versions/1.0.0?ownerHandle=ann");
    assert_eq!(good(&home, &web, &["registry", "inspect", "weather", "--file", "SKILL.md"]), "# Weather\n");
    let last = web.requests().pop().unwrap().path;
    assert_eq!(last, "/api/v1/skills/weather/file?path=SKILL.md");
    let answer = good(&home, &web, &["registry", "inspect", "weather@1.2.0", "--json", "--versions"]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["version"]["files"][0]["path"], json!("SKILL.md"));
    assert_eq!(answer["versions"]["items"][0]["version"], json!("1.2.0"));
    let ran = ask(&home, &web, false, &["registry", "inspect", "weather", "--tag", "beta"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `weather` has no version `beta`
    help: `prowess registry inspect weather --versions` lists them
    ");
    let ran = ask(&home, &web, false, &["registry", "inspect", "weather", "--version", "7.0.0"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = ask(&home, &web, false, &["registry", "inspect", "owner/repo"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error[usage]: `owner/repo` is not a skill of a registry
    help: write `slug` or `@owner/slug`
    ");
}

#[test]
fn what_the_registry_thinks_decides_the_exit_code() {
    let moderation = json!({ "moderation": {
        "isSuspicious": true, "isMalwareBlocked": false, "verdict": "suspicious", "reasonCodes": ["curl_pipe"],
        "summary": "Pipes a\ndownload into a shell",
        "evidence": [{ "code": "curl_pipe", "severity": "warn", "file": "SKILL.md", "line": 7,
                       "message": "a download runs", "evidence": "curl x | sh" }],
    } });
    let web = registry(move |request| match route(request).as_str() {
        "GET skills/weather/moderation" => Some(json_answer(&moderation)),
        "GET skills/weather" => Some(json_answer(&json!({
            "skill": { "slug": "weather", "displayName": "Weather", "tags": {}, "stats": {}, "createdAt": 1, "updatedAt": 1 },
            "latestVersion": null, "owner": null,
            "moderation": { "isSuspicious": true, "isMalwareBlocked": true, "summary": "steals keys" },
        }))),
        _ => None,
    });
    let home = Home::new();
    let ran = ask(&home, &web, false, &["registry", "moderation", "weather"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @"
    △ suspicious (curl_pipe): Pipes a download into a shell
    warn curl_pipe SKILL.md:7
      curl x | sh
      a download runs
    ");
    let ran = ask(&home, &web, false, &["registry", "inspect", "weather"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    Weather weather
      updated: 1970-01-01
      ✗ blocked as malware: steals keys
    ");
    let quiet = registry(|_| None);
    let text = good(&home, &quiet, &["registry", "moderation", "weather"]);
    assert_eq!(text, "The registry has no moderation notes on `weather`.\n");
}

#[test]
fn a_refused_inspection_asks_the_moderators_for_whoever_is_logged_in() {
    let web = registry(|request| match route(request).as_str() {
        "GET skills/weather" => Some(Answer::status(410, "Removed by a moderator")),
        "GET skills/weather/moderation" => Some(json_answer(&json!({ "moderation": {
            "isSuspicious": true, "isMalwareBlocked": true, "summary": "It stole keys" } }))),
        _ => None,
    });
    let home = Home::new();
    let ran = ask(&home, &web, false, &["registry", "inspect", "weather"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: it is gone: Removed by a moderator
    help: `prowess registry moderation SKILL` shows the moderation status
    ");
    assert_eq!(web.requests().len(), 1);
    let ran = ask(&home, &web, true, &["registry", "inspect", "weather"]);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: it is gone: Removed by a moderator
    help: the moderators say: It stole keys
    ");
}

#[test]
fn small_changes_are_made_after_consent() {
    let (home, web) = (Home::new(), registry(|_| None));
    let done = |args: &[&str]| {
        let ran = ask(&home, &web, true, args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        ran.stdout
    };
    assert_eq!(done(&["registry", "star", "@ann/weather"]), "Starred `@ann/weather`.\n");
    assert_eq!(done(&["registry", "unstar", "weather"]), "Not starred: `weather`.\n");
    assert_eq!(
        done(&["registry", "delete", "weather", "--yes"]),
        "Deleted `weather` with all its versions. The slug is reserved for you until 2026-01-01.\n"
    );
    assert_eq!(
        done(&["registry", "delete", "@ann/weather", "--version", "1.0.0", "-y"]),
        "Deleted version 1.0.0 of `@ann/weather`.\n"
    );
    assert_eq!(done(&["registry", "undelete", "weather", "--yes"]), "Restored `weather`.\n");
    assert_eq!(
        done(&["registry", "rename", "weather", "forecast", "--yes"]),
        "Renamed `weather` to `forecast`.\n"
    );
    assert_eq!(
        done(&["registry", "tag", "weather", "beta", "1.1.0", "--yes"]),
        "Moved tag `beta` of `weather` to version 1.1.0.\n"
    );
    assert_eq!(
        done(&["registry", "report", "weather@1.2.0", "it phones home"]),
        "Reported `weather@1.2.0`. Thank you.\n"
    );
    let asked: Vec<String> =
        web.requests().iter().map(|request| format!("{} {}", request.method, request.path)).collect();
    assert_eq!(
        asked,
        [
            "POST /api/v1/stars/weather?ownerHandle=ann",
            "DELETE /api/v1/stars/weather",
            "DELETE /api/v1/skills/weather",
            "DELETE /api/v1/skills/weather/versions/1.0.0?ownerHandle=ann",
            "POST /api/v1/skills/weather/undelete",
            "POST /api/v1/skills/weather/rename",
            "POST /api/v1/skills/weather/tags/beta",
            "POST /api/v1/skills/weather/report",
        ]
    );
    let bodies: Vec<String> = web.requests()[5..]
        .iter()
        .map(|request| String::from_utf8_lossy(&request.body).into_owned())
        .collect();
    assert_eq!(
        bodies,
        [
            r#"{"newSlug":"forecast"}"#,
            r#"{"version":"1.1.0"}"#,
            r#"{"reason":"it phones home","version":"1.2.0"}"#,
        ]
    );
    let bearer = format!("Bearer {TOKEN}");
    assert!(web.requests().iter().all(|request| request.header("authorization") == Some(bearer.as_str())));
    let answer: Value = serde_json::from_str(&done(&["registry", "star", "weather", "--json"])).unwrap();
    assert_eq!(answer, json!({ "ok": true, "starred": true, "alreadyStarred": false }));
}

#[test]
fn nothing_is_changed_without_a_login_or_consent() {
    let (home, web) = (Home::new(), registry(|_| None));
    let ran = ask(&home, &web, false, &["registry", "star", "weather"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-logged-in]: you are not logged in to [REGISTRY]
    help: `prowess registry login`, or set `PROWESS_REGISTRY_TOKEN`
    ");
    for change in [
        &["registry", "delete", "weather"][..],
        &["registry", "undelete", "weather"],
        &["registry", "rename", "weather", "forecast"],
        &["registry", "tag", "weather", "beta", "1.0.0"],
    ] {
        let ran = ask(&home, &web, true, change);
        assert_eq!(ran.code, 2, "{change:?}");
        assert_eq!(
            ran.stderr,
            "error[usage]: this change requires confirmation, and there is no terminal\nhelp: add `--yes` to confirm; nothing was changed\n"
        );
    }
    for wrong in [
        &["registry", "delete", "weather", "--version", "latest", "--yes"][..],
        &["registry", "rename", "weather", "Not A Slug", "--yes"],
        &["registry", "rename", "weather", "admin", "--yes"],
        &["registry", "tag", "weather", "a/b", "1.0.0", "--yes"],
        &["registry", "tag", "weather", "beta", "newest", "--yes"],
        &["registry", "report", "weather", " "],
    ] {
        assert_eq!(ask(&home, &web, true, wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(web.requests(), []);
}
