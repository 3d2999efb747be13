//! The error of encoders and selectors.

use std::path::PathBuf;

/// The reason messages cannot be matched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChooseError {
    /// The calibration cannot be opened.
    #[error("cannot read the calibration")]
    ReadCalibration(#[source] prowess_fs::FileReadError),
    /// The calibration is not valid.
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
        /// The problem with it.
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
        /// Its expected place.
        place: String,
    },
    /// The endpoint does not answer as it should.
    #[error(transparent)]
    Endpoint(#[from] prowess_embed::EndpointError),
    /// A vector does not fit its encoder.
    #[error(transparent)]
    Vector(#[from] prowess_select::VectorError),
}

impl prowess_types::Classify for ChooseError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Encoder)
    }
}
