//! `GET /api/v1/events`: what happens, as server-sent events.
//!
//! Each has a rising number as its id. A client that cannot keep up is sent away: it connects again, and looks at
//! everything anew, which is what it must do after a gap. The stream ends when what opened it is revoked.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::access::Caller;
use crate::events::Published;
use crate::presence::Expelled;
use crate::state::Gateway;

/// The interval of the heartbeat; well within the longest silence allowed of a connection.
const HEARTBEAT: Duration = Duration::from_secs(5);

struct Listener {
    gateway: Arc<Gateway>,
    caller: Arc<Caller>,
    events: Receiver<Arc<Published>>,
    expulsions: Receiver<Expelled>,
    number: u64,
}

/// `GET /api/v1/events`
pub(crate) async fn stream(
    State(gateway): State<Arc<Gateway>>,
    Extension(caller): Extension<Arc<Caller>>,
) -> Response {
    let (events, expulsions) = (gateway.events.subscribe(), gateway.clients.presence.expulsions());
    let listener = Listener { gateway, caller, events, expulsions, number: 0 };
    Sse::new(messages(listener)).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}

fn messages(listener: Listener) -> impl Stream<Item = Result<Message, Infallible>> {
    stream::unfold(listener, |mut listener| async move {
        let message = listener.next().await?;
        Some((Ok(message), listener))
    })
}

impl Listener {
    /// The next message; none when the stream is over.
    async fn next(&mut self) -> Option<Message> {
        loop {
            let event = tokio::select! {
                biased;
                expelled = self.expulsions.recv() => {
                    let (device, role) = (self.caller.device.as_deref(), self.caller.role);
                    if expelled.is_ok_and(|expelled| !expelled.is(device, role)) {
                        continue;
                    }
                    return None;
                }
                event = self.events.recv() => event,
                // What was told before the end has been sent by now.
                () = self.gateway.stopping.cancelled() => return None,
            };
            match event {
                Ok(event) if event.is_for(&self.caller) => {
                    self.number += 1;
                    let message = Message::default().id(self.number.to_string()).event(event.name);
                    return Some(message.data(&event.payload));
                }
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => {
                    self.gateway.metrics.evicted("slow");
                    return None;
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
