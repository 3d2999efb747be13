//! Who is let in, and who is not.

use serde_json::{Value, json};

use crate::client::{Client, Device, Ended, LOCAL_PAGE, REMOTE, now_ms};
use crate::support::{GatewayHome as _, Home, TOKEN, http};

/// A change to params.
type Change<'a> = &'a dyn Fn(&mut Value);

/// The code in the details of a refusal, and how the connection ended.
async fn refused(mut client: Client, answer: Value) -> (Value, Ended) {
    assert_eq!(answer["ok"], false, "{answer}");
    let ended = client.ended().await;
    assert!(ended.reason.len() <= 123);
    (answer["error"].clone(), ended)
}

#[tokio::test(flavor = "multi_thread")]
async fn claw3d_is_refused_without_a_token_in_the_recorded_words() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&Device::new(1), "", json!({})).await;
    let recorded: Value = serde_json::from_str(include_str!("fixtures/connect-token-missing.json")).unwrap();
    let (error, ended) = refused(client, answer).await;
    assert_eq!(error, recorded["error"]);
    assert_eq!(
        ended,
        Ended { code: 1008, reason: recorded["error"]["message"].as_str().unwrap().to_owned() }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn claw3d_is_greeted_as_it_was_recorded() {
    let home = Home::new();
    let agents =
        r#"{"agents":{"list":[{"id":"main","default":true,"name":"Main"},{"id":"helper","name":"Helper"}]}}"#;
    home.write(".prowess/prowess.json", agents);
    let gateway = home.start().await;
    let (_client, hello) = Client::browser(&gateway, &Device::new(1)).await;
    let recorded: Value = serde_json::from_str(include_str!("fixtures/hello-ok.json")).unwrap();
    for pointer in [
        "/type",
        "/protocol",
        "/auth/role",
        "/auth/scopes",
        "/snapshot/health/agents",
        "/snapshot/health/defaultAgentId",
        "/snapshot/sessionDefaults",
        "/snapshot/authMode",
        "/policy/maxPayload",
        "/policy/tickIntervalMs",
    ] {
        assert_eq!(hello.pointer(pointer), recorded.pointer(pointer), "{pointer}");
    }
    assert!(hello["auth"]["deviceToken"].as_str().unwrap().len() >= 32);
    assert!(hello["auth"]["issuedAtMs"].is_u64());
    assert!(hello["server"]["connId"].is_string() && hello["server"]["version"].is_string());
    assert_eq!(hello["policy"]["maxBufferedBytes"], 1 << 20);
    for list in ["/features/methods", "/features/events", "/snapshot/presence"] {
        assert!(!hello.pointer(list).unwrap().as_array().unwrap().is_empty(), "{list}");
    }
    assert!(hello["snapshot"]["stateVersion"]["presence"].is_u64());
    assert!(hello["snapshot"]["uptimeMs"].is_u64());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_a_socket_is_one() {
    let gateway = Home::new().start().await;
    for path in ["/", "/ws", "/api/gateway/ws"] {
        let mut client = Client::open_at(gateway.address, path, &[]).await;
        assert_eq!(client.connect(json!({ "auth": { "token": TOKEN } })).await["ok"], true);
    }
    let plain = http().get(format!("http://{}/ws", gateway.address)).send().await.unwrap();
    assert_eq!(plain.status(), 426);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_omit_what() {
    let gateway = Home::new().start().await;
    let token = json!({ "auth": { "token": TOKEN } });
    let page = |id: &str| json!({ "client": { "id": id, "mode": "webchat" }, "auth": { "token": TOKEN } });

    for device in [None, Some(Device::new(1))] {
        let mut client = Client::open(&gateway, &[]).await;
        let answer = match device {
            Some(device) => client.connect_device(&device, TOKEN, json!({})).await,
            None => client.connect(page("openclaw-control-ui")).await,
        };
        let (error, ended) = refused(client, answer).await;
        assert_eq!((&error["details"]["code"], ended.code), (&json!("CONTROL_UI_ORIGIN_NOT_ALLOWED"), 1008));
    }

    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect(page("openclaw-control-ui")).await;
    let (error, ended) = refused(client, answer).await;
    assert_eq!(
        (&error["details"]["code"], ended.code),
        (&json!("CONTROL_UI_DEVICE_IDENTITY_REQUIRED"), 1008)
    );

    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect(page("webchat-ui")).await;
    assert_eq!(answer["payload"]["auth"], json!({ "role": "operator", "scopes": [] }));
    let answer = client.call("health", json!({})).await;
    assert_eq!(answer["error"]["message"], "missing scope: operator.read");
    assert_eq!(answer["error"]["details"]["code"], "MISSING_SCOPE");

    for (id, mode) in [("gateway-client", "backend"), ("cli", "cli")] {
        let mut client = Client::open(&gateway, &[]).await;
        let answer =
            client.connect(json!({ "client": { "id": id, "mode": mode }, "auth": { "token": TOKEN } })).await;
        assert_eq!(answer["payload"]["auth"]["scopes"].as_array().unwrap().len(), 5);
        assert_eq!(client.call("health", json!({})).await["ok"], true);
    }
    // A page may call itself a program; that gives it nothing.
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    assert_eq!(client.connect(token).await["payload"]["auth"]["scopes"], json!([]));
    // Our own page was served to somebody with the token.
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    assert_eq!(
        client.connect(page("prowess-studio")).await["payload"]["auth"]["scopes"].as_array().unwrap().len(),
        5
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn strange_pages_are_refused_whatever_they_call_themselves() {
    let home = Home::new();
    home.write(
        ".prowess/prowess.json",
        r#"{"gateway":{"controlUi":{"allowedOrigins":["https://studio.example"]}}}"#,
    );
    let gateway = home.start().await;
    let connect = async |origin: &'static str| {
        let mut client = Client::open(&gateway, &[("origin", origin)]).await;
        client.connect(json!({ "auth": { "token": TOKEN } })).await
    };
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
        let answer = connect(origin).await;
        assert_eq!(answer["error"]["details"]["code"], "CONTROL_UI_ORIGIN_NOT_ALLOWED", "{origin}");
    }
    assert_eq!(connect("https://studio.example").await["ok"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_are_refused_with_advice() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, &[]).await;
    let answer = client.connect(json!({ "auth": { "token": "wrong" } })).await;
    let (error, ended) = refused(client, answer).await;
    assert_eq!(error["code"], "INVALID_REQUEST");
    assert_eq!(
        error["details"],
        json!({ "code": "AUTH_TOKEN_MISMATCH", "authReason": "token_mismatch", "canRetryWithDeviceToken": false,
                "recommendedNextStep": "update_auth_credentials" })
    );
    assert_eq!(ended.code, 1008);
    let advice = "unauthorized: gateway token mismatch (present the token of gateway.auth.token)";
    assert_eq!(ended.reason, advice, "whoever is no page has no settings of one");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_ranges_with_protocol_4_are_spoken() {
    let gateway = Home::new().start().await;
    let connect = async |min: u32, max: u32| {
        let mut client = Client::open(&gateway, &[]).await;
        let params = json!({ "minProtocol": min, "maxProtocol": max, "auth": { "token": TOKEN } });
        (client.connect(params).await, client)
    };
    for (min, max) in [(3, 3), (5, 9), (4, 3)] {
        let (answer, client) = connect(min, max).await;
        let (error, ended) = refused(client, answer).await;
        assert_eq!(error["details"]["code"], "PROTOCOL_MISMATCH");
        assert_eq!(ended, Ended { code: 1002, reason: "protocol mismatch".to_owned() });
    }
    for (min, max) in [(3, 4), (4, 4), (1, 9)] {
        assert_eq!(connect(min, max).await.0["payload"]["protocol"], 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn params_of_connect_are_closed_and_all_legal_ones_are_understood() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, &[]).await;
    let everything = json!({
        "client": { "displayName": "d", "deviceFamily": "f", "modelIdentifier": "m", "instanceId": "i" },
        "commands": ["a"], "permissions": { "b": true }, "pathEnv": "/bin", "locale": "en", "userAgent": "u",
        "auth": { "token": TOKEN, "password": "p", "deviceToken": "t", "bootstrapToken": "b" },
    });
    assert_eq!(client.connect(everything).await["ok"], true);
    for (changes, complaint) in [
        (json!({ "extra": 1 }), "at root: unexpected property 'extra'"),
        (json!({ "client": { "extra": 1 } }), "at /client: unexpected property 'extra'"),
        (json!({ "role": "king" }), "invalid role"),
        (json!({ "client": { "id": "" } }), "must not be empty"),
        (json!({ "client": { "id": "x".repeat(300) } }), "longer than"),
    ] {
        let mut client = Client::open(&gateway, &[]).await;
        let answer = client.connect(changes).await;
        let (error, ended) = refused(client, answer).await;
        assert!(error["message"].as_str().unwrap().contains(complaint), "{error}");
        assert_eq!(ended.code, 1008);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_request_must_be_connect_and_only_the_first() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, &[]).await;
    let answer = client.call("health", json!({})).await;
    let (error, ended) = refused(client, answer).await;
    assert_eq!(error["message"], "invalid handshake: first request must be connect");
    assert_eq!(ended.code, 1008);

    let mut client = Client::open(&gateway, &[]).await;
    client.send_text("what?").await;
    assert_eq!(client.ended().await.code, 1008);

    let mut client = Client::program(&gateway).await;
    let answer = client.connect(json!({ "auth": { "token": TOKEN } })).await;
    assert_eq!(answer["error"]["message"], "connect is only valid as the first request");
    assert_eq!(client.call("health", json!({})).await["ok"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_must_prove_itself() {
    let gateway = Home::new().start().await;
    let device = Device::new(1);
    let try_with = async |change: &dyn Fn(&mut Value)| {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        let mut params = json!({
            "minProtocol": 3, "maxProtocol": 4, "role": "operator", "scopes": [], "auth": { "token": TOKEN },
            "client": { "id": "webchat-ui", "version": "1", "platform": "linux", "mode": "webchat" },
        });
        params["device"] = device.sign(&params, &client.nonce, now_ms());
        change(&mut params);
        let answer = client.call("connect", params).await;
        if answer["ok"] == true {
            return "ok".to_owned();
        }
        let (error, ended) = refused(client, answer).await;
        assert_eq!((ended.code, &json!(ended.reason)), (1008, &error["message"]));
        error["details"]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(try_with(&|_| {}).await, "ok");
    let cases: [(&str, Change<'_>); 6] = [
        ("DEVICE_AUTH_DEVICE_ID_MISMATCH", &|params| params["device"]["id"] = json!("0".repeat(64))),
        ("DEVICE_AUTH_PUBLIC_KEY_INVALID", &|params| params["device"]["publicKey"] = json!("short")),
        ("DEVICE_AUTH_SIGNATURE_EXPIRED", &|params| params["device"]["signedAt"] = json!(now_ms() - 130_000)),
        ("DEVICE_AUTH_NONCE_REQUIRED", &|params| params["device"]["nonce"] = json!("")),
        ("DEVICE_AUTH_NONCE_MISMATCH", &|params| params["device"]["nonce"] = json!("other")),
        ("DEVICE_AUTH_SIGNATURE_INVALID", &|params| params["scopes"] = json!(["operator.admin"])),
    ];
    for (code, change) in cases {
        assert_eq!(try_with(change).await, code);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_token_is_good_in_either_place_and_for_its_device_and_role_only() {
    let gateway = Home::new().start().await;
    let device = Device::new(1);
    let (_, hello) = Client::browser(&gateway, &device).await;
    let token = hello["auth"]["deviceToken"].as_str().unwrap();
    for changes in [json!({ "auth": { "token": token } }), json!({ "auth": { "deviceToken": token } })] {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        let answer = client.connect_device(&device, "", changes).await;
        assert_eq!(answer["ok"], true, "{answer}");
    }
    let (_, again) = Client::browser(&gateway, &device).await;
    assert_eq!(again["auth"]["deviceToken"], token, "the same one is given again");

    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&Device::new(2), token, json!({})).await;
    assert_eq!(answer["error"]["details"]["code"], "AUTH_TOKEN_MISMATCH", "another device");
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&device, token, json!({ "role": "node", "scopes": [] })).await;
    assert_eq!(answer["error"]["details"]["code"], "AUTH_TOKEN_MISMATCH", "another role");
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&device, "", json!({ "auth": { "deviceToken": "wrong" } })).await;
    assert_eq!(answer["error"]["details"]["code"], "AUTH_DEVICE_TOKEN_MISMATCH");
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&device, "wrong", json!({})).await;
    assert_eq!(answer["error"]["details"]["recommendedNextStep"], "retry_with_device_token");
    let mut client = Client::open(&gateway, &[]).await;
    let answer = client.connect(json!({ "auth": { "token": token } })).await;
    assert_eq!(
        answer["error"]["details"]["code"], "AUTH_TOKEN_MISMATCH",
        "without the device it is worth nothing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn scopes_are_bound_to_what_was_granted() {
    let gateway = Home::new().start().await;
    let device = Device::new(1);
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let reader = json!({ "scopes": ["operator.read", "operator.from-the-future"] });
    let answer = client.connect_device(&device, TOKEN, reader).await;
    assert_eq!(answer["payload"]["auth"]["scopes"], json!(["operator.read"]));
    let token = answer["payload"]["auth"]["deviceToken"].as_str().unwrap().to_owned();
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&device, &token, json!({})).await;
    assert_eq!(answer["error"]["code"], "NOT_PAIRED");
    assert_eq!(answer["error"]["details"]["reason"], "scope-upgrade");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_from_elsewhere_is_paired_silently_or_let_in_without_a_device() {
    let gateway = Home::new().start().await;
    let mut client = Client::open(&gateway, REMOTE).await;
    let answer = client.connect(json!({ "auth": { "token": TOKEN } })).await;
    let (error, _) = refused(client, answer).await;
    assert_eq!(
        (&error["code"], &error["details"]["code"]),
        (&json!("NOT_PAIRED"), &json!("DEVICE_IDENTITY_REQUIRED"))
    );
    let mut client = Client::open(&gateway, REMOTE).await;
    let as_program = json!({ "client": { "id": "gateway-client", "mode": "backend" } });
    let answer = client.connect_device(&Device::new(1), TOKEN, as_program).await;
    let (error, ended) = refused(client, answer).await;
    assert_eq!(
        (&error["code"], &error["details"]["code"]),
        (&json!("NOT_PAIRED"), &json!("PAIRING_REQUIRED"))
    );
    assert!(error["details"]["requestId"].is_string());
    assert_eq!(ended, Ended { code: 1008, reason: "pairing required".to_owned() });
}
