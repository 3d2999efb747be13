//! A client of the protocol.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signer as _, SigningKey};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::support::{Running, TOKEN};

/// Nothing that is waited for takes so long; if it does, the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// Headers of a page on this machine.
pub(crate) const LOCAL_PAGE: &[(&str, &str)] = &[("origin", "http://localhost:3000")];
/// Headers of somebody whom a proxy passed on: not local.
pub(crate) const REMOTE: &[(&str, &str)] = &[("x-forwarded-for", "192.0.2.7")];

/// A client on a socket.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) nonce: String,
    events: VecDeque<Value>,
    last_id: u64,
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: u16,
    pub(crate) reason: String,
}

impl Client {
    /// Opens a socket and takes the challenge.
    pub(crate) async fn open(gateway: &Running, headers: &[(&'static str, &str)]) -> Self {
        Self::open_at(gateway.address, "/", headers).await
    }

    pub(crate) async fn open_at(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Self {
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (socket, _) = connect_async(request).await.unwrap();
        let mut client = Self { socket, nonce: String::new(), events: VecDeque::new(), last_id: 0 };
        let challenge = client.frame().await.unwrap();
        assert_eq!(challenge["event"], "connect.challenge");
        assert!(challenge["payload"]["ts"].is_u64() && challenge.get("seq").is_none());
        challenge["payload"]["nonce"].as_str().unwrap().clone_into(&mut client.nonce);
        client
    }

    /// A program with the token and without a device.
    pub(crate) async fn program(gateway: &Running) -> Self {
        Self::program_at(gateway.address).await
    }

    pub(crate) async fn program_at(address: SocketAddr) -> Self {
        let mut client = Self::open_at(address, "/", &[]).await;
        let answer = client.connect(json!({ "auth": { "token": TOKEN } })).await;
        assert_eq!(answer["ok"], true, "{answer}");
        client
    }

    /// A browser with a device.
    pub(crate) async fn browser(gateway: &Running, device: &Device) -> (Self, Value) {
        let mut client = Self::open(gateway, LOCAL_PAGE).await;
        let answer = client.connect_device(device, TOKEN, json!({})).await;
        assert_eq!(answer["ok"], true, "{answer}");
        (client, answer["payload"].clone())
    }

    /// The next frame, or how it ended.
    pub(crate) async fn frame(&mut self) -> Result<Value, Ended> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a frame in time");
            match message {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Err(Ended { code: frame.code.into(), reason: frame.reason.to_string() });
                }
                Some(Ok(Message::Close(None)) | Err(Error::ConnectionClosed | Error::AlreadyClosed))
                | None => {
                    return Err(Ended { code: 1005, reason: String::new() });
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Ended { code: 1006, reason: error.to_string() }),
            }
        }
    }

    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.unwrap();
    }

    /// Sends a request and waits for its answer; events that come meanwhile are kept.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Result<Value, Ended> {
        self.last_id += 1;
        let id = format!("r{}", self.last_id);
        let frame = json!({ "type": "req", "id": id, "method": method, "params": params });
        self.send_text(frame.to_string()).await;
        loop {
            let frame = self.frame().await?;
            if frame["type"] == "event" {
                self.events.push_back(frame);
            } else if frame["id"] == id {
                return Ok(frame);
            }
        }
    }

    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).await.unwrap()
    }

    /// The payload of a call that works.
    pub(crate) async fn get(&mut self, method: &str, params: Value) -> Value {
        let answer = self.call(method, params).await;
        assert_eq!(answer["ok"], true, "{answer}");
        answer["payload"].clone()
    }

    /// The next event of a name.
    pub(crate) async fn event(&mut self, name: &str) -> Value {
        loop {
            let event = match self.events.pop_front() {
                Some(event) => event,
                None => self.frame().await.unwrap(),
            };
            if event["event"] == name {
                return event;
            }
        }
    }

    /// `connect` as a program on this machine, with changes.
    pub(crate) async fn connect(&mut self, changes: Value) -> Value {
        let mut params = json!({
            "minProtocol": 3, "maxProtocol": 4,
            "client": { "id": "gateway-client", "version": "1", "platform": "linux", "mode": "backend" },
            "role": "operator", "scopes": ["operator.admin"], "caps": [],
        });
        merge(&mut params, changes);
        self.call("connect", params).await
    }

    /// `connect` as OpenClaw's page, signed by a device, with changes made before it is signed.
    pub(crate) async fn connect_device(&mut self, device: &Device, token: &str, changes: Value) -> Value {
        let mut params = json!({
            "minProtocol": 3, "maxProtocol": 4,
            "client": { "id": "openclaw-control-ui", "version": "dev", "platform": "Linux x86_64", "mode": "webchat" },
            "role": "operator",
            "scopes": ["operator.read", "operator.admin", "operator.approvals", "operator.pairing"],
            "caps": [], "userAgent": "test", "locale": "en-US",
        });
        if !token.is_empty() {
            params["auth"] = json!({ "token": token });
        }
        merge(&mut params, changes);
        params["device"] = device.sign(&params, &self.nonce, now_ms());
        self.call("connect", params).await
    }

    /// Waits for the end.
    pub(crate) async fn ended(&mut self) -> Ended {
        loop {
            if let Err(ended) = self.frame().await {
                return ended;
            }
        }
    }
}

pub(crate) fn merge(value: &mut Value, changes: Value) {
    let (Value::Object(object), Value::Object(changes)) = (&mut *value, changes.clone()) else {
        *value = changes;
        return;
    };
    for (key, change) in changes {
        merge(object.entry(key).or_insert(Value::Null), change);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test is at the edge")]
pub(crate) fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// A device with its key.
pub(crate) struct Device {
    key: SigningKey,
    pub(crate) id: String,
}

impl Device {
    pub(crate) fn new(seed: u8) -> Self {
        let key = SigningKey::from_bytes(&[seed; 32]);
        let digest = Sha256::digest(key.verifying_key().to_bytes());
        let id = data_encoding::HEXLOWER.encode(&digest);
        Self { key, id }
    }

    /// The device block for params, in the second form.
    pub(crate) fn sign(&self, params: &Value, nonce: &str, signed_at: u64) -> Value {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let scopes: Vec<String> = params["scopes"].as_array().unwrap().iter().map(text).collect();
        let auth = &params["auth"];
        let token = ["token", "deviceToken", "bootstrapToken"].iter().find_map(|name| auth[name].as_str());
        let statement = [
            "v2",
            &self.id,
            &text(&params["client"]["id"]),
            &text(&params["client"]["mode"]),
            &text(&params["role"]),
            &scopes.join(","),
            &signed_at.to_string(),
            token.unwrap_or_default(),
            nonce,
        ]
        .join("|");
        json!({
            "id": self.id,
            "publicKey": BASE64URL_NOPAD.encode(&self.key.verifying_key().to_bytes()),
            "signature": BASE64URL_NOPAD.encode(&self.key.sign(statement.as_bytes()).to_bytes()),
            "signedAt": signed_at,
            "nonce": nonce,
        })
    }
}
