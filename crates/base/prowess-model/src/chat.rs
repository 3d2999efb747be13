//! A conversation, and who answers in it.

use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_types::Usage;
use serde_json::Value;

/// A model that answers in a conversation.
///
/// Dropping the future stops the answer and closes the connection.
pub trait ChatModel: Send + Sync {
    /// The model's name, for reports.
    fn name(&self) -> &str;

    /// The next words and tool calls; `on` gets every piece as it comes.
    fn reply<'a>(
        &'a self,
        request: Request<'a>,
        on: &'a mut (dyn FnMut(ChatDelta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

/// A request to a model.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The system prompt.
    pub system: &'a str,
    /// The conversation so far, oldest first.
    pub messages: &'a [Message],
    /// The tools that it may call.
    pub tools: &'a [ToolSpec],
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The user's words.
    User(String),
    /// The model's.
    Assistant {
        /// Its words.
        text: String,
        /// The tool calls.
        calls: Vec<ToolCall>,
    },
    /// A tool's answer to a call.
    Tool {
        /// The call.
        call_id: String,
        /// Its output.
        content: String,
        /// True if it failed.
        is_error: bool,
    },
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// JSON Schema of its input, an object.
    pub input: Value,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Ties the answer to the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its input; a text that is not a JSON object is kept as it came.
    pub input: Result<Value, String>,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatDelta {
    /// More words.
    Text(String),
    /// More of what it thinks aloud.
    Thinking(String),
    /// It begins to call a tool.
    Call {
        /// The tool.
        name: String,
    },
    /// The endpoint failed and is asked again; words that came before do not count.
    Retry {
        /// The reason.
        reason: String,
        /// The delay before it.
        after: Duration,
    },
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// The reasoning text.
    pub thinking: String,
    /// The tool calls.
    pub calls: Vec<ToolCall>,
    /// The reason it stopped.
    pub stop: StopReason,
    /// The token usage.
    pub usage: Usage,
}

/// The reason an answer ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// It was finished.
    #[default]
    End,
    /// It waits for its tools.
    Tools,
    /// It got too long.
    Length,
    /// The model declined, or its provider did.
    Refusal,
}

/// The reason there is no answer. No variant holds a key, and what an endpoint said is cut.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The endpoint is not a URL, or not one that keys may be sent to.
    #[error("the model's address `{0}` cannot be used: {1}")]
    Address(String, &'static str),
    /// The endpoint does not accept connections.
    #[error("cannot reach the model at `{url}`")]
    Unreachable {
        /// The address, without user and password.
        url: String,
        /// The reason.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The key is missing, wrong, or without the right.
    #[error("the model's endpoint refused the key (HTTP {status}): {message}")]
    Unauthorized {
        /// The status.
        status: u16,
        /// The message of the endpoint.
        message: String,
    },
    /// Too many requests, still after waiting.
    #[error("the rate limit of the model's endpoint is reached (HTTP {status}): {message}")]
    Limited {
        /// The status.
        status: u16,
        /// The message of the endpoint.
        message: String,
    },
    /// Any other refusal.
    #[error("the model's endpoint answered HTTP {status}: {message}")]
    Status {
        /// The status.
        status: u16,
        /// The message of the endpoint.
        message: String,
    },
    /// The answer broke off.
    #[error("the model's answer broke off: {0}")]
    Interrupted(String),
    /// The answer is not in the protocol.
    #[error("the model's answer cannot be read: {0}")]
    Malformed(String),
    /// The answer did not end.
    #[error("the model's answer is longer than {0} bytes")]
    TooLong(u64),
    /// The script that is followed is none, or has no answer.
    #[error("the model's script cannot be followed: {0}")]
    Script(String),
    /// Nothing came for too long.
    #[error("the model sent nothing for {0:?}")]
    Silent(Duration),
}
