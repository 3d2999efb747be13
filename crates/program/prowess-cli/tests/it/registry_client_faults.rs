//! Registries that refuse, lie, stumble or lead elsewhere.

use prowess_testkit::web::{Answer, Fault, Web};
use serde_json::json;

use crate::registry_client::{TOKEN, ask, cleaned, registry, route};
use crate::support::{Home, Program as _, Ran};

/// What every command gets from a registry that answers everything the same way.
fn answered(answer: Answer, args: &[&str]) -> (Ran, usize) {
    let web = Web::start(move |_| answer.clone());
    let ran = ask(&Home::new(), &web, true, args);
    (ran, web.requests().len())
}

const COMMANDS: [&[&str]; 12] = [
    &["search", "rain"],
    &["registry", "explore"],
    &["registry", "inspect", "weather"],
    &["registry", "inspect", "weather", "--file", "SKILL.md"],
    &["registry", "moderation", "weather"],
    &["registry", "whoami"],
    &["registry", "star", "weather"],
    &["registry", "unstar", "weather"],
    &["registry", "delete", "weather", "--yes"],
    &["registry", "rename", "weather", "forecast", "--yes"],
    &["registry", "tag", "weather", "beta", "1.0.0", "--yes"],
    &["registry", "report", "weather", "bad"],
];

#[test]
fn every_refusal_ends_every_command_in_the_registrys_words() {
    for (status, code, words) in [
        (401, 3, "error[credentials]: the registry did not accept the login: Told so"),
        (403, 1, "error[refused]: the registry refuses: Told so"),
        (404, 1, "error[not-found]: Told so"),
        (409, 3, "error[registry]: the registry answers 409: Told so"),
        (410, 1, "error[refused]: it is gone: Told so"),
        (423, 1, "error[refused]: it is not available yet: Told so"),
        (400, 3, "error[registry]: the registry answers 400: Told so"),
    ] {
        for args in COMMANDS {
            let echo = format!("Told so, Bearer {TOKEN} \u{1b}[31m");
            let (ran, _) = answered(Answer::status(status, echo), args);
            assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{status} {args:?} {ran:?}");
            assert!(ran.stderr.starts_with(words), "{status} {args:?} {}", ran.stderr);
        }
    }
}

