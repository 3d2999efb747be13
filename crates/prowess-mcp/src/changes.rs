//! Telling clients that the skills of their agent changed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prowess::{Live, LiveEvent};
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionSink};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver};
use tokio_util::sync::CancellationToken;

use crate::core::{Caller, lock};
use crate::uri::of_skill;

/// Events that wait for a slow client; after more it is told that anything may have changed.
const WAITING: usize = 64;
/// How often the end is looked for while nothing happens.
const ROUND: Duration = Duration::from_secs(1);
/// How often a client is looked for while nothing happens, and its view asked for so that it is not retired.
const LOOK: Duration = Duration::from_secs(30);

/// What is published, for everybody who listens.
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
        // Without this thread nobody is told of changes; everything else works.
        let _ = std::thread::Builder::new().name("prowess-mcp-changes".to_owned()).spawn(move || {
            while !is_over.is_cancelled() && !events.is_closed() {
                if let Some(event) = events.next(ROUND).filter(|event| event.published) {
                    // It may be that nobody listens.
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

/// Resources that a client wants to hear about.
pub(crate) type Subscribed = Arc<Mutex<BTreeSet<String>>>;

/// Who is told.
pub(crate) enum Listener {
    /// A client with a session: everything, and the resources it subscribed to.
    Session(Peer<RoleServer>, Subscribed),
    /// One request that listens: what it asked for.
    Request(SubscriptionSink),
}

impl Listener {
    /// Tells of one change; false if nobody is there any more.
    async fn tell(&self, event: Option<&LiveEvent>) -> bool {
        let touched: Option<BTreeSet<String>> = event.map(|event| {
            let diff = &event.diff;
            [&diff.changed, &diff.removed, &diff.added]
                .into_iter()
                .flatten()
                .map(|name| of_skill(name))
                .collect()
        });
        let is_touched = |uri: &String| touched.as_ref().is_none_or(|touched| touched.contains(uri));
        match self {
            Self::Session(peer, subscribed) => {
                let updated: Vec<String> =
                    lock(subscribed).iter().filter(|uri| is_touched(uri)).cloned().collect();
                for uri in updated {
                    let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                }
                peer.notify_resource_list_changed().await.is_ok()
                    && peer.notify_prompt_list_changed().await.is_ok()
            }
            Self::Request(sink) => {
                let wanted = sink.accepted();
                for uri in wanted.resource_subscriptions.iter().flatten().filter(|uri| is_touched(uri)) {
                    let _ = sink.notify_resource_updated(uri.clone()).await;
                }
                let resources = wanted.resources_list_changed != Some(true)
                    || sink.notify_resource_list_changed().await.is_ok();
                let prompts = wanted.prompts_list_changed != Some(true)
                    || sink.notify_prompt_list_changed().await.is_ok();
                resources && prompts
            }
        }
    }

    fn is_gone(&self) -> bool {
        matches!(self, Self::Session(peer, _) if peer.is_transport_closed())
    }
}

/// Tells a listener of the changes of its agent until it goes away or `cancel` says so.
pub(crate) async fn tell(caller: Caller, listener: Listener, cancel: CancellationToken) {
    let mut events = caller.core.changes.listen();
    loop {
        // A view that nobody asks for is retired, and then nothing is heard of it.
        let Ok(agent) = caller.work(|desk| Ok(desk.inventory().agent_id.clone())).await else { return };
        let event = tokio::select! {
            event = events.recv() => event,
            () = tokio::time::sleep(LOOK) => {
                if listener.is_gone() {
                    return;
                }
                continue;
            }
            () = cancel.cancelled() => return,
            () = caller.core.options.cancel.cancelled() => return,
        };
        let is_there = match event {
            Ok(event) if event.agent_id == agent => listener.tell(Some(&event)).await,
            Ok(_) => !listener.is_gone(),
            Err(RecvError::Lagged(_)) => listener.tell(None).await,
            Err(RecvError::Closed) => return,
        };
        if !is_there || listener.is_gone() {
            return;
        }
    }
}
