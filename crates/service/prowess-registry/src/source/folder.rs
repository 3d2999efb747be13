//! A folder on this machine.

use std::path::Path;

use prowess_fs::{EntryKind, FinalLink, list_all, read_stamped};
use prowess_types::BundleFile;
use prowess_types::git_names::git_part;

use super::choose::{is_skill_file, sorted};
use super::{Fetched, LeftOut, Resolved, SourceError};
use crate::names::check_path;
use crate::reference::SourceReference;

/// How much a folder may hold; the same as an archive.
const MAX_ENTRIES: usize = 50_000;
const MAX_DEPTH: usize = 64;
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Folders that belong to a tool and not to the skill.
const FOREIGN: [&str; 6] = [".hg", ".svn", "node_modules", ".clawhub", ".clawdhub", ".prowess"];

pub(super) fn fetch(reference: &SourceReference, folder: &Path) -> Result<Fetched, SourceError> {
    let failed = |reason: String| SourceError::Folder { folder: folder.to_owned(), reason };
    if !prowess_fs::is_folder(folder)? {
        return Err(failed("it is not a folder".to_owned()));
    }
    let listing = list_all(folder, MAX_ENTRIES, MAX_DEPTH);
    let place = folder.display().to_string();
    if listing.is_cut {
        return Err(SourceError::TooLarge { place, reason: "more than 50,000 files" });
    }
    let is_wanted = |path: &str| foreign(path).is_none() && !prowess_fs::is_gits(path);
    if let Some((path, reason)) = listing.unread.iter().find(|(path, _)| is_wanted(path)) {
        return Err(failed(format!("`{path}`: {reason}")));
    }
    let (mut files, mut left_out, mut total) = (Vec::new(), Vec::new(), 0);
    let mut repository = None;
    for entry in listing.entries {
        if let Some(tool) = foreign(&entry.relative) {
            left_out.push(LeftOut { path: tool.to_owned(), reason: "it belongs to a tool" });
            continue;
        }
        if entry.is_gits() {
            left_out
                .push(LeftOut { path: ".git".to_owned(), reason: "it is the working copy's git metadata" });
            continue;
        }
        if git_part(&entry.relative).is_some() {
            repository.get_or_insert(entry.relative);
            continue;
        }
        let reason = match entry.kind {
            _ if !entry.is_text_name || check_path(&entry.relative).is_err() => {
                Some("its name is not portable")
            }
            EntryKind::File { .. } => None,
            EntryKind::Special => Some("it is not a regular file"),
            _ => Some("links are not followed"),
        };
        if let Some(reason) = reason {
            left_out.push(LeftOut { path: entry.relative, reason });
            continue;
        }
        let bytes = read_stamped(&entry.path, MAX_BYTES, FinalLink::Refuse)?.bytes;
        total += bytes.len() as u64;
        if total > MAX_BYTES {
            return Err(SourceError::TooLarge { place, reason: "more than 256 MiB" });
        }
        let executable = prowess_fs::is_executable(&entry.path);
        files.push(BundleFile { path: entry.relative, bytes, executable });
    }
    left_out.dedup();
    if !files.iter().any(|file| is_skill_file(&file.path)) {
        return Err(SourceError::NotASkill { place, candidates: Vec::new() });
    }
    if let Some(path) = repository {
        return Err(SourceError::GitMetadata { place, path });
    }
    let real = prowess_fs::real(folder).unwrap_or_else(|| folder.to_owned());
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let resolved = Resolved::new(reference, &name, &real.display().to_string());
    Ok(Fetched { bundle: sorted(files), resolved, moderation: None, left_out })
}

/// The folder of a tool that a path is in.
fn foreign(path: &str) -> Option<&str> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        if FOREIGN.contains(&part) {
            return Some(&path[..end]);
        }
        start = end + 1;
    }
    None
}
