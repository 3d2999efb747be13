//! Changes that loosen the sandbox or the tool policy need a person; one-time codes make a browser one.

use std::path::PathBuf;

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::{Value, json};

use crate::client::{Client, Device, LOCAL_PAGE, REMOTE};
use crate::learn_support::configure;
use crate::support::{GatewayHome as _, Home, Running, TOKEN, http};

const ATTACK: &str = "{run: {landlock: 'off'}, tools: {exec: {policy: 'allow'}}}";

async fn hash(gateway: &Running) -> Value {
    gateway.call("config.get", json!({})).await.1["hash"].clone()
}

fn config(home: &Home) -> String {
    std::fs::read_to_string(home.engine().places().config_file.clone()).unwrap_or_default()
}

fn code(answer: &Value) -> &Value {
    &answer["error"]["details"]["code"]
}

/// A one-time code and its page, as the terminal gets them.
async fn code_of(home: &Home, gateway: &Running) -> (String, PathBuf) {
    let proof = home.engine().terminal_proof().unwrap();
    let params = json!({ "proof": proof.proof.expose(), "page": true });
    let (status, answer) = gateway.call("device.code.create", params).await;
    assert_eq!(status, 200, "{answer}");
    let url = answer["url"].as_str().unwrap();
    let start = format!("http://{}/#code=", gateway.address);
    let code = url.strip_prefix(&start).unwrap_or_else(|| panic!("{url}"));
    (code.to_owned(), answer["page"].as_str().unwrap().into())
}

