//! Registries of skills.

mod address;
mod client;
mod digest;
mod fingerprint;
mod http;
mod ignore;
mod lock;
mod names;
pub mod protocol;
mod reference;
mod source;

pub use client::{
    BaseChoice, DEFAULT_REGISTRY, ListQuery, Publication, RateLimit, RegistryClient, RegistryError,
    SearchQuery, SkillId, Standing,
};
pub use digest::sha256_hex;
pub use fingerprint::{content_hash, fingerprint, fingerprint_of_hashes, published_files};
pub use http::{Http, HttpError, HttpMethod, HttpRequest, HttpResponse};
pub use ignore::IgnoreRules;
pub use lock::{
    ClawhubEntry, ClawhubLock, ClawhubOrigin, ForeignEntry, ForeignLock, ForeignTool, LockfileError,
};
pub use names::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, NameError, check_handle, check_new_slug, check_path, check_version,
    next_version, slug_from_folder, title_from_folder,
};
pub use reference::{
    GitReference, GitRepository, Reference, ReferenceError, ReferenceProblem, RegistryReference,
};
pub use source::{Fetched, GitError, GitOptions, LeftOut, Resolved, SourceContext, SourceError, fetch};
