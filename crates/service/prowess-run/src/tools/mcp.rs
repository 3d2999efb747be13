//! The tools of an MCP server. The server lives as long as one of its tools.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_net::{AddressRefusal, TransportError};
use prowess_types::Secret;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, PaginatedRequestParams,
    Tool as ServerTool,
};
use rmcp::service::{ClientInitializeError, Peer, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::{RoleClient, serve_client};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::configured::ToolEndpoint;
use super::endpoint;
use super::{McpTransport, Tool, ToolInput, ToolOutput};
use crate::RunContext;
use crate::process::{Captured, Output, Program, ProgramInput, Spawned, StartError, find_program};

/// The time limit for starting a server and listing its tools.
const CONNECT_LIMIT: Duration = Duration::from_secs(30);
/// What a server may offer; the rest is left out.
const MAX_TOOLS: usize = 128;
const MAX_PAGES: usize = 32;
/// How much of a tool's description a model gets to read.
const MAX_DESCRIPTION_BYTES: usize = 4096;
/// One message of a server.
const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;
/// How much of what a server writes to its error stream is kept to explain why it failed.
const MAX_ERROR_BYTES: usize = 2048;
/// The time to wait for the rest of it.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What is wanted of a server.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) tool: Option<&'a str>,
    pub(super) timeout: Duration,
}

/// The reason a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum McpError {
    #[error("there is no program `{0}` on this machine")]
    NoProgram(String),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("{0}")]
    Address(String),
    #[error("it did not answer within {} s{said}", CONNECT_LIMIT.as_secs())]
    Silent { said: String },
    #[error("it does not speak MCP: {reason}{said}")]
    Initialize { reason: String, said: String },
    #[error("it does not list its tools: {0}")]
    List(String),
    #[error("it has no tool `{wanted}`; it has {found}")]
    NoSuchTool { wanted: String, found: String },
    #[error("the run was cancelled")]
    Cancelled,
}

/// Starts or contacts a server and makes its tools ours.
pub(super) async fn connect(
    transport: &McpTransport,
    wanted: Wanted<'_>,
    context: &RunContext,
) -> Result<Vec<Arc<dyn Tool>>, McpError> {
    let mut errors = ErrorStream::default();
    let connected = timeout(CONNECT_LIMIT, async {
        let server = match transport {
            McpTransport::Command(argv) => Server::start(argv, &mut errors, context).await?,
            McpTransport::Http(reach) => Server::reach(reach).await?,
        };
        let offered =
            offered(server.service.peer()).await.map_err(|error| McpError::List(reason_of(&error)))?;
        adopt(server, offered, wanted)
    });
    tokio::select! {
        biased;
        () = context.cancel.cancelled() => Err(McpError::Cancelled),
        connected = connected => match connected {
            Ok(Err(McpError::Initialize { reason, .. })) => {
                Err(McpError::Initialize { reason, said: errors.said().await })
            }
            Ok(connected) => connected,
            Err(_) => Err(McpError::Silent { said: errors.said().await }),
        }
    }
}

/// What a server says beside its messages.
#[derive(Default)]
struct ErrorStream(Option<(Output, JoinHandle<()>)>);

impl ErrorStream {
    async fn said(self) -> String {
        let Some((output, reader)) = self.0 else { return String::new() };
        // A server that ended has said everything; one that goes on may never stop.
        let _ = timeout(LAST_WORDS, reader).await;
        let text = output.take_all().text;
        let text = text.trim();
        if text.is_empty() { String::new() } else { format!("; it said `{text}`") }
    }
}

fn not_mcp(error: ClientInitializeError) -> McpError {
    let reason = match &error {
        ClientInitializeError::TransportError { error, .. } => root_cause(error.error.as_ref()),
        other => cut(&other.to_string()),
    };
    McpError::Initialize { reason, said: String::new() }
}

fn reason_of(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => cut(&error.message),
        ServiceError::TransportSend(error) => root_cause(error.error.as_ref()),
        other => cut(&other.to_string()),
    }
}

