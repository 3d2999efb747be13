//! The skills of an agent: read, merged, judged, trusted, and presented as list, prompt, status and commands.
//!
//! An [`Inventory`] holds every skill with its verdict and everything that was found and lost, each with its reason.
//! Nothing here chooses a skill for a message; the answer of a selector is data ([`MessageMatch`]) that rendering follows.

mod answer;
mod blueprint;
mod bundle;
mod cache;
mod catalog_settings;
mod checked_texts;
mod copies;
mod examine;
mod facts;
mod files;
mod inventory;
mod invoke;
mod judge;
mod list_limits;
pub mod load;
mod openpocket;
mod parallel;
mod plugins;
mod prompt;
mod sandbox;
mod sidecar;
mod skill_text;
mod status;
mod told;
mod trust;
mod trust_desk;
mod why;
mod without_copies;
mod working_copy;

pub use answer::{Blocked, Conversation, MatchDecision, MatchRequest, MatchResult, MessageMatch, Progress};
pub use blueprint::{Blueprint, blueprint};
pub use bundle::examine_bundle;
pub use cache::{checksum, is_damaged};
pub use catalog_settings::{CatalogSettings, Locations};
pub use checked_texts::CheckedTexts;
pub use copies::view_records;
pub use examine::{Examined, SkillFiles, lint_file, skill_files, validate_file};
pub use facts::platform;
pub use files::{FileContents, SKILL_FILE, SkillFile, SkillFileError};
pub use inventory::{Inventory, NameLookup, SkillEntry};
pub use invoke::{ExpandedSkill, InvokeError, OpenCall, RunCommand, SkillCall, expand_invocation, open_call};
pub use judge::assemble;
pub use list_limits::ListLimit;
pub use openpocket::{Copied, Openpocket, SourceSkill, ValidatedFile};
pub use parallel::map as parallel_map;
pub use plugins::PluginFolders;
pub use prompt::{
    EmptyPrompt, EmptyReason, ExplainedSkill, GivenSkills, ListCut, ListRule, MessageRoom, MessageSkills,
    PromptExplanation, PromptRequest, Relevance, TurnSkills, one_line, prompted, why_invisible,
};
pub use sandbox::{
    SandboxSyncError, SandboxSyncOptions, SandboxSyncReport, SkippedFile, sandbox_locations, sandbox_sync,
    source as skill_copies,
};
pub use sidecar::{RegistryLink, SkillCard};
pub use skill_text::{ListedFile, SkillText, SkillTextError, skill_text};
pub use status::{
    CheckReport, CheckSummary, ListReport, ListedSkill, MissingRequirements, NotInjected, SkillStatus,
    StatusReport, Untrusted,
};
pub use told::{ToldSkill, ToldWhen};
pub use trust::{Answer, AnswersError, ForeignSkill, TrustDecision, TrustError};
pub use trust_desk::TrustDesk;
pub use why::{Why, WhyStep};
pub use without_copies::without_views;
pub use working_copy::is_plain_working_copy;

pub use prowess_catalog::{MessageInvocation, reference_prefix};
