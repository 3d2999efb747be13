//! Notifies the clients of changes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prowess_match::LiveEvent;
use prowess_types::IgnorePoison as _;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionSink};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::core::Caller;
use crate::uri::of_skill;

/// The interval at which the client is checked while nothing happens, and its view requested so that it is not
/// retired.
const LOOK: Duration = Duration::from_secs(30);

/// Resources that a client wants to hear about.
pub(crate) type Subscribed = Arc<Mutex<BTreeSet<String>>>;

/// The subscribers.
pub(crate) enum Listener {
    /// A client with a session: everything, and the resources it subscribed to.
    Session(Peer<RoleServer>, Subscribed),
    /// One request that listens: what it asked for.
    Request(SubscriptionSink),
}

impl Listener {
    /// Publishes one change; false if there are no subscribers left.
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
                    subscribed.lock().ignore_poison().iter().filter(|uri| is_touched(uri)).cloned().collect();
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
        // An unused view is retired, and then emits no changes.
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
