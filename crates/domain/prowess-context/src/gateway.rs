//! The needs of a gateway in a home: the lock that makes it the only one, a token, and a note of its address.

use std::path::PathBuf;
use std::time::Duration;

use prowess_config::{ConfigEdit, KeyPath};
use prowess_fs::{Lock, LockError, WriteError};
use prowess_types::{ProfileName, Secret};
use serde::{Deserialize, Serialize};

use crate::context::{Context, ContextError};

const TOKEN_KEY: &str = "gateway.auth.token";
/// Far more than a note needs.
const MAX_NOTE_BYTES: u64 = 64 * 1024;
/// Only the user may read what is written here.
pub(crate) const PRIVATE: u32 = 0o600;

/// The reason a home cannot have a gateway.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayHomeError {
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There is one already.
    #[error("a gateway already serves this home ({})", holder(*pid))]
    Taken {
        /// The process that serves it, if it said so.
        pid: Option<u32>,
    },
    /// The home cannot be locked.
    #[error(transparent)]
    Lock(LockError),
    /// The token is stored elsewhere and cannot be resolved.
    #[error("failed to resolve the gateway token (`gateway.auth.token`): {0}")]
    Token(String),
    /// A new token cannot be made.
    #[error(transparent)]
    Random(#[from] prowess_net::RandomError),
    /// A note cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl prowess_types::Classify for GatewayHomeError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Taken { .. } => Is(ErrorKind::Busy),
            Self::Lock(_) | Self::Token(_) | Self::Random(_) | Self::Write(_) => Is(ErrorKind::Environment),
        }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "its process is not known".to_owned(), |pid| format!("process {pid}"))
}

/// The token of a gateway, and how it came about.
#[derive(Debug)]
pub struct GatewayToken {
    /// The token.
    pub token: Secret,
    /// True if it was made just now.
    pub is_new: bool,
}

/// A gateway that serves a home now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningGateway {
    /// Its process.
    pub pid: u32,
    /// Its address on this machine, without a token.
    pub url: String,
}

/// The right to be the only gateway of a home. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub struct GatewayClaim {
    _lock: Lock,
    note: PathBuf,
}

impl GatewayClaim {
    /// Tells other commands where the gateway is reached.
    pub fn announce(&self, url: &str) -> Result<(), GatewayHomeError> {
        let running = RunningGateway { pid: std::process::id(), url: url.to_owned() };
        let text = serde_json::to_string_pretty(&running).unwrap_or_default();
        Ok(prowess_fs::write_atomic(&self.note, text.as_bytes(), Some(PRIVATE))?)
    }
}

impl Context {
    /// Returns the folder of a gateway's own files.
    pub fn gateway_folder(&self) -> PathBuf {
        let state = &self.places().state;
        match self.profile().name {
            ProfileName::Prowess => state.join("gateway"),
            _ => state.join(".prowess/gateway"),
        }
    }

    /// Becomes the only gateway of this home, if there is none.
    pub fn claim_gateway(&self) -> Result<GatewayClaim, GatewayHomeError> {
        let folder = self.gateway_folder();
        match Lock::acquire(&folder.join("gateway"), Duration::ZERO) {
            Ok(lock) => Ok(GatewayClaim { _lock: lock, note: folder.join("running.json") }),
            Err(LockError::Busy { pid, .. }) => Err(GatewayHomeError::Taken { pid }),
            Err(error) => Err(GatewayHomeError::Lock(error)),
        }
    }

    /// The gateway that serves this home now; none if there is none, or if it has not said where it is yet.
    pub fn running_gateway(&self) -> Option<RunningGateway> {
        let note = prowess_fs::read_file(&self.gateway_folder().join("running.json"), MAX_NOTE_BYTES).ok()?;
        let running: RunningGateway = serde_json::from_slice(&note).ok()?;
        // A note means nothing while the lock is free.
        let Err(GatewayHomeError::Taken { pid }) = self.claim_gateway() else { return None };
        pid.is_none_or(|pid| pid == running.pid).then_some(running)
    }

    /// Returns the token of the gateway, as the config has it; none if there was no gateway yet.
    pub fn gateway_token(&self) -> Result<Option<Secret>, GatewayHomeError> {
        let context = self.reopen()?;
        let Some(source) = context.config().gateway().token_source else { return Ok(None) };
        let token = crate::secret_values::resolve_secret(&context, &source)
            .map_err(|error| GatewayHomeError::Token(prowess_text::describe_error(&error)))?;
        let token = Secret::new(token.expose().trim());
        if token.is_blank() {
            return Err(GatewayHomeError::Token("it is empty".to_owned()));
        }
        Ok(Some(token))
    }

    /// The same; where there is none, one is made and kept in the user's config.
    pub fn gateway_token_or_new(&self, _claim: &GatewayClaim) -> Result<GatewayToken, GatewayHomeError> {
        if let Some(token) = self.gateway_token()? {
            return Ok(GatewayToken { token, is_new: false });
        }
        let token = prowess_net::random_token()?;
        if let Ok(key) = KeyPath::parse(TOKEN_KEY) {
            self.change_config(&[ConfigEdit::Set(key, token.clone().into())])?;
        }
        Ok(GatewayToken { token: Secret::new(token), is_new: true })
    }
}
