//! A configured HTTP endpoint as a tool: the input goes there as JSON, what comes back is the answer.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use reqwest::{Client, Method, Response, StatusCode, Url};
use serde_json::Value;

use super::arguments::explain;
use super::configured::Reach;
use super::guard::{self, GuardError};
use super::{Tool, ToolInput, ToolOutput};
use crate::RunContext;
use crate::process::{Captured, Output};

/// After so many bytes the rest of an answer is not even counted.
const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

/// An endpoint that the user configured. Every call needs consent.
pub(super) struct HttpTool {
    spec: ToolSpec,
    client: Client,
    url: Url,
    method: Method,
    timeout: Duration,
}

impl HttpTool {
    pub(super) fn new(
        spec: ToolSpec,
        reach: &Reach,
        method: &str,
        timeout: Duration,
    ) -> Result<Self, GuardError> {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::POST);
        Ok(Self { spec, client: guard::client(reach)?, url: reach.url.clone(), method, timeout })
    }

    async fn ask(&self, input: &Value, max_bytes: usize) -> Result<(StatusCode, Captured), reqwest::Error> {
        let request = if self.method == Method::GET {
            self.client.get(with_query(self.url.clone(), input))
        } else {
            self.client.request(self.method.clone(), self.url.clone()).json(input)
        };
        let response = request.send().await?;
        Ok((response.status(), body(response, max_bytes).await?))
    }

    async fn answer(&self, input: ToolInput<'_>) -> ToolOutput {
        let name = &self.spec.name;
        let asked = self.ask(input.value, input.context.limits.max_output_bytes);
        tokio::select! {
            biased;
            () = input.context.cancel.cancelled() => ToolOutput::failed("[stopped: the run was cancelled]"),
            answer = tokio::time::timeout(self.timeout, asked) => match answer {
                Err(_) => {
                    let seconds = self.timeout.as_secs_f32();
                    ToolOutput::failed(format!("`{name}` did not answer within {seconds} s"))
                }
                // The address may have a secret in its path or query.
                Ok(Err(error)) => {
                    ToolOutput::failed(format!("cannot ask `{name}`: {}", explain(&error.without_url())))
                }
                Ok(Ok((status, body))) if status.is_success() => {
                    ToolOutput { omitted_bytes: body.omitted_bytes, ..ToolOutput::done(body.text) }
                }
                Ok(Ok((status, body))) => {
                    let text = format!("`{name}` answered {status}\n{}", body.text);
                    ToolOutput { omitted_bytes: body.omitted_bytes, ..ToolOutput::failed(text) }
                }
            }
        }
    }
}

impl Tool for HttpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, _context: &RunContext) -> Option<String> {
        let host = self.url.origin().ascii_serialization();
        Some(format!("send {} to `{host}` ({})", input, self.method))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(self.answer(input))
    }
}

/// Without a body, the fields of the input are the query: texts as they are, everything else as JSON.
fn with_query(mut url: Url, input: &Value) -> Url {
    if let Some(fields) = input.as_object().filter(|fields| !fields.is_empty()) {
        let mut query = url.query_pairs_mut();
        for (name, value) in fields {
            match value.as_str() {
                Some(text) => query.append_pair(name, text),
                None => query.append_pair(name, &value.to_string()),
            };
        }
    }
    url
}

async fn body(response: Response, max_bytes: usize) -> Result<Captured, reqwest::Error> {
    let output = Output::new(max_bytes);
    let mut size = 0;
    let mut chunks = response.bytes_stream();
    while size <= MAX_BODY_BYTES
        && let Some(chunk) = chunks.next().await
    {
        let chunk = chunk?;
        size += chunk.len();
        output.push(&chunk);
    }
    Ok(output.take_all())
}
