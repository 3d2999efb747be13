//! Tools that the user configured: `tools.<name>`.
//!
//! ```json
//! { "type": "command", "command": ["notify-send", "--", "{text}"], "description": "…", "input": {…}, "stdin": "none" }
//! { "type": "http", "url": "https://chat.example/hook", "headers": { "Authorization": "…" } }
//! { "type": "mcp", "command": ["mcp-server-git"], "tool": "git_status" }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use prowess_model::ToolSpec;
use prowess_net::is_header;
use prowess_text::describe_error;
use prowess_types::Secret;
use serde_json::{Map, Value, json};
use url::Url;

use super::command::CommandTool;
use super::http::HttpTool;
use super::{Tool, endpoint, mcp};
use crate::RunContext;

/// A tool as the user configured it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfiguredTool {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// JSON Schema of its input; MCP servers bring their own.
    pub input: Value,
    /// The time limit of a call; none for the limit of the run.
    pub timeout: Option<Duration>,
    /// Its kind.
    pub kind: ToolKind,
}

/// What a configured tool is.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolKind {
    /// A program. An argument `{field}` stands for that text field of the input.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// What it reads.
        input: CommandInput,
    },
    /// An HTTP endpoint that takes and gives JSON.
    Http {
        /// Its address.
        reach: ToolEndpoint,
        /// The method, in capitals.
        method: String,
    },
    /// The tools of an MCP server.
    Mcp {
        /// How it is reached.
        transport: McpTransport,
        /// The only tool wanted, which then gets the configured name; else all, as `<name>_<tool>`.
        tool: Option<String>,
    },
}

/// What a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandInput {
    /// The input of the call, as JSON.
    Json,
    /// Nothing.
    None,
}

/// How an MCP server is reached.
#[derive(Clone, Debug, PartialEq)]
pub enum McpTransport {
    /// By its standard input and output.
    Command(Vec<String>),
    /// By streamable HTTP.
    Http(ToolEndpoint),
}

/// The target of an HTTP request. Its `Debug` shows the origin only: the path of a chat channel's hook is its
/// key.
#[derive(Clone, PartialEq)]
pub struct ToolEndpoint {
    /// The address.
    pub url: Url,
    /// What is sent along.
    pub headers: BTreeMap<String, Secret>,
    /// True if the request may travel unencrypted beyond this machine.
    pub allow_insecure: bool,
    /// True if it may go to addresses of private networks other than this machine.
    pub allow_private: bool,
}

impl fmt::Debug for ToolEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reach")
            .field("origin", &self.url.origin().ascii_serialization())
            .field("headers", &self.headers)
            .field("allow_insecure", &self.allow_insecure)
            .field("allow_private", &self.allow_private)
            .finish_non_exhaustive()
    }
}

/// The reason a configured tool cannot be used. Never shows a value that might be secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolConfigError {
    /// Its name does not fit.
    #[error("`{0}` cannot name a tool: use letters, digits, `_` and `-`, at most 64")]
    Name(String),
    /// It is not an object.
    #[error("`tools.{0}` must be an object")]
    NotAnObject(String),
    /// A field is missing or of a wrong kind.
    #[error("`tools.{tool}.{field}` must be {expected}")]
    Field {
        /// The tool.
        tool: String,
        /// The field.
        field: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A field that means nothing.
    #[error("`tools.{tool}.{field}` is unknown here; known are {known}")]
    UnknownField {
        /// The tool.
        tool: String,
        /// The field.
        field: String,
        /// All fields of this type of tool.
        known: String,
    },
    /// An address that is not used.
    #[error("`tools.{tool}.url` is refused: {reason}")]
    Url {
        /// The tool.
        tool: String,
        /// The reason.
        reason: String,
    },
}

