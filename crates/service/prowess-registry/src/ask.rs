//! Requests of this crate: one guarded client, with limits that fit the answers of registries and sites.

use std::time::Duration;

use prowess_net::{Client, HttpMethod, RequestBuilder};

/// The time of one attempt.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The size of an answer.
const MAX_BYTES: u64 = 10 * 1024 * 1024;

/// Starts a request of at most 15 seconds, for an answer of at most 10 MiB.
pub fn ask<'a>(client: &'a Client, method: HttpMethod, url: &str) -> RequestBuilder<'a> {
    client.request(method, url).timeout(TIMEOUT).limit(MAX_BYTES)
}
