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
//! What this crate refuses to do: read the process's environment or clock (they are passed in), print, or change
//! anything without being asked by name.

pub mod acquire;
mod agent_admin;
mod agent_files;
mod answer;
mod approvals;
mod blueprint;
mod bundle;
mod bundled;
mod cache;
mod checked_texts;
mod choose;
mod choose_error;
mod clock;
mod config_file;
mod context;
mod copies;
pub mod cortex;
mod counts;
mod deps;
mod doctor;
mod encoders;
mod engine;
mod eval;
mod examine;
mod facts;
mod files;
pub mod forge;
mod gateway;
mod gateway_call;
mod gateway_page;
pub mod harness;
pub mod hook;
mod hook_log;
mod hosted;
mod inventory;
mod invoke;
mod judge;
mod list_limits;
mod live;
mod load;
mod models;
mod news;
mod openpocket;
mod overview;
mod own_programs;
mod parallel;
mod plugins;
mod policy;
mod prompt;
mod prompt_settings;
mod remote;
mod removal;
pub mod replay;
pub mod resume;
pub mod run;
mod sandbox;
mod scaffold;
mod scan;
mod secret_values;
mod secrets;
mod session_snapshot;
mod sessions;
mod sidecar;
mod skill_settings;
mod skill_text;
mod status;
mod supply;
mod terminal_proof;
mod told;
mod trust;
mod trust_desk;
pub mod usage;
mod view;
mod why;
mod without_copies;
mod working_copy;

