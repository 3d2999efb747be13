//! Which skill a message asks for, or none: the selector of an inventory.
//!
//! The façade introduces three parties that do not know each other: the skills on disk, the encoders, and the
//! arithmetic of selection. It also keeps their vectors across processes.

mod answer;
mod corpus;
mod encoders;
mod kept;
#[cfg(feature = "learn")]
mod likeness;
mod message_skills;
mod models;
#[cfg_attr(not(feature = "learn"), path = "choose/no_prior.rs")]
mod prior;
mod relevance;
mod selector;
mod vectors;

use std::path::PathBuf;

pub use answer::{Blocked, Match, MatchDecision, MatchRequest, MatchResult, OverlappingPair};
pub(crate) use corpus::document;
pub(crate) use encoders::Encoders;
pub use message_skills::{GivenSkills, MessageSkills};
pub(crate) use message_skills::{ListRule, MAX_CHARS, MessageRoom, one_line, prompted};
pub use models::Models;
#[cfg(feature = "learn")]
pub(crate) use prior::PRIOR;
pub use relevance::Relevance;
pub use selector::{Progress, Selector};
pub(crate) use vectors::is_damaged;

/// Why messages cannot be understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChooseError {
    /// The calibration cannot be opened.
    #[error("cannot read the calibration")]
    ReadCalibration(#[source] prowess_fs::ReadError),
    /// The calibration is not one.
    #[error(transparent)]
    Calibration(#[from] prowess_select::CalibrationError),
    /// A pack cannot be used.
    #[error(transparent)]
    Pack(#[from] prowess_embed::PackError),
    /// A pack file cannot be used.
    #[error("cannot use the pack `{}`", path.display())]
    PackFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: prowess_embed::PackError,
    },
    /// An encoder failed.
    #[error(transparent)]
    Encode(#[from] prowess_embed::EncodeError),
    /// There is no encoder by that name.
    #[error("there is no encoder `{0}`")]
    NoEncoder(String),
    /// The key of the endpoint is somewhere else than in a variable, or the variable is not set.
    #[error("cannot find the key of `skills.match.endpoint` in `{place}`; name a variable that is set")]
    EndpointKey {
        /// Where it should be.
        place: String,
    },
    /// The endpoint does not answer as it should.
    #[cfg(feature = "http")]
    #[error(transparent)]
    Endpoint(#[from] prowess_embed::EndpointError),
    /// The program was built without HTTP.
    #[error("this program cannot ask an endpoint: it was built without the feature `http`")]
    WithoutHttp,
    /// A vector does not fit its encoder.
    #[error(transparent)]
    Vector(#[from] prowess_select::VectorError),
}
