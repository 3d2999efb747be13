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

#[cfg(feature = "acquire")]
pub mod acquire;
mod agent_admin;
mod agent_files;
mod approvals;
mod bundle;
mod bundled;
mod cache;
mod checked_texts;
mod choose;
mod clock;
mod config_file;
#[cfg(feature = "learn")]
pub mod cortex;
mod counts;
#[cfg(feature = "acquire")]
mod deps;
mod doctor;
mod engine;
mod eval;
mod examine;
mod facts;
mod files;
pub mod forge;
#[cfg(feature = "run")]
mod gateway;
#[cfg(all(feature = "acquire", feature = "run"))]
mod gateway_call;
#[cfg(feature = "harness")]
pub mod harness;
#[cfg(feature = "harness")]
pub mod hook;
mod hosted;
mod inventory;
mod invoke;
mod list_limits;
mod live;
mod load;
mod news;
mod openpocket;
#[cfg(feature = "harness")]
mod overview;
mod parallel;
mod plugins;
mod policy;
mod prompt;
mod remote;
#[cfg(feature = "acquire")]
mod removal;
#[cfg(feature = "harness")]
pub mod replay;
#[cfg(feature = "harness")]
pub mod resume;
#[cfg(feature = "run")]
pub mod run;
mod sandbox;
mod scaffold;
mod scan;
#[cfg(feature = "run")]
mod secrets;
mod session_snapshot;
mod sessions;
mod sidecar;
mod skill_settings;
mod skill_text;
mod status;
#[cfg(feature = "acquire")]
mod supply;
mod told;
mod trust;
#[cfg(feature = "harness")]
pub mod usage;
mod view;
mod why;

pub use agent_admin::{
    AgentDraft, AgentError, AgentIdentity, AgentModel, AgentRow, AgentsReport, Allow, Allowed,
};
pub use agent_files::{AGENT_FILES, AgentFile, AgentFileError};
pub use approvals::{ApprovalsError, ApprovalsSnapshot};
pub use bundle::examine_bundle;
pub use bundled::{BundledFrom, EmbeddedFile};
pub use choose::{
    Blocked, ChooseError, GivenSkills, Match, MatchDecision, MatchRequest, MatchResult, MessageSkills,
    Models, OverlappingPair, Progress, Relevance, Selector,
};
pub use clock::Clock;
pub use config_file::{ConfigProblem, ConfigSnapshot, ConfigWriteError};
pub use counts::WorkCounts;
#[cfg(feature = "acquire")]
pub use deps::{
    Consent, Dependencies, DependencyOption, DependencyPlan, DepsError, FoundElsewhere, InstallChoices,
    Installation, Readiness,
};
pub use doctor::{DoctorCheck, DoctorOptions, Finding, MendError, doctor_checks};
pub use engine::{Caching, Engine, EngineError, EngineOptions};
pub use eval::{
    Confusion, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, TriggerIssue, TriggerOptions,
    TriggerReport, TriggerSkill,
};
pub use examine::{Examined, SkillFiles, lint_file, skill_files, validate_file};
pub use facts::platform;
pub use files::{FileContents, SKILL_FILE, SkillFile, SkillFileError};
#[cfg(feature = "run")]
pub use gateway::{GatewayClaim, GatewayHomeError, GatewayToken, RunningGateway};
#[cfg(all(feature = "acquire", feature = "run"))]
pub use gateway_call::GatewayCallError;
pub use hosted::Hosted;
pub use inventory::{Entry, Inventory, Lookup};
pub use invoke::{ExpandedSkill, InvokeError, RunCommand, SkillCall};
pub use list_limits::ListLimit;
pub use live::{Live, LiveEvent, LiveOptions, LiveStatus, LiveViewStatus, StaleEdit, Subscription};
pub use openpocket::{Copied, Openpocket, SourceSkill, ValidatedFile};
#[cfg(feature = "harness")]
pub use overview::{FoundProgram, NearlyReady, Overview};
pub use policy::{PolicyAnswer, PolicyDecision, PolicyFinding, PolicyRequest};
pub use prompt::{ExplainedSkill, ListCut, PromptExplanation, PromptRequest, TurnSkills};
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
#[cfg(feature = "acquire")]
pub use removal::{RemovalError, RemovalOffer, RemovedSkill};
pub use sandbox::{Locations, SandboxError, SkippedFile, SyncOptions, SyncReport};
pub use scaffold::{ScaffoldError, Template, create as create_skill};
pub use scan::{
    Admission, BaselineFileError, Scanned, accept_findings, apply_baseline, read_baseline, scan_bundle,
    scan_folder, scan_path,
};
#[cfg(feature = "run")]
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
    StatusReport, Untrusted, printable,
};
#[cfg(feature = "acquire")]
pub use supply::{
    InstalledSkill, Login, LoginError, NotPublished, PlannedFile, PublishError, PublishOptions, PublishPlan,
    PublishState, Supply, SupplyOptions,
};
pub use told::{ToldSkill, ToldWhen};
pub use trust::{Answer, AnswersError, Decision, ForeignSkill, TrustDesk, TrustError};
pub use view::AgentView;
pub use why::{Step, Why};

#[cfg(feature = "acquire")]
/// Installers: plans, steps, results.
pub use prowess_install::deps as installer;
#[cfg(feature = "acquire")]
/// Registries, references and lockfiles of others.
pub use prowess_registry as registry;
/// The scanner's own vocabulary.
pub use prowess_scan as scanner;
/// The vocabulary.
pub use prowess_types as types;

/// An error with all its causes, in one line.
pub fn describe_error(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

/// A JSON5 text as a value; none if it is not JSON5.
pub fn parse_json5(text: &str) -> Option<serde_json::Value> {
    prowess_json5::to_value(text).ok()
}

/// The examples in the documents for users.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/match.md")]
#[doc = include_str!("../../../docs/sessions.md")]
#[doc = include_str!("../../../docs/live.md")]
struct Documents;
