//! A connection from a node to its gateway.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use prowess_net::{
    Client, HttpMethod, NetError, NetOptions, NetworkReach, Redirects, Upgraded, is_loopback_url,
};
use prowess_types::Secret;
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{Message, handshake};

use super::NodeOptions;
use super::identity::Identity;
use crate::error::NodeError;
use crate::handshake::identity::Statement;

/// The timeout of a response of the gateway.
const PATIENCE: Duration = Duration::from_secs(30);
/// The timeout of a silent gateway; it sends a heartbeat every thirty seconds.
const MAX_SILENCE: Duration = Duration::from_secs(100);

const CLIENT: &str = "node-host";
const MODE: &str = "node";
const ROLE: &str = "node";

/// The reason a connection is over.
pub(super) enum Lost {
    /// Trying again is of no use.
    Refused(NodeError),
    /// The node waits for approval.
    Waiting {
        request: String,
    },
    Broken(String),
}

impl From<NodeError> for Lost {
    fn from(error: NodeError) -> Self {
        Self::Refused(error)
    }
}

/// The address of a gateway for a request. Clear text goes to this machine only.
pub(super) fn address(gateway: &str) -> Result<String, NodeError> {
    let wrong = |why: &'static str| NodeError::Address { address: gateway.to_owned(), why };
    let mut url = url::Url::parse(gateway).map_err(|_| wrong("it is not a URL"))?;
    let scheme = match url.scheme() {
        "ws" | "http" => "http",
        "wss" | "https" => "https",
        _ => return Err(wrong("it must begin with ws:// or wss://")),
    };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let is_here = host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    if scheme == "http" && !is_here {
        return Err(wrong("another machine must be reached with wss://, or through a tunnel"));
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(wrong("a token does not belong into it"));
    }
    url.set_scheme(scheme).map_err(|()| wrong("it is not a URL"))?;
    Ok(url.to_string())
}

/// An authenticated connection.
pub(super) struct Link {
    socket: WebSocketStream<Upgraded>,
    last_id: u64,
    heard: Instant,
}

impl Link {
    pub(super) async fn open(options: &NodeOptions, url: &str, identity: &Identity) -> Result<Self, Lost> {
        let socket =
            tokio::time::timeout(PATIENCE, dial(options, url)).await.unwrap_or_else(|_| Err(slow()))?;
        let mut link = Self { socket, last_id: 0, heard: Instant::now() };
        let own = identity.token(url)?;
        match link.greet(options, url, identity, own.as_ref().or(options.token.as_ref())).await {
            // The gateway may have forgotten the node; next time the gateway's own token is tried.
            Err(Lost::Refused(NodeError::Refused { message, code })) if own.is_some() => {
                identity.keep(url, None)?;
                if options.token.is_some() {
                    return Err(Lost::Broken(message));
                }
                Err(NodeError::Refused { message, code }.into())
            }
            Err(lost) => Err(lost),
            Ok(()) => Ok(link),
        }
    }

    async fn greet(
        &mut self,
        options: &NodeOptions,
        url: &str,
        identity: &Identity,
        token: Option<&Secret>,
    ) -> Result<(), Lost> {
        let challenge = self.frame(PATIENCE).await?.ok_or_else(slow)?;
        let nonce =
            challenge.pointer("/payload/nonce").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (id, signed_at) = (identity.id(), options.clock.now_ms());
        let platform = prowess_inventory::platform();
        let statement = Statement {
            device: &id,
            client: CLIENT,
            mode: MODE,
            role: ROLE,
            scopes: &[],
            signed_at,
            token: token.map(Secret::expose).unwrap_or_default(),
            nonce: &nonce,
        };
        let signature = identity.sign(&statement.v3(platform, None));
        let mut params = json!({
            "minProtocol": 4, "maxProtocol": 4, "role": ROLE, "scopes": [], "caps": [],
            "client": { "id": CLIENT, "version": env!("CARGO_PKG_VERSION"), "platform": platform, "mode": MODE,
                        "displayName": options.name },
            "device": { "id": id, "publicKey": identity.public_key(), "signature": signature, "signedAt": signed_at,
                        "nonce": nonce },
        });
        if let (Some(token), Some(params)) = (token, params.as_object_mut()) {
            params.insert("auth".to_owned(), json!({ "token": token.expose() }));
        }
        let hello = self.call("connect", params).await?;
        if let Some(token) = hello.pointer("/auth/deviceToken").and_then(Value::as_str) {
            identity.keep(url, Some(token))?;
        }
        Ok(())
    }

