//! The skill folders of other agent programs: kept in step with what an agent may use here, and read for import.
//!
//! There is one store, the engine's own sources; what other programs see are views of it. A view holds exactly the
//! skills that an agent can use (its allowlist, the gates and trust decide), in folders that those programs read.
//!
//! ```no_run
//! use prowess::harness::SyncOptions;
//! # fn example(engine: &prowess::Engine) -> Result<(), prowess::harness::HarnessError> {
//! let report = engine.sync_harnesses(None, &SyncOptions { to: vec!["claude-code".into()], ..SyncOptions::default() })?;
//! for view in &report.views {
//!     println!("{}: {} skills", view.folder.display(), view.steps.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Invariant: a view never feeds the engine. A copy that was made from here steps back behind its source, so that an
//! update of the source is seen by everybody.

mod copies;
mod import;
mod items;
mod survey;
mod sync;

pub use import::{Importable, ImportableKind, Importables};
pub use prowess_harness::{Change, Format, Harness, Note, Scope, Step, find, harnesses};
pub use survey::{FoundKind, FoundThings, Survey};
pub use sync::{HarnessNotes, Method, SeenTwice, SyncOptions, SyncReport, ViewReport};

pub(crate) use copies::without_copies;

use std::path::{Path, PathBuf};

use prowess_harness::{Ground, Records};

use crate::engine::{Engine, EngineError};

/// Why views cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// The skills cannot be listed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// No such harness, or one whose folder cannot be used.
    #[error(transparent)]
    Harness(#[from] prowess_harness::Error),
    /// None was named, and none is installed.
    #[error("no other agent program was found on this machine")]
    NoneFound,
    /// It has nothing that could be imported.
    #[error("`{0}` cannot be imported from")]
    NothingToImport(String),
}

/// A harness, and whether it is here.
#[derive(Clone, Debug)]
pub struct Known {
    /// The harness.
    pub harness: &'static Harness,
    /// Whether it is installed on this machine.
    pub is_installed: bool,
    /// The folders of the workspace that it reads.
    pub project: Vec<PathBuf>,
    /// The folders of the user that it reads.
    pub user: Vec<PathBuf>,
}

impl Engine {
    /// Every harness in the table, with its folders here.
    pub fn known_harnesses(&self, agent: Option<&str>) -> Result<Vec<Known>, HarnessError> {
        let workspace = self.workspace(agent)?;
        let ground = self.ground(&workspace);
        let known = |harness: &'static Harness| Known {
            is_installed: ground.is_installed(harness),
            project: ground.folders(harness, Scope::Project),
            user: ground.folders(harness, Scope::User),
            harness,
        };
        Ok(harnesses().iter().map(known).collect())
    }

    fn ground<'a>(&'a self, workspace: &'a Path) -> Ground<'a> {
        Ground { env: self.env(), home: &self.places().os_home, workspace }
    }

    /// What was made for other programs; in our own home whichever profile is followed.
    pub(crate) fn view_records(&self) -> Records {
        let cache = &self.places().cache;
        Records::at(cache.parent().unwrap_or(cache).join("views"))
    }
}
