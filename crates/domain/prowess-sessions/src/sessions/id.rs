//! Names of sessions.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use serde::Serialize;

const MAX_LENGTH: usize = 64;
/// The last moment that a ULID can name, in the year 10889.
const MAX_MS: u64 = (1 << 48) - 1;

/// The id of a session, which is also the name of its folder: a ULID, or what the user calls it.
///
/// ```
/// use prowess::SessionId;
/// let id: SessionId = "release-2026.11".parse()?;
/// assert_eq!(id.as_str(), "release-2026.11");
/// assert!("../secrets".parse::<SessionId>().is_err());
/// # Ok::<(), prowess::InvalidSessionId>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct SessionId(String);

/// The text cannot be the id of a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be the id of a session: 1 to {MAX_LENGTH} letters, digits, `.`, `_` or `-`, not starting with `.`", .0.escape_debug())]
pub struct InvalidSessionId(pub String);

impl SessionId {
    /// A new id for a session that starts now; later ids sort after earlier ones.
    pub fn new(now_ms: u64) -> Self {
        let moment = SystemTime::UNIX_EPOCH + Duration::from_millis(now_ms.min(MAX_MS));
        Self(ulid::Ulid::from_datetime(moment).to_string())
    }

    /// An id that stands for a name which cannot be one.
    pub(crate) fn hashed(prefix: &str, hash: &[u8]) -> Self {
        let number = hash.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        Self(format!("{prefix}-{number:016x}"))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionId {
    type Err = InvalidSessionId;

    fn from_str(text: &str) -> Result<Self, InvalidSessionId> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        // A leading dot would hide the folder, or leave it: `..`.
        let is_valid =
            (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(is_allowed) && !text.starts_with('.');
        if is_valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidSessionId(text.chars().take(100).collect()))
        }
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The id of one run in a session: a ULID.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// A new id for a run that starts now; later ids sort after earlier ones.
    pub fn new(now_ms: u64) -> Self {
        Self(SessionId::new(now_ms).0)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_id_sorts_by_its_time_and_is_valid() {
        let (early, late) = (SessionId::new(1_000), SessionId::new(2_000));
        assert!(early < late);
        assert_ne!(SessionId::new(1_000), early);
        assert_eq!(early.as_str().parse(), Ok(early.clone()));
        assert_eq!(early.as_str().len(), 26);
    }

    #[test]
    fn a_name_that_could_leave_the_folder_is_refused() {
        for text in ["a", "A.b_c-9", &"x".repeat(64), "a..b"] {
            assert!(text.parse::<SessionId>().is_ok(), "{text}");
        }
        for text in ["", ".", "..", ".hidden", "a/b", "a\\b", "a b", "ä", "a\0", "a\n", "C:", &"x".repeat(65)]
        {
            assert!(text.parse::<SessionId>().is_err(), "{text:?}");
        }
    }
}
