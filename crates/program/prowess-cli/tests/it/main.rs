//! The real program: what it prints, how it ends, what it leaves behind.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a broken fixture should stop the test that uses it"
)]

mod acquire;
mod acquire_edits;
mod acquire_end_to_end;
mod acquire_hostile;
mod acquire_registry;
mod acquire_support;
mod blank_variables;
mod bundled;
#[cfg(unix)]
mod chat;
mod command_names;
mod config;
mod confinement;
mod cortex;
mod cortex_log;
mod cortex_recall;
mod cortex_task;
mod default_prompt;
mod demo;
mod deps;
mod deps_real;
mod doctor;
mod doctor_fix;
mod documents;
mod effects;
mod empty_prompt;
mod environment;
mod forge;
#[cfg(target_os = "linux")]
mod forge_faults;
mod forge_found;
mod forge_replay;
mod forge_support;
mod gateway;
mod gateway_soak;
mod generate;
mod git_metadata;
mod hook;
mod hub;
mod import;
mod list;
mod matching;
mod mcp;
#[cfg(unix)]
mod mcp_words;
mod migrate;
mod new;
mod one_view;
mod openpocket_cases;
mod output;
mod prompt;
mod publish_declared;
mod refused_installs;
mod registry_client;
mod registry_client_faults;
mod registry_client_login;
mod registry_client_publish;
mod restore;
mod run;
mod sandbox;
mod scan;
mod scan_kinds;
mod schema;
mod secret;
mod sessions;
mod status;
mod support;
mod sync;
#[cfg(unix)]
mod terminal;
mod trust;
mod up;
mod upgrade;
mod usage;
mod validate;
mod watch;
mod why;
