//! Notes of tasks that have a skill installed for the moment, so that a process that was killed leaves nothing behind.
//!
//! A note is written before the install and removed after the uninstall; while its task goes on, the process holds its
//! lock. A note that can be locked is that of a process that is gone: the skill it names is uninstalled if it is the
//! very one that the task installed, by the time of its install. A skill that the user had before, pinned or updated
//! since, is not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_acquire::{Acquire, AcquireError, AcquireOptions};
use prowess_context::{Clock, Context};
use prowess_fs::{Lock, LockState};
use prowess_install::{Folder, LockFile};
use prowess_text::describe_error;
use serde::{Deserialize, Serialize};

use super::{CortexError, places};

/// The folder of the notes, beside the log.
const FOLDER: &str = "cortex-tasks";
/// A note is far smaller.
const MAX_BYTES: u64 = 64 * 1024;

/// A task that has a skill installed for the moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingTask {
    /// The skill.
    pub slug: String,
    /// Its folder below the folder of skills.
    pub folder: String,
    /// The agent whose workspace it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The workspace.
    pub workspace: PathBuf,
    /// The time of its install, in milliseconds since 1970.
    pub installed_at: u64,
}

/// The note of a task that goes on in this process.
pub(super) struct TaskNote {
    file: PathBuf,
    lock: Lock,
}

impl TaskNote {
    /// Writes the note.
    pub(super) fn begin(context: &Context, task: &PendingTask) -> Result<Self, CortexError> {
        let folder = folder_of(context);
        prowess_fs::create_folder(&folder)?;
        let file = folder.join(format!("{}.json", ulid::Ulid::generate()));
        let lock = Lock::acquire(&file, Duration::from_secs(1))?;
        let text = serde_json::to_vec_pretty(task).unwrap_or_default();
        prowess_fs::write_atomic(&file, &text, Some(0o600))?;
        Ok(Self { file, lock })
    }

    /// Removes the note: the skill is gone, or the user keeps it.
    pub(super) fn end(self) {
        remove(&self.file, self.lock);
    }
}

fn remove(file: &Path, lock: Lock) {
    // A note that stays is settled by the next command, which finds nothing to do.
    let _ = prowess_fs::remove_file(file);
    let _ = prowess_fs::remove_file(lock.path());
    drop(lock);
}

fn folder_of(context: &Context) -> PathBuf {
    let (log, _) = places(context);
    log.with_file_name(FOLDER)
}

/// The files of notes. A lock whose note was not written yet stands for it.
fn notes(context: &Context) -> Vec<PathBuf> {
    let children = prowess_fs::children(&folder_of(context)).unwrap_or_default();
    let note = |path: PathBuf| match path.extension()?.to_str()? {
        "json" => Some(path),
        "lock" => Some(path.with_extension("")),
        _ => None,
    };
    let mut notes: Vec<PathBuf> = children.into_iter().filter_map(|entry| note(entry.path)).collect();
    notes.dedup();
    notes
}

fn read(file: &Path) -> Option<PendingTask> {
    let bytes = prowess_fs::read_file(file, MAX_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Tasks whose process is gone, with the files of their notes. Nothing is changed.
pub fn pending_tasks(context: &Context) -> Vec<(PathBuf, PendingTask)> {
    let is_held = |file: &PathBuf| {
        let mut lock = file.clone().into_os_string();
        lock.push(".lock");
        matches!(prowess_fs::lock_state(Path::new(&lock)), LockState::Held(_))
    };
    let left = notes(context).into_iter().filter(|file| !is_held(file));
    left.filter_map(|file| Some((file.clone(), read(&file)?))).collect()
}

/// Uninstalls what interrupted tasks have left installed, and says so. A task of a process that lives is left alone.
pub fn settle_tasks(context: &Context, clock: &Clock) -> Vec<String> {
    notes(context).into_iter().filter_map(|file| settle_note(context, clock, &file)).collect()
}

fn settle_note(context: &Context, clock: &Clock, file: &Path) -> Option<String> {
    let lock = Lock::acquire(file, Duration::ZERO).ok()?;
    let Some(task) = read(file) else {
        remove(file, lock);
        return None;
    };
    match settle(context, clock, &task) {
        Ok(is_removed) => {
            remove(file, lock);
            is_removed.then(|| {
                format!(
                    "a task was interrupted and had left `{}` installed in `{}`; it was uninstalled",
                    task.slug,
                    task.workspace.display()
                )
            })
        }
        Err(error) => Some(format!(
            "`{}` was left installed by an interrupted task: {}",
            task.slug,
            describe_error(&error)
        )),
    }
}

/// Uninstalls the skill of a task. False if it is not there, or not the one that the task installed.
fn settle(context: &Context, clock: &Clock, task: &PendingTask) -> Result<bool, AcquireError> {
    if !prowess_fs::is_taken(&task.workspace) {
        return Ok(false);
    }
    let options = AcquireOptions {
        agent: task.agent.clone(),
        workspace: Some(task.workspace.clone()),
        ..AcquireOptions::new(clock.clone())
    };
    let shop = Acquire::open(context, options)?;
    shop.recover()?;
    let folder = Folder::parse(&task.folder).map_err(prowess_install::InstallError::from)?;
    let lock = LockFile::read(shop.home())?;
    let is_ours = lock.skills.get(&folder).is_some_and(|entry| {
        entry.installed_at == task.installed_at && entry.updated_at.is_none() && entry.pinned.is_none()
    });
    if is_ours {
        shop.plan_uninstall(folder.as_str()).and_then(|plan| shop.uninstall(&plan))?;
    }
    Ok(is_ours)
}
