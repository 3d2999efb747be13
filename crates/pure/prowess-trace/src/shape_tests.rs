use proptest::prelude::*;
use serde_json::json;

use super::*;

fn mask(text: &str) -> String {
    mask_text(text).0
}

#[test]
fn keys_are_masked_wherever_they_stand() {
    // Put together here, so that no scanner takes this file for a leak.
    let body = "abcDEF0123456789abcDEF0123456789abcd";
    for prefix in [
        "sk-",
        "sk-ant-",
        "sk-proj-",
        "ghp_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "AKIA",
        "AIza",
        "hf_",
        "npm_",
    ] {
        let secret = format!("{prefix}{body}");
        for text in [
            secret.clone(),
            format!("key={secret}"),
            format!("use \"{secret}\", please"),
            format!("(\n{secret})"),
        ] {
            let shown = mask(&text);
            assert!(!shown.contains(body), "{text} became {shown}");
            assert!(shown.contains('…'), "{text}");
        }
    }
}

#[test]
fn other_shapes_are_masked() {
    let jwt = format!(
        "ey{}.ey{}.{}",
        "JhbGciOiJIUzI1NiJ9", "JzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
    );
    let cases = [
        (format!("token {jwt} end"), "token eyJh… end"),
        (format!("bot 123456789:{} end", "A".repeat(35)), "bot 1234… end"),
        ("Authorization: Bearer abcdef123456".into(), "Authorization: Bearer abcd…"),
        ("curl -H 'x-api-key: abcdef123456' u".into(), "curl -H 'x-api-key: abcd…' u"),
        ("export MY_TOKEN=abcdef123456 && x".into(), "export MY_TOKEN=abcd… && x"),
        (r#"{"password": "hunter2hunter2"}"#.into(), r#"{"password": "hunt…"}"#),
        (r#"{\"apiKey\":\"abcdef123456\"}"#.into(), r#"{\"apiKey\":\"abcd…\"}"#),
        ("git clone https://me:s3cretpw@host/x".into(), "git clone https://me:s3cr…@host/x"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb".into(), "a\n----…\nb"),
        ("-----BEGIN PRIVATE KEY-----\ncut off".into(), "----…"),
    ];
    for (text, expected) in cases {
        assert_eq!(mask(&text), expected);
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "",
        "sk-learn-contrib-packages are fine",
        "max_tokens=40961234",
        "the token is secret",
        "export MY_TOKEN=$OTHER_TOKEN_12345678",
        "token: <your-token-here-1234>",
        "password: ",
        "https://host:8080/path@2",
        "https://user@host/x",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "eyJust text",
        "task-ghp_x",
        "12:34:56 basic facts 2024",
        "AKIAshort",
        "日本語 sk-",
    ] {
        assert_eq!(mask_text(text), (text.to_owned(), 0));
    }
}

#[test]
fn values_are_masked_by_name_and_by_shape() {
    let mut value = json!({
        "apiKey": "plain words only",
        "headers": [{ "Authorization": "Basic dXNlcjpwYXNz" }],
        "input_tokens": 5,
        "text": "MY_SECRET=abcdef123456",
        "token": "short",
    });
    assert_eq!(mask_value(&mut value), 3);
    assert_eq!(
        value,
        json!({
            "apiKey": "plai…",
            "headers": [{ "Authorization": "Basi…" }],
            "input_tokens": 5,
            "text": "MY_SECRET=abcd…",
            "token": "short",
        })
    );
    assert_eq!(mask_value(&mut value), 0);
}

#[test]
fn a_text_of_nothing_but_beginnings_is_read_in_one_go() {
    for start in ["sk-", "eyJ-", "token=", "//a:", "-----BEGIN ", "12345678:", "Bearer ", "\\\"", "a."] {
        let text = start.repeat(50_000);
        assert_eq!(mask_text(&text).0.len(), text.len(), "{start}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_masked_and_stays_masked(text in "(?s).{0,80}|[-:/@. =a-zA-Z0-9_\"]{0,80}|(Bearer |token=|sk-|//a:)[a-z0-9@:/.-]{0,60}") {
        let (once, count) = mask_text(&text);
        prop_assert_eq!(count > 0, once != text);
        let (twice, again) = mask_text(&once);
        prop_assert_eq!((twice, again), (once, 0));
    }

    #[test]
    fn a_planted_key_never_survives(before in "[^a-zA-Z0-9_]{0,10}", body in "[A-Za-z]{10}[0-9]{10}", after in "[^a-zA-Z0-9_.-]{0,10}") {
        let text = format!("{before}ghp_{body}{after}");
        prop_assert!(!mask(&text).contains(&body), "{}", text);
    }
}
