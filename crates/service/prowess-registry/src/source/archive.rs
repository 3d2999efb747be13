//! An archive, on this machine or on a server.

use std::path::Path;
use std::time::Duration;

use super::choose::at_root;
use super::{Fetched, Resolved, SourceContext, SourceError};
use crate::ask::ask;
use crate::reference::SourceReference;
use prowess_fs::sha256_hex;
use prowess_net::HttpMethod;

/// The largest archive.
const MAX_ARCHIVE: u64 = 256 * 1024 * 1024;

pub(super) fn read(
    reference: &SourceReference,
    path: &Path,
    context: &SourceContext<'_>,
) -> Result<Fetched, SourceError> {
    let bytes = prowess_fs::read_file(path, MAX_ARCHIVE)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    unpack(reference, &bytes, &name, &prowess_fs::absolute(path).display().to_string(), context)
}

pub(super) fn download(
    reference: &SourceReference,
    url: &str,
    sha256: Option<&str>,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    let bytes = get(url, MAX_ARCHIVE, context, progress)?;
    if let Some(expected) = sha256 {
        check_digest(url, &bytes, expected)?;
    }
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let name = path.rsplit('/').next().unwrap_or(path);
    unpack(reference, &bytes, name, url, context)
}

fn unpack(
    reference: &SourceReference,
    bytes: &[u8],
    name: &str,
    place: &str,
    context: &SourceContext<'_>,
) -> Result<Fetched, SourceError> {
    let bundle = (context.unpack)(bytes, name)
        .map_err(|reason| SourceError::Unpack { name: name.to_owned(), reason })?;
    let bundle = at_root(place, bundle)?;
    let stem = name
        .split_once(".tar")
        .map_or_else(|| name.rsplit_once('.').map_or(name, |(stem, _)| stem), |(stem, _)| stem);
    let mut resolved = Resolved::new(reference, stem, place);
    resolved.digest = Some(format!("sha256:{}", sha256_hex(bytes)));
    Ok(Fetched { bundle, resolved, moderation: None, left_out: Vec::new() })
}

/// The bytes at an address, nothing but success.
pub(super) fn get(
    url: &str,
    max_bytes: u64,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, SourceError> {
    let request = ask(context.http, HttpMethod::Get, url).limit(max_bytes).timeout(Duration::from_mins(2));
    let response = request.download(progress)?;
    if response.is_success() {
        Ok(response.body)
    } else {
        Err(SourceError::Status { url: url.to_owned(), status: response.status })
    }
}

/// Whether bytes have the SHA-256 that was promised, in hexadecimal.
pub(super) fn check_digest(what: &str, bytes: &[u8], expected: &str) -> Result<(), SourceError> {
    let actual = sha256_hex(bytes);
    if actual.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(SourceError::Digest { what: what.to_owned(), expected: expected.to_ascii_lowercase(), actual })
}
