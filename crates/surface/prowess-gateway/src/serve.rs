//! Serving: connections within limits, until the stop signal.
//!
//! A connection that sends no request, or does not take its answer, ends after [`GatewayLimits::patience`]. One that is
//! upgraded is its new protocol's business.

mod entrance;
mod open;
mod peer;

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;

use crate::http::router;
use crate::{Gateway, GatewayError};
use entrance::Entrance;

#[cfg(doc)]
use crate::GatewayLimits;
use crate::peer::Peer;

impl Gateway {
    /// Serves until `stop` is over. Clients are notified, and calls that are worked on are finished, within bounds.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), GatewayError> {
        let gateway = Arc::new(self);
        gateway.begin();
        gateway.start_pulse();
        let address = listener.local_addr().map_err(GatewayError::Serve)?;
        let _ = gateway.url.set(near_url(address));
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
            () = gateway.expire_codes() => Ok(()),
        };
        gateway.drop_codes();
        gateway.stopping.cancel();
        tracing::info!("stopped");
        served
    }
}

/// The URL by which this machine reaches what listens at an address.
pub fn near_url(address: SocketAddr) -> String {
    let near = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(near, address.port()))
}

/// Counts the events; never ends.
async fn look_after(gateway: &Gateway) {
    let mut events = gateway.events.subscribe();
    loop {
        match events.recv().await {
            Ok(event) => gateway.metrics.event(event.name),
            Err(RecvError::Lagged(missed)) => gateway.metrics.events_unseen(missed),
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_is_reached_here() {
        for (listening, url) in [
            ("127.0.0.1:1", "http://127.0.0.1:1/"),
            ("0.0.0.0:2", "http://127.0.0.1:2/"),
            ("[::]:3", "http://[::1]:3/"),
            ("192.0.2.7:4", "http://192.0.2.7:4/"),
        ] {
            assert_eq!(near_url(listening.parse().unwrap()), url);
        }
    }
}
