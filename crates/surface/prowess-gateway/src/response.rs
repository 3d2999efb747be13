//! Refusals as answers over HTTP.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use prowess_types::ErrorKind;
use serde::Serialize;
use serde_json::Value;

use crate::refusal::{Code, Refusal};

/// What a failed call is answered with.
#[derive(Serialize)]
struct Failure<'a> {
    error: &'a Refusal,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'a Value>,
}

/// A refusal with a status of its own.
pub(crate) fn refuse(status: StatusCode, refusal: &Refusal) -> Response {
    let body = Json(Failure { error: refusal, payload: refusal.payload.as_deref() });
    let mut response = (status, body).into_response();
    if let Some(wait) = refusal.retry_after_ms {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.div_ceil(1000).max(1)));
    }
    response
}

/// The refusal of a call.
pub(crate) fn refused(refusal: &Refusal) -> Response {
    refuse(status(refusal.code, refusal.kind), refusal)
}

/// Returns the status of a code and a kind.
pub(crate) fn status(code: Code, kind: ErrorKind) -> StatusCode {
    match code {
        Code::InvalidRequest if kind == ErrorKind::UnknownMethod => StatusCode::NOT_FOUND,
        Code::InvalidRequest => StatusCode::BAD_REQUEST,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::NotPaired | Code::Forbidden => StatusCode::FORBIDDEN,
    }
}
