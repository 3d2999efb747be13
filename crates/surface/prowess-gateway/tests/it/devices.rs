//! Devices: pairing, approval, tokens.

use serde_json::{Value, json};

use crate::client::{Client, Device, Ended, LOCAL_PAGE, REMOTE};
use crate::raw::{ask, host};
use crate::support::{GatewayHome as _, Home, Running, TOKEN};

const READER: &str = "operator.read";

/// A device from elsewhere that wants to read.
async fn knock(gateway: &Running, device: &Device, token: &str) -> (Client, Value) {
    let mut client = Client::open(gateway, REMOTE).await;
    let wishes = json!({ "client": { "id": "webchat-ui", "displayName": "Phone" }, "scopes": [READER] });
    let answer = client.connect_device(device, token, wishes).await;
    (client, answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_from_elsewhere_waits_for_approval() {
    let gateway = Home::new().start().await;
    let device = Device::new(3);
    let mut operator = Client::program(&gateway).await;
    let (_, answer) = knock(&gateway, &device, TOKEN).await;
    let request = answer["error"]["details"]["requestId"].as_str().unwrap().to_owned();
    let asked = operator.event("device.pair.requested").await["payload"].clone();
    assert_eq!((&asked["requestId"], &asked["deviceId"]), (&json!(request), &json!(device.id)));
    assert_eq!((&asked["scopes"], &asked["displayName"]), (&json!([READER]), &json!("Phone")));
    let (_, again) = knock(&gateway, &device, TOKEN).await;
    assert_eq!(again["error"]["details"]["requestId"], request, "asking again is the same request");

    let list = operator.get("device.pair.list", json!({})).await;
    assert_eq!(
        (list["pending"][0]["requestId"].as_str(), &list["paired"]),
        (Some(request.as_str()), &json!([]))
    );
    let approved = operator.get("device.pair.approve", json!({ "requestId": request })).await;
    assert_eq!(approved["device"]["tokens"][0]["scopes"], json!([READER]));
    let resolved = operator.event("device.pair.resolved").await["payload"].clone();
    assert_eq!((&resolved["requestId"], &resolved["decision"]), (&json!(request), &json!("approved")));

    let (mut client, hello) = knock(&gateway, &device, TOKEN).await;
    assert_eq!(hello["payload"]["auth"]["scopes"], json!([READER]), "{hello}");
    assert_eq!(client.call("health", json!({})).await["ok"], true);
    let refused = client.call("device.pair.list", json!({})).await;
    assert_eq!(refused["error"]["details"]["missingScope"], "operator.pairing");
    let own = hello["payload"]["auth"]["deviceToken"].as_str().unwrap();
    let (_, hello) = knock(&gateway, &device, own).await;
    assert_eq!(hello["ok"], true, "its own token is enough from now on");

    let refused = operator.call("device.pair.approve", json!({ "requestId": request })).await;
    assert_eq!(refused["error"]["message"], format!("unknown requestId \"{request}\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_can_be_turned_away() {
    let gateway = Home::new().start().await;
    let mut operator = Client::program(&gateway).await;
    let (_, answer) = knock(&gateway, &Device::new(3), TOKEN).await;
    let request = answer["error"]["details"]["requestId"].clone();
    operator.get("device.pair.reject", json!({ "requestId": request })).await;
    assert_eq!(operator.event("device.pair.resolved").await["payload"]["decision"], "rejected");
    let list = operator.get("device.pair.list", json!({})).await;
    assert_eq!(list, json!({ "pending": [], "paired": [] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn removing_a_device_ends_its_connections_and_its_token() {
    let gateway = Home::new().start().await;
    let device = Device::new(4);
    let (mut client, hello) = Client::browser(&gateway, &device).await;
    let mut operator = Client::program(&gateway).await;
    operator.get("device.pair.remove", json!({ "deviceId": device.id })).await;
    assert_eq!(client.ended().await.code, 1008);
    let token = hello["auth"]["deviceToken"].as_str().unwrap();
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    let answer = client.connect_device(&device, token, json!({})).await;
    assert_eq!(answer["error"]["details"]["code"], "AUTH_TOKEN_MISMATCH");
    let unknown = operator.call("device.pair.remove", json!({ "deviceId": device.id })).await;
    assert!(unknown["error"]["message"].as_str().unwrap().starts_with("unknown deviceId"));
}

/// A book of version 0.1 does not say how its tokens were derived.
#[tokio::test(flavor = "multi_thread")]
async fn a_device_token_of_version_0_1_is_accepted_once_and_replaced() {
    let home = Home::new();
    let gateway = home.start().await;
    let device = Device::new(6);
    Client::browser(&gateway, &device).await;
    let file = home.path().join(".prowess/gateway/devices.json");
    let mut book: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let grant = book["devices"][&device.id]["grants"]["operator"].as_object_mut().unwrap();
    assert_eq!(grant.remove("tokenMac"), Some(json!("hmac-sha256")));
    let old = "0".repeat(64);
    grant.insert("tokenHash".to_owned(), json!(prowess_fs::sha256_hex(old.as_bytes())));
    std::fs::write(&file, book.to_string()).unwrap();

    let connect = async |token: &str| {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        client.connect_device(&device, token, json!({})).await
    };
    let hello = connect(&old).await;
    let new = hello["payload"]["auth"]["deviceToken"].as_str().expect("a new token").to_owned();
    assert_ne!(new, old);
    assert_eq!(connect(&old).await["error"]["details"]["code"], "AUTH_TOKEN_MISMATCH");
    let hello = connect(&new).await;
    assert_eq!((&hello["ok"], hello["payload"]["auth"].get("deviceToken")), (&json!(true), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_rotated_and_revoked() {
    let gateway = Home::new().start().await;
    let device = Device::new(5);
    let (mut client, hello) = Client::browser(&gateway, &device).await;
    let old = hello["auth"]["deviceToken"].as_str().unwrap().to_owned();
    let which = json!({ "deviceId": device.id, "role": "operator" });
    let rotated = client.get("device.token.rotate", which.clone()).await;
    let new = rotated["token"].as_str().unwrap().to_owned();
    assert_ne!(old, new);
    let connect = async |token: &str| {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        (client.connect_device(&device, token, json!({})).await["ok"] == true, client)
    };
    assert!(!connect(&old).await.0);
    let (is_in, mut second) = connect(&new).await;
    assert!(is_in);

    let mut operator = Client::program(&gateway).await;
    let told = operator.get("device.token.rotate", which.clone()).await;
    assert!(told.get("token").is_none(), "nobody else learns a device's token");
    assert_eq!(second.ended().await.code, 1008, "and the device has to come back with the gateway's token");
    assert!(!connect(&new).await.0);
    operator.get("device.token.revoke", which).await;
    let listed = operator.get("device.pair.list", json!({})).await;
    assert_eq!(listed["paired"][0]["tokens"][0]["active"], false);
    let answer = operator.call("device.token.rotate", json!({ "deviceId": device.id, "role": "node" })).await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("has no role node"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gives_or_takes_more_than_they_have() {
    let gateway = Home::new().start().await;
    let admin = Device::new(6);
    let (_admin, _) = Client::browser(&gateway, &admin).await;
    let mut clerk = Client::open(&gateway, LOCAL_PAGE).await;
    let answer =
        clerk.connect_device(&Device::new(7), TOKEN, json!({ "scopes": ["operator.pairing"] })).await;
    assert_eq!(answer["payload"]["auth"]["scopes"], json!(["operator.pairing"]));
    let mut other = Client::open(&gateway, REMOTE).await;
    let wishes = json!({ "client": { "id": "webchat-ui" } });
    let answer = other.connect_device(&Device::new(8), TOKEN, wishes).await;
    let request = answer["error"]["details"]["requestId"].clone();
    for (method, params) in [
        ("device.pair.approve", json!({ "requestId": request })),
        ("device.pair.remove", json!({ "deviceId": admin.id })),
        ("device.token.rotate", json!({ "deviceId": admin.id, "role": "operator" })),
        ("device.token.revoke", json!({ "deviceId": admin.id, "role": "operator" })),
    ] {
        let answer = clerk.call(method, params).await;
        assert_eq!(answer["error"]["details"]["code"], "MISSING_SCOPE", "{method}");
    }
    let list = clerk.get("device.pair.list", json!({})).await;
    assert_eq!(list["pending"].as_array().unwrap().len(), 1, "the request still waits");
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_survive_the_gateway() {
    let home = Home::new();
    let device = Device::new(9);
    let gateway = home.start().await;
    let (_, hello) = Client::browser(&gateway, &device).await;
    let token = hello["auth"]["deviceToken"].as_str().unwrap();
    let gateway = home.start().await;
    let mut client = Client::open(&gateway, LOCAL_PAGE).await;
    assert_eq!(client.connect_device(&device, token, json!({})).await["ok"], true);
    let stored = std::fs::read_to_string(home.path().join(".prowess/gateway/devices.json")).unwrap();
    assert!(stored.contains(&device.id) && !stored.contains(token));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_has_no_scopes_and_an_operator_is_no_node() {
    let gateway = Home::new().start().await;
    let mut node = Client::open(&gateway, &[]).await;
    let wishes = json!({ "role": "node", "client": { "id": "node-host", "mode": "node" } });
    let answer = node.connect_device(&Device::new(1), TOKEN, wishes).await;
    assert_eq!(
        (&answer["payload"]["auth"]["role"], &answer["payload"]["auth"]["scopes"]),
        (&json!("node"), &json!([]))
    );
    let refused = node.call("health", json!({})).await;
    assert_eq!(refused["error"]["message"], "unauthorized role: node");
    let mut operator = Client::program(&gateway).await;
    let refused = operator.call("node.facts", json!({ "platform": "linux", "bins": [] })).await;
    assert_eq!(refused["error"]["message"], "unauthorized role: operator");
    let mut bare = Client::open(&gateway, &[]).await;
    let answer = bare.connect(json!({ "role": "node", "auth": { "token": TOKEN } })).await;
    assert_eq!(answer["error"]["details"]["code"], "DEVICE_IDENTITY_REQUIRED");
    assert_eq!(bare.ended().await, Ended { code: 1008, reason: "device identity required".to_owned() });
}

/// A call over HTTP with the token of a device: the status.
async fn bearer(gateway: &Running, address: &str, token: &str) -> u16 {
    let host = host(gateway.address);
    let token = format!("Authorization: Bearer {token}");
    ask(gateway.address, address, &[&host, &token], "").await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_token_is_good_over_http_for_what_the_device_may_do() {
    let mount = axum::Router::new().route("/tool", axum::routing::get(async || "mounted"));
    let home = Home::new();
    let gateway = home.start_with(|options| options.mounts.push(("/mcp".to_owned(), mount))).await;
    let mut tokens = Vec::new();
    for (seed, scopes) in [(1, json!([READER])), (2, json!(["operator.admin"])), (3, json!([]))] {
        let mut client = Client::open(&gateway, LOCAL_PAGE).await;
        let hello = client.connect_device(&Device::new(seed), TOKEN, json!({ "scopes": scopes })).await;
        tokens.push(hello["payload"]["auth"]["deviceToken"].as_str().unwrap().to_owned());
    }
    let [reader, admin, nobody] = tokens.as_slice() else { panic!("three devices") };
    for (address, as_reader) in [
        ("POST /api/v1/skills.status", 200),
        ("GET /metrics", 200),
        ("POST /api/v1/device.pair.list", 403),
        ("GET /mcp/tool", 403),
    ] {
        assert_eq!(bearer(&gateway, address, reader).await, as_reader, "{address}");
        assert_eq!(bearer(&gateway, address, admin).await, 200, "{address}");
        assert_eq!(bearer(&gateway, address, nobody).await, 401, "{address}");
    }
    let removal = "POST /api/gateway/skills/remove";
    assert_eq!(bearer(&gateway, removal, reader).await, 403);
    assert_eq!(bearer(&gateway, removal, admin).await, 400, "let in, and nothing was asked");
    let whose = json!({ "deviceId": Device::new(2).id, "role": "operator" });
    assert_eq!(gateway.call("device.token.revoke", whose).await.0, 200);
    assert_eq!(bearer(&gateway, "POST /api/v1/health", admin).await, 401, "it was revoked");
    assert_eq!(bearer(&gateway, "POST /api/v1/health", reader).await, 200);
}
