//! HTTP: the same calls as JSON, and whatever else has an address.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::access::{Caller, Role, Scope};
use crate::gateway::Gateway;
use crate::method::Call;
use crate::refusal::{Code, Refusal};
use crate::ws;

/// Every address of the gateway.
pub(crate) fn router(gateway: Arc<Gateway>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/", get(ws::upgrade))
        .route("/ws", get(ws::upgrade))
        .route("/api/gateway/ws", get(ws::upgrade))
        .route("/api/v1/{method}", post(call))
        .with_state(gateway)
}

async fn call(
    State(gateway): State<Arc<Gateway>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    params: Option<Json<Value>>,
) -> Response {
    if gateway.door.admit(None, bearer(&headers)).is_err() {
        let body = Json(json!({ "error": { "code": "INVALID_REQUEST", "message": "unauthorized" } }));
        return (StatusCode::UNAUTHORIZED, body).into_response();
    }
    let caller = Caller {
        connection: ulid::Ulid::nil().to_string(),
        role: Role::Operator,
        scopes: BTreeSet::from(Scope::ALL),
        client: "http".to_owned(),
    };
    let call = Call { gateway: Arc::clone(&gateway), caller: Arc::new(caller) };
    let params = params.map(|Json(params)| params).unwrap_or_default();
    match gateway.methods.call(call, &name, params).await {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => refused(&refusal),
    }
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

fn refused(refusal: &Refusal) -> Response {
    let status = match refusal.code {
        Code::InvalidRequest if refusal.message.starts_with("unknown method") => StatusCode::NOT_FOUND,
        Code::InvalidRequest => StatusCode::BAD_REQUEST,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::NotPaired | Code::Forbidden => StatusCode::FORBIDDEN,
    };
    (status, Json(json!({ "error": refusal, "payload": refusal.payload }))).into_response()
}
