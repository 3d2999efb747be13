//! The client: requests with their limits of time, their repetitions and their answers.

use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep, sleep_until};

use crate::body::Intake;
use crate::error::{shown, shown_text};
use crate::guard::Pins;
use crate::request::{Method, Plan, RequestBuilder};
use crate::{NetError, NetOptions, retry};

/// The interval at which the cancellation flag is checked.
const NOTICE: Duration = Duration::from_millis(20);

/// Asks servers, within bounds. Clones share connections. Requests block the thread, except those that are awaited:
/// [`stream`](RequestBuilder::stream) and [`upgrade`](RequestBuilder::upgrade).
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
    cancel: Option<Arc<AtomicBool>>,
}

pub(crate) struct Inner {
    pub(crate) options: NetOptions,
    pub(crate) http: reqwest::Client,
    pub(crate) pins: Pins,
    /// Made by the first blocking request, taken when the client is dropped.
    runtime: OnceLock<Runtime>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("reach", &self.inner.options.reach).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Waiting for a lookup that hangs would keep the caller.
            runtime.shutdown_background();
        }
    }
}

/// When a request must be over, and who may end it sooner.
pub(crate) struct Clock {
    limit: Duration,
    end: Instant,
    cancel: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// The same, but it ends after a time, if that is sooner.
    pub(crate) fn at_most(&self, limit: Duration) -> Self {
        let end = Instant::now() + limit;
        let (limit, end) = if end < self.end { (limit, end) } else { (self.limit, self.end) };
        Self { limit, end, cancel: self.cancel.clone() }
    }

    /// Runs until it is done, times out or is cancelled.
    pub(crate) async fn run<T>(&self, url: &str, work: impl Future<Output = T>) -> Result<T, NetError> {
        tokio::select! {
            biased;
            () = self.cancelled() => Err(NetError::Cancelled { url: url.to_owned() }),
            done = work => Ok(done),
            () = sleep_until(self.end) => Err(NetError::TimedOut { url: url.to_owned(), limit: self.limit }),
        }
    }

    async fn cancelled(&self) {
        let Some(flag) = &self.cancel else { return std::future::pending().await };
        while !flag.load(Ordering::Relaxed) {
            sleep(NOTICE).await;
        }
    }
}

/// The response of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers, with names in lower case. Values that are not text are left out.
    pub headers: Vec<(String, String)>,
    /// The body, unpacked.
    pub body: Vec<u8>,
    /// The URL that answered, without query.
    pub url: String,
}

impl Response {
    /// An answer without its body.
    pub(crate) fn head(response: &reqwest::Response) -> Self {
        let text = |value: &reqwest::header::HeaderValue| value.to_str().ok().map(str::to_owned);
        let headers = response.headers().iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)));
        Self {
            status: response.status().as_u16(),
            headers: headers.collect(),
            body: Vec::new(),
            url: shown(response.url()),
        }
    }

    /// Returns true if the status says that it worked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first header of a name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as text; bytes that are none are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, NetError> {
        serde_json::from_slice(&self.body).map_err(|source| NetError::Json { url: self.url.clone(), source })
    }
}

impl Client {
    /// A client.
    pub fn new(options: NetOptions) -> Result<Self, NetError> {
        let pins = Pins::new(&options);
        let mut http = reqwest::Client::builder()
            .user_agent(&options.user_agent)
            .connect_timeout(options.connect_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .dns_resolver(Arc::new(pins.clone()));
        if let Some(proxy) = &options.proxy {
            let except = proxy.except.as_deref().and_then(reqwest::NoProxy::from_string);
            let proxy = reqwest::Proxy::all(proxy.url.expose()).map_err(|_| NetError::BadProxy)?;
            http = http.proxy(proxy.no_proxy(except));
        }
        let http = http.build().map_err(|error| NetError::Setup { source: error.into() })?;
        let inner = Inner { options, http, pins, runtime: OnceLock::new() };
        Ok(Self { inner: Arc::new(inner), cancel: None })
    }

    /// The same client, but its requests end soon after the flag is set.
    #[must_use]
    pub fn cancelled_by(&self, flag: Arc<AtomicBool>) -> Self {
        Self { inner: Arc::clone(&self.inner), cancel: Some(flag) }
    }

    /// Starts a request.
    pub fn request(&self, method: Method, url: &str) -> RequestBuilder<'_> {
        RequestBuilder::new(self, method, url)
    }

