//! WebSockets: the same calls as frames, and events.
//!
//! What holds for every connection: it says who it is within fifteen seconds and in 64 KiB, every request gets exactly
//! one answer or the socket is closed, and no other client waits for one that does not read.

mod connection;
pub(crate) mod frame;
mod socket;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::handshake::visit::Visit;
use crate::peer::Peer;
use crate::state::Gateway;

/// The longest message before.
const MAX_FIRST_MESSAGE: usize = 64 << 10;
/// The time limit of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(15);

/// Returns true if a request wants to become a WebSocket.
pub(crate) fn wants_upgrade(headers: &HeaderMap) -> bool {
    has_word(headers, &header::UPGRADE, "websocket") && has_word(headers, &header::CONNECTION, "upgrade")
}

fn has_word(headers: &HeaderMap, name: &header::HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
}

/// Turns a request into a connection of the protocol.
pub(crate) async fn upgrade(State(gateway): State<Arc<Gateway>>, request: Request) -> Response {
    let headers = request.headers();
    let key = headers.get("sec-websocket-key").map(|key| derive_accept_key(key.as_bytes()));
    let is_known_version = headers.get("sec-websocket-version").is_some_and(|version| version == "13");
    let (Some(key), true, true) = (key, wants_upgrade(headers), is_known_version) else {
        let wanted = [(header::UPGRADE, "websocket"), (header::SEC_WEBSOCKET_VERSION, "13")];
        return (StatusCode::UPGRADE_REQUIRED, wanted, "this address speaks WebSocket\n").into_response();
    };
    let connection = request.extensions().get::<ConnectInfo<Peer>>().map(|connection| connection.0.clone());
    let peer = connection.as_ref().map(|connection| connection.address);
    let Ok(nonce) = prowess_net::random_token() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the system provides no random numbers\n").into_response();
    };
    let visit = Visit::new(peer, headers, || gateway.live.engine().config().gateway(), nonce);
    let clients = &gateway.clients;
    let Ok(permit) = Arc::clone(&clients.connections).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many connections\n").into_response();
    };
    let slot = clients.pending.enter(peer).await;
    // From here on it counts as not authenticated.
    if let Some(connection) = connection {
        connection.seat.settle();
    }
    tokio::spawn(async move {
        // Within the same bounds as the rest of the handshake: the client may never take the answer.
        let upgraded = tokio::time::timeout(HANDSHAKE, hyper::upgrade::on(request)).await;
        if let Ok(Ok(upgraded)) = upgraded {
            connection::serve(gateway, TokioIo::new(upgraded), visit, slot).await;
        }
        drop(permit);
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    if let Ok(key) = HeaderValue::from_str(&key) {
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    }
    response
}
