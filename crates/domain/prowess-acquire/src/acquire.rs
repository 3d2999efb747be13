//! Getting skills onto this machine, keeping them current, and taking them away.
//!
//! Everything that changes something is two calls: a plan says what would happen, and is what consent is given to;
//! applying it does exactly that. A plan holds the files it speaks of, so what was shown is what is installed.
//!
//! ```no_run
//! use prowess_acquire::{Acquire, AcquireError, AcquireOptions, InstallConsent, InstallOptions};
//! use prowess_context::{Clock, Context};
//! # fn example(context: &Context, clock: Clock) -> Result<(), AcquireError> {
//! let desk = Acquire::open(context, AcquireOptions::new(clock))?;
//! let reference = desk.reference("weather", None)?;
//! let plan = desk.plan_install(&reference, &InstallOptions::default(), &mut |_, _| {})?;
//! println!("{}: {}", plan.path.display(), plan.review.verdict);
//! desk.apply(&plan, InstallConsent::Given)?;
//! # Ok(())
//! # }
//! ```
//!
//! Limits: this module never installs what the scanner or a registry calls malicious, whatever the consent; never
//! writes the lock files of other tools unless the profile is theirs; never destroys anything that was edited.

mod apply;
mod compare;
mod error;
mod folder;
mod foreign;
mod frozen;
mod install;
mod listing;
mod local;
mod mirror;
mod outdated;
mod plan;
mod remove;
mod review;
mod source;
mod target;
mod update;
mod upload;

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prowess_install::{Folder, Recovered, Writer};

pub use apply::{Done, Readiness};
pub use compare::{Comparison, DiffSides};
pub use error::AcquireError;
pub use frozen::FrozenPlan;
pub use install::InstallOptions;
pub use listing::{InstallListing, InstallState, InstalledSkill, PinNote};
pub use outdated::{OutdatedSkill, UpdateStatus};
pub use plan::{Action, InstallConsent, Plan, PlannedFile, Previous};
pub use prowess_fs::trash::{TrashError, Trashed};
pub use prowess_install::{
    ConflictKind, DiffKind, Drift, Edits, FileDiff, InstallError, MergeConflict, MergeReport,
};
pub use remove::{RemovalPlan, Removed, Restored};
pub use review::Review;
pub use target::InstallScope;
pub use update::UpdateOptions;

use crate::supply::Supply;
use prowess_context::Clock;
use prowess_context::Context;
use target::Target;
pub use target::{FORGE, home_of};

/// The time to wait for another install.
const PATIENCE: Duration = Duration::from_secs(30);

/// Options of an acquisition desk.
#[derive(Clone, Debug)]
pub struct AcquireOptions {
    /// Whose workspace; the default agent's if none is named.
    pub agent: Option<String>,
    /// This workspace, whatever the agent's is now.
    pub workspace: Option<std::path::PathBuf>,
    /// For one workspace or for all.
    pub scope: InstallScope,
    /// The registry, as named by the user for this one time.
    pub registry: Option<String>,
    /// The clock.
    pub clock: Clock,
    /// The cancellation flag of downloads.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl AcquireOptions {
    /// The default agent's workspace and the registry that the environment names.
    pub fn new(clock: Clock) -> Self {
        Self {
            agent: None,
            workspace: None,
            scope: InstallScope::Workspace,
            registry: None,
            clock,
            cancel: None,
        }
    }
}

/// The desk where skills are installed, updated and removed, for one target.
#[derive(Debug)]
pub struct Acquire<'e> {
    context: &'e Context,
    options: AcquireOptions,
    target: Target,
    /// The access to sources and registries. Opened when first needed.
    supply: OnceCell<Supply>,
    /// An interrupted restore that this desk finished: the folder, and its name in the trash.
    finished_restore: OnceCell<(Folder, Folder)>,
}

impl<'c> Acquire<'c> {
    /// Opens the desk for a workspace, or for all of them. Nothing is written.
    pub fn open(context: &'c Context, options: AcquireOptions) -> Result<Self, AcquireError> {
        let agent = options.agent.as_deref();
        let target = Target::resolve(context, options.scope, agent, options.workspace.as_deref())?;
        Ok(Self { context, options, target, supply: OnceCell::new(), finished_restore: OnceCell::new() })
    }
}

impl Acquire<'_> {
    /// The folder that skills are installed into.
    pub fn folder(&self) -> &std::path::Path {
        &self.target.home.skills
    }

    /// The folder of the skills and its lock.
    pub fn home(&self) -> &prowess_install::Home {
        &self.target.home
    }

    /// The lock file.
    pub fn lock_file(&self) -> std::path::PathBuf {
        self.target.home.lock_file()
    }

    /// Settles a change that was interrupted, and says how. Every other call does so as well.
    pub fn recover(&self) -> Result<Option<String>, AcquireError> {
        let recovered = prowess_install::recover(&self.target.home, PATIENCE)?;
        Ok(recovered.map(|recovered| match recovered {
            Recovered::Restored { folder, id } => {
                let note = format!("an interrupted restore of `{folder}` was finished");
                // Only the first one of a desk can be asked for.
                let _ = self.finished_restore.set((folder, id));
                note
            }
            Recovered::Finished(folder) => format!("an interrupted change of `{folder}` was finished"),
            Recovered::Undone(folder) => format!("an interrupted change of `{folder}` was undone"),
            Recovered::Kept(paths) => {
                let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
                format!("the note of an interrupted change was damaged; kept: {}", paths.join(", "))
            }
        }))
    }

    fn now(&self) -> u64 {
        self.options.clock.now_ms()
    }

    fn writer(&self) -> Result<Writer, AcquireError> {
        Ok(Writer::open(&self.target.home, PATIENCE)?)
    }
}
