//! The search path of programs, and the place of this one in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_inventory::Inventory;
use prowess_types::BinRule;

use super::{DoctorFinding, Examination, checks};

/// Folders below the user's home that installers put programs into.
const USUAL: [&str; 6] = [".local/bin", ".cargo/bin", "go/bin", ".npm-global/bin", ".bun/bin", "bin"];
/// The same, anywhere.
const SYSTEM: [&str; 4] =
    ["/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin", "/snap/bin"];
/// The variables that move such folders, and what lies below them.
const MOVED: [(&str, &str); 5] = [
    ("CARGO_HOME", "bin"),
    ("GOPATH", "bin"),
    ("GOBIN", ""),
    ("NPM_CONFIG_PREFIX", "bin"),
    ("PNPM_HOME", ""),
];
/// This program.
const SELF: &str = "prowess";

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let path = examination.context.env().get("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()).collect();
    if folders.is_empty() {
        findings.push(DoctorFinding::new(&checks::PATH_EMPTY, "`PATH` is empty, so no program can be found"));
    }
    let mut missing = Vec::new();
    for folder in &folders {
        let shown = folder.display();
        if folder.is_relative() {
            let message = format!("`PATH` has the relative folder `{shown}`");
            findings.push(DoctorFinding::new(&checks::PATH_RELATIVE, message).at(folder));
        } else if let Some(real) = prowess_fs::real(folder) {
            if matches!(prowess_fs::condition(&real), Ok(Some(found)) if found.is_writable_by_others()) {
                let message = format!("other users may put programs into `{shown}`, which is on `PATH`");
                findings.push(DoctorFinding::new(&checks::PATH_WRITABLE, message).at(folder));
            }
        } else {
            missing.push(format!("`{shown}`"));
        }
    }
    if !missing.is_empty() {
        let message = format!("`PATH` names folders that do not exist: {}", missing.join(", "));
        findings.push(DoctorFinding::new(&checks::PATH_MISSING, message));
    }
    findings.extend(own_program(examination, &folders));
    if let Some(inventory) = &examination.inventory {
        elsewhere(examination, inventory, path, findings);
    }
}

/// Checks that the name of this program finds this program.
fn own_program(examination: &Examination<'_>, folders: &[PathBuf]) -> Option<DoctorFinding> {
    let running = prowess_fs::real(examination.context.executable()?)?;
    let is_there = |folder: &&PathBuf| {
        folder.is_absolute() && prowess_fs::find_in_path(SELF, folder.as_os_str(), BinRule::ExecutableFile)
    };
    let Some(first) = folders.iter().find(is_there).map(|folder| folder.join(SELF)) else {
        let message = format!("`{SELF}` is not on `PATH`; this one is `{}`", running.display());
        return Some(DoctorFinding::new(&checks::PATH_SELF, message).at(&running));
    };
    if prowess_fs::real(&first).is_some_and(|real| real == running) {
        return None;
    }
    let message =
        format!("`{}` comes first on `PATH`, and this one is `{}`", first.display(), running.display());
    Some(DoctorFinding::new(&checks::PATH_SHADOWED, message).at(&first))
}

/// Programs that skills lack and that lie in folders which are not on `PATH`.
fn elsewhere(
    examination: &Examination<'_>,
    inventory: &Inventory,
    path: &str,
    findings: &mut Vec<DoctorFinding>,
) {
    let env = examination.context.env();
    let home = &examination.context.places().os_home;
    let moved = MOVED.iter().filter_map(|(name, below)| Some(Path::new(env.trimmed(name)?).join(below)));
    let usual = USUAL.iter().map(|below| home.join(below));
    let on_path: Vec<PathBuf> = std::env::split_paths(path).collect();
    let folders: Vec<PathBuf> = moved
        .chain(usual)
        .chain(SYSTEM.iter().map(PathBuf::from))
        .filter(|folder| folder.is_absolute() && !on_path.contains(folder))
        .collect();
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in inventory.entries.iter().filter(|entry| !entry.verdict.eligible) {
        let missing = &entry.verdict.missing;
        for bin in missing.bins.iter().chain(&missing.any_bins).filter(|bin| !bin.contains(['/', '\\'])) {
            wanted.entry(bin).or_default().push(&entry.skill.name);
        }
    }
    for (bin, skills) in wanted {
        let is_in =
            |folder: &&PathBuf| prowess_fs::find_in_path(bin, folder.as_os_str(), BinRule::ExecutableFile);
        if let Some(folder) = folders.iter().find(is_in) {
            let message = format!(
                "`{}` exists, but its folder is not on `PATH`; needed by {}",
                folder.join(bin).display(),
                super::skills::named(&skills)
            );
            let help = format!("add `{}` to `PATH`", folder.display());
            findings
                .push(DoctorFinding::new(&checks::PATH_ELSEWHERE, message).at(&folder.join(bin)).help(help));
        }
    }
}
