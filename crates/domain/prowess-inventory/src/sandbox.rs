//! Skills for an agent that cannot see the user's folders: a copy in its sandbox, kept up to date.
//!
//! `DIR/skills/<name>/` gets the files of every skill that the agent can use. Only what differs is written; what is no
//! longer wanted is removed, but only what was written here, which `DIR/.prowess-sync.json` remembers. The sandbox is
//! ours: changes made in it are overwritten, and reported.
//!
//! Invariant: nothing outside a skill's folder gets into the sandbox, and nothing outside the sandbox is touched. An
//! interruption at any moment leaves each file old or new, and the next sync repairs the rest.

mod manifest;
pub mod source;

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_context::{Context, ContextError};
use prowess_fs::{Lock, LockError, Mirror, Mirrored, WriteError, sha256_hex};
use serde::Serialize;

use crate::catalog_settings::Locations;
use crate::files::MAX_FILE_BYTES;
use crate::inventory::Inventory;
use manifest::Manifest;
use source::{PlannedSkill, SourceFile};

/// The time to wait for another process that fills the same sandbox.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

/// Options of a sync into a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxSyncOptions {
    /// The path of the folder inside the sandbox, if it is another.
    pub mounted_at: Option<String>,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// What a sync did, or would do. Places are relative to the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncReport")]
pub struct SandboxSyncReport {
    /// Files with new content.
    pub written: Vec<String>,
    /// Those of them that somebody else had changed or put there.
    pub overwritten: Vec<String>,
    /// How many files were right already.
    pub unchanged: usize,
    /// Files that are no longer wanted.
    pub removed: Vec<String>,
    /// What was not copied, and why.
    pub skipped: Vec<SkippedFile>,
    /// Where the model finds each skill.
    pub locations: Locations,
}

/// Something that was not copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SkippedFile {
    /// Where it is.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Why it was not copied.
    pub reason: String,
}

/// The reason a sandbox cannot be filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxSyncError {
    /// The skills cannot be listed.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// Another process fills it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The folder cannot be opened.
    #[error(transparent)]
    Open(#[from] WriteError),
    /// The manifest cannot be written, so nothing more is written.
    #[error("cannot write in `{}`", path.display())]
    Write {
        /// The sandbox.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// The folder was never filled from here.
    #[error("`{}` was not filled by `prowess sandbox sync`", .0.display())]
    NotASandbox(PathBuf),
}

impl prowess_types::Classify for SandboxSyncError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Lock(_) | Self::Open(_) | Self::Write { .. } | Self::NotASandbox(_) => Is(ErrorKind::Files),
        }
    }
}

/// Copies the skills that an agent can use into a folder, as far as they are not there already.
pub fn sandbox_sync(
    context: &Context,
    inventory: &Inventory,
    folder: &Path,
    options: &SandboxSyncOptions,
) -> Result<SandboxSyncReport, SandboxSyncError> {
    let folder = context.places().expand_in(&folder.to_string_lossy(), context.env().cwd());
    let skills = source::plan(inventory);
    let root = options.mounted_at.clone().unwrap_or_else(|| folder.display().to_string());
    let root = root.trim_end_matches('/');
    if options.dry_run {
        let mirror = prowess_fs::is_taken(&folder).then(|| Mirror::open(&folder)).transpose()?;
        let remembered = mirror.as_ref().map(Manifest::read).unwrap_or_default();
        return Ok(Sync::new(mirror.as_ref(), remembered, options).run(&skills, root).0);
    }
    let _lock = Lock::acquire(&folder.join(manifest::FILE), LOCK_TIMEOUT)?;
    let mirror = Mirror::open(&folder)?;
    let failed = |source| SandboxSyncError::Write { path: folder.clone(), source };
    let remembered = Manifest::read(&mirror);
    let mut expected = remembered.clone();
    // Known before they are written: an interruption must not leave files that are never removed.
    if expected.expect(skills.iter().flat_map(|skill| &skill.files)) {
        expected.write(&mirror).map_err(failed)?;
    }
    let (report, now) = Sync::new(Some(&mirror), remembered, options).run(&skills, root);
    now.write(&mirror).map_err(failed)?;
    Ok(report)
}

