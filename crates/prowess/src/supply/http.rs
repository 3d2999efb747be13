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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    use prowess_net::{NetOptions, Reach};
    use prowess_testkit::web::{Answer, Fault, Web};
    use prowess_types::Secret;

    use super::*;

    fn client() -> Client {
        Client::new(NetOptions { reach: Reach::Loopback, ..NetOptions::default() }).unwrap()
    }

    fn request(web: &Web) -> HttpRequest {
        let mut request = HttpRequest::new(HttpMethod::Get, web.url("/zip"));
        request.bearer = Some(Secret::new("t0ken"));
        request
    }

    #[test]
    fn a_download_that_breaks_off_is_begun_again() {
        let seen = AtomicUsize::new(0);
        let web = Web::start(move |_| {
            let answer = Answer::ok(vec![7; 50_000]);
            let is_first = seen.fetch_add(1, Ordering::SeqCst) == 0;
            if is_first { answer.with(Fault::DieAfter(20_000)) } else { answer }
        });
        let mut heard = Vec::new();
        let answer =
            NetHttp::new(client()).download(request(&web), &mut |done, of| heard.push((done, of))).unwrap();
        assert_eq!((answer.status, answer.body), (200, vec![7; 50_000]));
        assert_eq!(heard.last(), Some(&(50_000, Some(50_000))));
        let requests = web.requests();
        assert_eq!(requests.len(), 2);
        assert!(requests.iter().all(|request| request.header("authorization") == Some("Bearer t0ken")));
    }

    #[test]
    fn a_download_that_always_breaks_off_is_an_error() {
        let web = Web::start(|_| Answer::ok(vec![7; 50_000]).with(Fault::DieAfter(20_000)));
        let result = NetHttp::new(client()).download(request(&web), &mut |_, _| {});
        assert!(matches!(result, Err(HttpError::Unreachable { .. })), "{result:?}");
        assert_eq!(web.requests().len(), 3);
    }

    #[test]
    fn a_refused_download_keeps_its_words() {
        let web = Web::start(|_| Answer::status(423, "Scan pending").header("x-a", "b"));
        let answer = NetHttp::new(client()).download(request(&web), &mut |_, _| {}).unwrap();
        assert_eq!((answer.status, answer.header("x-a")), (423, Some("b")));
        assert_eq!(answer.body, b"Scan pending");
    }

    #[test]
    fn a_download_ends_when_nobody_wants_it_any_more() {
        let web =
            Web::start(|_| Answer::ok(vec![7; 50_000]).with(Fault::StallAfter(100, Duration::from_mins(5))));
        let flag = Arc::new(AtomicBool::new(false));
        let http = NetHttp::new(client().cancelled_by(Arc::clone(&flag)));
        let result = http.download(request(&web), &mut |_, _| flag.store(true, Ordering::Relaxed));
        let Err(HttpError::Unreachable { reason, .. }) = result else { panic!("{result:?}") };
        assert!(reason.contains("cancelled"), "{reason}");
        assert_eq!(web.requests().len(), 1);
    }
}
