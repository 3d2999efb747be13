//! The kinds of errors, and the trait by which each error type names its own.
//!
//! A surface (the command line, the gateway, the MCP server) decides by the kind, never by the text of a message. So a message can be
//! reworded, and a new variant of an error type is classified once, beside its definition.

use std::error::Error;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// The kind of an error. Its codes are stable: programs may act on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The name, id or number that was given does not exist.
    NotFound,
    /// The name that was given matches several things.
    Ambiguous,
    /// The target already exists.
    AlreadyThere,
    /// The change was not confirmed.
    NotAgreed,
    /// A rule forbids it.
    Refused,
    /// A step that has to come first was not done.
    NotReady,
    /// Local edits and the incoming change contradict each other.
    Conflict,
    /// The registry requires a login.
    NotLoggedIn,
    /// The command line is wrong.
    Usage,
    /// The config does not contain the agent.
    UnknownAgent,
    /// No usable model is configured.
    NoModel,
    /// A value is not valid.
    InvalidValue,
    /// A file or folder cannot be read or written.
    Files,
    /// The config file cannot be used.
    Config,
    /// The home directory is unknown.
    NoHome,
    /// A file of the engine is damaged.
    Damaged,
    /// The encoder of the selection cannot be used.
    Encoder,
    /// A server cannot be reached.
    Network,
    /// The registry returned an error or an unexpected response.
    Registry,
    /// A token or key is missing, wrong or not accepted.
    Credentials,
    /// The address cannot be listened on.
    Address,
    /// Another process or operation holds the resource.
    Busy,
    /// Another problem of the environment.
    Environment,
    /// The user cancelled it.
    Interrupted,
    /// The data changed since the caller read it.
    Stale,
    /// The method does not exist.
    UnknownMethod,
    /// The change is held until a person confirms it.
    NeedsConfirmation,
    /// The caller lacks the permission.
    Forbidden,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 28] = [
        Self::NotFound,
        Self::Ambiguous,
        Self::AlreadyThere,
        Self::NotAgreed,
        Self::Refused,
        Self::NotReady,
        Self::Conflict,
        Self::NotLoggedIn,
        Self::Usage,
        Self::UnknownAgent,
        Self::NoModel,
        Self::InvalidValue,
        Self::Files,
        Self::Config,
        Self::NoHome,
        Self::Damaged,
        Self::Encoder,
        Self::Network,
        Self::Registry,
        Self::Credentials,
        Self::Address,
        Self::Busy,
        Self::Environment,
        Self::Interrupted,
        Self::Stale,
        Self::UnknownMethod,
        Self::NeedsConfirmation,
        Self::Forbidden,
    ];

    /// The stable code, as it is serialized.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous => "ambiguous",
            Self::AlreadyThere => "already-there",
            Self::NotAgreed => "not-agreed",
            Self::Refused => "refused",
            Self::NotReady => "not-ready",
            Self::Conflict => "conflict",
            Self::NotLoggedIn => "not-logged-in",
            Self::Usage => "usage",
            Self::UnknownAgent => "unknown-agent",
            Self::NoModel => "no-model",
            Self::InvalidValue => "invalid-value",
            Self::Files => "files",
            Self::Config => "config",
            Self::NoHome => "no-home",
            Self::Damaged => "damaged",
            Self::Encoder => "encoder",
            Self::Network => "network",
            Self::Registry => "registry",
            Self::Credentials => "credentials",
            Self::Address => "address",
            Self::Busy => "busy",
            Self::Environment => "environment",
            Self::Interrupted => "interrupted",
            Self::Stale => "stale",
            Self::UnknownMethod => "unknown-method",
            Self::NeedsConfirmation => "needs-confirmation",
            Self::Forbidden => "forbidden",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

/// The classification of an error.
#[derive(Clone, Copy, Debug)]
pub enum ErrorClass<'a> {
    /// The error has this kind.
    Is(ErrorKind),
    /// The error only wraps another one (`#[error(transparent)]`) and has its kind.
    Of(&'a dyn Classify),
}

/// An error type that names the kind of each of its variants.
pub trait Classify: Error + 'static {
    /// Returns the kind, or the wrapped error that has it.
    fn class(&self) -> ErrorClass<'_>;

    /// Returns the kind.
    fn kind(&self) -> ErrorKind {
        match self.class() {
            ErrorClass::Is(kind) => kind,
            ErrorClass::Of(error) => error.kind(),
        }
    }
}

/// Returns an error and the errors that it wraps, outermost first. Causes ([`Error::source`]) are not included.
pub fn wrapped_errors(error: &dyn Classify) -> impl Iterator<Item = &dyn Classify> {
    std::iter::successors(Some(error), |error| match error.class() {
        ErrorClass::Is(_) => None,
        ErrorClass::Of(inner) => Some(inner),
    })
}

impl Classify for std::io::Error {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(ErrorKind::Files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_what_is_serialized() {
        for kind in ErrorKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.code());
            assert_eq!(kind.to_string(), kind.code());
        }
    }

    #[test]
    fn all_kinds_are_in_the_list() {
        let schema = schemars::schema_for!(ErrorKind);
        let known = schema.get("oneOf").and_then(serde_json::Value::as_array).map_or(0, Vec::len);
        assert_eq!(known, ErrorKind::ALL.len());
    }

    #[derive(Debug)]
    struct Wrapper(std::io::Error);

    impl fmt::Display for Wrapper {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(out)
        }
    }

    impl Error for Wrapper {}

    impl Classify for Wrapper {
        fn class(&self) -> ErrorClass<'_> {
            ErrorClass::Of(&self.0)
        }
    }

    #[test]
    fn a_wrapper_has_the_kind_of_what_it_wraps() {
        let wrapper = Wrapper(std::io::Error::other("no"));
        assert_eq!(wrapper.kind(), ErrorKind::Files);
        let inner: &dyn Error = wrapped_errors(&wrapper).last().unwrap();
        assert!(inner.is::<std::io::Error>());
    }
}
