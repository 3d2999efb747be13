//! Lockfiles, from text to data and back: whoever calls reads and writes the files.
//!
//! [`ClawhubLock`] and [`ClawhubOrigin`] are written as the original client writes them, and keep every field they
//! do not know. The lockfiles of other tools are only read: [`ForeignLock`].

mod clawhub;
mod foreign;

pub use clawhub::{ClawhubEntry, ClawhubLock, ClawhubOrigin};
pub use foreign::{ForeignEntry, ForeignLock, ForeignTool};

/// A text that is not a lockfile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockfileError {
    /// It is not JSON, or not of this shape.
    #[error("`{file}` cannot be read as a lockfile")]
    Shape {
        /// The file.
        file: String,
        /// The position of the error.
        #[source]
        source: serde_json::Error,
    },
    /// A newer or older format.
    #[error("`{file}` has version {version} of its format, which is not known")]
    Version {
        /// The file.
        file: String,
        /// Its version.
        version: String,
    },
    /// A merge was not finished.
    #[error("`{file}` has conflict markers; finish the merge first")]
    Conflict {
        /// The file.
        file: String,
    },
    /// No tool is known to write a file of that name and shape.
    #[error("`{file}` is not a lockfile of a known tool")]
    Unknown {
        /// The file.
        file: String,
    },
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
