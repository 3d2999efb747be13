//! HTTP: the same calls as JSON, the Studio, and whatever else has an address.
//!
//! Every request passes the [guard]; whatever tells or changes something also needs the token.

mod api;
mod caller;
mod events;
mod guard;
mod operations;
mod remove;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{any, get, post};

use crate::refusal::Refusal;
use crate::response::refuse;
use crate::state::Gateway;
use crate::{studio, ws};
use guard::{Guard, guard, known, owner};

/// Every address of the gateway, which listens at `address`.
pub(crate) fn router(gateway: Arc<Gateway>, address: SocketAddr) -> Router {
    let limits = gateway.options.limits;
    let mounts = gateway.options.mounts.clone();
    let guarding = Arc::new(Guard::new(Arc::clone(&gateway), address));
    let private = Router::new()
        .route("/api/v1", get(api::list))
        .route("/api/v1/openapi.json", get(api::openapi))
        .route("/api/v1/events", get(events::stream))
        .route("/api/v1/{method}", post(api::call))
        .route("/api/gateway/skills/remove", post(remove::remove))
        .route("/metrics", get(operations::metrics))
        .route("/api/{*rest}", any(async || unknown_address()))
        .with_state(Arc::clone(&gateway));
    // Every answer of a mount is behind the token, that for what it does not know included: a layer around routes alone
    // would leave that one out.
    let mounted =
        |mount: Router| mount.layer(from_fn(owner)).layer(from_fn_with_state(Arc::clone(&guarding), known));
    let mounts =
        mounts.into_iter().fold(Router::new(), |all, (path, mount)| all.nest_service(&path, mounted(mount)));
    let public = Router::new()
        .route("/healthz", get(operations::health))
        .route("/readyz", get(operations::ready))
        .route("/", get(entry))
        .route("/ws", get(ws::upgrade))
        .route("/api/gateway/ws", get(ws::upgrade))
        .with_state(gateway);
    Router::new()
        .merge(private.route_layer(from_fn_with_state(Arc::clone(&guarding), known)))
        .merge(mounts)
        .merge(public)
        .fallback(studio::page)
        .method_not_allowed_fallback(async || {
            refuse(StatusCode::METHOD_NOT_ALLOWED, &Refusal::invalid("this address cannot be used that way"))
        })
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(from_fn_with_state(guarding, guard))
}

/// The root: clients of the protocol connect to it, browsers open the Studio.
async fn entry(gateway: State<Arc<Gateway>>, request: Request) -> Response {
    if ws::wants_upgrade(request.headers()) {
        ws::upgrade(gateway, request).await
    } else {
        studio::page(request).await
    }
}

fn unknown_address() -> Response {
    refuse(StatusCode::NOT_FOUND, &Refusal::not_found("there is nothing at this address"))
}
