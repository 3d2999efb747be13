//! Changes of skills and drafts in one step, with the journal of installs.
//!
//! A skill in the managed folder is a folder that is swapped as a whole, like an installed one; its records are
//! companions of the change. Skills elsewhere (lone files in a workspace of OpenPocket) are companions themselves.

use std::path::{Path, PathBuf};

use prowess_acquire::{FORGE, InstallScope, home_of};
use prowess_install::{
    CompanionContent, CompanionFile, CompanionRoot, FilePath, Folder, FolderChange, FolderExchange, Home,
    Writer, recover,
};
use prowess_types::BundleFile;

use super::queue::{RECORD, record_text};
use super::record::DraftRecord;
use super::version::Files;
use super::{Forge, ForgeError, LOCK_TIMEOUT, MAX_BYTES, below};

/// A change of a skill and of what is known about drafts.
pub(super) struct SkillChange<'a> {
    /// The draft.
    pub(super) name: &'a str,
    /// The folder that places are relative to.
    pub(super) root: &'a Path,
    /// The places that go, as far as nothing new takes them.
    pub(super) gone: Vec<String>,
    /// The files that come.
    pub(super) new: Files,
    /// The records as they are afterwards.
    pub(super) records: Vec<DraftRecord>,
    /// The time, in milliseconds since 1970.
    pub(super) now: u64,
}

impl Forge<'_> {
    /// Makes a change. On an error, or after a crash once the next command has settled it, all of it holds or nothing.
    pub(super) fn commit(&self, change: &SkillChange<'_>) -> Result<(), ForgeError> {
        let folder = Folder::parse(change.name).map_err(prowess_install::InstallError::from)?;
        let mut companions = Vec::new();
        let inside = self.in_folder(change);
        let (home, folder_change) = if let Some((old, new)) = &inside {
            let home = home_of(self.context, InstallScope::Global, None)?;
            (home, FolderChange::Files { old, new: new.clone() })
        } else {
            companions = lone_files(change)?;
            (self.own_home(Some(change.root))?, FolderChange::None)
        };
        for record in &change.records {
            companions.push(self.record_companion(record)?);
        }
        companions.retain(|companion| companion.before != companion.after);
        let writer = Writer::open(&home, LOCK_TIMEOUT)?;
        let wanted = FolderExchange { folder: &folder, change: folder_change, companions, now: change.now };
        Ok(writer.exchange(wanted)?)
    }

    /// Settles changes that were interrupted.
    pub(super) fn settle(&self) -> Result<(), ForgeError> {
        recover(&home_of(self.context, InstallScope::Global, None)?, LOCK_TIMEOUT)?;
        if prowess_install::is_interrupted(&self.journal_home()) {
            recover(&self.own_home(None)?, LOCK_TIMEOUT)?;
        }
        Ok(())
    }

    /// The change as one of a folder of managed skills, if it is one.
    fn in_folder(&self, change: &SkillChange<'_>) -> Option<(Vec<FilePath>, Vec<BundleFile>)> {
        if change.root != self.context.places().managed() {
            return None;
        }
        let inside = |place: &str| place.strip_prefix(change.name)?.strip_prefix('/').map(str::to_owned);
        let old = change.gone.iter().map(|place| FilePath::parse(&inside(place)?).ok());
        let new = change.new.iter().map(|(place, text)| {
            let path = inside(place)?;
            let executable = is_script(place);
            Some(BundleFile { path, bytes: text.clone().into_bytes(), executable })
        });
        Some((old.collect::<Option<_>>()?, new.collect::<Option<_>>()?))
    }

    fn record_companion(&self, record: &DraftRecord) -> Result<CompanionFile, ForgeError> {
        let path = self.record_path(&record.name);
        let before = match prowess_fs::read_file(&path, MAX_BYTES) {
            Ok(bytes) => Some(plain(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error.into()),
        };
        let after = Some(plain(record_text(&path, record)?));
        companion(FORGE, &format!("drafts/{}/{RECORD}", record.name), before, after)
    }

    /// Returns the home of changes outside of a folder of managed skills.
    fn own_home(&self, root: Option<&Path>) -> Result<Home, ForgeError> {
        let mut home = self.journal_home();
        let mut roots: Vec<PathBuf> = vec![self.context.workspace(None)?, self.context.places().managed()];
        for agent in self.context.config().agent_ids() {
            roots.push(self.context.workspace(Some(&agent))?);
        }
        for record in self.records()? {
            roots.extend(record.versions.into_iter().map(|version| version.root));
        }
        roots.extend(root.map(Path::to_owned));
        for path in roots {
            home.companions.insert(key_of(&path), CompanionRoot { path, is_private: false });
        }
        Ok(home)
    }

    fn journal_home(&self) -> Home {
        let folder = self.folder();
        let mut home = Home::new(folder.join("staged"), folder.clone());
        home.companions.insert(FORGE.to_owned(), CompanionRoot { path: folder, is_private: true });
        home
    }
}

/// Returns the key of a root in a journal. It names no path, so it can lead nowhere else.
fn key_of(root: &Path) -> String {
    let hash = prowess_fs::sha256_hex(root.as_os_str().as_encoded_bytes());
    format!("root-{}", &hash[..16])
}

/// Returns the files of a skill that is not a folder of its own. The file that is read first comes last, so that its
/// script exists by then.
fn lone_files(change: &SkillChange<'_>) -> Result<Vec<CompanionFile>, ForgeError> {
    let key = key_of(change.root);
    let mut files = Vec::new();
    for (place, text) in &change.new {
        let after = CompanionContent { text: text.clone(), executable: is_script(place) };
        files.push(companion(&key, place, content_of(change.root, place)?, Some(after))?);
    }
    for place in change.gone.iter().filter(|place| !change.new.contains_key(*place)) {
        files.push(companion(&key, place, content_of(change.root, place)?, None)?);
    }
    Ok(files)
}

fn content_of(root: &Path, place: &str) -> Result<Option<CompanionContent>, ForgeError> {
    let path = below(root, place);
    match prowess_fs::read_file(&path, MAX_BYTES) {
        Ok(bytes) => Ok(Some(CompanionContent {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            executable: prowess_fs::is_executable(&path),
        })),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn companion(
    root: &str,
    path: &str,
    before: Option<CompanionContent>,
    after: Option<CompanionContent>,
) -> Result<CompanionFile, ForgeError> {
    let path = FilePath::parse(path).map_err(prowess_install::InstallError::from)?;
    Ok(CompanionFile { root: root.to_owned(), path, before, after })
}

fn plain(text: String) -> CompanionContent {
    CompanionContent { text, executable: false }
}

fn is_script(place: &str) -> bool {
    place.contains("scripts/")
}
