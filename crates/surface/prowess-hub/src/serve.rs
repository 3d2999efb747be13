//! Serving: connections within limits, until the stop signal.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use prowess_net::serve::{Lobby, Patient};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::http::router;
use crate::peer::Peer;
use crate::{Hub, HubError};

/// Connections at once.
const MAX_CONNECTIONS: usize = 1024;
/// The time that requests have to finish after the stop.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// The interval at which unreferenced data is removed.
const SWEEP: Duration = Duration::from_hours(1);

impl Hub {
    /// Serves until `stop` is over. Requests on their way are finished, within bounds.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), HubError> {
        let hub = Arc::new(self);
        let door = Door {
            listener,
            places: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            lobby: Lobby::new(hub.options.forbearance),
        };
        let stopped = CancellationToken::new();
        let (tell, hear) = (stopped.clone(), stopped.clone());
        let service = router(Arc::clone(&hub)).into_make_service_with_connect_info::<Peer>();
        let server = axum::serve(door, service).with_graceful_shutdown(async move {
            stop.await;
            tell.cancel();
        });
        let too_long = async {
            hear.cancelled().await;
            tokio::time::sleep(LAST_WORDS).await;
        };
        let served = tokio::select! {
            served = server => served.map_err(HubError::Serve),
            () = too_long => Ok(()),
            () = keep_clean(hub) => Ok(()),
        };
        stopped.cancel();
        served
    }
}

/// Sweeps now and then; never ends.
async fn keep_clean(hub: Arc<Hub>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let sweeper = Arc::clone(&hub);
        let swept = tokio::task::spawn_blocking(move || sweeper.sweep()).await;
        if let Ok(Err(error)) = swept {
            hub.options.note.say(&prowess_text::describe_error(&error));
        }
    }
}

/// Limits the number of connections.
struct Door {
    listener: TcpListener,
    places: Arc<Semaphore>,
    lobby: Lobby,
}

impl Listener for Door {
    type Io = Patient<Option<OwnedSemaphorePermit>>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (self.lobby.admit(stream, address.ip(), place).await, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self { address: stream.remote_addr().ip(), seat: Arc::clone(stream.io().seat()) }
    }
}
