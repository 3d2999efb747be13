//! A model behind HTTP.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Proxy, Response, Url};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::draft::Draft;
use crate::fault::{Again, Fault};
use crate::options::{Api, Options};
use crate::quote::{self, Quoter};
use crate::reader::{Reader, broke_off};
use crate::{ChatModel, Delta, ModelError, Reply, Request, address, anthropic, open_ai, retry};

/// Of the body of an error, so much is read.
const MAX_ERROR_BODY: usize = 64 << 10;
/// What may still come once the answer has ended, the count of tokens, comes at once.
const AFTER_THE_END: Duration = Duration::from_secs(2);

/// A model behind HTTP: [`Api`] says in which words.
///
/// It is asked again, at most [`Options::max_retries`] times, when it cannot be reached, or answers 408, 429 or 5xx
/// before a word has come. `Retry-After` is honoured up to 60 seconds; an endpoint that asks for more is
/// [`ModelError::Limited`]. An answer that breaks off is asked for once more as a whole, unless a tool call in it was
/// complete: then it is [`ModelError::Interrupted`].
pub struct Endpoint {
    api: Api,
    options: Options,
    client: Client,
    url: Url,
    headers: HeaderMap,
    quoter: Quoter,
}

impl Endpoint {
    /// Prepares to talk to an endpoint; nothing is sent yet.
    pub fn new(api: Api, options: Options) -> Result<Self, ModelError> {
        let url = address::resolve(api, &options)?;
        let refuse = |why| ModelError::Address(address::shown(url.as_str()), why);
        let mut client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(options.connect_timeout)
            .user_agent(concat!("prowess/", env!("CARGO_PKG_VERSION")));
        if let Some(proxy) = &options.proxy
            && !address::is_loopback(&url)
        {
            client = client.proxy(Proxy::all(proxy.expose()).map_err(|_| refuse("its proxy is no URL"))?);
        }
        let client = client.build().map_err(|source| unreachable(&url, source))?;
        let headers =
            headers(api, options.key()).ok_or_else(|| refuse("its key cannot be sent in a header"))?;
        let quoter = Quoter::new(options.key());
        Ok(Self { api, options, client, url, headers, quoter })
    }

    async fn ask(
        &self,
        request: Request<'_>,
        on: &mut (dyn FnMut(Delta) + Send),
    ) -> Result<Reply, ModelError> {
        let body = match self.api {
            Api::OpenAi => open_ai::body(&self.options, &request),
            Api::Anthropic => anthropic::body(&self.options, &request),
        };
        let (mut retries, mut broke_off) = (0, false);
        loop {
            let fault = match self.attempt(&body, Draft::new(on, request.messages.len())).await {
                Ok(mut reply) => {
                    reply.usage.requests = retries + 1;
                    return Ok(reply);
                }
                Err(fault) => fault,
            };
            let error = self.quoter.clean(fault.error);
            let asked = match fault.again {
                _ if retries >= self.options.max_retries => return Err(error),
                Again::Never => return Err(error),
                Again::Once if std::mem::replace(&mut broke_off, true) => return Err(error),
                Again::Once => None,
                Again::Later(asked) => asked,
            };
            let after = asked.unwrap_or_else(|| retry::backoff(self.options.first_backoff, retries));
            on(Delta::Retry { reason: error.to_string(), after });
            sleep(after).await;
            retries += 1;
        }
    }

    async fn attempt(&self, body: &Value, mut draft: Draft<'_>) -> Result<Reply, Fault> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).json(body);
        let response = match timeout(self.options.idle_timeout, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(source)) => {
                return Err(Fault { error: unreachable(&self.url, source), again: Again::Later(None) });
            }
            Err(_) => return Err(self.silent()),
        };
        if !response.status().is_success() {
            return Err(self.refused(response).await);
        }
        self.read(response, &mut draft).await?;
        draft.into_reply()
    }

    async fn read(&self, mut response: Response, draft: &mut Draft<'_>) -> Result<(), Fault> {
        let mut reader = Reader::new(self.api, self.options.max_reply_bytes);
        while !draft.is_complete() {
            let idle = self.options.idle_timeout;
            let patience = if draft.may_end() { idle.min(AFTER_THE_END) } else { idle };
            match timeout(patience, response.chunk()).await {
                Ok(Ok(Some(bytes))) => reader.push(&bytes, draft)?,
                Ok(Ok(None)) => return reader.end(draft),
                // All that matters is there.
                Ok(Err(_)) | Err(_) if draft.may_end() => return Ok(()),
                Ok(Err(_)) => return Err(broke_off("the connection was lost", draft)),
                Err(_) => return Err(self.silent()),
            }
        }
        Ok(())
    }

    /// What a status other than success means.
    async fn refused(&self, mut response: Response) -> Fault {
        let status = response.status();
        let retry_after = retry::asked(response.headers());
        if status.is_redirection() {
            let target = response.headers().get(LOCATION).and_then(|target| target.to_str().ok());
            let target = address::shown(target.unwrap_or("an unknown place"));
            let message = format!("it redirects to `{target}`, which is not followed; change the address");
            return Fault::status(status.as_u16(), message, None);
        }
        let mut body = Vec::new();
        // The status is known; a body that breaks off or does not come only says less about it.
        while let Ok(Ok(Some(bytes))) = timeout(self.options.idle_timeout, response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() >= MAX_ERROR_BODY {
                break;
            }
        }
        Fault::status(status.as_u16(), quote::message(&body), retry_after)
    }

    fn silent(&self) -> Fault {
        Fault::never(ModelError::Silent(self.options.idle_timeout))
    }
}

impl ChatModel for Endpoint {
    fn name(&self) -> &str {
        &self.options.model
    }

    fn reply<'a>(
        &'a self,
        request: Request<'a>,
        on: &'a mut (dyn FnMut(Delta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.ask(request, on))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("api", &self.api)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

fn unreachable(url: &Url, source: reqwest::Error) -> ModelError {
    // Without the address, which may hold a key in its query.
    ModelError::Unreachable { url: address::shown(url.as_str()), source: source.without_url() }
}

/// The headers of every request; none if the key has characters that no header can have.
fn headers(api: Api, key: Option<&str>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let (name, value) = match api {
            Api::OpenAi => (AUTHORIZATION, format!("Bearer {key}")),
            Api::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
        };
        let mut value = HeaderValue::from_str(&value).ok()?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    if api == Api::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
    }
    Some(headers)
}
