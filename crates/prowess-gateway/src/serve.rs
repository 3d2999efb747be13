//! Serving: connections within bounds, until somebody says stop.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::http::router;
use crate::{Gateway, GatewayError};

impl Gateway {
    /// Serves until `stop` is over.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), GatewayError> {
        let gateway = Arc::new(self);
        gateway.start_pulse();
        let service = router(Arc::clone(&gateway)).into_make_service_with_connect_info::<SocketAddr>();
        let served = axum::serve(listener, service).with_graceful_shutdown(stop).await;
        gateway.hang_up().await;
        served.map_err(GatewayError::Serve)
    }
}
