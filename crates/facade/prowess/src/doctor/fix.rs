//! The few things that can be repaired without harm.

use std::fmt;
use std::path::PathBuf;

use prowess_acquire::Acquire;
use prowess_context::{Clock, Context};
use prowess_fs::{RepairError, TakenRights};
use prowess_learn::cortex::{Cortex, pending_tasks};
use serde::{Serialize, Serializer};

use super::DoctorFinding;

/// The repairs. Nothing else is touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fix {
    /// Takes rights from other users.
    TakeRights {
        /// The folder it stays in.
        root: PathBuf,
        path: PathBuf,
        taken: TakenRights,
    },
    /// Removes a file that can be made again, or is not needed.
    RemoveFile { root: PathBuf, path: PathBuf },
    /// Takes back the signature of a process that is gone.
    ReleaseLock { root: PathBuf, path: PathBuf },
    /// Finishes or takes back an interrupted install.
    SettleInstall {
        scope: prowess_acquire::InstallScope,
        agent: Option<String>,
        skills: PathBuf,
        state: PathBuf,
    },
    /// Writes what was learned to the export anew.
    RewriteExport { file: PathBuf, log: PathBuf },
    /// Moves a damaged log aside and makes it anew from the export.
    RebuildLog { file: PathBuf, log: PathBuf },
    /// Uninstalls what an interrupted task has left.
    SettleTask { note: PathBuf, skill: String, workspace: PathBuf },
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TakeRights { path, taken: TakenRights::All, .. } => {
                write!(f, "take all rights to `{}` from other users", path.display())
            }
            Self::TakeRights { path, taken: TakenRights::Write, .. } => {
                write!(f, "take the right to change `{}` from other users", path.display())
            }
            Self::RemoveFile { path, .. } => write!(f, "remove `{}`", path.display()),
            Self::ReleaseLock { path, .. } => write!(f, "empty `{}`", path.display()),
            Self::SettleInstall { skills, state, .. } => {
                write!(
                    f,
                    "finish or take back the interrupted change in `{}` and `{}`",
                    skills.display(),
                    state.display()
                )
            }
            Self::RewriteExport { file, log } => {
                let (file, log) = (file.display(), log.display());
                write!(f, "keep a copy beside `{file}`, and write it anew from the log `{log}`")
            }
            Self::RebuildLog { file, log } => {
                let (file, log) = (file.display(), log.display());
                write!(f, "move `{log}` aside, and make it anew from `{file}`")
            }
            Self::SettleTask { skill, workspace, .. } => {
                write!(f, "uninstall `{skill}` from `{}`", workspace.display())
            }
        }
    }
}

impl Serialize for Fix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The reason something was not repaired. It is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MendError {
    /// The finding cannot be fixed from here.
    #[error("`{0}` cannot be fixed automatically")]
    NotFixable(&'static str),
    /// The file is not what it was, or the system refused.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// The install cannot be settled.
    #[error(transparent)]
    Install(#[from] Box<prowess_acquire::AcquireError>),
    /// The skill of an interrupted task is still installed.
    #[error("{0}")]
    Task(String),
    /// The cortex cannot be written.
    #[error(transparent)]
    Cortex(#[from] Box<prowess_learn::cortex::CortexError>),
}

impl prowess_types::Classify for MendError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Install(error) => Of(&**error),
            Self::Cortex(error) => Of(&**error),
            Self::NotFixable(_) => Is(ErrorKind::Refused),
            Self::Repair(_) | Self::Task(_) => Is(ErrorKind::Files),
        }
    }
}

/// Fixes a finding, as [`Finding::remedy`] says and not otherwise.
pub(crate) fn mend(context: &Context, finding: &DoctorFinding, clock: &Clock) -> Result<(), MendError> {
    match finding.fix.as_ref().ok_or(MendError::NotFixable(finding.id))? {
        Fix::TakeRights { root, path, taken } => Ok(prowess_fs::take_rights(root, path, *taken)?),
        Fix::RemoveFile { root, path } => Ok(prowess_fs::remove_own_file(root, path)?),
        Fix::ReleaseLock { root, path } => Ok(prowess_fs::release_abandoned(root, path)?),
        Fix::SettleInstall { scope, agent, .. } => {
            let options = prowess_acquire::AcquireOptions {
                agent: agent.clone(),
                scope: *scope,
                ..prowess_acquire::AcquireOptions::new(clock.clone())
            };
            let settled = Acquire::open(context, options).and_then(|desk| desk.recover());
            settled.map(drop).map_err(|error| Box::new(error).into())
        }
        // Opening it repairs it.
        Fix::RebuildLog { .. } => {
            Cortex::open(context, clock.clone()).map(drop).map_err(|error| Box::new(error).into())
        }
        Fix::SettleTask { note, .. } => {
            let said = prowess_learn::cortex::settle_tasks(context, clock);
            if pending_tasks(context).iter().any(|(file, _)| file == note) {
                return Err(MendError::Task(said.join("; ")));
            }
            Ok(())
        }
        Fix::RewriteExport { .. } => {
            let rewritten = Cortex::open(context, clock.clone()).and_then(|mut cortex| cortex.rewrite());
            rewritten.map_err(|error| Box::new(error).into())
        }
    }
}