pub use agent_admin::{
    AgentDraft, AgentError, AgentIdentity, AgentModel, AgentRow, AgentsReport, Allow, Allowed,
};
pub use agent_files::{AGENT_FILES, AgentFile, AgentFileError};
pub use approvals::{ApprovalsError, ApprovalsSnapshot};
pub use bundle::examine_bundle;
pub use bundled::{BundledFrom, EmbeddedFile};
pub use answer::{Blocked, Match, MatchDecision, MatchRequest, MatchResult};
pub use choose::{OverlappingPair, Progress, Selector};
pub use choose_error::ChooseError;
pub use clock::Clock;
pub use config_file::{ConfigProblem, ConfigSnapshot, ConfigWriteError, WriteConsent};
pub use context::{Caching, Context, ContextError, ContextError as EngineError, ContextOptions};
pub use counts::WorkCounts;
pub use deps::{
    Consent, Dependencies, DependencyOption, DependencyPlan, DepsError, FoundElsewhere, InstallChoices,
    Installation, Readiness,
};
pub use doctor::{DoctorCheck, DoctorOptions, Finding, MendError, doctor_checks};
pub use engine::{Engine, EngineOptions, Live};
pub use eval::{
    Confusion, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, TriggerIssue, TriggerOptions,
    TriggerReport, TriggerSkill,
};
pub use examine::{Examined, SkillFiles, lint_file, skill_files, validate_file};
pub use facts::platform;
pub use files::{FileContents, SKILL_FILE, SkillFile, SkillFileError};
pub use gateway::{GatewayClaim, GatewayHomeError, GatewayToken, RunningGateway};
pub use gateway_call::GatewayCallError;
pub use hosted::Hosted;
pub use inventory::{Entry, Inventory, Lookup};
pub use invoke::{ExpandedSkill, InvokeError, RunCommand, SkillCall};
pub use list_limits::ListLimit;
pub use live::{LiveEvent, LiveOptions, LiveStatus, LiveViewStatus, LiveViews, StaleEdit, Subscription};
pub use models::Models;
pub use openpocket::{Copied, Openpocket, SourceSkill, ValidatedFile};
pub use overview::{FoundProgram, NearlyReady, Overview};
pub use policy::{PolicyAnswer, PolicyDecision, PolicyFinding, PolicyRequest};
pub use prompt::{ExplainedSkill, GivenSkills, ListCut, MessageSkills, PromptExplanation, PromptRequest, Relevance, TurnSkills};
pub use prompt_settings::Locations;
pub use prowess_catalog::{
    CommandSpec, Freshness, Invocation, Reference, Rendered, Snapshot, SnapshotDiff, StaleReason,
    estimate_tokens, next_version, reference_prefix,
};
pub use prowess_config::EditError;
pub use prowess_config::ModelRow;
pub use prowess_config::{
    Change, Config, ConfigIssue, Env, KeyPath, Layer, OriginOfValue, Overrides, Places, Select,
};
pub use prowess_config::{GatewaySettings, RemoteGateway, bind_address};
pub use prowess_config::{Loosening, ProtectedChange};
pub use prowess_embed::{EncodeError, Encoder, include_pack};
pub use prowess_fs::{
    Backend as WatchBackend, ChangeReason, Health, UpdateError, Updated, WatchMode, WatchOptions,
};
pub use prowess_gate::Trust;
pub use prowess_select::Document;
pub use prowess_skill::CommandBlock;
pub use prowess_skill::{
    OpenpocketIssue, Options as ParseOptions, RULES, Rule, validate_openpocket, validate_skills_ref,
};
pub use prowess_trace::{
    ImportKind, ImportReport, PromptSummary, RunSummary, SessionSummary, ToolUse, Unread as UnreadLine,
};
pub use remote::{RemoteError, RemoteRemoval};
pub use removal::{RemovalError, RemovalOffer, RemovedSkill};
pub use sandbox::{SandboxError, SkippedFile, SyncOptions, SyncReport};
pub use scaffold::{ScaffoldError, Template, create as create_skill};
pub use scan::{
    Admission, BaselineFileError, Scanned, accept_findings, apply_baseline, read_baseline, scan_bundle,
    scan_folder, scan_path,
};
pub use secrets::{SecretChange, SecretStatus, SecretStore, SecretTarget, SecretsError};
pub use session_snapshot::{Opened, SessionSnapshot, SessionSnapshotError, StoredSnapshot};
pub use sessions::{
    ExportFormat, ImportedSession, InvalidSessionId, KeptPrompt, PromptDifference, PromptPart,
    PromptPartDifference, Rated, Rating, RunId, SentPrompt, SessionCache, SessionError, SessionFilter,
    SessionId, SessionKey, SessionListing, SessionSettings, SessionWriter, Sessions, StoredPrompt,
    StoredSession,
};
pub use sidecar::{RegistryLink, SkillCard};
pub use skill_settings::SkillChange;
pub use skill_text::{ListedFile, SkillText, SkillTextError};
pub use status::{
    CheckReport, CheckSummary, ListReport, ListedSkill, MissingRequirements, NotInjected, SkillStatus,
    StatusReport, Untrusted,
};
pub use supply::{
    InstalledSkill, Login, LoginError, NotPublished, PlannedFile, PublishError, PublishOptions, PublishPlan,
    PublishState, Supply, SupplyOptions, declared_license,
};
pub use terminal_proof::TerminalProof;
pub use told::{ToldSkill, ToldWhen};
pub use trust::{Answer, AnswersError, Decision, ForeignSkill, TrustError};
pub use trust_desk::TrustDesk;
pub use view::AgentView;
pub use why::{Step, Why};

/// Installers: plans, steps, results.
pub use prowess_install::deps as installer;
/// Registries, references and lockfiles of others.
pub use prowess_registry as registry;
/// The scanner's own vocabulary.
pub use prowess_scan as scanner;
/// The vocabulary.
pub use prowess_types as types;
pub use prowess_types::{Classify, ErrorClass, ErrorKind, wrapped_errors};

/// Errors with their causes, and text for a terminal.
pub use prowess_text::{describe_error, printable};

/// A JSON5 text as a value; none if it is not JSON5.
pub fn parse_json5(text: &str) -> Option<serde_json::Value> {
    prowess_json5::to_value(text).ok()
}

/// The examples in the documents for users.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/match.md")]
#[doc = include_str!("../../../../docs/sessions.md")]
#[doc = include_str!("../../../../docs/live.md")]
struct Documents;
