//! What can be wrong with a pack.

use std::io;
use std::path::PathBuf;

use super::DType;

/// The reason a pack cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The file cannot be read.
    #[error("cannot read the pack `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The bytes do not begin as a pack does.
    #[error("not an encoder pack")]
    NotAPack,
    /// A newer, or a broken, format.
    #[error("the pack has format {found}, this program reads {known}")]
    Version {
        /// The format of the pack.
        found: u32,
        /// The format that this program reads.
        known: u32,
    },
    /// Packs are little-endian, and used where they lie.
    #[error("packs cannot be used on a big-endian machine")]
    BigEndian,
    /// The bytes end before the header or a tensor does.
    #[error("the pack is cut off")]
    Truncated,
    /// The header is not JSON, or not of the right shape.
    #[error("the header of the pack cannot be read")]
    Header(#[source] serde_json::Error),
    /// The bytes are not those that were written.
    #[error("the pack is damaged: its checksum does not match")]
    Checksum,
    /// A tensor does not lie where a tensor can lie, or its shape does not give its length.
    #[error("tensor `{0}` has an impossible place or shape")]
    Layout(String),
    /// A tensor that the encoder needs is not there.
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// A tensor holds other numbers than the encoder needs.
    #[error("tensor `{name}` holds {found:?}, expected {expected:?}")]
    Type {
        /// The tensor.
        name: String,
        /// The type in the pack.
        found: DType,
        /// The type that the encoder needs.
        expected: DType,
    },
    /// A tensor has another shape than the encoder needs.
    #[error("tensor `{name}` has shape {found:?}, expected {expected:?}")]
    Shape {
        /// The tensor.
        name: String,
        /// The shape in the pack.
        found: Vec<usize>,
        /// The shape that the encoder needs.
        expected: Vec<usize>,
    },
    /// The bytes of the pack are not aligned in memory.
    #[error("tensor `{0}` is not aligned; embed packs with `include_pack!`")]
    Alignment(String),
    /// No encoder of this program reads such a pack.
    #[error("the pack holds an encoder of kind `{0}`, which this program does not know")]
    Kind(String),
    /// A reader was trained on top of another encoder.
    #[error(
        "the reader does not belong to encoder `{base}`: its words have digest {found}, expected {expected}"
    )]
    Base {
        /// The encoder that was given.
        base: String,
        /// The digest of its word table.
        found: String,
        /// The digest in the reader's header.
        expected: String,
    },
    /// The header or a table contradicts itself.
    #[error("the pack is invalid: {0}")]
    Content(String),
}

impl PackError {
    /// A contradiction in the content, in a few words.
    pub fn content(problem: impl Into<String>) -> Self {
        Self::Content(problem.into())
    }
}
