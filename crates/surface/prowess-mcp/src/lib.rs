//! The skills engine for every host of the Model Context Protocol.
//!
//! A host gets tools to search, read and run skills, every file of every skill as a resource, the slash commands as
//! prompts, and the skills extension `io.modelcontextprotocol/skills`. Everything is answered by the engine; this crate
//! only translates. The program that mounts the [router](Server::router) decides who may connect.
//!
//! ```no_run
//! use std::sync::Arc;
//! use prowess::{Clock, Engine, EngineOptions, LiveOptions};
//! use prowess_mcp::{Server, ServerOptions};
//! # async fn example(clock: Clock) -> Result<(), Box<dyn std::error::Error>> {
//! let engine = Engine::open(EngineOptions::default())?;
//! let live = Arc::new(engine.watch(LiveOptions::new(clock.clone()))?);
//! Server::new(live, ServerOptions::new(clock)).serve_stdio().await?;
//! # Ok(())
//! # }
//! ```
//!
//! This crate refuses to: install anything without consent, show a model what its agent may not use, and
//! write anything but the protocol to standard output.

mod ask;
mod changes;
mod connection;
mod core;
mod extension;
mod fault;
mod lines;
mod notify;
mod options;
mod page;
mod prompts;
mod resources;
mod server;
mod tool_answer;
mod tools;
mod uri;

pub use fault::rpc_code;
pub use options::ServerOptions;
pub use server::{ServeError, Server};
