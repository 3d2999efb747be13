//! The commands of `openpocket skills`, for the profile of that name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_config::{Place, RootContext};
use prowess_context::{Context, ContextError};
use prowess_skill::OpenpocketIssue;
use prowess_types::{ProfileName, Skill, SpecMode};

use crate::{blueprint, load};

/// Larger files are not validated.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

const README: &str =
    "# Workspace skills\n\nPut skills here: single files (`name.md`) or folders (`name/SKILL.md`).\n";

/// A skill of one source, whatever its requirements.
#[derive(Clone, Debug)]
pub struct SourceSkill {
    /// The skill.
    pub skill: Arc<Skill>,
    /// Its file.
    pub file: PathBuf,
}

/// A validated file.
#[derive(Clone, Debug)]
pub struct ValidatedFile {
    /// The file.
    pub path: PathBuf,
    /// Its problems.
    pub issues: Vec<OpenpocketIssue>,
}

/// One skill that was to be copied.
#[derive(Debug)]
pub struct Copied {
    /// The skill's id.
    pub id: String,
    /// The new path, or the reason there is none.
    pub outcome: Result<PathBuf, String>,
}

/// OpenPocket's three commands.
#[derive(Debug)]
pub struct Openpocket<'a> {
    engine: &'a Context,
    workspace: PathBuf,
}

impl<'a> Openpocket<'a> {
    /// Opens the commands; none under another profile. As there, the workspace is created on the way.
    pub fn open(engine: &'a Context, agent: Option<&str>) -> Result<Option<Self>, ContextError> {
        if engine.profile().name != ProfileName::Openpocket {
            return Ok(None);
        }
        let workspace = engine.workspace(agent)?;
        let readme = workspace.join("skills/README.md");
        if matches!(prowess_fs::stamp(&readme), Ok(None)) {
            prowess_fs::write_atomic(&readme, README.as_bytes(), None).map_err(ContextError::Unpack)?;
        }
        Ok(Some(Self { engine, workspace }))
    }

    /// The workspace's skills, sorted by name; requirements are ignored.
    pub fn list(&self) -> Result<Vec<SourceSkill>, ContextError> {
        self.skills_in(Place::Workspace)
    }

    /// Bundled skills whose id the workspace does not have, sorted by name.
    pub fn loadable(&self) -> Result<Vec<SourceSkill>, ContextError> {
        let taken: Vec<String> = self.list()?.into_iter().map(|one| one.skill.id.clone()).collect();
        let mut offered: Vec<SourceSkill> = Vec::new();
        for one in self.skills_in(Place::Bundled)? {
            let is_new =
                !taken.contains(&one.skill.id) && offered.iter().all(|other| other.skill.id != one.skill.id);
            if is_new {
                offered.push(one);
            }
        }
        Ok(offered)
    }

    /// Copies bundled skills into the workspace, each at its place below the bundled root. Nothing is replaced.
    pub fn load(&self, skills: &[SourceSkill]) -> Result<Vec<Copied>, ContextError> {
        let root = self.engine.bundled()?.map(|(folder, _)| folder).unwrap_or_default();
        let target = self.workspace.join("skills");
        let copy = |one: &SourceSkill| {
            let is_folder = one.file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("skill.md"));
            let entry = if is_folder { one.file.parent().unwrap_or(&one.file) } else { &one.file };
            let inside = entry.strip_prefix(&root).ok().filter(|path| !path.as_os_str().is_empty());
            let Some(relative) = inside else {
                return Err(format!("Invalid skill path outside bundled root: {}", entry.display()));
            };
            let destination = target.join(relative);
            match prowess_fs::copy_tree(entry, &destination) {
                Ok(()) => Ok(destination),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    Err(format!("destination already exists at {}", destination.display()))
                }
                Err(error) => Err(error.to_string()),
            }
        };
        Ok(skills.iter().map(|one| Copied { id: one.skill.id.clone(), outcome: copy(one) }).collect())
    }

    /// Returns true if validation is strict by default.
    pub fn is_strict(&self) -> bool {
        self.engine.config().spec_mode() == SpecMode::Strict
    }

    /// Every Markdown file of the three roots, by UTF-16 order of their paths.
    pub fn validate(&self, strict: bool) -> Result<Vec<ValidatedFile>, ContextError> {
        let mut files: Vec<PathBuf> = [Place::Workspace, Place::Local, Place::Bundled]
            .into_iter()
            .map(|place| self.roots(place))
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .flat_map(|root| prowess_fs::markdown_files(&root))
            .collect();
        files.sort_by_cached_key(|file| file.to_string_lossy().encode_utf16().collect::<Vec<_>>());
        files.dedup();
        Ok(files.into_iter().map(|path| validate_one(path, strict)).collect())
    }

    fn roots(&self, place: Place) -> Result<Vec<PathBuf>, ContextError> {
        self.in_context(|context| self.engine.places().roots(place, *context))
    }

    /// Asks something about the workspace of the default agent.
    fn in_context<T>(&self, ask: impl FnOnce(&RootContext<'_>) -> T) -> Result<T, ContextError> {
        let agent = self.engine.config().agent(None)?;
        let bundled = self.engine.bundled()?.map(|(folder, _)| folder);
        Ok(ask(&RootContext {
            config: self.engine.config(),
            agent: &agent,
            workspace: &self.workspace,
            bundled: bundled.as_deref(),
        }))
    }

    fn skills_in(&self, place: Place) -> Result<Vec<SourceSkill>, ContextError> {
        let plans = self.in_context(|context| blueprint::plans_of(self.engine, place, context))?;
        let mut skills: Vec<SourceSkill> = load::load(&plans, None)
            .candidates
            .into_iter()
            .map(|candidate| SourceSkill { file: candidate.origin.file.clone(), skill: candidate.skill })
            .collect();
        skills.sort_by_cached_key(|one| prowess_catalog::SortKey::new(&one.skill.name));
        Ok(skills)
    }
}

fn validate_one(path: PathBuf, strict: bool) -> ValidatedFile {
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let bytes = prowess_fs::read_file(&path, MAX_BYTES).unwrap_or_default();
    let issues = prowess_skill::validate_openpocket(&bytes, &name(path.parent()), &name(Some(&path)), strict);
    ValidatedFile { path, issues }
}
