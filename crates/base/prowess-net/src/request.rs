//! A request, put together step by step.

use std::io::Write;
use std::time::Duration;

use prowess_types::Secret;
use serde::Serialize;

use crate::NetError;
use crate::client::Client;
use crate::download::DownloadLimits;
use crate::error::shown_text;
use crate::plan::{HttpMethod, Plan};
use crate::response::Response;

/// The maximum number of new attempts of a transfer that broke off.
const TRANSFER_REPEATS: u32 = 2;

/// A request before it is sent.
#[must_use = "a request does nothing until it is sent"]
pub struct RequestBuilder<'a> {
    client: &'a Client,
    plan: Plan,
    limit: u64,
    is_idempotent: bool,
    timeout: Option<Duration>,
    problem: Option<NetError>,
}

impl Client {
    /// Starts a request.
    pub fn request(&self, method: HttpMethod, url: &str) -> RequestBuilder<'_> {
        RequestBuilder::new(self, method, url)
    }
}

impl<'a> RequestBuilder<'a> {
    fn new(client: &'a Client, method: HttpMethod, url: &str) -> Self {
        let plan = Plan::new(method, url);
        let limit = client.options().max_body;
        Self { client, plan, limit, is_idempotent: method.is_reading(), timeout: None, problem: None }
    }

    /// Authorises the request. A redirect to another origin does not get it.
    pub fn bearer(mut self, token: &Secret) -> Self {
        self.plan.bearer = Some(token.clone());
        self
    }

    /// Adds a header. A redirect to another origin does not get it.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.plan.headers.push((name.to_owned(), Secret::new(value)));
        self
    }

    /// Adds to the query.
    pub fn query(mut self, key: &str, value: &str) -> Self {
        self.plan.query.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Sends JSON.
    pub fn json(mut self, value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => self.body(body, "application/json"),
            Err(source) => {
                let url = shown_text(&self.plan.url);
                self.problem = Some(NetError::Json { url, source });
                self
            }
        }
    }

    /// Sends bytes.
    pub fn body(mut self, bytes: Vec<u8>, content_type: &str) -> Self {
        self.plan.body = Some(bytes);
        self.header("content-type", content_type)
    }

    /// Sets how large the answer may be.
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Sets how long one attempt may take, instead of the client's limit; large uploads need more.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Says that the request may be repeated although it changes something.
    pub fn idempotent(mut self) -> Self {
        self.is_idempotent = true;
        self
    }

    /// Sends it. Whatever the server answers is an answer; 429 and 5xx are asked again first, if the request may be
    /// repeated.
    pub fn send(self) -> Result<Response, NetError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        self.client.send(&self.plan, self.limit, self.is_idempotent, self.timeout)
    }

    /// Sends it, and lets the body of a success go to a writer piece by piece; the answer has none then. The
    /// start of what a server says when it refuses is in the answer.
    ///
    /// `progress` hears how many bytes have come, and of how many if that was announced. The limit of time is for
    /// the whole transfer; a failed attempt is repeated as long as nothing was written.
    pub fn download_to(
        mut self,
        out: &mut dyn Write,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Response, NetError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        self.plan.accept_packed = false;
        let mut limits = DownloadLimits::new(self.limit);
        limits.timeout = self.timeout.unwrap_or(limits.timeout);
        let repeats = if self.is_idempotent { self.client.options().retries } else { 0 };
        self.client.download_answer(&self.plan, repeats, &limits, out, progress)
    }
}

impl<'a> RequestBuilder<'a> {
    /// The client and the plan, if the request can be sent.
    pub(crate) fn into_plan(self) -> Result<(&'a Client, Plan), NetError> {
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok((self.client, self.plan)),
        }
    }

    /// Sends the request, with a body in memory that is reported piece by piece. A transfer that breaks off begins
    /// again, if the request may be repeated.
    pub fn download(self, progress: &mut dyn FnMut(u64, Option<u64>)) -> Result<Response, NetError> {
        let mut left = if self.is_idempotent { TRANSFER_REPEATS } else { 0 };
        let (client, plan) = (self.client, self.plan.clone());
        let (limit, is_idempotent, timeout) = (self.limit, self.is_idempotent, self.timeout);
        let mut attempt = self;
        loop {
            let mut body = Vec::new();
            match attempt.download_to(&mut body, progress) {
                Err(NetError::Truncated { .. }) if left > 0 => left -= 1,
                Ok(answer) if answer.is_success() => return Ok(Response { body, ..answer }),
                outcome => return outcome,
            }
            attempt =
                RequestBuilder { client, plan: plan.clone(), limit, is_idempotent, timeout, problem: None };
        }
    }
}