/// The innermost error: those around it name the address, which may have a secret in it.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut root = error;
    loop {
        let hidden: Option<&(dyn Error + 'static)> = match root.downcast_ref() {
            Some(StreamableHttpError::<TransportError>::Client(cause)) => Some(cause),
            Some(_) | None => None,
        };
        match hidden.or_else(|| root.source()) {
            Some(cause) => root = cause,
            None => break,
        }
    }
    if let Some(AddressRefusal::Private) = root.downcast_ref() {
        return "it is in a private network (`allowPrivate` allows it)".to_owned();
    }
    let text = root.to_string();
    if text.contains("://") { "the connection failed".to_owned() } else { cut(&text) }
}

/// A server may say anything, at any length.
fn cut(text: &str) -> String {
    Captured::of(text, MAX_ERROR_BYTES).text
}

/// A connection, and the process at its other end if it is ours.
struct Server {
    service: RunningService<RoleClient, ()>,
    _process: Option<Spawned>,
}

impl Server {
    async fn reach(reach: &ToolEndpoint) -> Result<Self, McpError> {
        let config = StreamableHttpClientTransportConfig::with_uri(reach.url.as_str())
            .max_sse_event_size(MAX_MESSAGE_BYTES);
        let headers: Vec<(&str, &Secret)> =
            reach.headers.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let options = endpoint::net_options(reach, CONNECT_LIMIT);
        let client = prowess_net::transport(reach.url.as_str(), &headers, &options)
            .map_err(|error| McpError::Address(endpoint::explain(&error, &reach.url)))?;
        let transport = StreamableHttpClientTransport::with_client(client, config);
        Ok(Self { service: serve_client((), transport).await.map_err(not_mcp)?, _process: None })
    }

    async fn start(
        argv: &[String],
        errors: &mut ErrorStream,
        context: &RunContext,
    ) -> Result<Self, McpError> {
        let (name, arguments) = argv.split_first().ok_or_else(|| McpError::NoProgram(String::new()))?;
        let program = find_program(name, &context.environment.now())
            .ok_or_else(|| McpError::NoProgram(name.clone()))?;
        let program = Program::new(program, &context.workspace)
            .args(arguments.iter().cloned())
            .input(ProgramInput::Piped)
            .keep_streams_apart();
        let mut process = program.spawn(&context.environment.now()).await?;
        let output = Output::new(MAX_ERROR_BYTES);
        let (reader, writer, last_words) = process.take_pipes(&output);
        errors.0 = Some((output, last_words));
        let transport = AsyncRwTransport::new(reader, writer).with_max_line_length(MAX_MESSAGE_BYTES);
        Ok(Self { service: serve_client((), transport).await.map_err(not_mcp)?, _process: Some(process) })
    }
}

/// What a server has, within bounds: it might never come to an end.
async fn offered(peer: &Peer<RoleClient>) -> Result<Vec<ServerTool>, ServiceError> {
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = peer.list_tools(Some(PaginatedRequestParams::default().with_cursor(cursor))).await?;
        tools.extend(page.tools);
        cursor = page.next_cursor;
        if cursor.is_none() || tools.len() >= MAX_TOOLS {
            break;
        }
    }
    tools.truncate(MAX_TOOLS);
    Ok(tools)
}

fn adopt(
    server: Server,
    mut offered: Vec<ServerTool>,
    wanted: Wanted<'_>,
) -> Result<Vec<Arc<dyn Tool>>, McpError> {
    if let Some(tool) = wanted.tool {
        let found: Vec<String> = offered.iter().map(|tool| format!("`{}`", tool.name)).collect();
        offered.retain(|offered| offered.name == tool);
        offered.truncate(1);
        if offered.is_empty() {
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            return Err(McpError::NoSuchTool { wanted: tool.to_owned(), found });
        }
    }
    let server = Arc::new(server);
    let mut taken = BTreeSet::new();
    let tools = offered.into_iter().map(|tool| {
        let name = match wanted.tool {
            Some(_) => wanted.name.to_owned(),
            None => unique_name(&format!("{}_{}", wanted.name, tool.name), &mut taken),
        };
        let description = tool.description.as_deref().unwrap_or_default();
        let spec = ToolSpec {
            name,
            description: Captured::of(description, MAX_DESCRIPTION_BYTES).text,
            input: Value::Object(tool.input_schema.as_ref().clone()),
        };
        let timeout = wanted.timeout;
        Arc::new(McpTool { spec, remote: tool.name.into_owned(), server: Arc::clone(&server), timeout })
            as Arc<dyn Tool>
    });
    Ok(tools.collect())
}

