//! A model behind HTTP.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_net::{
    Client, HttpMethod, NetError, NetOptions, NetworkReach, Redirects, ResponseStream, is_header,
    is_loopback_url, without_secrets,
};
use prowess_types::{ModelApi, Secret};
use serde_json::Value;
use tokio::time::{sleep, timeout};
use url::Url;

use crate::draft::Draft;
use crate::fault::{Again, Fault};
use crate::options::ModelOptions;
use crate::quote::{self, Quoter};
use crate::reader::{Reader, broke_off};
use crate::{ChatDelta, ChatModel, ModelError, Reply, Request, address, anthropic, open_ai, retry};

/// Maximum length of an error body that is read.
const MAX_ERROR_BODY: usize = 64 << 10;
/// Only the count of tokens may follow the end of the answer, and it comes at once.
const AFTER_THE_END: Duration = Duration::from_secs(2);

/// A model behind HTTP: [`ModelApi`] says in which words.
///
/// It is asked again, at most [`ModelOptions::max_retries`] times, when it cannot be reached, or answers 408, 429 or 5xx
/// before a word has come. `Retry-After` is honoured up to 60 seconds; an endpoint that asks for more is
/// [`ModelError::Limited`]. An answer that breaks off is retried as a whole, unless a tool call in it was
/// complete: then it is [`ModelError::Interrupted`].
pub struct ModelEndpoint {
    api: ModelApi,
    options: ModelOptions,
    client: Client,
    url: Url,
    headers: Vec<(&'static str, Secret)>,
    quoter: Quoter,
}

impl ModelEndpoint {
    /// Prepares to talk to an endpoint; nothing is sent yet.
    pub fn new(api: ModelApi, options: ModelOptions) -> Result<Self, ModelError> {
        let url = address::resolve(api, &options)?;
        let refuse = |why| ModelError::Address(without_secrets(url.as_str()), why);
        let client = Client::new(net_options(&options, &url)).map_err(|error| match error {
            NetError::BadProxy => refuse("its proxy is not the URL of an HTTP proxy"),
            other => unreachable(&url, other),
        })?;
        let headers =
            headers(api, options.key()).ok_or_else(|| refuse("its key cannot be sent in a header"))?;
        let quoter = Quoter::new(options.key());
        Ok(Self { api, options, client, url, headers, quoter })
    }

    async fn ask(
        &self,
        request: Request<'_>,
        on: &mut (dyn FnMut(ChatDelta) + Send),
    ) -> Result<Reply, ModelError> {
        let body = match self.api {
            ModelApi::OpenAi => open_ai::body(&self.options, &request),
            ModelApi::Anthropic => anthropic::body(&self.options, &request),
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
            on(ChatDelta::Retry { reason: error.to_string(), after });
            sleep(after).await;
            retries += 1;
        }
    }

    async fn attempt(&self, body: &Value, mut draft: Draft<'_>) -> Result<Reply, Fault> {
        let mut request = self.client.request(HttpMethod::Post, self.url.as_str()).json(body);
        for (name, value) in &self.headers {
            request = request.header(name, value.expose());
        }
        let response = match timeout(self.options.idle_timeout, request.stream()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error @ (NetError::Refused { .. } | NetError::BadUrl { .. }))) => {
                return Err(Fault::never(unreachable(&self.url, error)));
            }
            Ok(Err(error)) => {
                return Err(Fault { error: unreachable(&self.url, error), again: Again::Later(None) });
            }
            Err(_) => return Err(self.silent()),
        };
        if !response.head().is_success() {
            return Err(self.refused(response).await);
        }
        self.read(response, &mut draft).await?;
        draft.into_reply()
    }

    async fn read(&self, mut response: ResponseStream, draft: &mut Draft<'_>) -> Result<(), Fault> {
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

    /// The error of a status other than success.
    async fn refused(&self, mut response: ResponseStream) -> Fault {
        let status = response.head().status;
        let retry_after = retry::asked(response.head());
        if (300..400).contains(&status) {
            let target = without_secrets(response.head().header("location").unwrap_or("an unknown place"));
            let message = format!("it redirects to `{target}`, which is not followed; change the address");
            return Fault::status(status, message, None);
        }
        let mut body = Vec::new();
        // The status is known; a body that breaks off or does not come only says less about it.
        while let Ok(Ok(Some(bytes))) = timeout(self.options.idle_timeout, response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() >= MAX_ERROR_BODY {
                break;
            }
        }
        Fault::status(status, quote::message(&body), retry_after)
    }

    fn silent(&self) -> Fault {
        Fault::never(ModelError::Silent(self.options.idle_timeout))
    }
}

impl ChatModel for ModelEndpoint {
    fn name(&self) -> &str {
        &self.options.model
    }

    fn reply<'a>(
        &'a self,
        request: Request<'a>,
        on: &'a mut (dyn FnMut(ChatDelta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.ask(request, on))
    }
}

impl fmt::Debug for ModelEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("api", &self.api)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The user chose the endpoint: it may be anywhere. A proxy is not asked for this machine.
fn net_options(options: &ModelOptions, url: &Url) -> NetOptions {
    NetOptions {
        reach: NetworkReach::Anywhere,
        allow_http: true,
        redirects: Redirects::Stop,
        proxy: options.proxy.clone().filter(|_| !is_loopback_url(url.as_str())),
        connect_timeout: options.connect_timeout,
        ..NetOptions::default()
    }
}

fn unreachable(url: &Url, error: NetError) -> ModelError {
    // Without the address, which may hold a key in its query.
    let url = without_secrets(url.as_str());
    match error {
        NetError::Connection { source, .. } => ModelError::Unreachable { url, source },
        other => ModelError::Unreachable { url, source: other.into() },
    }
}

/// The headers of every request; none if the key has characters that no header can have.
fn headers(api: ModelApi, key: Option<&str>) -> Option<Vec<(&'static str, Secret)>> {
    let mut headers = Vec::new();
    if let Some(key) = key {
        let (name, value) = match api {
            ModelApi::OpenAi => ("authorization", format!("Bearer {key}")),
            ModelApi::Anthropic => ("x-api-key", key.to_owned()),
        };
        if !is_header(name, &value) {
            return None;
        }
        headers.push((name, Secret::new(value)));
    }
    if api == ModelApi::Anthropic {
        headers.push(("anthropic-version", Secret::new(anthropic::VERSION)));
    }
    Some(headers)
}
