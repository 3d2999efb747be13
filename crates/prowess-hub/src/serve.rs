//! Serving: connections within bounds, until somebody says stop.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::CancellationToken;

use crate::http::router;
use crate::{Hub, HubError};

/// Connections at once.
const MAX_CONNECTIONS: usize = 1024;
/// How long a connection may be silent; longer than any request may take.
const PATIENCE: Duration = Duration::from_secs(150);
/// How long requests may go on after the stop.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How often what nobody needs is swept out.
const SWEEP: Duration = Duration::from_hours(1);

impl Hub {
    /// Serves until `stop` is over. Requests on their way are finished, within bounds.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), HubError> {
        let hub = Arc::new(self);
        let door = Door { listener, places: Arc::new(Semaphore::new(MAX_CONNECTIONS)) };
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
            hub.options.note.say(&prowess::describe_error(&error));
        }
    }
}

/// Lets so many in and no more.
struct Door {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Listener for Door {
    type Io = Patient;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Patient { stream, silent: Box::pin(tokio::time::sleep(PATIENCE)), _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// The machine at the other end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self(stream.remote_addr().ip())
    }
}

/// A connection that ends when nothing is heard or taken for too long.
struct Patient {
    stream: TcpStream,
    silent: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Patient {
    /// What was tried, unless it has been waited for too long.
    fn or_enough<T>(&mut self, tried: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.silent.as_mut().reset(Instant::now() + PATIENCE);
            return tried;
        }
        ready!(self.silent.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.or_enough(tried, context)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.or_enough(tried, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_flush(context);
        self.or_enough(tried, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
