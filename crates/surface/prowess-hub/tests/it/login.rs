//! Tokens and logins without one.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, holds};

#[test]
fn a_token_says_who_one_is_until_it_is_taken_back() {
    let server = Server::start();
    let (record, token) = server.desk().create("ada", Some("laptop")).unwrap();
    let whoami = |token: &str| server.send(Method::GET, "/api/v1/whoami", Some(token), None);
    assert_eq!(whoami(token.expose()).json()["user"]["handle"], "ada");
    assert!(server.desk().list().unwrap()[0].used_at.is_some());
    for bad in ["", "clh_", "clh_0000", &token.expose()[..60]] {
        assert_eq!(whoami(bad).refused(), (401, "Unauthorized".to_owned()), "{bad}");
    }
    assert!(server.desk().revoke(&record.id).unwrap());
    assert_eq!(whoami(token.expose()).refused().0, 401);
    // Reading needs no token, and a bad one does no harm.
    assert_eq!(server.send(Method::GET, "/api/v1/skills", Some("clh_0000"), None).status, 200);
    assert!(!holds(server.folder.path(), token.expose().as_bytes()));
}

#[test]
fn a_device_is_let_in_by_the_operator() {
    let server = Server::start();
    let ask = |path: &str, body: Value| server.send(Method::POST, path, None, Some(body));
    let code = ask("/api/cli/device/code", json!({ "scope": "read write", "label": "box" })).json();
    assert_eq!(code["verification_uri"], json!(format!("{}/device", server.base)));
    assert!(server.get("/device").text().contains("prowess registry token approve"));
    let poll = || {
        let body = json!({
            "device_code": code["device_code"],
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        });
        let reply = ask("/api/cli/device/token", body);
        (reply.status, serde_json::from_slice::<Value>(&reply.body).unwrap())
    };
    assert_eq!(poll(), (400, json!({ "error": "authorization_pending" })));
    let user_code = code["user_code"].as_str().unwrap();
    assert!(server.desk().approve(&user_code.to_lowercase(), "ada").unwrap());
    let (status, token) = poll();
    assert_eq!((status, &token["token_type"]), (200, &json!("Bearer")));
    let token = token["access_token"].as_str().unwrap();
    let whoami = server.send(Method::GET, "/api/v1/whoami", Some(token), None).json();
    assert_eq!(whoami["user"]["handle"], "ada");
    assert_eq!(poll(), (400, json!({ "error": "expired_token" })), "a token is given once");

    let code = ask("/api/cli/device/code", json!({})).json();
    server.pass(16 * 60 * 1000);
    assert!(!server.desk().approve(code["user_code"].as_str().unwrap(), "ada").unwrap());
}