    /// Asks, and waits for the answer.
    pub(super) async fn call(&mut self, method: &str, params: Value) -> Result<Value, Lost> {
        self.last_id += 1;
        let id = self.last_id.to_string();
        let request = json!({ "type": "req", "id": id, "method": method, "params": params });
        self.socket.send(Message::text(request.to_string())).await.map_err(broken)?;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut frame = self.frame(left).await?.ok_or_else(slow)?;
            if frame.get("id").and_then(Value::as_str) != Some(id.as_str()) {
                continue;
            }
            if frame.get("ok").and_then(Value::as_bool) == Some(true) {
                return Ok(frame.get_mut("payload").map(Value::take).unwrap_or_default());
            }
            return Err(refused(method, &frame));
        }
    }

    /// Reads what comes for some time.
    pub(super) async fn idle(&mut self, time: Duration) -> Result<(), Lost> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.frame(until.saturating_duration_since(Instant::now())).await?;
            if self.heard.elapsed() > MAX_SILENCE {
                return Err(Lost::Broken("the gateway stopped responding".to_owned()));
            }
        }
        Ok(())
    }

    /// The next frame, none if none comes in time.
    async fn frame(&mut self, time: Duration) -> Result<Option<Value>, Lost> {
        let until = Instant::now() + time;
        while let Ok(message) = tokio::time::timeout_at(until, self.socket.next()).await {
            self.heard = Instant::now();
            match message {
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text)
                        .map(Some)
                        .map_err(|_| Lost::Broken("the gateway sent something else than JSON".to_owned()));
                }
                Some(Ok(Message::Close(frame))) => {
                    let reason = frame.map(|frame| frame.reason.to_string()).unwrap_or_default();
                    return Err(Lost::Broken(format!("the gateway closed the connection: {reason}")));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(broken(error)),
                None => return Err(Lost::Broken("the connection ended".to_owned())),
            }
        }
        Ok(None)
    }
}

/// Opens a socket with the guarded client, which checks certificates. The user chose the gateway: it may be in any
/// network, but clear text goes to this machine only.
async fn dial(options: &NodeOptions, url: &str) -> Result<WebSocketStream<Upgraded>, Lost> {
    let net = NetOptions {
        reach: NetworkReach::Anywhere,
        redirects: Redirects::Stop,
        proxy: options.proxy.clone().filter(|_| !is_loopback_url(url)),
        connect_timeout: PATIENCE,
        ..NetOptions::default()
    };
    let client = Client::new(net).map_err(broken)?;
    let request = client
        .request(HttpMethod::Get, url)
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", &handshake::client::generate_key());
    let upgraded = match request.upgrade().await {
        Err(NetError::Status { status, message, .. }) => {
            return Err(Lost::Broken(format!("the gateway answered {status} {message}")));
        }
        upgraded => upgraded.map_err(broken)?,
    };
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, None).await)
}

/// A refusal, and whether there is any sense in trying again.
fn refused(method: &str, frame: &Value) -> Lost {
    let text = |pointer: &str| frame.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (message, code) = (text("/error/message"), text("/error/details/code"));
    match (method, code.as_str()) {
        ("connect", "PAIRING_REQUIRED") => Lost::Waiting { request: text("/error/details/requestId") },
        ("connect", "AUTH_RATE_LIMITED" | "DEVICE_AUTH_SIGNATURE_EXPIRED" | "") => Lost::Broken(message),
        ("connect", _) => NodeError::Refused { message, code }.into(),
        _ => Lost::Broken(format!("{method}: {message}")),
    }
}

fn broken(error: impl std::error::Error) -> Lost {
    Lost::Broken(prowess_text::describe_error(&error))
}

fn slow() -> Lost {
    Lost::Broken("the gateway does not answer".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_text_stays_on_this_machine_and_addresses_carry_no_secret() {
        for (gateway, expected) in [
            ("ws://127.0.0.1:18789", "http://127.0.0.1:18789/"),
            ("ws://localhost:1/ws", "http://localhost:1/ws"),
            ("ws://[::1]:1", "http://[::1]:1/"),
            ("wss://gateway.example", "https://gateway.example/"),
        ] {
            assert_eq!(address(gateway).unwrap(), expected);
        }
        for gateway in [
            "ws://gateway.example",
            "ws://10.0.0.1",
            "ftp://localhost",
            "gateway",
            "wss://u:p@gateway.example",
            "wss://gateway.example/?token=x",
            "wss://gateway.example/#token=x",
        ] {
            assert!(address(gateway).is_err(), "{gateway}");
        }
    }
}
