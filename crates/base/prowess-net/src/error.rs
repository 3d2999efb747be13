//! The reason a request failed. No variant names a credential: addresses are shown without user, query and
//! fragment.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::Url;

/// The reason there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The address cannot be read.
    #[error("`{url}` is not an address: {reason}")]
    BadUrl {
        /// The address.
        url: String,
        /// The problem with it.
        reason: String,
    },
    /// The address is blocked by network policy.
    #[error("`{url}` is refused: {reason}")]
    Refused {
        /// The address.
        url: String,
        /// The reason.
        reason: AddressRefusal,
    },
    /// The name leads nowhere.
    #[error("failed to resolve the host `{host}` (DNS)")]
    Lookup {
        /// The name.
        host: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// A redirect after a redirect.
    #[error("`{url}` redirects more than {limit} times")]
    TooManyRedirects {
        /// The address of the first request.
        url: String,
        /// The maximum number of redirects.
        limit: usize,
    },
    /// No connection, or it broke before the answer began.
    #[error("cannot reach `{url}`")]
    Connection {
        /// The address.
        url: String,
        /// True if there was a connection.
        was_connected: bool,
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server agreed to change the protocol, and the connection broke.
    #[error("`{url}` failed to upgrade the connection")]
    Upgrade {
        /// The address.
        url: String,
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// It took too long.
    #[error("`{url}` did not answer within {} s", limit.as_secs_f32())]
    TimedOut {
        /// The address.
        url: String,
        /// The time limit.
        limit: Duration,
    },
    /// Nothing came for too long.
    #[error("`{url}` sent no data for {} s", limit.as_secs_f32())]
    Silent {
        /// The address.
        url: String,
        /// The longest silence allowed.
        limit: Duration,
    },
    /// The caller cancelled it.
    #[error("the request to `{url}` was cancelled")]
    Cancelled {
        /// The address.
        url: String,
    },
    /// The answer is too large, packed or unpacked.
    #[error("the answer of `{url}` is larger than {limit} bytes")]
    TooLarge {
        /// The address.
        url: String,
        /// The maximum size.
        limit: u64,
    },
    /// The answer ended early.
    #[error("the answer of `{url}` ended after {received} bytes{}", of(*expected))]
    Truncated {
        /// The address.
        url: String,
        /// The received bytes.
        received: u64,
        /// The announced bytes.
        expected: Option<u64>,
    },
    /// The answer is packed in a way that cannot be undone.
    #[error("the answer of `{url}` cannot be unpacked")]
    Encoding {
        /// The address.
        url: String,
    },
    /// The answer is something else than what was asked for.
    #[error("`{url}` has the hash {actual}, not {expected}")]
    WrongHash {
        /// The address.
        url: String,
        /// The SHA-256 that was asked for.
        expected: String,
        /// The SHA-256 of what came.
        actual: String,
    },
    /// The server refused a download.
    #[error("`{url}` answered {status}: {message}")]
    Status {
        /// The address.
        url: String,
        /// The status.
        status: u16,
        /// The start of what the server said.
        message: String,
    },
    /// The answer is not JSON of the expected shape.
    #[error("the answer of `{url}` is not what was expected")]
    Json {
        /// The address.
        url: String,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// A header cannot be sent.
    #[error("the header `{name}` cannot be sent")]
    BadHeader {
        /// Its name.
        name: String,
    },
    /// The body cannot be written.
    #[error("cannot keep the answer of `{url}`")]
    Write {
        /// The address.
        url: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The proxy is not the URL of an HTTP proxy.
    #[error(
        "the proxy is not an `http://` or `https://` URL; set `https_proxy` and `http_proxy` to one, or unset `all_proxy`"
    )]
    BadProxy,
    /// The client cannot be set up.
    #[error("cannot set up the HTTP client")]
    Setup {
        /// The reason.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl prowess_types::Classify for NetError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Network)
    }
}

/// The reason an address is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressRefusal {
    /// Neither https nor, where allowed, http.
    #[error("only https is allowed")]
    NotHttps,
    /// A redirect from https to http.
    #[error("a redirect leads from https to http")]
    Downgrade,
    /// The name or its address is this machine's, its network's, or a way around the check.
    #[error("it is not on the public internet")]
    Private,
    /// An address in octal, in hexadecimal, too short, or in one number.
    #[error("its address is written in a misleading way")]
    Disguised,
    /// A user or a password in the address.
    #[error("it has a user or a password in it")]
    UserInfo,
    /// The body would be sent again, to another server.
    #[error("a redirect would send the request to another server")]
    MovedBody,
    /// A redirect to another origin, where only the same one is followed.
    #[error("it redirects to another origin")]
    OtherOrigin,
    /// A reserved address: of no machine, of all machines, or an IPv4 address inside an IPv6 address.
    #[error("its address is reserved")]
    Reserved,
}

impl NetError {
    /// Returns true if asking again may help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Connection { .. }
            | Self::Lookup { .. }
            | Self::TimedOut { .. }
            | Self::Silent { .. }
            | Self::Truncated { .. } => true,
            Self::Status { status, .. } => crate::retry::is_transient(*status),
            _ => false,
        }
    }

    /// The address that was asked, as far as it may be shown.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::BadUrl { url, .. }
            | Self::Refused { url, .. }
            | Self::TooManyRedirects { url, .. }
            | Self::Connection { url, .. }
            | Self::Upgrade { url, .. }
            | Self::TimedOut { url, .. }
            | Self::Silent { url, .. }
            | Self::Cancelled { url }
            | Self::TooLarge { url, .. }
            | Self::Truncated { url, .. }
            | Self::Encoding { url }
            | Self::WrongHash { url, .. }
            | Self::Status { url, .. }
            | Self::Json { url, .. }
            | Self::Write { url, .. } => Some(url),
            Self::Lookup { host, .. } => Some(host),
            Self::BadHeader { .. } | Self::BadProxy | Self::Setup { .. } => None,
        }
    }

    /// The error and its causes without the address, which may have a secret in its path.
    pub fn without_url(&self) -> String {
        match self {
            Self::BadUrl { reason, .. } => reason.clone(),
            Self::Refused { reason, .. } => reason.to_string(),
            Self::TooManyRedirects { .. } => "it redirects too often".to_owned(),
            Self::Connection { source, .. } | Self::Upgrade { source, .. } => {
                prowess_text::describe_error(source.as_ref())
            }
            Self::TimedOut { limit, .. } => format!("no answer within {} s", limit.as_secs_f32()),
            Self::Silent { limit, .. } => format!("nothing came for {} s", limit.as_secs_f32()),
            Self::Cancelled { .. } => "it was cancelled".to_owned(),
            Self::TooLarge { limit, .. } => format!("the answer is larger than {limit} bytes"),
            Self::Truncated { received, expected, .. } => {
                format!("the answer ended after {received} bytes{}", of(*expected))
            }
            Self::Encoding { .. } => "the answer cannot be unpacked".to_owned(),
            Self::WrongHash { expected, actual, .. } => format!("the hash is {actual}, not {expected}"),
            Self::Status { status, message, .. } => format!("status {status}: {message}"),
            Self::Json { source, .. } => source.to_string(),
            Self::Write { source, .. } => source.to_string(),
            Self::Lookup { .. } | Self::BadHeader { .. } | Self::BadProxy | Self::Setup { .. } => {
                prowess_text::describe_error(self)
            }
        }
    }

    pub(crate) fn connection(url: &Url, error: reqwest::Error) -> Self {
        let was_connected = !error.is_connect();
        Self::Connection { url: shown(url), was_connected, source: error.without_url().into() }
    }

    pub(crate) fn refused(url: &Url, reason: AddressRefusal) -> Self {
        Self::Refused { url: shown(url), reason }
    }
}

/// An address without what may be secret in it.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // These fail for addresses that cannot have them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// Returns an address without user, password, query and fragment, as it may be shown. The text does not have to be a
/// URL: nothing before its last `@` stays, for a password that is not encoded may hold anything.
pub fn without_secrets(url: &str) -> String {
    let url = url.trim();
    let url = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    let (scheme, rest) = url.split_once("//").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if url.contains("//") { format!("{scheme}//{host}") } else { host.to_owned() }
}

/// An address that could not be read, up to where secrets may begin.
pub(crate) fn shown_text(text: &str) -> String {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let text = &text[..end];
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let separator = if scheme.is_empty() { "" } else { "://" };
    let whole = format!("{scheme}{separator}{rest}");
    whole.chars().take(200).flat_map(char::escape_debug).collect()
}

fn of(expected: Option<u64>) -> String {
    expected.map(|expected| format!(" of {expected}")).unwrap_or_default()
}
