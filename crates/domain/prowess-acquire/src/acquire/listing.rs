//! The installed skills, their sources, and whether they still are what came.

use std::path::PathBuf;

use prowess_install::{Drift, Installed, VerifyState, status, unlisted};
use serde::Serialize;

use super::{Acquire, AcquireError};

/// What is installed in one place.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Listing")]
pub struct InstallListing {
    /// The installed skills, those of other tools last.
    pub skills: Vec<InstalledSkill>,
    /// Skills in the folder that no lock file names.
    #[serde(serialize_with = "paths")]
    pub unlisted: Vec<PathBuf>,
    /// Lock files of other tools that could not be read.
    pub problems: Vec<String>,
}

/// An installed skill.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledSkill {
    /// Its folder below the folder of skills.
    pub folder: String,
    /// Its name.
    pub name: String,
    /// Where it is.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// The other tool that installed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it came from.
    pub source: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The registry it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
    /// Who publishes it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When it was installed, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed_at: Option<u64>,
    /// When it was last updated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<u64>,
    /// Whether updates pass it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<PinNote>,
    /// What the scanner said when it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<prowess_types::StoredVerdict>,
    /// What it can do.
    pub capabilities: Vec<String>,
    /// Whether it is what came.
    pub state: InstallState,
    /// How it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

/// Why updates pass a skill by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PinNote {
    /// In the words of who pinned it.
    pub reason: Option<String>,
}

/// Whether an installed skill is what came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SkillState")]
pub enum InstallState {
    /// It is.
    Intact,
    /// It was edited.
    Edited,
    /// Its folder is gone.
    Gone,
    /// Its folder is a link or a file now.
    Replaced,
    /// Another tool wrote down too little to tell.
    #[default]
    Unknown,
}

impl InstallState {
    /// Returns true if something is known to differ.
    pub fn is_drift(self) -> bool {
        matches!(self, Self::Edited | Self::Gone | Self::Replaced)
    }
}

impl Acquire<'_> {
    /// Everything that is installed, or what has these names, by us and by other tools.
    pub fn installed(&self, names: &[String]) -> Result<InstallListing, AcquireError> {
        self.recover()?;
        let home = &self.target.home;
        let ours = status(home)?;
        let known: Vec<PathBuf> = ours.iter().map(|installed| installed.path.clone()).collect();
        let mut skills: Vec<InstalledSkill> = ours.into_iter().map(InstalledSkill::from).collect();
        let (foreign, problems) = self.other_tools(&known);
        skills.extend(foreign);
        let unlisted = unlisted(home)?.into_iter().map(|folder| home.target(&folder));
        let unlisted = unlisted.filter(|path| skills.iter().all(|skill| skill.path != *path)).collect();
        let listing = InstallListing { skills, unlisted, problems };
        if names.is_empty() {
            return Ok(listing);
        }
        let mut chosen = InstallListing { problems: listing.problems.clone(), ..InstallListing::default() };
        for name in names {
            let skill = pick(&listing.skills, name, |skill| (&skill.folder, &skill.name))?.clone();
            if chosen.skills.iter().all(|known| known.path != skill.path) {
                chosen.skills.push(skill);
            }
        }
        Ok(chosen)
    }

    /// The skill of the lock that a name means.
    pub(super) fn one(&self, name: &str) -> Result<Installed, AcquireError> {
        let ours = status(&self.target.home)?;
        match pick(&ours, name, |it| (it.folder.as_str(), &it.entry.provenance.name)) {
            Ok(installed) => Ok(installed.clone()),
            Err(error) => {
                let (foreign, _) = self.other_tools(&[]);
                let other = pick(&foreign, name, |skill| (&skill.folder, &skill.name)).ok();
                Err(other
                    .and_then(|skill| skill.tool.clone())
                    .map_or(error, |tool| AcquireError::ByOtherTool { name: name.to_owned(), tool }))
            }
        }
    }

    /// The skills of the lock that names mean; all of them if none is named.
    pub(super) fn chosen(&self, names: &[String]) -> Result<Vec<Installed>, AcquireError> {
        if names.is_empty() {
            return Ok(status(&self.target.home)?);
        }
        names.iter().map(|name| self.one(name)).collect()
    }

    /// The folders of all skills of the lock, in order.
    pub fn folders(&self) -> Result<Vec<String>, AcquireError> {
        self.recover()?;
        let lock = prowess_install::LockFile::read(&self.target.home)?;
        Ok(lock.skills.keys().map(ToString::to_string).collect())
    }
}

impl From<Installed> for InstalledSkill {
    fn from(installed: Installed) -> Self {
        let Installed { folder, path, entry, state, .. } = installed;
        let (state, drift) = match state {
            VerifyState::Clean => (InstallState::Intact, None),
            VerifyState::Edited(drift) => (InstallState::Edited, Some(drift)),
            VerifyState::Gone => (InstallState::Gone, None),
            VerifyState::Replaced => (InstallState::Replaced, None),
        };
        let from = entry.provenance;
        Self {
            folder: folder.to_string(),
            name: from.name,
            path,
            tool: None,
            source: from.source,
            version: from.version,
            commit: from.commit,
            registry: from.registry,
            owner: from.owner,
            installed_at: Some(entry.installed_at),
            updated_at: entry.updated_at,
            pinned: entry.pinned.map(|pin| PinNote { reason: pin.reason }),
            verdict: from.scan.map(|scan| scan.verdict),
            capabilities: from.capabilities,
            state,
            drift,
        }
    }
}

/// Returns the entry that a name means: by its folder, the last part of that, or its own name.
fn pick<'a, T>(all: &'a [T], name: &str, names: impl Fn(&T) -> (&str, &str)) -> Result<&'a T, AcquireError> {
    if let Some(exact) = all.iter().find(|one| names(one).0 == name) {
        return Ok(exact);
    }
    let last = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let fits = |one: &&T| last(names(one).0) == name || names(one).1 == name;
    let mut found = all.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => {
            let folders = all.iter().filter(fits).map(|one| names(one).0.to_owned()).collect();
            Err(AcquireError::SeveralInstalled { name: name.to_owned(), folders })
        }
        (None, _) => {
            let near = |one: &&T| strsim::damerau_levenshtein(names(one).0, name) <= 2;
            let suggestion = all.iter().find(near).map(|one| names(one).0.to_owned());
            Err(AcquireError::NotInstalled { name: name.to_owned(), suggestion })
        }
    }
}

fn paths<S: serde::Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.display().to_string()))
}
