//! The methods as JSON: `POST /api/v1/<method>`, and what describes them.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest as _, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use prowess_types::ErrorKind;
use serde::Serialize;
use serde_json::Value;

use crate::access::{Access, Caller};
use crate::openapi;
use crate::refusal::Refusal;
use crate::response::{refuse, refused};
use crate::state::{Call, Gateway};

/// `POST /api/v1/<method>`
pub(crate) async fn call(
    State(gateway): State<Arc<Gateway>>,
    Extension(caller): Extension<Arc<Caller>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let busy = || {
        let refusal = Refusal::new(ErrorKind::Busy, "too many calls at once; try again");
        refused(&Refusal { retryable: Some(true), retry_after_ms: Some(1000), ..refusal })
    };
    let place = tokio::time::timeout(gateway.options.limits.body_time, gateway.calls.acquire()).await;
    let Ok(Ok(_place)) = place else { return busy() };
    let params = match params(&gateway, request).await {
        Ok(params) => params,
        Err(response) => return *response,
    };
    let call = Call::new(Arc::clone(&gateway), caller);
    match gateway.methods.call(call, &name, params).await {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/json")], Bytes::from(answer)).into_response(),
        Err(refusal) => refused(&refusal),
    }
}

/// The body of a request as params. No body means no params.
async fn params(gateway: &Gateway, request: Request) -> Result<Value, Box<Response>> {
    let body = body(gateway, request).await?;
    if body.is_empty() {
        return Ok(Value::Null);
    }
    let invalid = |what: String| Err(Box::new(refused(&Refusal::invalid(what))));
    match serde_json::from_slice(&body) {
        Ok(params @ Value::Object(_)) => Ok(params),
        Ok(_) => invalid("params are a JSON object".to_owned()),
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            invalid(format!("the body is not JSON ({place})"))
        }
    }
}

/// The body of a request, within bounds. If there is one, it must say that it is JSON.
pub(crate) async fn body(gateway: &Gateway, request: Request) -> Result<Bytes, Box<Response>> {
    let is_json = is_json(request.headers());
    let limits = &gateway.options.limits;
    let body = tokio::time::timeout(limits.body_time, Bytes::from_request(request, &()));
    let body = match body.await {
        Err(_) => {
            let refusal = Refusal::invalid("the body took too long");
            return Err(refuse(StatusCode::REQUEST_TIMEOUT, &refusal).into());
        }
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let refusal = Refusal::invalid(format!("at most {} bytes can be sent", limits.body_bytes));
            return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, &refusal).into());
        }
        Ok(Err(_)) => return Err(refused(&Refusal::invalid("the body cannot be read")).into()),
        Ok(Ok(body)) => body,
    };
    if !is_json && !body.is_empty() {
        let refusal = Refusal::invalid("a body is sent as application/json");
        return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, &refusal).into());
    }
    Ok(body)
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// A method, as it is listed.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    path: String,
    access: &'static str,
}

/// `GET /api/v1`
pub(crate) async fn list(State(gateway): State<Arc<Gateway>>) -> Response {
    let methods: Vec<Listed> = gateway
        .methods
        .iter()
        .map(|method| Listed {
            name: method.name,
            about: method.about,
            path: format!("/api/v1/{}", method.name),
            access: match method.access {
                Access::Operator(scope) => scope.as_str(),
                Access::Node => "node",
            },
        })
        .collect();
    Json(serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "openapi": "/api/v1/openapi.json",
        "events": "/api/v1/events",
        "methods": methods,
    }))
    .into_response()
}

/// `GET /api/v1/openapi.json`
pub(crate) async fn openapi(State(gateway): State<Arc<Gateway>>) -> Response {
    Json(openapi::document(&gateway.methods)).into_response()
}
