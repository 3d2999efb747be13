//! Answers that are not JSON.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::read::Archive;

/// A file of a skill, never as something that a browser would run.
pub(crate) fn file(bytes: Vec<u8>) -> Response {
    let kind = match std::str::from_utf8(&bytes) {
        Ok(_) => "text/plain; charset=utf-8",
        Err(_) => "application/octet-stream",
    };
    ([(header::CONTENT_TYPE, kind)], bytes).into_response()
}

/// A text.
pub(crate) fn text(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// An archive to be saved.
pub(crate) fn archive(archive: Archive) -> Response {
    let Archive { name, sha256, bytes } = archive;
    let name = format!("attachment; filename=\"{name}\"");
    let tag = format!("\"{sha256}\"");
    let mut response = ([(header::CONTENT_TYPE, "application/zip")], bytes).into_response();
    for (header, value) in [(header::CONTENT_DISPOSITION, name), (header::ETAG, tag)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(header, value);
        }
    }
    response
}
