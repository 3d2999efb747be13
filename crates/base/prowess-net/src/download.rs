//! Downloads: a body that goes straight to where it is kept.

use std::io::Write;
use std::time::Duration;

use prowess_types::ContentHash;
use sha2::{Digest as _, Sha256};

use crate::body::{Intake, receive};
use crate::client::Client;
use crate::clock::Clock;
use crate::error::shown_text;
use crate::plan::{HttpMethod, Plan};
use crate::response::Response;
use crate::{NetError, retry};

/// The maximum length of an error body that is shown.
const MESSAGE_BYTES: u64 = 2048;
/// The maximum length of an error body that is passed on to a caller.
const REFUSAL_BYTES: u64 = 64 * 1024;

/// The limits of a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    /// Bytes.
    pub max_bytes: u64,
    /// The SHA-256 it must have, in hexadecimal digits.
    pub sha256: Option<String>,
    /// The time limit, over all attempts.
    pub timeout: Duration,
}

impl DownloadLimits {
    /// Makes limits of at most `max_bytes` bytes and 15 minutes.
    pub fn new(max_bytes: u64) -> Self {
        Self { max_bytes, sha256: None, timeout: Duration::from_mins(15) }
    }
}

/// The downloaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downloaded {
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl Client {
    /// Downloads to a writer, and tells how far it is: bytes so far, and bytes in all if they were announced.
    ///
    /// A failed attempt is repeated as long as nothing was written. After an error, what was written is of no use.
    pub fn download(
        &self,
        url: &str,
        out: &mut dyn Write,
        limits: &DownloadLimits,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Downloaded, NetError> {
        let mut plan = Plan::new(HttpMethod::Get, url);
        plan.accept_packed = false;
        let clock = self.clock(limits.timeout);
        let (mut bytes, mut hash) = (0, Sha256::new());
        let mut sink = |piece: &[u8]| {
            out.write_all(piece)?;
            hash.update(piece);
            bytes += piece.len() as u64;
            Ok(())
        };
        self.block_on(async {
            let response = self.begin(&plan, self.options().retries, &clock).await?;
            if !response.status().is_success() {
                return Err(self.refusal(response, shown_text(url), &clock).await);
            }
            let intake = Intake { limit: limits.max_bytes, sink: &mut sink, progress };
            receive(response, true, &clock, self.options().idle_timeout, intake).await
        })?;
        let sha256 = ContentHash(hash.finalize().into()).to_string();
        if let Some(expected) = &limits.sha256
            && !expected.eq_ignore_ascii_case(&sha256)
        {
            let (url, expected) = (shown_text(url), expected.clone());
            return Err(NetError::WrongHash { url, expected, actual: sha256 });
        }
        Ok(Downloaded { bytes, sha256 })
    }

    /// Sends a request whose success goes to a writer; a refusal comes back with the start of its body.
    pub(crate) fn download_answer(
        &self,
        plan: &Plan,
        repeats: u32,
        limits: &DownloadLimits,
        out: &mut dyn Write,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Response, NetError> {
        let clock = self.clock(limits.timeout);
        self.block_on(async {
            let response = self.begin(plan, repeats, &clock).await?;
            let mut answer = Response::head(&response);
            if answer.is_success() {
                let mut sink = |piece: &[u8]| out.write_all(piece);
                let intake = Intake { limit: limits.max_bytes, sink: &mut sink, progress };
                receive(response, true, &clock, self.options().idle_timeout, intake).await?;
            } else {
                answer.body = self.words(response, REFUSAL_BYTES, &clock).await;
            }
            Ok(answer)
        })
    }

    /// Asks until the server starts to send, or refuses for good.
    async fn begin(&self, plan: &Plan, repeats: u32, clock: &Clock) -> Result<reqwest::Response, NetError> {
        let url = shown_text(&plan.url);
        let mut attempt = 0;
        loop {
            let now = clock.at_most(self.options().attempt_timeout);
            let outcome = now.run(&url, self.exchanger().exchange(plan)).await.flatten();
            let (is_transient, asked) = match &outcome {
                Ok(response) => {
                    let asked = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
                    (retry::is_transient(response.status().as_u16()), asked)
                }
                Err(error) => (error.is_transient(), None),
            };
            if !is_transient || !self.wait(attempt, repeats, asked, clock, &url).await? {
                return outcome;
            }
            attempt += 1;
        }
    }

    /// Returns the error of a server's response.
    async fn refusal(&self, response: reqwest::Response, url: String, clock: &Clock) -> NetError {
        let status = response.status().as_u16();
        let message = self.words(response, MESSAGE_BYTES, clock).await;
        let text = String::from_utf8_lossy(&message);
        let message = text.trim().chars().filter(|char| !char.is_control()).collect();
        NetError::Status { url, status, message }
    }

    /// The body of a refusal. The status counts; a message that breaks off is better than none.
    async fn words(&self, response: reqwest::Response, limit: u64, clock: &Clock) -> Vec<u8> {
        let clock = clock.at_most(self.options().attempt_timeout);
        let mut words = Vec::new();
        let mut sink = |bytes: &[u8]| {
            words.extend_from_slice(bytes);
            Ok(())
        };
        let intake = Intake { limit, sink: &mut sink, progress: &mut |_, _| {} };
        let _ = receive(response, true, &clock, self.options().idle_timeout, intake).await;
        words
    }
}