/// A name that every API takes and that no other tool of the server has.
fn unique_name(wished: &str, taken: &mut BTreeSet<String>) -> String {
    const LONGEST: usize = 64;
    let fits = |char: char| if char.is_ascii_alphanumeric() || char == '-' { char } else { '_' };
    let clean: String = wished.chars().map(fits).take(LONGEST).collect();
    let mut name = clean.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        let suffix = format!("_{number}");
        let kept = clean.len().min(LONGEST - suffix.len());
        name = format!("{}{suffix}", &clean[..kept]);
    }
    name
}

/// One tool of a server. Every call needs consent: what a server says about its own harmlessness proves nothing.
struct McpTool {
    spec: ToolSpec,
    remote: String,
    server: Arc<Server>,
    timeout: Duration,
}

impl McpTool {
    async fn ask(&self, input: ToolInput<'_>) -> ToolOutput {
        let name = &self.spec.name;
        let Some(arguments) = input.value.as_object() else {
            return ToolOutput::failed("the input does not fit: it must be an object");
        };
        let arguments: JsonObject = arguments.clone();
        let request = CallToolRequestParams::new(self.remote.clone()).with_arguments(arguments);
        let asked = self.server.service.peer().call_tool(request);
        tokio::select! {
            biased;
            () = input.context.cancel.cancelled() => ToolOutput::failed("[stopped: the run was cancelled]"),
            answer = timeout(self.timeout, asked) => match answer {
                Err(_) => {
                    let seconds = self.timeout.as_secs_f32();
                    ToolOutput::failed(format!("`{name}` did not answer within {seconds} s"))
                }
                Ok(Err(error)) => ToolOutput::failed(format!("cannot ask `{name}`: {}", reason_of(&error))),
                Ok(Ok(result)) => answered(&result, input.context.limits.max_output_bytes),
            }
        }
    }
}

impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, _context: &RunContext) -> Option<String> {
        Some(format!("call `{}` of the MCP server behind `{}` with {input}", self.remote, self.spec.name))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(self.ask(input))
    }
}

/// Its texts, else its structured content; of pictures and sounds only that they are there.
fn answered(result: &CallToolResult, max_bytes: usize) -> ToolOutput {
    let parts: Vec<String> = result.content.iter().map(part_text).collect();
    let text = match (&result.structured_content, parts.is_empty()) {
        (Some(value), true) => value.to_string(),
        _ => parts.join("\n"),
    };
    let captured = Captured::of(&text, max_bytes);
    let ok = result.is_error != Some(true);
    ToolOutput { ok, text: captured.text, omitted_bytes: captured.omitted_bytes, exit_code: None }
}

fn part_text(part: &ContentBlock) -> String {
    match part {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[an image, {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[a sound, {}]", audio.mime_type),
        other => serde_json::to_string(other).unwrap_or_else(|_| "[something without a text]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_cut_and_kept_apart() {
        let mut taken = BTreeSet::new();
        assert_eq!(unique_name("git_do it/now", &mut taken), "git_do_it_now");
        assert_eq!(unique_name("git_do.it.now", &mut taken), "git_do_it_now_2");
        assert_eq!(unique_name("git_do-it_now", &mut taken), "git_do-it_now");
        let long = unique_name(&"ü".repeat(100), &mut taken);
        assert_eq!(long, "_".repeat(64));
        let next = unique_name(&"ü".repeat(100), &mut taken);
        assert_eq!(next, format!("{}_2", "_".repeat(62)));
        assert!(taken.iter().all(|name| super::super::configured::is_name(name)));
    }
}
