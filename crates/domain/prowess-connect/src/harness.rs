//! The skill folders of other agent programs: kept up to date with what an agent may use here, and read for import.
//!
//! There is one store, the engine's own sources; what other programs see are views of it. A view holds exactly the
//! skills that an agent can use (its allowlist, the gates and trust decide), in folders that those programs read.
//!
//! ```no_run
//! use prowess::harness::ViewSyncOptions;
//! # fn example(engine: &prowess::Engine) -> Result<(), prowess::harness::ConnectError> {
//! let report = crate::harness::sync_harnesses(engine, None, &ViewSyncOptions { to: vec!["claude-code".into()], ..ViewSyncOptions::default() })?;
//! for view in &report.views {
//!     println!("{}: {} skills", view.folder.display(), view.steps.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Invariant: a view never feeds the engine. A copy that was made from here steps back behind its source, so that an
//! update of the source is seen by all programs.

mod import;
mod items;
mod plan_import;
mod survey;
mod sync;

pub use import::{Importable, ImportableKind, Importables, importable};
pub use plan_import::plan_import;
pub use prowess_harness::{
    AgentProgram, Harness, HarnessNote, SkillFormat, ViewChange, ViewScope, ViewStep, find, harnesses,
    program, programs,
};
pub use survey::{FoundKind, FoundThings, Survey, survey};
pub use sync::{
    HarnessNotes, SeenTwice, SyncMethod, ViewReport, ViewSyncOptions, ViewSyncReport, sync_harnesses,
};

use std::path::{Path, PathBuf};

use prowess_context::{Context, ContextError};
use prowess_harness::Ground;

/// The reason views cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The skills cannot be listed.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// No such harness, or one whose folder cannot be used.
    #[error(transparent)]
    Harness(#[from] prowess_harness::ViewError),
    /// None was named, and none is installed.
    #[error("no other agent program was found on this machine")]
    NoneFound,
    /// It has nothing that could be imported.
    #[error("`{0}` cannot be imported from")]
    NothingToImport(String),
}

impl prowess_types::Classify for ConnectError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Harness(_) | Self::NothingToImport(_) => Is(ErrorKind::Usage),
            Self::NoneFound => Is(ErrorKind::NotFound),
        }
    }
}

/// A harness, and whether it is here.
#[derive(Clone, Debug)]
pub struct HarnessStatus {
    /// The harness.
    pub harness: &'static Harness,
    /// True if it is installed on this machine.
    pub is_installed: bool,
    /// The folders of the workspace that it reads.
    pub project: Vec<PathBuf>,
    /// The folders of the user that it reads.
    pub user: Vec<PathBuf>,
}

/// Every harness in the table, with its folders here.
pub fn known_harnesses(context: &Context, agent: Option<&str>) -> Result<Vec<HarnessStatus>, ConnectError> {
    let workspace = context.workspace(agent)?;
    let ground = ground(context, &workspace);
    let known = |harness: &'static Harness| HarnessStatus {
        is_installed: ground.is_installed(harness),
        project: ground.folders(harness, ViewScope::Project),
        user: ground.folders(harness, ViewScope::User),
        harness,
    };
    Ok(harnesses().map(known).collect())
}

fn ground<'a>(context: &'a Context, workspace: &'a Path) -> Ground<'a> {
    Ground { env: context.env(), home: &context.places().os_home, workspace }
}
