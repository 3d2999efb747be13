//! The Prowess skills engine, for embedding.
//!
//! One [`Engine`] per profile and environment answers every question; the CLI and every other surface call it, so
//! the same question gets the same answer everywhere.
//!
//! ```no_run
//! use prowess::{Engine, EngineOptions, Env, PromptRequest};
//!
//! let env = Env::new([("HOME".to_owned(), "/home/me".to_owned())], "/home/me/project");
//! let engine = Engine::open(EngineOptions { env, ..EngineOptions::default() })?;
//! let inventory = engine.inventory(None)?;
//! println!("{}", inventory.prompt(&PromptRequest::default()).text);
//! # Ok::<(), prowess::EngineError>(())
//! ```
//!
//! The names here are those that an embedding program needs first. Everything else is in the crates of the use cases,
//! which are modules here: `prowess::acquire`, `prowess::learn` and so on.
//!
//! The engine does not read the process's environment or clock (they are passed in), does not print, and changes
//! nothing without being asked by name.

mod doctor;
mod engine;
mod news;
mod scaffold;

pub use doctor::{DoctorCheck, DoctorFinding, DoctorOptions, MendError, doctor_checks};
pub use engine::{Engine, EngineOptions, Live};
pub use scaffold::{ScaffoldError, Template, create as create_skill};

pub use prowess_acquire as acquire;
pub use prowess_agent as agent;
pub use prowess_connect as connect;
pub use prowess_context as context;
pub use prowess_inventory as inventory;
pub use prowess_learn as learn;
pub use prowess_match as matching;
pub use prowess_sessions as sessions;
pub use prowess_types as types;

pub use prowess_agent::{
    Answerer, ChatModel, HostModel, RunProgress, RunReport, RunRequest, Script, Tool, ToolInput, ToolOutput,
    Tools,
};
pub use prowess_config::{Config, Env, Overrides};
pub use prowess_context::{Caching, Clock, Context, ContextError as EngineError, EmbeddedFile, Models};
pub use prowess_embed::{EncodeError, Encoder, include_pack};
pub use prowess_inventory::{
    Inventory, MatchDecision, MatchRequest, MessageMatch, PromptRequest, SkillEntry,
};
pub use prowess_match::{AgentView, LiveOptions, Selector};
pub use prowess_sessions::SessionId;
pub use prowess_types::{Classify, ErrorKind, ProfileName, Secret};

/// The examples in the documents for users.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/match.md")]
#[doc = include_str!("../../../../docs/sessions.md")]
#[doc = include_str!("../../../../docs/live.md")]
#[doc = include_str!("../../../../docs/commands.md")]
struct Documents;
