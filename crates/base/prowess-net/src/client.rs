//! The client: requests with their limits of time, their repetitions and their answers.

use std::fmt;
use std::future::Future;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::body::{Intake, receive};
use crate::clock::Clock;
use crate::error::shown_text;
use crate::exchange::Exchanger;
use crate::plan::{HttpMethod, Plan};
use crate::response::Response;
use crate::{NetError, NetOptions, retry};

/// Asks servers, within bounds. Clones share connections. Requests block the thread, except those that are awaited:
/// [`stream`](crate::RequestBuilder::stream) and [`upgrade`](crate::RequestBuilder::upgrade).
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
    cancel: Option<Arc<AtomicBool>>,
}

struct Inner {
    exchanger: Exchanger,
    /// Made by the first blocking request, taken when the client is dropped.
    runtime: OnceLock<Runtime>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("reach", &self.inner.exchanger.options.reach).finish_non_exhaustive()
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

impl Client {
    /// A client.
    pub fn new(options: NetOptions) -> Result<Self, NetError> {
        let inner = Inner { exchanger: Exchanger::new(options)?, runtime: OnceLock::new() };
        Ok(Self { inner: Arc::new(inner), cancel: None })
    }

    /// The same client, but its requests end soon after the flag is set.
    #[must_use]
    pub fn cancelled_by(&self, flag: Arc<AtomicBool>) -> Self {
        Self { inner: Arc::clone(&self.inner), cancel: Some(flag) }
    }

    /// Looks a host up and says why it may not be asked; for programs that make their own connections. What such a
    /// program finds when it looks the name up itself, a moment later, is beyond this check.
    pub fn check_host(&self, host: &str) -> Result<(), NetError> {
        let clock = self.clock(self.inner.exchanger.options.connect_timeout);
        self.block_on(async { clock.run(host, self.inner.exchanger.check_host(host)).await.flatten() })
    }

    pub(crate) fn options(&self) -> &NetOptions {
        &self.inner.exchanger.options
    }

    pub(crate) fn exchanger(&self) -> &Exchanger {
        &self.inner.exchanger
    }

    pub(crate) fn clock(&self, limit: Duration) -> Clock {
        Clock::new(limit, self.cancel.clone())
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
                let outcome = now.run(&url, self.answer(plan, limit, &now)).await.flatten();
                let (is_transient, asked) = match &outcome {
                    Ok(answer) => (retry::is_transient(answer.status), answer.header("retry-after")),
                    Err(error) => (error.is_transient(), None),
                };
                if !is_transient || !self.wait(attempt, repeats, asked, &clock, &url).await? {
                    return outcome;
                }
                attempt += 1;
            }
        })
    }

    /// One attempt, with its body.
    async fn answer(&self, plan: &Plan, limit: u64, clock: &Clock) -> Result<Response, NetError> {
        let response = self.exchanger().exchange(plan).await?;
        let mut answer = Response::head(&response);
        let has_body = plan.method != HttpMethod::Head && !matches!(answer.status, 204 | 304);
        let mut sink = |bytes: &[u8]| {
            answer.body.extend_from_slice(bytes);
            Ok(())
        };
        let intake = Intake { limit, sink: &mut sink, progress: &mut |_, _| {} };
        receive(response, has_body, clock, self.options().idle_timeout, intake).await?;
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
        if attempt >= repeats || wait > self.options().max_wait || clock.is_over_in(wait) {
            return Ok(false);
        }
        clock.run(url, sleep(wait)).await?;
        Ok(true)
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
}
