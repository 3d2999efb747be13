//! The registry's way of asking, through the guarded client.

use prowess_net::{Client, Method, NetError};
use prowess_registry::{Http, HttpError, HttpMethod, HttpRequest, HttpResponse};

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

impl Http for NetHttp {
    fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
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
        if let Some((kind, bytes)) = request.body {
            ask = ask.body(bytes, &kind);
        }
        if request.may_repeat {
            ask = ask.idempotent();
        }
        let answer = ask.send().map_err(translate)?;
        Ok(HttpResponse { status: answer.status, headers: answer.headers, body: answer.body })
    }

    fn download(
        &self,
        request: HttpRequest,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<HttpResponse, HttpError> {
        let answer = self.send(request)?;
        let length = answer.body.len() as u64;
        progress(length, Some(length));
        Ok(answer)
    }
}

fn translate(error: NetError) -> HttpError {
    match error {
        NetError::Refused { url, reason } => HttpError::Refused { url, reason: reason.to_string() },
        NetError::TooLarge { url, limit } => HttpError::TooLarge { url, limit },
        other => {
            let url = other.url().unwrap_or_default().to_owned();
            HttpError::Unreachable { url, reason: crate::describe_error(&other) }
        }
    }
}
