//! Telling clients that the skills of their agent changed.

use std::sync::Arc;
use std::time::Duration;

use prowess::Live;
use prowess_match::LiveEvent;
use tokio::sync::broadcast::{self, Receiver};
use tokio_util::sync::CancellationToken;

/// Events that wait for a slow client; beyond it the client is notified that anything may have changed.
const WAITING: usize = 64;
/// The interval at which the end is checked for while nothing happens.
const ROUND: Duration = Duration::from_secs(1);

/// The published changes, for all subscribers.
#[derive(Debug)]
pub(crate) struct Changes {
    sender: broadcast::Sender<Arc<LiveEvent>>,
    /// Ends the thread with its owner.
    _end: tokio_util::sync::DropGuard,
}

impl Changes {
    pub(crate) fn follow(live: &Live, cancel: CancellationToken) -> Self {
        let (sender, _) = broadcast::channel(WAITING);
        let (events, end) = (live.subscribe(), cancel.child_token());
        let told = sender.clone();
        let is_over = end.clone();
        // Without this thread changes are not published; everything else works.
        let _ = std::thread::Builder::new().name("prowess-mcp-changes".to_owned()).spawn(move || {
            while !is_over.is_cancelled() && !events.is_closed() {
                if let Some(event) = events.next(ROUND).filter(|event| event.published) {
                    // There may be no subscribers.
                    let _ = told.send(Arc::new(event));
                }
            }
        });
        Self { sender, _end: end.drop_guard() }
    }

    pub(crate) fn listen(&self) -> Receiver<Arc<LiveEvent>> {
        self.sender.subscribe()
    }
}
