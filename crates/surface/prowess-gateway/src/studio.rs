//! The Studio: the pages inside the program.
//!
//! A page tells nothing by itself, so it needs no token. Scripts and styles come from here alone, and none is written
//! into a page.

use std::sync::OnceLock;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use crate::refusal::Refusal;
use crate::response::refuse;

// `FILES`: the files that the build of the front end leaves, sorted by path.
include!(concat!(env!("OUT_DIR"), "/studio.rs"));

/// A file of the Studio inside the program.
struct StudioFile {
    path: &'static str,
    bytes: &'static [u8],
    /// The compressed form, if it is smaller.
    gzip: Option<&'static [u8]>,
    /// The entity tag without the encoding.
    hash: OnceLock<String>,
}

impl StudioFile {
    const fn new(path: &'static str, bytes: &'static [u8], gzip: Option<&'static [u8]>) -> Self {
        Self { path, bytes, gzip, hash: OnceLock::new() }
    }

    fn named(path: &str) -> Option<&'static Self> {
        FILES.iter().find(|file| file.path == path)
    }

    /// The entity tag of one of its forms.
    fn tag(&self, encoding: Option<&str>) -> String {
        let hash = self.hash.get_or_init(|| {
            let hash = Sha256::digest(self.bytes);
            let start = u128::from_be_bytes(std::array::from_fn(|index| hash[index]));
            format!("{start:032x}")
        });
        format!("\"{hash}{}\"", encoding.map(|name| format!("-{name}")).unwrap_or_default())
    }
}

const INDEX: &str = "index.html";
const ICON: &str = "favicon.svg";
const GZIP: &str = "gzip";
/// Names in here hold a hash of the content.
const HASHED: &str = "assets/";

/// Any address that nothing else answers: a file of the Studio, or a place in it.
pub(crate) async fn page(request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refuse(StatusCode::NOT_FOUND, &Refusal::not_found("there is nothing at this address"));
    }
    let path = request.uri().path().trim_start_matches('/');
    let path = match path {
        "" => INDEX,
        // Browsers ask for it wherever a page names no icon.
        "favicon.ico" => ICON,
        path => path,
    };
    match find(path, request.headers()) {
        Some(found) => found.answer(request.headers()),
        // A place in the Studio, which the page itself finds, whatever a skill is called.
        None if is_place(path) => match find(INDEX, request.headers()) {
            Some(index) => index.answer(request.headers()),
            None => missing(),
        },
        None => missing(),
    }
}

/// Returns true if an address can be a place in the Studio. No place is one name with an ending, as `robots.txt` and the
/// other files are that programs look for at any site.
fn is_place(path: &str) -> bool {
    let is_file = !path.contains('/') && path.contains('.');
    !is_file && !path.starts_with(HASHED) && !path.starts_with(".well-known/")
}

fn missing() -> Response {
    refuse(StatusCode::NOT_FOUND, &Refusal::not_found("there is nothing at this address"))
}

/// A file in the form that a client takes.
struct Found {
    file: &'static StudioFile,
    bytes: &'static [u8],
    encoding: Option<&'static str>,
}

/// The smallest form of a file that a client takes.
fn find(path: &str, headers: &HeaderMap) -> Option<Found> {
    let file = StudioFile::named(path)?;
    Some(match file.gzip.filter(|_| accepts(headers, GZIP)) {
        Some(bytes) => Found { file, bytes, encoding: Some(GZIP) },
        None => Found { file, bytes: file.bytes, encoding: None },
    })
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        is_named && parts.all(|weight| !matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

impl Found {
    fn answer(self, headers: &HeaderMap) -> Response {
        let tag = self.file.tag(self.encoding);
        let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let is_known = known.is_some_and(|known| {
            known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag || one.trim() == "*")
        });
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Body::from(self.bytes).into_response()
        };
        let caching = if self.file.path.starts_with(HASHED) {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let put = response.headers_mut();
        put.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
        put.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        put.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(self.file.path)));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            put.insert(header::ETAG, tag);
        }
        if let Some(encoding) = self.encoding {
            put.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        if let Some(policy) = policy(headers) {
            put.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response
    }
}

/// What a page may load and whom it may talk to: this gateway. Not every browser counts its own WebSocket among that.
fn policy(headers: &HeaderMap) -> Option<HeaderValue> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let sockets =
        if host.chars().all(is_plain) { format!(" ws://{host} wss://{host}") } else { String::new() };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).ok()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn encodings_are_taken_as_offered() {
        let mut headers = HeaderMap::new();
        assert!(!accepts(&headers, "br"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br;q=0, zstd"));
        assert!(accepts(&headers, "gzip") && !accepts(&headers, "br"));
    }

    #[test]
    fn compressed_forms_hold_the_same() {
        let mut compressed = 0;
        for file in &FILES {
            let Some(gzip) = file.gzip else { continue };
            let mut bytes = Vec::new();
            flate2::read::GzDecoder::new(gzip).read_to_end(&mut bytes).unwrap();
            assert!(bytes == file.bytes && gzip.len() < bytes.len(), "{}", file.path);
            assert_ne!(file.tag(None), file.tag(Some(GZIP)));
            compressed += 1;
        }
        assert!(compressed > 10, "{compressed}");
    }

    #[test]
    fn no_page_holds_a_script() {
        for file in FILES.iter().filter(|file| content_type(file.path).starts_with("text/html")) {
            let path = file.path;
            let text = String::from_utf8_lossy(file.bytes).to_lowercase();
            for (start, _) in text.match_indices("<script") {
                let tag = &text[start..start + text[start..].find('>').unwrap()];
                assert!(tag.contains("src="), "{path}: {tag}");
            }
            assert!(!text.contains("<style") && !text.contains(" onclick="), "{path}");
        }
    }
}
