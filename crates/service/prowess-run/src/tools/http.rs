//! A configured HTTP endpoint as a tool: the input goes there as JSON, what comes back is the answer.

use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_net::{Client, HttpMethod, NetError, ResponseStream};
use prowess_types::Secret;
use serde_json::Value;
use url::Url;

use super::configured::ToolEndpoint;
use super::endpoint;
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
    method: HttpMethod,
    method_name: String,
    headers: Vec<(String, Secret)>,
    timeout: Duration,
}

impl HttpTool {
    pub(super) fn new(
        spec: ToolSpec,
        reach: &ToolEndpoint,
        method: &str,
        timeout: Duration,
    ) -> Result<Self, String> {
        endpoint::check(reach)?;
        let client = Client::new(endpoint::net_options(reach, timeout))
            .map_err(|error| endpoint::explain(&error, &reach.url))?;
        Ok(Self {
            spec,
            client,
            url: reach.url.clone(),
            method: method_of(method),
            method_name: method.to_owned(),
            headers: reach.headers.clone().into_iter().collect(),
            timeout,
        })
    }

    async fn ask(&self, input: &Value, max_bytes: usize) -> Result<(ResponseStream, Captured), NetError> {
        let is_get = self.method == HttpMethod::Get;
        let url = if is_get { with_query(self.url.clone(), input) } else { self.url.clone() };
        let mut request = self.client.request(self.method, url.as_str());
        for (name, value) in &self.headers {
            request = request.header(name, value.expose());
        }
        let request = if is_get { request } else { request.json(input) };
        let mut response = request.stream().await?;
        let body = body(&mut response, max_bytes).await?;
        Ok((response, body))
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
                    ToolOutput::failed(format!("cannot ask `{name}`: {}", endpoint::explain(&error, &self.url)))
                }
                Ok(Ok((response, body))) if response.head().is_success() => {
                    ToolOutput { omitted_bytes: body.omitted_bytes, ..ToolOutput::done(body.text) }
                }
                Ok(Ok((response, body))) => {
                    let text = format!("`{name}` answered {}\n{}", response.status_text(), body.text);
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
        Some(format!("send {} to `{host}` ({})", input, self.method_name))
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

/// Returns the method of a name in capitals.
fn method_of(name: &str) -> HttpMethod {
    match name {
        "GET" => HttpMethod::Get,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Post,
    }
}

async fn body(response: &mut ResponseStream, max_bytes: usize) -> Result<Captured, NetError> {
    let output = Output::new(max_bytes);
    let mut size = 0;
    while size <= MAX_BODY_BYTES
        && let Some(chunk) = response.chunk().await?
    {
        size += chunk.len();
        output.push(&chunk);
    }
    Ok(output.take_all())
}
