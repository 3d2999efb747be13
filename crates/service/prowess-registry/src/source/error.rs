//! The reason a skill could not be fetched.

use std::path::PathBuf;

use prowess_net::NetError;

use super::GitError;
use crate::client::RegistryError;

/// The reason a skill could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The registry refused or does not know it.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A server did not answer.
    #[error("{}", prowess_text::describe_error(.0))]
    Http(NetError),
    /// A server refused.
    #[error("`{url}` answers {status}")]
    Status {
        /// The address of the request.
        url: String,
        /// The status.
        status: u16,
    },
    /// Git refused or failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file could not be read.
    #[error("cannot read the skill")]
    Read(#[from] prowess_fs::FileReadError),
    /// A folder could not be read whole.
    #[error("cannot read `{}`: {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        reason: String,
    },
    /// An archive was refused.
    #[error("cannot unpack `{name}`: {reason}")]
    Unpack {
        /// The archive.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The bytes are not what was promised.
    #[error("checksum mismatch of `{what}`: expected {expected}, got {actual}")]
    Digest {
        /// The file, archive or folder.
        what: String,
        /// The expected digest.
        expected: String,
        /// The digest of the received bytes.
        actual: String,
    },
    /// Something in the skill is a git repository of its own.
    #[error("`{place}` contains git metadata at `{}`, which can run programs", path.escape_debug())]
    GitMetadata {
        /// The source.
        place: String,
        /// The path in it.
        path: String,
    },
    /// There is no skill there.
    #[error("there is no `SKILL.md` in `{place}`{}", choices(candidates))]
    NotASkill {
        /// The place that was searched.
        place: String,
        /// Skills elsewhere that may be meant, each a reference.
        candidates: Vec<String>,
    },
    /// There are several skills there.
    #[error("`{place}` has several skills{}", choices(candidates))]
    Several {
        /// The place of the candidates.
        place: String,
        /// The skills, each a reference.
        candidates: Vec<String>,
    },
    /// The registry calls it malware.
    #[error("`{skill}` is blocked as malware by the registry{}", after(summary.as_deref()))]
    MalwareBlocked {
        /// The skill.
        skill: String,
        /// Why, in the registry's words.
        summary: Option<String>,
    },
    /// The registry has no such version of it.
    #[error("`{skill}` has no version `{version}`")]
    NoVersion {
        /// The skill.
        skill: String,
        /// The version or tag.
        version: String,
    },
    /// The registry offers no way to get it.
    #[error("`{skill}` cannot be installed: {message}")]
    Unavailable {
        /// The skill.
        skill: String,
        /// A code.
        reason: String,
        /// The registry's words.
        message: String,
    },
    /// A site has no index of skills, or a broken one.
    #[error("`{url}` has no index of skills: {reason}")]
    Index {
        /// The site.
        url: String,
        /// What was found instead.
        reason: String,
    },
    /// More than a skill may have.
    #[error("`{place}` is too large for a skill: {reason}")]
    TooLarge {
        /// The source.
        place: String,
        /// The limit that is exceeded.
        reason: &'static str,
    },
}

impl prowess_types::Classify for SourceError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Http(NetError::Refused { .. } | NetError::TooLarge { .. })
            | Self::Registry(RegistryError::Http(NetError::Refused { .. } | NetError::TooLarge { .. })) => {
                Is(ErrorKind::Refused)
            }
            Self::Http(error) | Self::Registry(RegistryError::Http(error)) => Of(error),
            Self::Git(error) => Of(error),
            Self::Registry(error) => Is(registry_kind(error)),
            Self::Status { status: 429 | 500.., .. } => Is(ErrorKind::Network),
            Self::MalwareBlocked { .. } | Self::GitMetadata { .. } => Is(ErrorKind::Refused),
            Self::Status { .. }
            | Self::Read(_)
            | Self::Folder { .. }
            | Self::Unpack { .. }
            | Self::Digest { .. }
            | Self::NotASkill { .. }
            | Self::Several { .. }
            | Self::NoVersion { .. }
            | Self::Unavailable { .. }
            | Self::Index { .. }
            | Self::TooLarge { .. } => Is(ErrorKind::NotFound),
        }
    }
}

/// The kind of a registry's error when a skill is fetched: a skill that cannot be fetched is not found.
fn registry_kind(error: &RegistryError) -> prowess_types::ErrorKind {
    use prowess_types::ErrorKind;
    match error {
        RegistryError::RateLimited { .. }
        | RegistryError::Status { status: 500.., .. }
        | RegistryError::Answer { .. } => ErrorKind::Registry,
        RegistryError::Ambiguous { .. } => ErrorKind::Ambiguous,
        RegistryError::Blocked { .. } | RegistryError::Pending { .. } => ErrorKind::Refused,
        _ => ErrorKind::NotFound,
    }
}

fn choices(candidates: &[String]) -> String {
    let shown: Vec<String> = candidates.iter().take(20).map(|candidate| format!("`{candidate}`")).collect();
    match (shown.len(), candidates.len() - shown.len()) {
        (0, _) => String::new(),
        (_, 0) => format!("; choose one of {}", shown.join(", ")),
        (_, more) => format!("; choose one of {} and {more} more", shown.join(", ")),
    }
}

fn after(summary: Option<&str>) -> String {
    summary.map(|summary| format!(": {summary}")).unwrap_or_default()
}

impl From<NetError> for SourceError {
    fn from(error: NetError) -> Self {
        Self::Http(error)
    }
}
