//! The sources of skills: registries, repositories, folders, archives and sites.
//!
//! [`SourceReference`] reads what a user names, [`fetch`] gets it as files in memory together with what exactly was
//! fetched, [`RegistryClient`] asks a registry and publishes to it, [`protocol`] is what is said on the way and is
//! shared with the server. [`fingerprint`] identifies files to a registry, [`ClawhubLock`] and [`ForeignLock`] are
//! what this and other tools remember of it.
//!
//! What this crate refuses to do: put anything on the disk but git's temporary folder, unpack archives itself, read
//! the environment or the clock, open connections other than through [`prowess_net`] and the system's git, or decide
//! whether a skill may be installed.

mod address;
mod ask;
mod client;
mod digest;
mod fingerprint;
mod ignore_rules;
mod lock;
mod names;
pub mod protocol;
mod reference;
mod source;

pub use address::is_same_origin;
pub use ask::ask;
pub use client::{
    BaseChoice, DEFAULT_REGISTRY, DeviceAnswer, ListQuery, ModerationStatus, Publication, RateLimit,
    RegistryClient, RegistryError, SearchQuery, SkillId,
};
pub use fingerprint::{content_hash, fingerprint, fingerprint_of_hashes, published_files};
pub use ignore_rules::IgnoreRules;
pub use lock::{
    ClawhubEntry, ClawhubLock, ClawhubOrigin, ForeignEntry, ForeignLock, ForeignTool, LockfileError,
};
pub use names::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, RegistryNameError, check_bundle, check_handle, check_new_slug,
    check_path, check_version, next_version, slug_from_folder, title_from_folder,
};
pub use prowess_net::NetError;
pub use reference::{
    GitReference, GitRepository, ReferenceError, ReferenceProblem, RegistryReference, SourceReference,
};
pub use source::{
    Fetched, GitError, GitOptions, HostCheck, LeftOut, Resolved, SourceContext, SourceError, Unpack, fetch,
};
