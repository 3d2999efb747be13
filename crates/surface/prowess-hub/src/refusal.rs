//! The answer to a refused request: a status and a sentence in plain text.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use prowess_registry::protocol::AmbiguousSlug;

use crate::HubError;

/// The reason a request is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// A status and a sentence.
    Plain(StatusCode, String),
    /// Several skills go by the slug.
    Ambiguous(Box<AmbiguousSlug>),
    /// The hub itself failed; the client does not hear why.
    Broken(HubError),
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self::Plain(status, text.into())
    }

    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(crate) fn conflict(text: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, text)
    }

    pub(crate) fn forbidden(text: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, text)
    }

    pub(crate) fn gone(text: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, text)
    }

    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }

    /// The words that clients look for.
    pub(crate) fn no_skill() -> Self {
        Self::not_found("Skill not found")
    }

    pub(crate) fn no_version() -> Self {
        Self::not_found("Version not found")
    }

    pub(crate) fn too_large(text: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    /// The words that clients look for.
    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Unauthorized")
    }
}

impl<E: Into<HubError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Broken(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Self::Plain(status, text) => (status, text),
            Self::Ambiguous(body) => return (StatusCode::CONFLICT, Json(*body)).into_response(),
            Self::Broken(_) => (StatusCode::INTERNAL_SERVER_ERROR, "The registry failed".to_owned()),
        };
        (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
    }
}
