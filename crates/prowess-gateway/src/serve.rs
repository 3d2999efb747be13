//! Serving: connections within bounds, until somebody says stop.
//!
//! A connection that sends no request, or does not take its answer, ends after [`Limits::patience`]. One that is
//! upgraded is its new protocol's business.

mod entrance;
mod peer;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;

use crate::http::router;
use crate::{Gateway, GatewayError};
use entrance::Entrance;

#[cfg(doc)]
use crate::Limits;
pub(crate) use peer::Peer;

/// How often samples of durations are folded, so that they do not pile up.
const UPKEEP: Duration = Duration::from_secs(5);

impl Gateway {
    /// Serves until `stop` is over. Clients are told, and calls that are worked on are finished, within bounds.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), GatewayError> {
        let gateway = Arc::new(self);
        gateway.begin();
        gateway.start_pulse();
        let address = listener.local_addr().map_err(GatewayError::Serve)?;
        let service = router(Arc::clone(&gateway), address).into_make_service_with_connect_info::<Peer>();
        let entrance = Entrance::new(listener, &gateway);
        let (stopping, stopped) = (Arc::clone(&gateway), gateway.stopping.clone());
        let server = axum::serve(entrance, service).with_graceful_shutdown(async move {
            stop.await;
            tracing::info!("stopping");
            stopping.settle().await;
            stopping.hang_up().await;
            stopping.stopping.cancel();
        });
        let last_words = gateway.options.limits.last_words;
        let too_long = async move {
            stopped.cancelled().await;
            tokio::time::sleep(last_words).await;
        };
        tracing::info!(%address, "serving");
        let served = tokio::select! {
            served = server => served.map_err(GatewayError::Serve),
            () = too_long => Ok(()),
            () = look_after(&gateway) => Ok(()),
        };
        gateway.stopping.cancel();
        tracing::info!("stopped");
        served
    }
}

/// Keeps the figures; never ends.
async fn look_after(gateway: &Gateway) {
    let mut events = gateway.events.subscribe();
    let mut upkeep = tokio::time::interval(UPKEEP);
    loop {
        tokio::select! {
            _ = upkeep.tick() => gateway.metrics.upkeep(),
            event = events.recv() => match event {
                Ok(event) => gateway.metrics.event(event.name),
                Err(RecvError::Lagged(missed)) => gateway.metrics.events_unseen(missed),
                Err(RecvError::Closed) => std::future::pending().await,
            },
        }
    }
}
