//! The vocabulary of Prowess as plain data.
//!
//! Every other crate speaks in these types; none of them decides anything. A type lives here when two
//! crates that may not depend on each other must both name it.
//!
//! What this crate refuses to do: read files, look at the clock or the environment, or hold a rule. The one exception is
//! [`git_names`], a list that crates of every layer refuse.

mod bundle;
mod deferred;
mod diagnostic;
mod error_kind;
pub mod git_names;
mod install;
mod model_api;
mod origin;
mod outcome;
pub mod path_text;
mod poison;
mod profile;
mod requirement;
mod scan_verdict;
mod secret;
mod skill;
mod trace;

pub use bundle::{Bundle, BundleFile};
pub use deferred::Deferred;
pub use diagnostic::{Diagnostic, Severity, Span, SpecLevel};
pub use error_kind::{Classify, ErrorClass, ErrorKind, wrapped_errors};
pub use install::{
    DownloadRecipe, InstallKind, InstallOption, InstallRecipe, InstallSpec, NodeManager, RefusedInstall,
};
pub use model_api::ModelApi;
pub use origin::{Loss, LossReason, Origin, Source, Tier};
pub use outcome::{Outcome, OutcomeResult, OutcomeSource};
pub use poison::IgnorePoison;
pub use profile::{
    BinRule, Budget, CommandSpelling, ConflictPolicy, Descent, Dialect, EntryOrder, GateOrder, GateRules,
    LinkLoop, LinkPolicy, MergeKey, OsRule, ProfileName, PromptMode, PromptRules, PromptWording, SpecMode,
};
pub use requirement::{
    CheckOutcome, ConfigCheck, Facts, GateCheck, ModeScope, OfferMode, RemoteNode, Requirements, Verdict,
};
pub use scan_verdict::{ScanVerdict, StoredVerdict};
pub use secret::Secret;
pub use skill::{
    CodexDependencies, CodexInterface, CodexPolicy, CodexSettings, CodexTool, ContentHash, Dispatch,
    EnvVarRequirement, Extensions, Fields, InvocationPolicy, Metadata, Skill, SkillLayout, TreeHash,
    Triggers,
};
pub use trace::{
    ActivatedBy, Backend, BackendKind, FollowUp, FollowUpEffect, PhoneStep, PromptedAs, PromptedSkill,
    RankedSkill, SelectionDecision, TRACE_FORMAT, TraceEvent, TraceLine, Usage,
};
