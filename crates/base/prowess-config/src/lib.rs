//! Profiles, places and the config file.
//!
//! A [`Profile`] is the data in which one engine differs from another. [`Places`] computes where its
//! files are. [`Config`] is what the files say: every value typed, every problem named with its line,
//! every value able to tell where it comes from. [`edit()`] changes a file without touching its comments.
//!
//! What this crate refuses to do: open files (the façade reads and writes them), look at the process's
//! environment ([`Env`] is passed in), or show a secret. Only this crate sees secrets at all; they leave
//! it as [`prowess_types::Secret`].

mod agent_id;
mod agents;
mod agents_edit;
mod agents_list;
mod api_key;
mod child_env;
mod commands;
mod config;
mod edit;
mod entries;
mod env;
mod exposure;
mod gateway;
mod inspect;
mod issue;
mod json_schema;
mod keypath;
mod keys;
mod kind;
mod layer;
mod limits;
mod lookup;
mod models;
mod modes;
mod openclaw_keys;
mod places;
mod profile;
mod profiles;
mod protect;
mod protection;
mod read;
mod redact;
mod reference;
mod restore;
mod revise;
mod run;
mod schema;
mod secrets;
mod settings;
mod spelling;
mod validate;
mod value;

pub use agent_id::normalize_id;
pub use agents::{Agent, UnknownAgent};
pub use agents_edit::{AgentEditError, add_agent, agent_in, agent_slot, remove_agent};
pub use api_key::{ApiKey, SecretReference, is_variable_name};
pub use child_env::ChildEnvironment;
pub use config::Config;
pub use edit::{ConfigEdit, ConfigEditError, ConfigFile, content_hash, edit};
pub use entries::EntryView;
pub use env::Env;
pub use gateway::{DEFAULT_PORT, GatewaySettings, RemoteGateway, bind_address};
pub use inspect::{Inspected, inspect};
pub use issue::{ConfigIssue, IssueKind};
pub use keypath::{KeyPath, KeyPathError};
pub use layer::{Layer, OriginOfValue};
pub use limits::SkillLimits;
pub use models::ModelRow;
pub use places::{Overrides, Places, PlacesError, RootContext};
pub use profile::{
    BlankVariable, FileNameMatch, Place, PlaceRules, Profile, RelativeTo, RootSpec, SpecModeRule, Workspaces,
};
pub use profiles::profile;
pub use protect::{Loosening, ProtectedChange};
pub use redact::{is_placeholder as is_mask, looks_secret};
pub use revise::{ReviseError, Revised};
pub use run::{
    ModelChoiceError, ModelSettings, ModelSource, RunSettings, SandboxMode, SandboxSettings, ToolPermission,
};
pub use secrets::{DEFAULT_PROVIDER, ExecProvider, SecretProvider, SecretSettings};
pub use settings::{
    ApprovalPolicy, Autonomy, CommandInjection, CortexSettings, EncoderChoice, ForgeSettings,
    InstallPolicySettings, InstallSettings, LoadSettings, MatchSettings, PluginSettings, PromotionPolicy,
    PromptSettings, RepositoryTrust, Select, WorkshopSettings,
};
pub use value::merge_patch;
