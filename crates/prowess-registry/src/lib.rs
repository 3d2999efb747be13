//! Registries of skills.

mod digest;
mod fingerprint;
mod ignore;
mod names;
pub mod protocol;
mod reference;

pub use digest::sha256_hex;
pub use fingerprint::{content_hash, fingerprint, fingerprint_of_hashes, published_files};
pub use ignore::IgnoreRules;
pub use names::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, NameError, check_handle, check_new_slug, check_path, check_version,
    next_version, slug_from_folder, title_from_folder,
};
pub use reference::{
    GitReference, GitRepository, Reference, ReferenceError, ReferenceProblem, RegistryReference,
};