/// `connect` as the Studio.
async fn studio(gateway: &Running, device: &Device, auth: Value) -> (Client, Value) {
    let mut client = Client::open(gateway, LOCAL_PAGE).await;
    let wishes = json!({ "client": { "id": "prowess-studio" }, "auth": auth });
    let answer = client.connect_device(device, "", wishes).await;
    (client, answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_alone_cannot_loosen_anything() {
    let server = ChatServer::start(vec![
        Turn::call("exec", json!({ "command": "touch made.txt" })),
        Turn::say("Done."),
    ]);
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    let before = config(&home);
    let base = hash(&gateway).await;
    let attack = json!({ "raw": ATTACK, "baseHash": base });
    let (status, held) = gateway.call("config.patch", attack.clone()).await;
    assert_eq!((status, code(&held)), (403, &json!("needs-confirmation")), "{held}");
    let changes = &held["error"]["details"]["changes"];
    assert_eq!(changes[0], json!({ "key": "run.landlock", "old": null, "new": "off" }));
    assert_eq!(changes[1], json!({ "key": "tools.exec.policy", "old": null, "new": "allow" }));
    let id = held["error"]["details"]["confirmationId"].clone();
    let (_, again) = gateway.call("config.patch", attack).await;
    assert_eq!(again["error"]["details"]["confirmationId"], id, "the same change is held once");

    // What holds the token cannot confirm: not over HTTP, not as a program, not as a Studio that it pairs itself.
    let confirm = json!({ "id": id, "decision": "confirm" });
    let (status, refused) = gateway.call("confirmation.resolve", confirm.clone()).await;
    assert_eq!((status, code(&refused)), (403, &json!("not-a-person")));
    let forged = json!({ "id": id, "decision": "confirm", "proof": "0".repeat(64) });
    assert_eq!(code(&gateway.call("confirmation.resolve", forged).await.1), "not-a-person");
    assert_eq!(code(&gateway.call("device.code.create", json!({})).await.1), "not-a-person");
    let mut program = Client::program(&gateway).await;
    assert_eq!(code(&program.call("confirmation.resolve", confirm.clone()).await), "not-a-person");
    let (mut page, hello) = studio(&gateway, &Device::new(9), json!({ "token": TOKEN })).await;
    assert_eq!(hello["ok"], true, "{hello}");
    assert_eq!(code(&page.call("confirmation.resolve", confirm).await), "not-a-person");
    assert_eq!(page.get("confirmation.list", json!({})).await["canConfirm"], false);
    assert_eq!(config(&home), before);

    // A run still asks, and nothing is made meanwhile.
    let run = gateway.good("runs.start", json!({ "message": "make a file" })).await;
    let is_asked = |answer: &Value| answer["approvals"][0]["id"].is_string();
    let waiting = gateway.until("exec.approval.list", json!({}), is_asked).await;
    assert_eq!(waiting["approvals"][0]["request"]["runId"], run["runId"]);
    assert!(!home.workspace().join("made.txt").exists());
    let engine = home.engine();
    assert_eq!(engine.config().run().landlock, prowess_config::SandboxMode::Auto);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_write_settings_is_held_and_tightening_is_not() {
    let home = Home::new();
    home.write(".prowess/prowess.json", "{agents: {entries: {main: {name: 'Main'}}}}");
    let gateway = home.start().await;
    let before = config(&home);
    let base = hash(&gateway).await;
    for (method, params, key) in [
        ("config.set", json!({ "raw": "{gateway: {bind: 'lan'}}", "baseHash": base }), "gateway.bind"),
        (
            "config.apply",
            json!({ "raw": "{security: {trust: 'always'}}", "baseHash": base }),
            "security.trust",
        ),
        (
            "config.patch",
            json!({ "raw": "{tools: {x: {type: 'command', command: ['sh']}}}", "baseHash": base }),
            "tools.x.type",
        ),
        (
            "agents.update",
            json!({ "agentId": "main", "workspace": home.path() }),
            "agents.entries.main.workspace",
        ),
        ("agents.create", json!({ "name": "Owl", "workspace": home.path() }), "agents.entries.owl.workspace"),
        (
            "skills.update",
            json!({ "skillKey": "a", "env": { "LEAK": "${ANTHROPIC_API_KEY}" } }),
            "skills.entries.a.env.LEAK",
        ),
        (
            "exec.approvals.set",
            json!({ "file": { "version": 1, "defaults": { "security": "full", "ask": "off" } } }),
            "exec-approvals.defaults.security",
        ),
    ] {
        let (status, answer) = gateway.call(method, params.clone()).await;
        assert_eq!((status, code(&answer)), (403, &json!("needs-confirmation")), "{method}: {answer}");
        assert_eq!(answer["error"]["details"]["changes"][0]["key"], key, "{method}: {answer}");
        let mut program = Client::program(&gateway).await;
        assert_eq!(code(&program.call(method, params).await), "needs-confirmation", "{method}");
    }
    assert_eq!(config(&home), before);
    let (_, listed) = gateway.call("confirmation.list", json!({})).await;
    // The same change over HTTP and over a socket comes from two clients.
    assert_eq!(listed["changes"].as_array().unwrap().len(), 14, "{listed}");

    for (method, raw) in [
        ("config.patch", "{run: {landlock: 'require'}, tools: {exec: {policy: 'deny'}}}"),
        ("config.patch", "{agents: {entries: {main: {skills: []}}}, ui: {prefs: {x: 1}}}"),
    ] {
        let base = hash(&gateway).await;
        let (status, answer) = gateway.call(method, json!({ "raw": raw, "baseHash": base })).await;
        assert_eq!(status, 200, "{answer}");
    }
    let create = json!({ "name": "Own", "workspace": home.path().join(".prowess/workspace-own") });
    assert_eq!(gateway.call("agents.create", create).await.0, 200, "the folder that it would get anyway");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_confirms_once_exactly_what_was_shown() {
    let home = Home::new();
    home.write(".prowess/prowess.json", "{// mine\n}");
    let gateway = home.start().await;
    let mut program = Client::program(&gateway).await;
    let base = hash(&gateway).await;
    let (_, held) = gateway.call("config.patch", json!({ "raw": ATTACK, "baseHash": base })).await;
    let requested = program.event("confirmation.requested").await;
    let id = held["error"]["details"]["confirmationId"].clone();
    assert_eq!((&requested["payload"]["id"], &requested["payload"]["method"]), (&id, &json!("config.patch")));
    let proof = home.engine().terminal_proof().unwrap();
    let confirm = json!({ "id": id, "decision": "confirm", "proof": proof.proof.expose() });
    let (status, answer) = gateway.call("confirmation.resolve", confirm.clone()).await;
    assert_eq!((status, &answer["result"]["config"]["run"]["landlock"]), (200, &json!("off")), "{answer}");
    assert!(config(&home).contains("// mine"));
    assert_eq!(program.event("confirmation.resolved").await["payload"]["decision"], "confirm");
    assert_eq!(
        code(&gateway.call("confirmation.resolve", confirm).await.1),
        "not-a-person",
        "a proof is used up"
    );

    // What changed meanwhile is not overwritten, and what was rejected is gone.
    let base = hash(&gateway).await;
    let (_, held) =
        gateway.call("config.patch", json!({ "raw": "{gateway: {bind: 'lan'}}", "baseHash": base })).await;
    let id = held["error"]["details"]["confirmationId"].clone();
    home.write(".prowess/prowess.json", "{ui: {prefs: {x: 2}}}");
    let proof = home.engine().terminal_proof().unwrap();
    let confirm = json!({ "id": id, "decision": "confirm", "proof": proof.proof.expose() });
    let (_, answer) = gateway.call("confirmation.resolve", confirm).await;
    assert!(answer["error"]["message"].as_str().unwrap().starts_with("config changed since"), "{answer}");
    let base = hash(&gateway).await;
    let (_, held) =
        gateway.call("config.patch", json!({ "raw": "{gateway: {bind: 'lan'}}", "baseHash": base })).await;
    let id = held["error"]["details"]["confirmationId"].clone();
    let reject = json!({ "id": id, "decision": "reject" });
    assert_eq!(gateway.call("confirmation.resolve", reject.clone()).await.0, 200);
    assert_eq!(gateway.call("confirmation.resolve", reject).await.0, 400);
    assert!(!config(&home).contains("lan"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_studio_that_came_with_a_code_is_a_person_and_its_bare_token_is_not() {
    let home = Home::new();
    let gateway = home.start().await;
    let device = Device::new(7);
    let (one_time, file) = code_of(&home, &gateway).await;
    assert!(std::fs::read_to_string(&file).unwrap().contains(&one_time));
    let (mut page, hello) = studio(&gateway, &device, json!({ "bootstrapToken": one_time })).await;
    assert_eq!(hello["ok"], true, "{hello}");
    assert!(!file.exists(), "the page goes with its code");
    let own = hello["payload"]["auth"]["deviceToken"].as_str().unwrap().to_owned();
    let held = page.call("config.patch", json!({ "raw": ATTACK })).await;
    assert_eq!(code(&held), "needs-confirmation", "the change is shown before it is made");
    let confirm = json!({ "id": held["error"]["details"]["confirmationId"], "decision": "confirm" });
    // Over HTTP nothing proves the key of the device.
    let url = format!("http://{}/api/v1/confirmation.resolve", gateway.address);
    let bare = http().post(url).bearer_auth(&own).json(&confirm).send().await.unwrap();
    assert_eq!(bare.status(), 403);
    assert_eq!(page.get("confirmation.resolve", confirm).await["result"]["ok"], true);
    assert!(config(&home).contains("landlock"));

    let (mut back, hello) = studio(&gateway, &device, json!({ "token": own })).await;
    assert_eq!(hello["ok"], true, "{hello}");
    assert_eq!(back.get("confirmation.list", json!({})).await["canConfirm"], true, "it stays approved");
    let whose = json!({ "deviceId": device.id, "role": "operator" });
    gateway.good("device.token.revoke", whose).await;
    let (mut again, hello) = studio(&gateway, &device, json!({ "token": TOKEN })).await;
    assert_eq!(hello["ok"], true, "{hello}");
    assert_eq!(again.get("confirmation.list", json!({})).await["canConfirm"], false, "until it is revoked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_good_once_here_and_for_the_studio_only() {
    let (home, other) = (Home::new(), Home::new());
    let (gateway, elsewhere) = (home.start().await, other.start().await);
    let (one_time, _) = code_of(&home, &gateway).await;
    let auth = json!({ "bootstrapToken": one_time });
    let (_, refused) = studio(&elsewhere, &Device::new(1), auth.clone()).await;
    assert_eq!(code(&refused), "CODE_EXPIRED", "another gateway");
    let wishes = json!({ "client": { "id": "prowess-studio" }, "auth": auth });
    let mut far = Client::open(&gateway, &[REMOTE, LOCAL_PAGE].concat()).await;
    assert_eq!(code(&far.connect_device(&Device::new(1), "", wishes.clone()).await), "CODE_NOT_ALLOWED");
    let mut page = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = page.connect_device(&Device::new(1), "", json!({ "auth": auth })).await;
    assert_eq!(code(&answer), "CODE_NOT_ALLOWED", "another client");
    let mut bare = Client::open(&gateway, LOCAL_PAGE).await;
    assert_eq!(code(&bare.connect(wishes.clone()).await), "DEVICE_IDENTITY_REQUIRED");
    let mut strange = Client::open(&gateway, &[("origin", "http://evil.example")]).await;
    let answer = strange.connect_device(&Device::new(1), "", wishes).await;
    assert_eq!(code(&answer), "CONTROL_UI_ORIGIN_NOT_ALLOWED");

    let (_, hello) = studio(&gateway, &Device::new(1), auth.clone()).await;
    assert_eq!(hello["ok"], true, "nothing of that used it up: {hello}");
    let (_, used) = studio(&gateway, &Device::new(1), auth).await;
    assert_eq!(code(&used), "CODE_EXPIRED");
    assert!(
        used["error"]["message"].as_str().unwrap().starts_with("This link has expired. Run `prowess up`")
    );
    // Guessing is counted like guessing a token.
    for _ in 0..9 {
        studio(&gateway, &Device::new(1), json!({ "bootstrapToken": "guess" })).await;
    }
    let (_, locked) = studio(&gateway, &Device::new(1), json!({ "bootstrapToken": "guess" })).await;
    assert_eq!(code(&locked), "AUTH_RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn fewer_scopes_change_nothing_and_see_nothing() {
    let home = Home::new();
    let gateway = home.start().await;
    for (scopes, patch, list) in [
        (json!(["operator.read", "operator.write"]), "MISSING_SCOPE", false),
        (json!(["operator.admin"]), "needs-confirmation", true),
    ] {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        let device = Device::new(if list { 2 } else { 3 });
        let hello = client.connect_device(&device, TOKEN, json!({ "scopes": scopes })).await;
        assert_eq!(hello["ok"], true, "{hello}");
        assert_eq!(code(&client.call("config.patch", json!({ "raw": ATTACK })).await), patch);
        assert_eq!(client.call("confirmation.list", json!({})).await["ok"], list);
    }
}
