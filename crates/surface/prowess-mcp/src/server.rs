//! The server: over standard input and output, over any pair of pipes, or as a router over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use prowess::Live;
use prowess_types::{Classify, ErrorClass, ErrorKind};
use rmcp::service::{ServerInitializeError, serve_server_with_ct};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::connection::Connection;
use crate::core::Core;
use crate::lines::Lines;
use crate::options::ServerOptions;

/// The interval of the heartbeat to a client that listens. Servers that
/// this is mounted in close what is silent for long; the gateway after fifteen seconds.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// A session of a client that says nothing for this long is closed; it may begin another.
const IDLE: Duration = Duration::from_hours(1);
/// A larger request is refused.
const MAX_REQUEST_BYTES: usize = 4 * 1024 * 1024;

/// The reason a connection ended before it began.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client and the server did not understand each other.
    #[error("the client did not complete the MCP handshake")]
    Handshake(#[source] Box<ServerInitializeError>),
    /// The connection was given up.
    #[error("the connection task failed")]
    Ended(#[source] tokio::task::JoinError),
}

impl Classify for ServeError {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(ErrorKind::Environment)
    }
}

/// The skills of an engine, for clients of the protocol. Cheap to clone; every clone serves the same.
#[derive(Clone, Debug)]
pub struct Server {
    core: Arc<Core>,
}

impl Server {
    /// A server over skills that follow the disk.
    pub fn new(live: Arc<Live>, options: ServerOptions) -> Self {
        Self { core: Arc::new(Core::new(live, options)) }
    }

    /// Serves the one client at standard input and output until it goes away. Nothing else may write to standard
    /// output meanwhile.
    ///
    /// # Errors
    /// When the client says something else than the protocol begins with.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let (read, write) = rmcp::transport::stdio();
        self.serve(read, write).await
    }

    /// Serves one client that writes a message per line until it goes away.
    pub async fn serve<R, W>(&self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let connection = Connection::new(Arc::clone(&self.core), None);
        let cancel = self.core.options.cancel.child_token();
        match serve_server_with_ct(connection, Lines::new(read, write), cancel).await {
            Ok(running) => running.waiting().await.map(|_| ()).map_err(ServeError::Ended),
            // A client that goes away without a word, and a server that is stopped, are not failures.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(ServeError::Handshake(Box::new(error))),
        }
    }

    /// The server over HTTP, to be mounted below a path such as `/mcp`. It does not authenticate clients: the program that mounts it
    /// checks tokens, hosts and origins.
    ///
    /// The agent may be named in the address (`/mcp?agent=writer`) or in the header `Prowess-Agent`.
    pub fn router(&self) -> Router {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(IDLE);
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(MAX_REQUEST_BYTES)
            .with_sse_keep_alive(Some(HEARTBEAT))
            .with_cancellation_token(self.core.options.cancel.child_token());
        let core = Arc::clone(&self.core);
        let connect = move || {
            let place = Arc::clone(&core.places).try_acquire_owned();
            let place = place.map_err(|_| std::io::Error::other("too many clients are connected"))?;
            Ok(Connection::new(Arc::clone(&core), Some(place)))
        };
        Router::new().fallback_service(StreamableHttpService::new(connect, Arc::new(sessions), config))
    }
}