impl ConfiguredTool {
    /// Reads the value of `tools.<name>`. References to secrets are resolved already.
    ///
    /// ```
    /// use prowess_run::tools::ConfiguredTool;
    ///
    /// let value = serde_json::json!({ "type": "command", "command": ["uptime"], "description": "How long it is up" });
    /// assert!(ConfiguredTool::from_value("uptime", &value).is_ok());
    /// assert!(ConfiguredTool::from_value("up time", &value).is_err());
    /// ```
    pub fn from_value(name: &str, value: &Value) -> Result<Self, ToolConfigError> {
        if !is_name(name) {
            return Err(ToolConfigError::Name(name.to_owned()));
        }
        let object = value.as_object().ok_or_else(|| ToolConfigError::NotAnObject(name.to_owned()))?;
        let fields = Fields { tool: name, object };
        let kind = match fields.text("type")? {
            Some("command") => fields.command()?,
            Some("http") => fields.http()?,
            Some("mcp") => fields.mcp()?,
            _ => return Err(fields.wrong("type", "`command`, `http` or `mcp`")),
        };
        let description = fields.text("description")?.unwrap_or_default().to_owned();
        if description.trim().is_empty() && !matches!(kind, ToolKind::Mcp { .. }) {
            return Err(fields.wrong("description", "a text that says what the tool is for"));
        }
        let input = match object.get("input") {
            None => json!({ "type": "object", "additionalProperties": true }),
            Some(schema) if schema.is_object() => schema.clone(),
            Some(_) => return Err(fields.wrong("input", "a JSON schema, which is an object")),
        };
        Ok(Self { name: name.to_owned(), description, input, timeout: fields.timeout()?, kind })
    }

    /// The values that must not be shown, for the [`Redactor`](prowess_secret::Redactor) of the run.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let reach = match &self.kind {
            ToolKind::Http { reach, .. } | ToolKind::Mcp { transport: McpTransport::Http(reach), .. } => {
                Some(reach)
            }
            ToolKind::Command { .. } | ToolKind::Mcp { transport: McpTransport::Command(_), .. } => None,
        };
        reach.into_iter().flat_map(|reach| reach.headers.values())
    }

    /// The tools it stands for; an MCP server is started or contacted for that.
    pub(super) async fn connect(&self, context: &RunContext) -> Result<Vec<Arc<dyn Tool>>, String> {
        let timeout = self.timeout.unwrap_or(context.limits.tool_timeout);
        match &self.kind {
            ToolKind::Command { argv, input } => {
                Ok(vec![Arc::new(CommandTool::new(self.spec(), argv.clone(), *input, timeout))])
            }
            ToolKind::Http { reach, method } => HttpTool::new(self.spec(), reach, method, timeout)
                .map(|tool| vec![Arc::new(tool) as Arc<dyn Tool>]),
            ToolKind::Mcp { transport, tool } => {
                let wanted = mcp::Wanted { name: &self.name, tool: tool.as_deref(), timeout };
                mcp::connect(transport, wanted, context).await.map_err(|error| describe_error(&error))
            }
        }
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec { name: self.name.clone(), description: self.description.clone(), input: self.input.clone() }
    }
}

/// Returns true if every API takes this as the name of a tool.
pub(super) fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

const COMMON: [&str; 4] = ["type", "description", "input", "timeoutMs"];

