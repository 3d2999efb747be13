//! Chat models behind one trait, streamed.
//!
//! [`ChatModel`] is what the loop of a run talks to: a conversation and tools in, words and tool calls out, piece
//! by piece as they come.
//!
//! What this crate refuses to do: read a config or the environment, call a tool, or keep a conversation.

mod chat;

pub use chat::{ChatModel, Delta, Message, ModelError, Reply, Request, StopReason, ToolCall, ToolSpec};
