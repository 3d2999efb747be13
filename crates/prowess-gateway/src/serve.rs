//! Serving: connections within bounds, until somebody says stop.

use std::future::Future;
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
        gateway.begin();
        let closing = Arc::clone(&gateway);
        let stop = async move {
            stop.await;
            closing.settle().await;
        };
        let router = router(gateway);
        axum::serve(listener, router).with_graceful_shutdown(stop).await.map_err(GatewayError::Serve)
    }
}
