//! What must hold for the workspace as a whole.

#![expect(clippy::expect_used, reason = "a test that cannot look at the workspace has failed")]

mod architecture;
mod book;
mod errors;
mod modules;
mod names;
mod paths;
mod readme;
mod source;

use std::path::Path;

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the repository")
}
