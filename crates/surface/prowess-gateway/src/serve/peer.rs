//! Who is at the other end of a connection.

use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;

use super::entrance::Entrance;
use crate::peer::Peer;

impl Connected<IncomingStream<'_, Entrance>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Self {
        let socket = *stream.remote_addr();
        Self { address: socket.ip().to_canonical(), socket, seat: Arc::clone(stream.io().seat()) }
    }
}
