//! The engine's own folder: whether it can be written, and who else may change it.

use std::path::Path;

use prowess_fs::{Condition, ConditionKind, Room, TakenRights};

use super::fix::Fix;
use super::{Examination, Finding, MAX_FILES, checks};

/// With less room than this, a write may fail at any time.
const LITTLE_ROOM: u64 = 32 << 20;
/// Folders in a home that hold what others wrote, or too much to look at one by one.
pub(super) const NOT_OURS: [&str; 4] = ["skills", "bundled", "tools", "trash"];

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<Finding>) {
    let home = examination.own_home();
    let Some(existing) = home.ancestors().find(|folder| prowess_fs::is_taken(folder)) else { return };
    if !matches!(prowess_fs::is_folder(existing), Ok(true)) {
        let message = format!("`{}` is not a folder, so nothing can be kept below it", existing.display());
        findings.push(Finding::new(&checks::HOME_NOT_A_FOLDER, message).at(existing));
        return;
    }
    findings.extend(prowess_fs::room(existing).and_then(|room| little_room(existing, room)));
    if !prowess_fs::may_write_in(existing) {
        let message = format!("`{}` cannot be written", existing.display());
        findings.push(Finding::new(&checks::HOME_NOT_WRITABLE, message).at(existing));
    }
    if existing == home {
        rights(examination, home, findings);
    }
}

fn little_room(home: &Path, room: Room) -> Option<Finding> {
    let shown = home.display();
    if room.is_read_only {
        let message = format!("`{shown}` is on a file system that is read-only");
        return Some(Finding::new(&checks::HOME_READ_ONLY, message).at(home));
    }
    let message = if !room.has_names {
        format!("the file system of `{shown}` has no room for further files")
    } else if room.bytes < LITTLE_ROOM {
        format!("the file system of `{shown}` has only {} KB left", room.bytes / 1024)
    } else {
        return None;
    };
    Some(Finding::new(&checks::HOME_FULL, message).at(home))
}

/// Who else may change the engine's files, and whose they are.
fn rights(examination: &Examination<'_>, home: &Path, findings: &mut Vec<Finding>) {
    let mut entries = prowess_fs::own_entries(home, &NOT_OURS, MAX_FILES);
    entries.extend(prowess_fs::condition(home).ok().flatten().map(|found| (home.to_owned(), found)));
    let config = &examination.engine.places().config_file;
    if !config.starts_with(home) {
        entries.extend(prowess_fs::condition(config).ok().flatten().map(|found| (config.clone(), found)));
    }
    let is_real = |found: &Condition| matches!(found.kind, ConditionKind::File | ConditionKind::Folder);
    let foreign: Vec<_> = entries.iter().filter(|(_, found)| is_real(found) && !found.is_ours).collect();
    if let Some((first, _)) = foreign.first() {
        let message = format!(
            "{} of the engine's files belong to another user, the first is `{}`",
            foreign.len(),
            first.display()
        );
        let help = format!("sudo chown -R \"$(id -u)\" {}", home.display());
        findings.push(Finding::new(&checks::PERMISSIONS_OWNER, message).at(home).help(help));
    }
    for (path, found) in entries.iter().filter(|(_, found)| is_real(found) && found.is_writable_by_others()) {
        let root = if path.starts_with(home) { home } else { path.parent().unwrap_or(path) };
        let message = format!("other users may change `{}`", path.display());
        let finding = Finding::new(&checks::PERMISSIONS_WRITABLE, message).at(path);
        let finding = finding.help(format!("chmod go-w {}", path.display()));
        let fix = Fix::TakeRights { root: root.to_owned(), path: path.clone(), taken: TakenRights::Write };
        // What has a second name is something else as well.
        let is_single = found.kind == ConditionKind::Folder || found.hard_links == 1;
        findings.push(if found.is_ours && is_single { finding.mended_by(fix) } else { finding });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_room_is_told_before_it_is_none() {
        let judge = |bytes: u64, has_names: bool, is_read_only: bool| {
            little_room(Path::new("/h"), Room { bytes, has_names, is_read_only }).map(|finding| finding.id)
        };
        assert_eq!(judge(LITTLE_ROOM, true, false), None);
        assert_eq!(judge(LITTLE_ROOM - 1, true, false), Some("home/full"));
        assert_eq!(judge(u64::MAX, false, false), Some("home/full"));
        assert_eq!(judge(0, false, true), Some("home/read-only"));
    }
}
