//! Whether a program is on this machine.
//!
//! `PATH` is passed in, never read: the answer belongs to whoever's environment was captured.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use prowess_types::BinRule;

use crate::contain::normalize;
use crate::platform;

/// Returns true if `name` is found in the folders of `path_var`, as `rule` understands "found".
///
/// The name is joined to each folder, so `sub/tool` is looked for in sub-folders and an absolute path too
/// is taken as a path below each folder; only [`BinRule::Exists`] takes an absolute path as it is.
pub fn find_in_path(name: &str, path_var: &OsStr, rule: BinRule) -> bool {
    is_in_folders(name, &folders_of(path_var, rule), rule)
}

/// Those of `names` that [`find_in_path`] finds; `PATH` is taken apart only once.
pub fn find_all_in_path<'a>(
    names: impl IntoIterator<Item = &'a str>,
    path_var: &OsStr,
    rule: BinRule,
) -> BTreeSet<String> {
    let folders = folders_of(path_var, rule);
    let wanted: BTreeSet<&str> = names.into_iter().collect();
    wanted.into_iter().filter(|name| is_in_folders(name, &folders, rule)).map(str::to_owned).collect()
}

/// Returns true if a folder holds a file that can be run.
pub fn holds_programs(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| is_program(&path, BinRule::ExecutableFile))
}

/// Whether a file, or the target of a link, can be run by any user.
#[cfg(unix)]
pub fn is_program_file(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether there is such a file; its name says on this system whether it can be run.
#[cfg(not(unix))]
pub fn is_program_file(path: &Path) -> bool {
    path.is_file()
}

/// Makes a program known by a further name, in place of a link that has the name. Nothing but a link gives way.
#[cfg(unix)]
pub fn link_program(program: &Path, name: &Path) -> std::io::Result<()> {
    if std::fs::symlink_metadata(name).is_ok_and(|found| found.is_symlink()) {
        std::fs::remove_file(name)?;
    }
    std::os::unix::fs::symlink(program, name)
}

/// Links need rights on other systems that an ordinary user does not have.
#[cfg(not(unix))]
pub fn link_program(_program: &Path, _name: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// The folders of `PATH` without empty and repeated ones.
fn folders_of(path_var: &OsStr, rule: BinRule) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(path_var) {
        let folder = match (rule, folder.to_str()) {
            (BinRule::Exists, Some(text)) => PathBuf::from(text.trim()),
            _ => folder,
        };
        if !folder.as_os_str().is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

fn is_in_folders(name: &str, folders: &[PathBuf], rule: BinRule) -> bool {
    let name = match rule {
        BinRule::Exists => name.trim(),
        BinRule::ExecutableFile | BinRule::ExecutableAnything => name,
    };
    if name.is_empty() {
        return false;
    }
    if rule == BinRule::Exists && Path::new(name).is_absolute() {
        return Path::new(name).exists();
    }
    folders.iter().flat_map(|folder| spellings(join(folder, name))).any(|path| is_program(&path, rule))
}

/// Joins by text: an absolute name must not replace the folder.
fn join(folder: &Path, name: &str) -> PathBuf {
    let mut joined = folder.as_os_str().to_owned();
    joined.push("/");
    joined.push(name);
    normalize(Path::new(&joined))
}

fn is_program(path: &Path, rule: BinRule) -> bool {
    match rule {
        BinRule::ExecutableFile => path.is_file() && platform::is_executable(path),
        BinRule::ExecutableAnything => platform::is_executable(path),
        BinRule::Exists => path.exists(),
    }
}

#[cfg(not(windows))]
fn spellings(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    std::iter::once(path)
}

/// The name as it is, then with each extension that Windows runs without being told.
#[cfg(windows)]
fn spellings(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    const RUNNABLE: [&str; 4] = [".EXE", ".CMD", ".BAT", ".COM"];
    let with_extension = RUNNABLE.map(|extension| {
        let mut spelled = path.as_os_str().to_owned();
        spelled.push(extension);
        PathBuf::from(spelled)
    });
    std::iter::once(path).chain(with_extension)
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;