#[test]
fn a_slug_of_several_owners_is_a_choice() {
    let body = json!({ "code": "AMBIGUOUS_SKILL_SLUG", "message": "Several skills are called weather",
        "matches": [{ "ownerHandle": "ann", "slug": "weather", "ref": "@ann/weather", "url": "https://x" },
                    { "ownerHandle": "bob", "slug": "weather", "ref": "@bob/weather", "url": "https://y" }] });
    let (ran, _) = answered(Answer::status(409, body.to_string()), &["registry", "inspect", "weather"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[ambiguous]: Several skills are called weather: `@ann/weather`, `@bob/weather`
    help: name the owner too: `@ann/weather`
    ");
}

#[test]
fn a_registry_that_is_asked_too_often_says_when_to_come_back() {
    let answer =
        Answer::status(429, "Slow down").header("Retry-After", "3600").header("RateLimit-Limit", "3000");
    let (ran, requests) = answered(answer, &["search", "rain"]);
    assert_eq!((ran.code, requests), (3, 1));
    insta::assert_snapshot!(ran.stderr, @"
    error[registry]: the rate limit of the registry is reached, try again in 3600 s: Slow down
    help: try again later, or name another registry with `--registry`
    ");
}

#[test]
fn passing_trouble_is_asked_again_but_not_for_ever() {
    let (ran, requests) =
        answered(Answer::status(503, "busy").header("Retry-After", "0"), &["search", "rain"]);
    assert_eq!((ran.code, requests), (3, 3), "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @"
    error[registry]: the registry answers 503: busy
    help: try again later, or name another registry with `--registry`
    ");
    let (ran, requests) = answered(Answer::ok("{").with(Fault::HangUp), &["search", "rain"]);
    assert_eq!((ran.code, requests), (3, 3), "{ran:?}");
}

#[test]
fn answers_that_are_none() {
    let page = Answer::ok("<html>hello</html>").header("content-type", "text/html");
    let half = Answer::ok(r#"{"results":[{"slug":"weather"}]}"#);
    for answer in [page, half, Answer::ok("\u{0}\u{1}"), Answer::ok("null"), Answer::ok("[]"), Answer::ok("")]
    {
        let (ran, _) = answered(answer, &["search", "rain"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{ran:?}");
        assert!(ran.stderr.contains("did not answer like a registry"), "{}", ran.stderr);
        assert!(ran.stderr.contains("help: is this the address of a registry?"), "{}", ran.stderr);
    }
    let (ran, _) =
        answered(Answer::status(500, "<html>").header("content-type", "text/html"), &["registry", "explore"]);
    assert!(ran.code == 3 && !ran.stderr.contains("<html>"), "{ran:?}");
}

#[test]
fn huge_answers_are_not_swallowed() {
    for answer in
        [Answer::ok(vec![b' '; 11 << 20]), Answer::ok("x").claiming(1 << 40), Answer::gzip_bomb(64 << 20)]
    {
        let (ran, _) = answered(answer, &["search", "rain"]);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.stderr.contains("larger than 10485760 bytes"), "{}", ran.stderr);
    }
}

#[test]
fn json_answers_tell_errors_too() {
    let (ran, _) =
        answered(Answer::status(404, "Skill not found"), &["registry", "inspect", "weather", "--json"]);
    assert_eq!(ran.code, 1);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&answer["ok"], &answer["error"]["message"]), (&json!(false), &json!("Skill not found")));
}

#[test]
fn a_redirect_elsewhere_does_not_get_the_token() {
    let other = registry(|_| None);
    let target = other.url("/api/v1/search?q=rain");
    let web = Web::start(move |_| Answer::redirect(302, &target));
    let ran = ask(&Home::new(), &web, true, &["search", "rain"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(other.requests().iter().all(|request| !format!("{request:?}").contains("hunter2")));
    assert_eq!(other.requests().len(), 1);
    // What changes something is not sent on.
    let target = other.url("/api/v1/stars/weather");
    let web = Web::start(move |_| Answer::redirect(307, &target));
    let ran = ask(&Home::new(), &web, true, &["registry", "star", "weather"]);
    assert_eq!((ran.code, other.requests().len()), (3, 1), "{ran:?}");
}

#[test]
fn a_redirect_into_the_own_network_is_not_followed() {
    for target in [
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/x",
        "file:///etc/passwd",
        "http://0x7f.1/",
    ] {
        let (ran, _) = answered(Answer::redirect(302, target), &["search", "rain"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{target} {ran:?}");
        assert!(ran.stderr.contains("is refused"), "{target} {}", ran.stderr);
    }
}

#[test]
fn a_site_does_not_lead_into_the_own_network() {
    let home = Home::new();
    let site = registry(|request| {
        (route(request) == "GET /.well-known/clawhub.json")
            .then(|| Answer::ok(r#"{"apiBase":"http://10.255.255.1/"}"#))
    });
    let mut command = home.command();
    command.env("PROWESS_REGISTRY_TOKEN", TOKEN).args(["search", "rain", "--site", &site.url("")]);
    let ran = cleaned(home.finish(&mut command), &site);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[network]: `http://10.255.255.1/api/v1/search` is refused: it is not on the public internet
    help: is the address right? `--registry`, `PROWESS_REGISTRY` and `skills.registry` name another
    ");
}

#[test]
fn addresses_that_are_none() {
    let home = Home::new();
    for address in
        ["nonsense", "ftp://hub.example", "https://ann:hunter2@hub.example", "https://", "http://hub.example"]
    {
        let ran = home.run(&["search", "rain", "--registry", address]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{address} {ran:?}");
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
        assert!(ran.stderr.contains("help: is the address right?"), "{address} {}", ran.stderr);
    }
    let ran = home.run(&["search", "rain", "--registry", "http://127.0.0.1:9"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[network]: cannot reach `http://127.0.0.1:9/api/v1/search`: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111)
    help: is the address right? `--registry`, `PROWESS_REGISTRY` and `skills.registry` name another
    ");
}