    /// Resolves a host and checks it against the network policy; for programs that make their own connections. What such a
    /// program finds when it looks the name up itself, a moment later, is beyond this check.
    pub fn check_host(&self, host: &str) -> Result<(), NetError> {
        let clock = self.clock(self.inner.options.connect_timeout);
        self.block_on(async { clock.run(host, self.inner.check_host(host)).await.flatten() })
    }

    pub(crate) fn options(&self) -> &NetOptions {
        &self.inner.options
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    pub(crate) fn clock(&self, limit: Duration) -> Clock {
        Clock { limit, end: Instant::now() + limit, cancel: self.cancel.clone() }
    }

    pub(crate) fn block_on<T>(&self, work: impl Future<Output = Result<T, NetError>>) -> Result<T, NetError> {
        self.inner.runtime()?.block_on(work)
    }

    pub(crate) fn send(
        &self,
        plan: &Plan,
        limit: u64,
        may_repeat: bool,
        timeout: Option<Duration>,
    ) -> Result<Response, NetError> {
        let options = self.options();
        let one = timeout.unwrap_or(options.attempt_timeout);
        let clock = self.clock(options.total_timeout.max(one));
        let repeats = if may_repeat { options.retries } else { 0 };
        self.block_on(async {
            let mut attempt = 0;
            loop {
                let url = shown_text(&plan.url);
                let now = clock.at_most(one);
                let outcome = now.run(&url, self.inner.answer(plan, limit, &now)).await.flatten();
                let (is_transient, asked) = match &outcome {
                    Ok(answer) => (retry::is_transient(answer.status), answer.header("retry-after")),
                    Err(error) => (error.is_transient(), None),
                };
                if !is_transient || !self.inner.wait(attempt, repeats, asked, &clock, &url).await? {
                    return outcome;
                }
                attempt += 1;
            }
        })
    }
}

impl Inner {
    fn runtime(&self) -> Result<&Runtime, NetError> {
        if self.runtime.get().is_none() {
            let made = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("prowess-net")
                .enable_all()
                .build()
                .map_err(|error| NetError::Setup { source: error.into() })?;
            if let Err(surplus) = self.runtime.set(made) {
                surplus.shutdown_background();
            }
        }
        self.runtime.get().ok_or_else(|| NetError::Setup { source: "there is no runtime".into() })
    }

    /// One attempt, with its body.
    async fn answer(&self, plan: &Plan, limit: u64, clock: &Clock) -> Result<Response, NetError> {
        let response = self.exchange(plan).await?;
        let mut answer = Response::head(&response);
        let has_body = plan.method != Method::Head && !matches!(answer.status, 204 | 304);
        let mut sink = |bytes: &[u8]| {
            answer.body.extend_from_slice(bytes);
            Ok(())
        };
        let intake = Intake { limit, sink: &mut sink, progress: &mut |_, _| {} };
        self.receive(response, has_body, clock, intake).await?;
        Ok(answer)
    }

    /// Waits for the next attempt; `false` if there is none.
    pub(crate) async fn wait(
        &self,
        attempt: u32,
        repeats: u32,
        retry_after: Option<&str>,
        clock: &Clock,
        url: &str,
    ) -> Result<bool, NetError> {
        let wait = retry::wait(attempt, retry_after);
        if attempt >= repeats || wait > self.options.max_wait || Instant::now() + wait >= clock.end {
            return Ok(false);
        }
        clock.run(url, sleep(wait)).await?;
        Ok(true)
    }

    /// Waits for the next piece of an answer, but not for ever.
    pub(crate) async fn within_silence<T>(
        &self,
        clock: &Clock,
        url: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, NetError> {
        let limit = self.options.idle_timeout;
        let piece = tokio::time::timeout(limit, work);
        let piece = clock.run(url, piece).await?;
        piece.map_err(|_| NetError::Silent { url: url.to_owned(), limit })
    }
}
