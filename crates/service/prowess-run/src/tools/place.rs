//! Which file a model means, and whether it may be touched.
//!
//! Three spellings are understood: absolute, from the user's home (`~/`), and from the workspace. What counts is where
//! the path leads after all links are resolved; what does not exist yet counts from the nearest folder that does.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::RunContext;

/// A place below a root, both with every link resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) relative: PathBuf,
}

impl Place {
    pub(super) fn path(&self) -> PathBuf {
        self.root.join(&self.relative)
    }
}

/// The reason a path may not be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlaceError {
    #[error("the path is empty")]
    Empty,
    #[error("the path has a character that no path can have")]
    Nul,
    #[error("the home folder is not known, so write `{0}` as an absolute path")]
    NoHome(String),
    #[error("`{}` does not exist", .0.display())]
    Missing(PathBuf),
    #[error("`{}` is a link that leads nowhere", .0.display())]
    DanglingLink(PathBuf),
    #[error("`{}` is outside {}", .0.display(), .1)]
    Outside(PathBuf, &'static str),
    #[error("`{}` belongs to the state folder, which no tool opens", .0.display())]
    Protected(PathBuf),
}

/// Something that exists in the workspace or in the folder of a skill of this run.
pub(super) fn readable(text: &str, context: &RunContext) -> Result<Place, PlaceError> {
    let skills = context.skills.iter().map(|skill| skill.folder.as_path());
    let roots = std::iter::once(context.workspace.as_path()).chain(skills);
    let found = find(text, context, roots, "the workspace and the skills' folders")?;
    if found.is_new { Err(PlaceError::Missing(found.place.path())) } else { Ok(found.place) }
}

/// Something in the workspace, be it there or not.
pub(super) fn writable(text: &str, context: &RunContext) -> Result<Place, PlaceError> {
    find(text, context, std::iter::once(context.workspace.as_path()), "the workspace")
        .map(|found| found.place)
}

struct Found {
    place: Place,
    is_new: bool,
}

fn find<'a>(
    text: &str,
    context: &RunContext,
    mut roots: impl Iterator<Item = &'a Path>,
    roots_name: &'static str,
) -> Result<Found, PlaceError> {
    let spelled = spelled(text, context)?;
    let (path, is_new) = resolve(&spelled)?;
    if context.protected.hides(&path) {
        return Err(PlaceError::Protected(spelled));
    }
    let place = roots.find_map(|root| {
        let root = prowess_fs::real(root)?;
        let relative = path.strip_prefix(&root).ok()?.to_owned();
        Some(Place { root, relative })
    });
    place.map(|place| Found { place, is_new }).ok_or(PlaceError::Outside(spelled, roots_name))
}

fn spelled(text: &str, context: &RunContext) -> Result<PathBuf, PlaceError> {
    if text.trim().is_empty() {
        return Err(PlaceError::Empty);
    }
    if text.contains('\0') {
        return Err(PlaceError::Nul);
    }
    let from_home = if text == "~" { Some("") } else { text.strip_prefix("~/") };
    match from_home {
        Some(rest) => {
            let environment = context.environment.now();
            let home = environment.get("HOME").filter(|home| Path::new(home.expose()).is_absolute());
            let home = home.ok_or_else(|| PlaceError::NoHome(text.to_owned()))?;
            Ok(Path::new(home.expose()).join(rest))
        }
        None => Ok(context.workspace.join(text)),
    }
}

/// Where a path leads, and whether something is still to be made there.
fn resolve(spelled: &Path) -> Result<(PathBuf, bool), PlaceError> {
    let mut existing = spelled.to_owned();
    let mut new: Vec<OsString> = Vec::new();
    loop {
        if let Some(mut path) = prowess_fs::real(&existing) {
            let is_new = !new.is_empty();
            path.extend(new.into_iter().rev());
            return Ok((path, is_new));
        }
        if prowess_fs::is_taken(&existing) {
            return Err(PlaceError::DanglingLink(existing));
        }
        // `..` after something that does not exist leads nowhere.
        let Some(Component::Normal(name)) = existing.components().next_back() else {
            return Err(PlaceError::Missing(spelled.to_owned()));
        };
        new.push(name.to_owned());
        existing.pop();
    }
}
