//! Servers that break, lie and babble.

use prowess_net::NetError;
use prowess_registry::{RegistryClient, RegistryError, SkillId};
use prowess_testkit::web::{Answer, Web};
use serde_json::json;

use crate::support::http;

const WEATHER: SkillId<'static> = SkillId { slug: "weather", owner: None };

fn inspect(answer: Answer) -> RegistryError {
    let server = Web::start(move |_| answer.clone());
    let http = http();
    RegistryClient::new(&http, &server.url(""), None).inspect(WEATHER).unwrap_err()
}

#[test]
fn half_an_answer_is_none() {
    let half = Answer::ok("{\"skill\":").claiming(500);
    assert!(matches!(inspect(half), RegistryError::Http(NetError::Truncated { .. })));
}

#[test]
fn a_server_that_is_not_there() {
    let http = http();
    let client = RegistryClient::new(&http, "http://127.0.0.1:1", None);
    let error = client.whoami().unwrap_err();
    assert!(error.to_string().contains("127.0.0.1:1"), "{error}");
}

#[test]
fn answers_of_another_shape() {
    for body in ["", "null", "[]", "<html>", "{}", "{\"skill\":null,\"latestVersion\":null}", "\u{feff}{}"] {
        let error = inspect(Answer::ok(body));
        assert!(matches!(error, RegistryError::Answer { .. }), "{body}: {error}");
    }
    let bad = json!({ "skill": { "slug": 5 }, "latestVersion": null, "owner": null });
    assert!(matches!(inspect(Answer::json(&bad)), RegistryError::Answer { .. }));
}

#[test]
fn a_web_page_is_not_shown_as_words() {
    let page =
        Answer::status(502, "<html><script>x</script>").header("content-type", "text/html; charset=utf-8");
    let error = inspect(page).to_string();
    assert!(error.contains("502") && !error.contains("script"), "{error}");
}

#[test]
fn words_are_bounded_and_harmless() {
    let words = format!("\u{1b}[31mred\u{7}{}", "x".repeat(10_000));
    let error = inspect(Answer::status(400, words)).to_string();
    assert!(error.len() < 2500 && !error.contains('\u{1b}') && !error.contains('\u{7}'), "{}", error.len());
}

#[test]
fn a_file_that_is_too_large() {
    let server = Web::start(|_| Answer::ok(vec![b'x'; 10 * 1024 * 1024 + 1]));
    let http = http();
    let client = RegistryClient::new(&http, &server.url(""), None);
    let error = client.file(WEATHER, "a", None).unwrap_err();
    assert!(matches!(error, RegistryError::Http(NetError::TooLarge { .. })), "{error}");
}
