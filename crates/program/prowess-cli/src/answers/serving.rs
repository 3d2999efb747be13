//! What commands say line by line while they go on.

use std::collections::BTreeSet;
use std::path::PathBuf;

use prowess_connect::Overview;
use prowess_fs::Health;
use prowess_match::{LiveEvent, LiveStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A line of `prowess watch`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum WatchLine<'a> {
    /// The first line.
    Started {
        /// What is watched.
        status: &'a LiveStatus,
    },
    /// It sees better or worse than before.
    Health {
        /// How well.
        health: &'a Health,
    },
    /// Skills changed, and are used as they are now.
    Published {
        /// The changes.
        event: &'a LiveEvent,
    },
    /// Skills were edited in a way that cannot be used; they stay as they were.
    StaleEdits {
        /// The event.
        event: &'a LiveEvent,
    },
}

/// A line of `prowess gateway` and `prowess up`.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum GatewayLine<'a> {
    /// It serves.
    Serving {
        /// The place where it listens.
        address: String,
        /// The place where the Studio is.
        url: &'a str,
        /// The process.
        pid: u32,
        /// The state folder.
        home: String,
        /// True if the token was made just now.
        token_is_new: bool,
        /// The file that has the token.
        config: String,
        /// What is ready here and what is missing, for `prowess up`.
        #[serde(skip_serializing_if = "Option::is_none")]
        overview: Option<&'a Overview>,
    },
    /// One serves this home already.
    Running {
        /// The process.
        pid: u32,
        /// The place where the Studio is.
        url: &'a str,
        /// What is ready here and what is missing.
        overview: &'a Overview,
    },
}

/// The place where the Studio is.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UrlAnswer<'a> {
    /// The address, with a one-time code or with the token.
    pub(crate) url: &'a str,
}

/// The line of `prowess registry serve`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum RegistryLine<'a> {
    /// It serves.
    Serving {
        /// The place where it listens.
        address: String,
        /// The place where others reach it.
        url: &'a str,
        /// The folder that it keeps everything in.
        data: String,
    },
}

/// A line of `prowess node`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum NodeLine<'a> {
    /// The gateway approved it.
    Connected,
    /// It told which of the wanted programs it has.
    Reported {
        /// Those it has.
        bins: &'a BTreeSet<String>,
        /// The requested number.
        wanted: usize,
    },
    /// It waits for approval at the gateway.
    Waiting {
        /// The id for its approval.
        request_id: &'a str,
    },
    /// The connection was lost.
    Lost {
        /// The reason.
        why: &'a str,
        /// When it tries again.
        again_in_ms: u64,
    },
}

/// The tour of `prowess demo`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DemoAnswer<'a> {
    /// True if every command ended as it should.
    pub(crate) ok: bool,
    /// Every command of the tour.
    pub(crate) steps: &'a [Played],
    /// The folder, if it was kept.
    pub(crate) kept: Option<PathBuf>,
}

/// A scene of the tour as it was played.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Played {
    /// The part of the tour.
    pub(crate) part: &'static str,
    /// What is to be seen.
    pub(crate) about: &'static str,
    /// The command.
    pub(crate) command: String,
    /// Its result.
    pub(crate) exit_code: i32,
    /// What it printed.
    pub(crate) output: String,
}

/// The tokens of a device that `prowess gateway devices revoke` made worthless.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RevokedAnswer {
    /// What the gateway answered for each: `deviceId`, `role`, `revokedAtMs`.
    pub(crate) revoked: Vec<Value>,
}
