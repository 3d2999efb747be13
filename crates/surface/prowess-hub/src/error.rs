//! The reason a hub cannot work.

use std::io;
use std::path::PathBuf;

use prowess_fs::{FileReadError, LockError, WriteError};
use prowess_net::RandomError;
use prowess_registry::RegistryNameError;
use prowess_store::StoreError;
use prowess_types::{Classify, ErrorClass, ErrorKind};

/// The reason a hub cannot work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// Another hub works in the folder.
    #[error("`{}` is already served by {}", folder.display(), pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}")))]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The process that serves it, if known.
        pid: Option<u32>,
    },
    /// The folder cannot be locked.
    #[error(transparent)]
    Lock(LockError),
    /// The folder cannot be made.
    #[error("cannot make the folder `{}`", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The tables do not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Contents cannot be read.
    #[error("cannot read stored contents")]
    Read(#[from] FileReadError),
    /// Contents cannot be written.
    #[error("cannot store contents")]
    Write(#[from] WriteError),
    /// A handle that cannot be one.
    #[error(transparent)]
    Name(#[from] RegistryNameError),
    /// A handle that is a page of the registry.
    #[error("the handle `{0}` is reserved")]
    ReservedHandle(String),
    /// An address that cannot be the public one.
    #[error("`{0}` is not a site URL: it must begin with `http://` or `https://` and name a host")]
    PublicUrl(String),
    /// A token cannot be made.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The network failed.
    #[error("cannot serve")]
    Serve(#[source] io::Error),
}

impl Classify for HubError {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(match self {
            Self::Name(_) | Self::ReservedHandle(_) | Self::PublicUrl(_) => ErrorKind::Usage,
            Self::Taken { .. } => ErrorKind::Busy,
            _ => ErrorKind::Environment,
        })
    }
}