/// Returns the places of the skills that were copied into a folder the last time.
pub fn sandbox_locations(context: &Context, folder: &Path) -> Result<Locations, SandboxSyncError> {
    let folder = context.places().expand_in(&folder.to_string_lossy(), context.env().cwd());
    if !prowess_fs::is_taken(&folder.join(manifest::FILE)) {
        return Err(SandboxSyncError::NotASandbox(folder));
    }
    Ok(Manifest::read(&Mirror::open(&folder)?).locations)
}

impl Inventory {
    /// Returns the same skills, with other places for the model.
    #[must_use]
    pub fn located(mut self, locations: Locations) -> Self {
        self.settings.located = locations;
        self
    }
}

/// One sync on its way.
struct Sync<'a> {
    /// None if there is no folder yet, and none shall be made.
    mirror: Option<&'a Mirror>,
    is_dry: bool,
    /// The files that earlier syncs wrote.
    before: Manifest,
    /// The files of this sync.
    now: Manifest,
    report: SandboxSyncReport,
}

impl<'a> Sync<'a> {
    fn new(mirror: Option<&'a Mirror>, before: Manifest, options: &SandboxSyncOptions) -> Self {
        Self {
            mirror,
            is_dry: options.dry_run,
            before,
            now: Manifest::default(),
            report: SandboxSyncReport::default(),
        }
    }

    fn run(mut self, skills: &[PlannedSkill], root: &str) -> (SandboxSyncReport, Manifest) {
        for skill in skills {
            self.report.skipped.extend(skill.skipped.iter().cloned());
            let mut room = source::MAX_SKILL_BYTES;
            for file in &skill.files {
                if let Err(reason) = self.copy(file, &mut room) {
                    self.report.skipped.push(SkippedFile { path: file.path.clone(), reason });
                    // The earlier file is better than nothing, and still ours.
                    let before = self.before.files.get(&file.place).cloned();
                    self.now.files.extend(before.map(|hash| (file.place.clone(), hash)));
                }
            }
            if self.now.files.contains_key(&skill.main) {
                let location = format!("{root}/{}", skill.main);
                self.now.locations.files.insert(skill.file.to_string_lossy().into_owned(), location);
            }
        }
        self.remove_others();
        self.report.locations = self.now.locations.clone();
        (self.report, self.now)
    }

    fn copy(&mut self, file: &SourceFile, room: &mut u64) -> Result<(), String> {
        let wanted = file.read(room)?;
        let existing = self.read(&file.place)?;
        let hash = sha256_hex(&wanted.bytes);
        if existing.as_ref() == Some(&wanted) {
            self.report.unchanged += 1;
        } else {
            if let Some(mirror) = self.mirror.filter(|_| !self.is_dry) {
                let written = mirror.write(&file.place, &wanted.bytes, wanted.is_executable);
                written.map_err(|error| format!("cannot write `{}`: {error}", file.place))?;
            }
            if existing.is_some_and(|existing| !self.before.wrote(&file.place, &sha256_hex(&existing.bytes)))
            {
                self.report.overwritten.push(file.place.clone());
            }
            self.report.written.push(file.place.clone());
        }
        self.now.files.insert(file.place.clone(), hash);
        Ok(())
    }

    fn read(&self, place: &str) -> Result<Option<Mirrored>, String> {
        let Some(mirror) = self.mirror else { return Ok(None) };
        mirror.read(place, MAX_FILE_BYTES).map_err(|error| format!("cannot read `{place}`: {error}"))
    }

    /// Removes what earlier syncs wrote and this one does not want.
    fn remove_others(&mut self) {
        let Some(mirror) = self.mirror else { return };
        let unwanted = self.before.files.keys().filter(|place| !self.now.files.contains_key(*place));
        for place in unwanted {
            let removed = if self.is_dry {
                mirror.read(place, MAX_FILE_BYTES).map(|found| found.is_some())
            } else {
                mirror.remove(place)
            };
            match removed {
                Ok(true) => self.report.removed.push(place.clone()),
                Ok(false) => {}
                Err(error) => self.report.skipped.push(SkippedFile {
                    path: place.into(),
                    reason: format!("cannot remove it from the sandbox: {error}"),
                }),
            }
        }
    }
}
