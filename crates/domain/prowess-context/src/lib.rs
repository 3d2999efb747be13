//! The context of every use case: one profile, one environment, its places, its config and its encoders.
//!
//! Everything that can be asked without reading a skill is here: config changes, agents, approvals, the home of the
//! gateway, values of secrets. Nothing here reads a skill.

mod agent_admin;
mod agent_files;
mod approvals;
mod bundled;
mod choose_error;
mod clock;
mod config_file;
mod context;
mod counts;
mod encoders;
mod gateway;
mod gateway_call;
mod gateway_page;
mod models;
mod own_programs;
mod remote;
mod secret_values;
mod skill_settings;
mod terminal_proof;

pub use agent_admin::{
    AgentDraft, AgentError, AgentIdentity, AgentModel, AgentRow, AgentsReport, Allow, Allowed,
};
pub use agent_files::{AGENT_FILES, AgentFile, AgentFileError};
pub use approvals::{ApprovalsError, ApprovalsSnapshot};
pub use bundled::{BundledFrom, EmbeddedFile};
pub use choose_error::ChooseError;
pub use clock::Clock;
pub use config_file::{ConfigProblem, ConfigSnapshot, ConfigWriteError, WriteConsent};
pub use context::{
    Caching, Context, ContextError, ContextOptions, PriorQuery, PriorSource, SelectorPrior, read_config,
};
pub use counts::{Counters, WorkCounts};
pub use encoders::{Encoders, Vectors};
pub use gateway::{GatewayClaim, GatewayHomeError, GatewayToken, RunningGateway};
pub use gateway_call::GatewayCallError;
pub use models::Models;
pub use remote::{RemoteError, RemoteRemoval};
pub use secret_values::resolve_secret;
pub use skill_settings::SkillChange;
pub use terminal_proof::TerminalProof;
