//! The registry's way of asking, through the guarded client.

use prowess_net::{Client, Method, NetError, RequestBuilder};
use prowess_registry::{Http, HttpError, HttpMethod, HttpRequest, HttpResponse};

/// How often a download that broke off is begun again.
const REPEATS: u32 = 2;

/// The guarded client, as the registry asks it.
#[derive(Debug)]
pub(super) struct NetHttp {
    client: Client,
}

impl NetHttp {
    pub(super) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Says why a host may not be asked by somebody who does not go through the client.
    pub(super) fn check_host(&self, host: &str) -> Result<(), String> {
        self.client.check_host(host).map_err(|error| error.to_string())
    }
}

impl NetHttp {
    fn prepare<'a>(&'a self, request: &HttpRequest) -> RequestBuilder<'a> {
        let method = match request.method {
            HttpMethod::Get => Method::Get,
            HttpMethod::Post => Method::Post,
            HttpMethod::Delete => Method::Delete,
        };
        let mut ask =
            self.client.request(method, &request.url).limit(request.max_bytes).timeout(request.timeout);
        for (name, value) in &request.headers {
            ask = ask.header(name, value);
        }
        if let Some(token) = &request.bearer {
            ask = ask.bearer(token);
        }
        if let Some((kind, bytes)) = &request.body {
            ask = ask.body(bytes.clone(), kind);
        }
        if request.may_repeat { ask.idempotent() } else { ask }
    }
}

impl Http for NetHttp {
    fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = self.prepare(&request).send().map_err(translate)?;
        Ok(HttpResponse { status: answer.status, headers: answer.headers, body: answer.body })
    }

    fn download(
        &self,
        request: HttpRequest,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<HttpResponse, HttpError> {
        let mut left = if request.may_repeat { REPEATS } else { 0 };
        loop {
            let mut body = Vec::new();
            match self.prepare(&request).download_to(&mut body, progress) {
                // What broke off is begun again, as long as that may help.
                Err(NetError::Truncated { .. }) if left > 0 => left -= 1,
                Err(error) => return Err(translate(error)),
                Ok(answer) if answer.is_success() => {
                    return Ok(HttpResponse { status: answer.status, headers: answer.headers, body });
                }
                Ok(answer) => {
                    let body = answer.body;
                    return Ok(HttpResponse { status: answer.status, headers: answer.headers, body });
                }
            }
        }
    }
}

fn translate(error: NetError) -> HttpError {
    match error {
        NetError::Refused { url, reason } => HttpError::Refused { url, reason: reason.to_string() },
        NetError::TooLarge { url, limit } => HttpError::TooLarge { url, limit },
        NetError::Connection { url, source } => {
            HttpError::Unreachable { url, reason: crate::describe_error(source.as_ref()) }
        }
        other => {
            let url = other.url().unwrap_or_default().to_owned();
            HttpError::Unreachable { url, reason: crate::describe_error(&other) }
        }
    }
}