struct Fields<'a> {
    tool: &'a str,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    fn command(&self) -> Result<ToolKind, ToolConfigError> {
        self.only(&["command", "stdin"])?;
        let input = match self.text("stdin")? {
            None | Some("json") => CommandInput::Json,
            Some("none") => CommandInput::None,
            Some(_) => return Err(self.wrong("stdin", "`json` or `none`")),
        };
        Ok(ToolKind::Command { argv: self.argv()?, input })
    }

    fn http(&self) -> Result<ToolKind, ToolConfigError> {
        self.only(&["url", "method", "headers", "body", "allowInsecure", "allowPrivate"])?;
        if !matches!(self.text("body")?, None | Some("json")) {
            return Err(self.wrong("body", "`json`"));
        }
        let method = self.text("method")?.unwrap_or("POST").to_ascii_uppercase();
        if !["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
            return Err(self.wrong("method", "`GET`, `POST`, `PUT`, `PATCH` or `DELETE`"));
        }
        Ok(ToolKind::Http { reach: self.reach()?, method })
    }

    fn mcp(&self) -> Result<ToolKind, ToolConfigError> {
        self.only(&["command", "url", "headers", "tool", "allowInsecure", "allowPrivate"])?;
        let transport = match (self.object.contains_key("command"), self.object.contains_key("url")) {
            (true, false) => McpTransport::Command(self.argv()?),
            (false, true) => McpTransport::Http(self.reach()?),
            _ => return Err(self.wrong("command", "there, or else `url`, but not both")),
        };
        Ok(ToolKind::Mcp { transport, tool: self.text("tool")?.map(str::to_owned) })
    }

    fn argv(&self) -> Result<Vec<String>, ToolConfigError> {
        let wrong = || self.wrong("command", "a list of texts: the program, then its arguments");
        let list = self.object.get("command").and_then(Value::as_array).ok_or_else(wrong)?;
        let argv: Option<Vec<String>> = list.iter().map(|part| part.as_str().map(str::to_owned)).collect();
        let argv = argv.filter(|argv| argv.iter().all(|part| !part.contains('\0'))).ok_or_else(wrong)?;
        let program = argv.first().filter(|program| !program.is_empty()).ok_or_else(wrong)?;
        if !Path::new(program).is_absolute() && program.contains(['/', '\\', '{']) {
            return Err(self.wrong("command", "a program by its bare name or its absolute path"));
        }
        Ok(argv)
    }

    fn reach(&self) -> Result<ToolEndpoint, ToolConfigError> {
        let refused = |reason: String| ToolConfigError::Url { tool: self.tool.to_owned(), reason };
        let url = self.text("url")?.ok_or_else(|| self.wrong("url", "an address"))?;
        let url = Url::parse(url).map_err(|error| refused(error.to_string()))?;
        let mut headers = BTreeMap::new();
        match self.object.get("headers") {
            None => {}
            Some(Value::Object(object)) => {
                for (name, value) in object {
                    let value = value.as_str().filter(|value| is_header(name, value));
                    let value = value.ok_or_else(|| self.wrong(&format!("headers.{name}"), "a header"))?;
                    headers.insert(name.clone(), Secret::new(value));
                }
            }
            Some(_) => return Err(self.wrong("headers", "an object of texts")),
        }
        let reach = ToolEndpoint {
            url,
            headers,
            allow_insecure: self.flag("allowInsecure")?,
            allow_private: self.flag("allowPrivate")?,
        };
        endpoint::check(&reach).map_err(refused)?;
        Ok(reach)
    }

    fn timeout(&self) -> Result<Option<Duration>, ToolConfigError> {
        let wrong = || self.wrong("timeoutMs", "a number of milliseconds above 0");
        match self.object.get("timeoutMs") {
            None => Ok(None),
            Some(value) => {
                let millis = value.as_u64().filter(|millis| *millis > 0).ok_or_else(wrong)?;
                Ok(Some(Duration::from_millis(millis)))
            }
        }
    }

    fn text(&self, field: &str) -> Result<Option<&'a str>, ToolConfigError> {
        match self.object.get(field) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.wrong(field, "a text")),
        }
    }

    fn flag(&self, field: &str) -> Result<bool, ToolConfigError> {
        match self.object.get(field) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(field, "`true` or `false`")),
        }
    }

    fn only(&self, known: &[&str]) -> Result<(), ToolConfigError> {
        let is_known = |field: &str| COMMON.contains(&field) || known.contains(&field);
        match self.object.keys().find(|field| !is_known(field)) {
            None => Ok(()),
            Some(field) => Err(ToolConfigError::UnknownField {
                tool: self.tool.to_owned(),
                field: field.clone(),
                known: COMMON
                    .iter()
                    .chain(known)
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    fn wrong(&self, field: &str, expected: &'static str) -> ToolConfigError {
        ToolConfigError::Field { tool: self.tool.to_owned(), field: field.to_owned(), expected }
    }
}

#[cfg(test)]
#[path = "configured_tests.rs"]
mod tests;
