//! The leftovers of processes that ended in the middle.
//!
//! A lock is the operating system's and ends with its process, so no lock file blocks another process. A process that
//! was killed leaves its signature in such a file, a temporary file beside what it was writing, or the note of an
//! install that the next command settles.

use std::path::{Path, PathBuf};

use prowess_fs::{Condition, ConditionKind, LockState};

use super::fix::Fix;
use super::home::NOT_OURS;
use super::{DoctorFinding, Examination, MAX_FILES, checks};

/// A write takes moments; what is older than this was left behind.
const OLD_SECS: i64 = 60 * 60;

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let home = examination.own_home();
    for folder in own_folders(examination) {
        for (path, found) in prowess_fs::own_entries(&folder, &NOT_OURS, MAX_FILES) {
            if found.kind != ConditionKind::File {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".lock") {
                findings.extend(lock(&folder, &path));
            } else if name.starts_with(".prowess-") && name.ends_with(".tmp") {
                // A file in a workspace may have come with a repository.
                findings.extend(temporary(examination, &folder, &path, &found, folder == home));
            }
        }
    }
    installs::examine(examination, findings);
}

/// The engine's own folders: its home, and what it keeps in the workspace.
fn own_folders(examination: &Examination<'_>) -> Vec<PathBuf> {
    let state = &examination.context.places().state;
    let mut folders = vec![examination.own_home().to_owned()];
    for folder in [examination.workspace.join(".prowess"), state.join(".prowess")] {
        if !folders.iter().any(|known| folder.starts_with(known)) {
            folders.push(folder);
        }
    }
    folders
}

fn lock(root: &Path, path: &Path) -> Option<DoctorFinding> {
    match prowess_fs::lock_state(path) {
        LockState::Free => None,
        LockState::Held(pid) => {
            let message = format!("process {pid} holds `{}`", path.display());
            Some(DoctorFinding::new(&checks::LOCKS_HELD, message).at(path))
        }
        LockState::Abandoned(pid) => {
            let message = format!("process {pid} ended without letting go of `{}`", path.display());
            let fix = Fix::ReleaseLock { root: root.to_owned(), path: path.to_owned() };
            Some(DoctorFinding::new(&checks::LOCKS_ABANDONED, message).at(path).mended_by(fix))
        }
    }
}

fn temporary(
    examination: &Examination<'_>,
    root: &Path,
    path: &Path,
    found: &Condition,
    is_home: bool,
) -> Option<DoctorFinding> {
    let now = i64::try_from(examination.options.clock.as_ref()?.now_ms() / 1000).ok()?;
    if found.modified_secs.saturating_add(OLD_SECS) > now {
        return None;
    }
    let message = format!("`{}` was left behind by a write that was interrupted", path.display());
    let finding = DoctorFinding::new(&checks::LEFTOVERS_TEMPORARY, message).at(path);
    let is_ours = is_home && found.is_ours && found.hard_links == 1;
    Some(if is_ours {
        finding.mended_by(Fix::RemoveFile { root: root.to_owned(), path: path.to_owned() })
    } else {
        finding
    })
}

mod installs {
    use prowess_fs::trash::Trash;
    use prowess_install::{InstallError, LockFile, is_interrupted};

    use super::{DoctorFinding, Examination, Fix, LockState, checks};
    use crate::doctor::counted;
    use prowess_acquire::{InstallScope, home_of};

    pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
        for scope in [InstallScope::Workspace, InstallScope::Global] {
            let Ok(home) = home_of(examination.context, scope, examination.agent) else { continue };
            let is_busy =
                matches!(prowess_fs::lock_state(&home.state.join("install.lock")), LockState::Held(_));
            if is_interrupted(&home) && !is_busy {
                let message = format!("a change in `{}` was interrupted", home.skills.display());
                let fix = Fix::SettleInstall {
                    scope,
                    agent: examination.agent.map(str::to_owned),
                    skills: home.skills.clone(),
                    state: home.state.clone(),
                };
                findings.push(
                    DoctorFinding::new(&checks::INSTALL_INTERRUPTED, message).at(&home.skills).mended_by(fix),
                );
            }
            if let Err(error @ (InstallError::Damaged { .. } | InstallError::Newer { .. })) =
                LockFile::read(&home)
            {
                let message = prowess_text::describe_error(&error);
                findings.push(DoctorFinding::new(&checks::INSTALL_LOCK, message).at(&home.lock_file()));
            }
            let kept = Trash::new(&home.trash).list().unwrap_or_default().len();
            if kept > 0 {
                let kept = counted(kept, "removed skill is", "removed skills are");
                let message = format!("{kept} kept in `{}`", home.trash.display());
                findings.push(DoctorFinding::new(&checks::TRASH_KEPT, message).at(&home.trash));
            }
        }
    }
}
