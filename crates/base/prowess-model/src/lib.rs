//! Chat models behind one trait, streamed.
//!
//! [`ChatModel`] is what the loop of a run talks to: a conversation and tools in, words and tool calls out, piece
//! by piece as they come. [`ModelEndpoint`] is a model behind HTTP: any OpenAI-compatible server (Ollama, llama.cpp,
//! vLLM, a service) or Anthropic's messages API; [`Script`] follows a script without any connection. What differs
//! between servers is settled here: an answer has the same shape for every server.
//!
//! ```no_run
//! use prowess_model::{ChatDelta, ChatModel as _, Message, ModelApi, ModelEndpoint, ModelOptions, Request};
//!
//! # async fn example() -> Result<(), prowess_model::ModelError> {
//! let model = ModelEndpoint::new(ModelApi::OpenAi, ModelOptions::new("http://localhost:11434/v1", "qwen3:8b"))?;
//! let messages = [Message::User("What is a skill?".to_owned())];
//! let request = Request { system: "Be brief.", messages: &messages, tools: &[] };
//! let mut words = 0;
//! let reply = model.reply(request, &mut |delta| words += usize::from(matches!(delta, ChatDelta::Text(_)))).await?;
//! println!("{} ({words} pieces, {} tokens)", reply.text, reply.usage.output_tokens);
//! # Ok(()) }
//! ```
//!
//! Every answer ends: a silent one by [`ModelOptions::idle_timeout`], an endless one by [`ModelOptions::max_reply_bytes`],
//! and dropping the future closes the connection. An endpoint that is busy, stumbles or cannot be reached is asked
//! again; an answer that breaks off is retried as a whole, unless a tool call in it was complete.
//!
//! This crate refuses to: read a config, the environment or the clock, call a tool, keep a conversation,
//! follow a redirect, send a key in clear over a network, or show one in an error.

mod address;
mod anthropic;
mod chat;
mod draft;
mod endpoint;
mod fault;
mod open_ai;
mod options;
mod quote;
mod reader;
mod retry;
mod script;
mod sse;

pub use chat::{ChatDelta, ChatModel, Message, ModelError, Reply, Request, StopReason, ToolCall, ToolSpec};
pub use endpoint::ModelEndpoint;
pub use options::ModelOptions;
pub use prowess_types::ModelApi;
pub use script::{Script, ScriptStep};
