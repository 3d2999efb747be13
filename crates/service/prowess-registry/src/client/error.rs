//! What can go wrong with a registry, by what a user can do about it.

use std::time::Duration;

use prowess_net::{NetError, Response};

use crate::names::RegistryNameError;
use crate::protocol::{AmbiguousSlug, SkillDetail, SkillMatch};

/// The longest message of a server that is shown.
const MAX_MESSAGE: usize = 2000;

/// The reason a registry did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// There was no answer.
    #[error("{}", prowess_text::describe_error(.0))]
    Http(NetError),
    /// It does not exist (404).
    #[error("{message}")]
    NotFound {
        /// The server's words.
        message: String,
    },
    /// Several owners have such a slug (409).
    #[error("{message}: {}", list(matches))]
    Ambiguous {
        /// The server's words.
        message: String,
        /// What to choose from.
        matches: Vec<SkillMatch>,
    },
    /// No token, or not a valid one (401).
    #[error("the registry did not accept the login: {message}; log in with a token")]
    Unauthorized {
        /// The server's words.
        message: String,
    },
    /// Malicious, unavailable, or not the caller's (403).
    #[error("the registry refuses: {message}")]
    Blocked {
        /// The server's words.
        message: String,
    },
    /// Deleted, or removed by a moderator (410).
    #[error("it is gone: {message}")]
    Deleted {
        /// The server's words.
        message: String,
    },
    /// Not scanned yet (423).
    #[error("it is not available yet: {message}")]
    Pending {
        /// The server's words.
        message: String,
    },
    /// Too many questions (429).
    #[error("the rate limit of the registry is reached{}: {message}", after(limit))]
    RateLimited {
        /// The server's words.
        message: String,
        /// How many are allowed, and when again.
        limit: RateLimit,
    },
    /// Any other refusal.
    #[error("the registry answers {status}: {message}")]
    Status {
        /// The status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// An answer that is not one.
    #[error("`{url}` did not answer like a registry")]
    Answer {
        /// The address of the request.
        url: String,
        /// The position of the error.
        #[source]
        source: serde_json::Error,
    },
    /// A name the registry would refuse.
    #[error(transparent)]
    Name(#[from] RegistryNameError),
    /// More than a registry takes.
    #[error("`{path}` has {size} bytes, more than the {max} a registry takes")]
    TooLarge {
        /// The file, or the slug for all files together.
        path: String,
        /// Its size.
        size: u64,
        /// The maximum size.
        max: u64,
    },
    /// Nothing to publish.
    #[error("there is no `SKILL.md` in `{slug}`")]
    NoSkill {
        /// The slug.
        slug: String,
    },
}

impl prowess_types::Classify for RegistryError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Http(_) => Is(ErrorKind::Network),
            Self::NotFound { .. } => Is(ErrorKind::NotFound),
            Self::Ambiguous { .. } => Is(ErrorKind::Ambiguous),
            Self::Unauthorized { .. } => Is(ErrorKind::Credentials),
            Self::Blocked { .. } | Self::Deleted { .. } | Self::Pending { .. } => Is(ErrorKind::Refused),
            Self::Name(_) | Self::TooLarge { .. } | Self::NoSkill { .. } => Is(ErrorKind::Usage),
            Self::RateLimited { .. } | Self::Status { .. } | Self::Answer { .. } => Is(ErrorKind::Registry),
        }
    }
}

fn list(matches: &[SkillMatch]) -> String {
    matches.iter().map(|found| format!("`{}`", found.reference)).collect::<Vec<_>>().join(", ")
}

fn after(limit: &RateLimit) -> String {
    limit.retry_after.map(|wait| format!(", try again in {} s", wait.as_secs())).unwrap_or_default()
}

impl From<NetError> for RegistryError {
    fn from(error: NetError) -> Self {
        Self::Http(error)
    }
}

/// What a registry says about how often it may be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimit {
    /// Questions per minute.
    pub limit: Option<u64>,
    /// How many are left; only said when none are.
    pub remaining: Option<u64>,
    /// When to ask again.
    pub retry_after: Option<Duration>,
}

impl RateLimit {
    /// Reads the headers of an answer; those with `X-` only where the plain ones are missing.
    pub fn of(response: &Response) -> Self {
        let number = |name: &str| response.header(name)?.trim().parse::<u64>().ok();
        let wait = number("retry-after").or_else(|| number("ratelimit-reset"));
        Self {
            limit: number("ratelimit-limit").or_else(|| number("x-ratelimit-limit")),
            remaining: number("ratelimit-remaining").or_else(|| number("x-ratelimit-remaining")),
            retry_after: wait.map(Duration::from_secs),
        }
    }
}

/// Whether a registry lets a skill be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModerationStatus {
    /// Nothing speaks against it.
    Good,
    /// Only when asked to in so many words.
    Suspicious,
    /// Never.
    MalwareBlocked,
}

impl ModerationStatus {
    /// What a skill's detail says.
    pub fn of(detail: &SkillDetail) -> Self {
        match &detail.moderation {
            Some(moderation) if moderation.is_malware_blocked => Self::MalwareBlocked,
            Some(moderation) if moderation.is_suspicious => Self::Suspicious,
            _ => Self::Good,
        }
    }
}

/// An answer of success, or why it is none.
pub(super) fn check(url: &str, response: Response) -> Result<Response, RegistryError> {
    if response.is_success() {
        return Ok(response);
    }
    let message = words(url, &response);
    Err(match response.status {
        401 => RegistryError::Unauthorized { message },
        403 => RegistryError::Blocked { message },
        404 => RegistryError::NotFound { message },
        409 => match serde_json::from_slice::<AmbiguousSlug>(&response.body) {
            Ok(body) if body.is_genuine() => {
                RegistryError::Ambiguous { message: body.message, matches: body.matches }
            }
            _ => RegistryError::Status { status: 409, message },
        },
        410 => RegistryError::Deleted { message },
        423 => RegistryError::Pending { message },
        429 => RegistryError::RateLimited { message, limit: RateLimit::of(&response) },
        status => RegistryError::Status { status, message },
    })
}

/// The server's words, which are plain text: bounded, without control characters, never a web page.
fn words(url: &str, response: &Response) -> String {
    let is_page = response.header("content-type").is_some_and(|kind| kind.contains("text/html"));
    let text = String::from_utf8_lossy(&response.body);
    let plain = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
    let text: String = text.trim().chars().filter(plain).take(MAX_MESSAGE).collect();
    if text.is_empty() || is_page { format!("status {} of `{url}`", response.status) } else { text }
}
