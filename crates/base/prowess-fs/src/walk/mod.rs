//! Finding skills below a root.
//!
//! The walk decides where skills *are*; whether they are any good is the parser's business. It ends on any
//! tree, whatever links do, and it never reports a file that its rules keep out. What it leaves out although
//! it could have been a skill is listed with the reason.

mod descend;
mod fence;
mod nested;
mod place;
mod rules;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use prowess_types::{Descent, LossReason, SkillLayout};

use crate::Stamp;
use crate::platform;

use self::descend::Descender;
use self::fence::Fence;
use self::place::Place;
pub use self::rules::WalkRules;

const SKILL_FILE: &str = "SKILL.md";

/// What one root holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// True if there is such a root. A missing one is not an error.
    pub root_exists: bool,
    /// The skill that the root itself is, where its `skills` folder was searched nevertheless. If it turns
    /// out to be valid it is the only skill of this root; if not, those in [`Self::found`] are.
    pub outer: Option<Found>,
    /// The skills, in ascending order of [`Found::relative`].
    pub found: Vec<Found>,
    /// What could have been a skill and is none, in ascending order of the paths.
    pub skipped: Vec<Skipped>,
}

/// A file that claims to be a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name of its folder, or of a lone file without `.md`. For a link, the link's name.
    pub id: String,
    /// Where it was met, below the root, with `/` between names; empty for the root itself.
    pub relative: String,
    /// The file as it is reported.
    pub file: PathBuf,
    /// The folder that relative paths in the skill start from.
    pub base: PathBuf,
    /// The file with every link resolved.
    pub real_file: PathBuf,
    /// Whether it is a folder or a lone file.
    pub layout: SkillLayout,
    /// The state in which the file was met.
    pub stamp: Stamp,
}

/// Something that could have been a skill, and why it is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub reason: LossReason,
    /// The same for people.
    pub message: String,
}

impl Skipped {
    fn new(path: impl Into<PathBuf>, reason: LossReason, message: impl Into<String>) -> Self {
        Self { path: path.into(), reason, message: message.into() }
    }

    /// For a path that cannot be looked at: a link that leads nowhere, or what the system said.
    fn unresolved(path: impl Into<PathBuf>, error: &io::Error) -> Self {
        if platform::is_missing(error) {
            Self::new(path, LossReason::BrokenLink, "the link points to nothing")
        } else if platform::is_link_loop(error) {
            Self::new(path, LossReason::BrokenLink, "the link leads in a circle")
        } else {
            Self::new(path, LossReason::Unreadable, error.to_string())
        }
    }
}

/// Finds the skills below `root`, which should be an absolute path.
///
/// ```
/// use prowess_fs::{WalkRules, walk};
/// let root = tempfile::tempdir()?;
/// std::fs::create_dir(root.path().join("weather"))?;
/// std::fs::write(root.path().join("weather/SKILL.md"), "---\nname: weather\n---\n")?;
/// let walk = walk(root.path(), &WalkRules::stop_at_skill(300));
/// assert_eq!(walk.found[0].id, "weather");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn walk(root: &Path, rules: &WalkRules) -> Walk {
    let mut walk = Walk::default();
    match Fence::around(root, rules) {
        Ok(fence) => {
            walk.root_exists = true;
            search(root, &fence, &mut walk);
        }
        Err(error) if platform::is_missing(&error) && !root.is_symlink() => {}
        Err(error) => {
            walk.root_exists = !platform::is_missing(&error);
            walk.skipped.push(Skipped::unresolved(root, &error));
        }
    }
    walk.found.sort_unstable_by(|a, b| {
        (a.relative.as_str(), a.file.as_path()).cmp(&(b.relative.as_str(), b.file.as_path()))
    });
    walk.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    walk
}

fn search(root: &Path, fence: &Fence<'_>, walk: &mut Walk) {
    let mut base = Place::root(root, &fence.boundary);
    let may_be_a_skill = fence.rules.descent == Descent::StopAtSkill && !fence.rules.always_container;
    if may_be_a_skill && let Some(own) = own_skill(&base, fence) {
        let Some(nested) = nested::skills_folder(&base, fence) else {
            return walk.take(own);
        };
        if let Some(inner) = own_skill(&nested, fence) {
            walk.skipped.push(Skipped::new(
                root.join(SKILL_FILE),
                LossReason::Shadowed,
                "the folder `skills` beside it is a skill itself and the only one of this root",
            ));
            return walk.take(inner);
        }
        match own {
            Ok(found) => walk.outer = Some(found),
            Err(skipped) => walk.skipped.push(skipped),
        }
        base = nested;
    }
    Descender::new(fence, walk).run(base);
}

/// What a folder's own `SKILL.md` is; none if it has no such entry.
fn own_skill(place: &Place, fence: &Fence<'_>) -> Option<Result<Found, Skipped>> {
    match nested::skill_entry(&place.path) {
        Ok(meta) => {
            meta.map(|meta| fence.judge(place.clone(), OsStr::new(SKILL_FILE), meta, SkillLayout::Folder))
        }
        Err(error) => Some(Err(Skipped::unresolved(&place.path, &error))),
    }
}

impl Walk {
    fn take(&mut self, judged: Result<Found, Skipped>) {
        match judged {
            Ok(found) => self.found.push(found),
            Err(skipped) => self.skipped.push(skipped),
        }
    }
}

#[cfg(test)]
mod tests;
