//! The engine's own folder: whether it can be written, and who else may change it.

use std::path::{Path, PathBuf};

use prowess_fs::{Condition, ConditionKind, Room, TakenRights};

use super::fix::Fix;
use super::{DoctorFinding, Examination, MAX_FILES, checks};

/// With less room than this, a write may fail at any time.
const LITTLE_ROOM: u64 = 32 << 20;
/// Folders in a home that hold what others wrote, or too much to look at one by one.
pub(super) const NOT_OURS: [&str; 4] = ["skills", "bundled", "tools", "trash"];

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let home = examination.own_home();
    let Some(existing) = home.ancestors().find(|folder| prowess_fs::is_taken(folder)) else { return };
    if !matches!(prowess_fs::is_folder(existing), Ok(true)) {
        let message = format!("`{}` is not a folder, so nothing can be kept below it", existing.display());
        findings.push(DoctorFinding::new(&checks::HOME_NOT_A_FOLDER, message).at(existing));
        return;
    }
    findings.extend(standing(existing, prowess_fs::room(existing), prowess_fs::may_write_in(existing)));
    if existing == home {
        let mut entries = prowess_fs::own_entries(home, &NOT_OURS, MAX_FILES);
        let config = examination.context.places().config_file.as_path();
        for path in [home, config] {
            if !entries.iter().any(|(known, _)| known == path) {
                entries
                    .extend(prowess_fs::condition(path).ok().flatten().map(|found| (path.to_owned(), found)));
            }
        }
        entries.retain(|(_, found)| matches!(found.kind, ConditionKind::File | ConditionKind::Folder));
        findings.extend(foreign(home, &entries));
        findings.extend(entries.iter().filter_map(|(path, found)| writable(home, path, found)));
    }
}

/// Returns a finding if a folder cannot be written.
fn standing(home: &Path, room: Option<Room>, may_write: bool) -> Option<DoctorFinding> {
    let shown = home.display();
    let (check, message) = match room {
        Some(Room { is_read_only: true, .. }) => {
            (&checks::HOME_READ_ONLY, format!("`{shown}` is on a file system that is read-only"))
        }
        _ if !may_write => (&checks::HOME_NOT_WRITABLE, format!("`{shown}` cannot be written")),
        Some(Room { has_names: false, .. }) => {
            (&checks::HOME_FULL, format!("the file system of `{shown}` has no room for further files"))
        }
        Some(Room { bytes, .. }) if bytes < LITTLE_ROOM => {
            (&checks::HOME_FULL, format!("the file system of `{shown}` has only {} KB left", bytes / 1024))
        }
        _ => return None,
    };
    Some(DoctorFinding::new(check, message).at(home))
}

/// Files of the engine that belong to another user.
fn foreign(home: &Path, entries: &[(PathBuf, Condition)]) -> Option<DoctorFinding> {
    let foreign: Vec<&PathBuf> =
        entries.iter().filter(|(_, found)| !found.is_ours).map(|(path, _)| path).collect();
    let first = foreign.first()?;
    let message = format!(
        "{} of the engine's files belong to another user, such as `{}`",
        foreign.len(),
        first.display()
    );
    let help = format!("sudo chown -R \"$(id -u)\" {}", home.display());
    Some(DoctorFinding::new(&checks::PERMISSIONS_OWNER, message).at(home).help(help))
}

/// A file of the engine that others may change.
fn writable(home: &Path, path: &Path, found: &Condition) -> Option<DoctorFinding> {
    if !found.is_writable_by_others() {
        return None;
    }
    let shown = path.display();
    let finding =
        DoctorFinding::new(&checks::PERMISSIONS_WRITABLE, format!("other users may change `{shown}`"));
    let finding = finding.at(path).help(format!("chmod go-w {shown}"));
    let root = if path.starts_with(home) { home } else { path.parent()? };
    let fix = Fix::TakeRights { root: root.to_owned(), path: path.to_owned(), taken: TakenRights::Write };
    // An entry with a second name is something else as well.
    let is_single = found.kind == ConditionKind::Folder || found.hard_links == 1;
    Some(if found.is_ours && is_single { finding.mended_by(fix) } else { finding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_before_a_write_fails() {
        let judge = |bytes: u64, has_names: bool, is_read_only: bool, may_write: bool| {
            let room = Some(Room { bytes, has_names, is_read_only });
            standing(Path::new("/h"), room, may_write).map(|finding| finding.id)
        };
        assert_eq!(judge(LITTLE_ROOM, true, false, true), None);
        assert_eq!(judge(LITTLE_ROOM - 1, true, false, true), Some("home/full"));
        assert_eq!(judge(u64::MAX, false, false, true), Some("home/full"));
        assert_eq!(judge(u64::MAX, true, false, false), Some("home/not-writable"));
        assert_eq!(judge(0, false, true, false), Some("home/read-only"));
        assert_eq!(standing(Path::new("/h"), None, true).map(|finding| finding.id), None);
    }

    #[test]
    fn what_belongs_to_somebody_else_is_told_and_not_mended() {
        let found = Condition {
            kind: ConditionKind::File,
            mode: 0o666,
            is_ours: false,
            is_own_group: false,
            hard_links: 1,
            modified_secs: 0,
        };
        let home = Path::new("/h");
        let entries = [(home.join("a"), found), (home.join("b"), Condition { is_ours: true, ..found })];
        let told = foreign(home, &entries).unwrap();
        assert_eq!(told.id, "permissions/owner");
        assert!(told.message.starts_with("1 of") && told.message.contains("`/h/a`"), "{}", told.message);
        assert!(foreign(home, &entries[1..]).is_none());
        let is_fixable = |found: &Condition| writable(home, &home.join("a"), found).unwrap().fixable;
        assert!(!is_fixable(&found));
        assert!(is_fixable(&Condition { is_ours: true, ..found }));
        assert!(!is_fixable(&Condition { is_ours: true, hard_links: 2, ..found }));
        let own_group = Condition { mode: 0o660, is_own_group: true, ..found };
        assert!(writable(home, &home.join("a"), &own_group).is_none());
        assert!(writable(home, &home.join("a"), &Condition { is_own_group: false, ..own_group }).is_some());
    }
}
