//! Downloads: got and unpacked beside everything else, and moved to their place when they are whole.

use std::path::{Path, PathBuf};

use prowess_fs::ConditionKind;
use prowess_fs::archive::{ArchiveError, ArchiveKind, ArchiveLimits, ArchiveOptions, extract};
use prowess_net::{DownloadLimits, NetError};
use prowess_text::describe_error;
use prowess_types::DownloadRecipe;

use super::host::InstallHost;
use super::plan::DownloadStep;
use super::result::InstallResult;
use super::run::{InstallEvent, InstallRun};
use super::tools::{self, ToolsError, at};

/// How large a download may be.
const MAX_BYTES: u64 = 256 << 20;

/// The reason there is no download.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Net(#[from] NetError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    Place(#[from] ToolsError),
    #[error("unsupported archive type: {0}")]
    UnknownArchive(String),
    #[error("extract requested but archive type could not be detected")]
    Undetected,
}

/// Returns true if a download would be unpacked.
pub(super) fn is_unpacked(recipe: &DownloadRecipe) -> bool {
    recipe.extract.unwrap_or_else(|| recipe.archive.is_some() || by_suffix(&file_name(&recipe.url)).is_some())
}

/// Downloads to where the step says.
pub(super) fn fetch(step: &DownloadStep, host: &InstallHost, run: &mut InstallRun<'_>) -> InstallResult {
    match try_fetch(step, host, run) {
        Ok((message, stdout)) => InstallResult::done(message, stdout),
        Err(Failure::Net(NetError::Cancelled { .. })) => {
            InstallResult::failed("Install cancelled".to_owned())
        }
        Err(failure) => InstallResult::failed(describe_error(&failure)),
    }
}

fn try_fetch(
    step: &DownloadStep,
    host: &InstallHost,
    run: &mut InstallRun<'_>,
) -> Result<(String, String), Failure> {
    let recipe = &step.recipe;
    let name = file_name(&recipe.url);
    let kind = if step.extract { Some(kind(recipe, &name)?) } else { None };
    // Looked at again right before it is used.
    let into = tools::target_folder(&step.root, recipe.target_dir.as_deref(), &host.home)?;
    tools::make_private(&host.tools)?;
    let stage =
        tempfile::Builder::new().prefix(".staging-").tempdir_in(&host.tools).map_err(at(&host.tools))?;
    let file = stage.path().join("download");
    let bytes = get(recipe, &file, run)?;
    tools::make_below(&host.tools, &step.root)?;
    tools::make_below(&step.root, &into)?;
    let Some(kind) = kind else {
        let to = into.join(name);
        put(&file, &to)?;
        return Ok((format!("Downloaded to {}", to.display()), format!("downloaded={bytes}")));
    };
    let tree = stage.path().join("tree");
    let options = ArchiveOptions {
        limits: ArchiveLimits { archive: MAX_BYTES, ..ArchiveLimits::default() },
        strip_components: recipe.strip_components.map_or(0, |count| count as usize),
        unwrap_single_root: false,
    };
    extract(&mut prowess_fs::open_own_file(&file).map_err(at(&file))?, kind, &tree, &options)?;
    merge(&tree, &into)?;
    Ok((format!("Downloaded and extracted to {}", into.display()), String::new()))
}

fn get(recipe: &DownloadRecipe, file: &Path, run: &mut InstallRun<'_>) -> Result<u64, Failure> {
    let mut out = prowess_fs::create_new(file).map_err(at(file))?;
    let limits = DownloadLimits { max_bytes: MAX_BYTES, sha256: recipe.sha256.clone(), timeout: run.timeout };
    let on_event = &mut *run.on_event;
    let mut progress = |bytes, total| on_event(InstallEvent::Received(bytes, total));
    let client = run.client.cancelled_by(std::sync::Arc::clone(&run.cancel));
    let downloaded = client.download(&recipe.url, &mut out, &limits, &mut progress)?;
    out.sync_all().map_err(at(file))?;
    Ok(downloaded.bytes)
}

/// The last part of an address, without what could mean something to a file system.
fn file_name(url: &str) -> String {
    // The address as it is written, because `Url` reads a backslash as a slash; the client refuses such an address later.
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let last = path.split_once('/').and_then(|(_, path)| path.rsplit('/').next()).unwrap_or_default();
    let is_safe = |next: char| next.is_ascii_alphanumeric() || "._-+~@=,%".contains(next);
    let name: String = last.chars().map(|next| if is_safe(next) { next } else { '-' }).take(200).collect();
    if name.is_empty() || name.chars().all(|next| next == '.') { "download".to_owned() } else { name }
}

fn kind(recipe: &DownloadRecipe, name: &str) -> Result<ArchiveKind, Failure> {
    match recipe.archive.as_deref().map(|archive| archive.trim().to_lowercase()) {
        Some(declared) => by_word(&declared).ok_or(Failure::UnknownArchive(declared)),
        None => by_suffix(name).ok_or(Failure::Undetected),
    }
}

fn by_word(word: &str) -> Option<ArchiveKind> {
    match word {
        "tar.gz" | "tgz" => Some(ArchiveKind::TarGz),
        "tar.bz2" | "tbz2" => Some(ArchiveKind::TarBz2),
        "zip" => Some(ArchiveKind::Zip),
        _ => None,
    }
}

fn by_suffix(name: &str) -> Option<ArchiveKind> {
    let name = name.to_lowercase();
    let suffixes = ["tar.gz", "tgz", "tar.bz2", "tbz2", "zip"];
    suffixes
        .iter()
        .find(|suffix| name.strip_suffix(**suffix).is_some_and(|rest| rest.ends_with('.')))
        .and_then(|word| by_word(word))
}

/// Moves a tree into a folder that may have things in it already. Files of the same name are replaced; whether that
/// is possible is looked at before the first one is.
fn merge(tree: &Path, into: &Path) -> Result<(), ToolsError> {
    let mut files: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let from = tree.join(&folder);
        tools::make_below(into, &into.join(&folder))?;
        for entry in prowess_fs::children(&from).map_err(at(&from))? {
            let relative = folder.join(&entry.name);
            if entry.kind == ConditionKind::Folder {
                folders.push(relative);
            } else {
                let to = into.join(&relative);
                check_free(&to)?;
                files.push((entry.path, to));
            }
        }
    }
    files.iter().try_for_each(|(from, to)| put(from, to))
}

/// Only a file can be replaced by a file.
fn check_free(path: &Path) -> Result<(), ToolsError> {
    match prowess_fs::condition(path).map_err(at(path))? {
        Some(found) if found.kind != ConditionKind::File => Err(ToolsError::InTheWay(path.to_owned())),
        _ => Ok(()),
    }
}

fn put(from: &Path, to: &Path) -> Result<(), ToolsError> {
    check_free(to)?;
    prowess_fs::rename(from, to).map_err(at(to))
}

#[cfg(test)]
#[cfg(unix)]
#[path = "download_tests.rs"]
mod tests;
