//! What those who operate a gateway ask.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::state::Gateway;

/// `GET /healthz`: whether the process answers.
pub(crate) async fn health() -> &'static str {
    "ok"
}

/// `GET /readyz`: whether the skills of the default agent are loaded.
pub(crate) async fn ready(State(gateway): State<Arc<Gateway>>) -> Response {
    if gateway.stopping.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping").into_response();
    }
    let looked = tokio::task::spawn_blocking(move || gateway.live.view(None).is_ok()).await;
    match looked {
        Ok(true) => "ready".into_response(),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "not ready").into_response(),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(gateway): State<Arc<Gateway>>) -> Response {
    let uptime = gateway.options.clock.now_ms().saturating_sub(gateway.started_ms);
    let text = gateway.metrics.text(Duration::from_millis(uptime));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
