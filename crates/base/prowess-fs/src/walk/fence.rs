//! What may be reached: links that stay inside, and files that are what they seem.
//!
//! The root's real path is the boundary. A skill's file must besides lie in its own folder, so that a skill
//! cannot present somebody else's file as its text.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use prowess_types::{LinkPolicy, LossReason, SkillLayout};

use super::place::Place;
use super::{Found, Skipped, WalkRules};
use crate::platform::{self, Kind, Meta};

/// The boundary of one walk.
pub(super) struct Fence<'a> {
    pub(super) rules: &'a WalkRules,
    /// The root with every link resolved.
    pub(super) boundary: PathBuf,
    allowed: Vec<PathBuf>,
}

impl<'a> Fence<'a> {
    pub(super) fn around(root: &Path, rules: &'a WalkRules) -> io::Result<Self> {
        let allowed = match rules.links {
            LinkPolicy::ContainedOrAllowed => rules.allowed_targets.as_slice(),
            LinkPolicy::Contained | LinkPolicy::Anywhere | LinkPolicy::Ignored => &[],
        };
        Ok(Self {
            rules,
            boundary: root.canonicalize()?,
            allowed: allowed.iter().filter_map(|target| target.canonicalize().ok()).collect(),
        })
    }

    /// Where a link leads, if it may be followed.
    pub(super) fn follow(&self, link: &Path) -> Result<PathBuf, Skipped> {
        let real = link.canonicalize().map_err(|error| Skipped::unresolved(link, &error))?;
        let may = match self.rules.links {
            LinkPolicy::Anywhere => true,
            LinkPolicy::Contained | LinkPolicy::ContainedOrAllowed => {
                let mut targets = std::iter::once(&self.boundary).chain(&self.allowed);
                targets.any(|target| real.starts_with(target))
            }
            LinkPolicy::Ignored => return Err(ignored(link)),
        };
        if may {
            return Ok(real);
        }
        let reason =
            if self.rules.bundled { LossReason::BundledSymlinkEscape } else { LossReason::SymlinkEscape };
        let message = format!("links to `{}`, outside of `{}`", real.display(), self.boundary.display());
        Err(Skipped::new(link, reason, message))
    }

    /// Decides about the file `name` in `place`, of which `meta` is known without following it.
    pub(super) fn judge(
        &self,
        place: Place,
        name: &OsStr,
        meta: Meta,
        layout: SkillLayout,
    ) -> Result<Found, Skipped> {
        let file = place.path.join(name);
        let (real_file, meta) = match meta.kind {
            Kind::Link => self.resolve_file(&place, &file, layout)?,
            Kind::File | Kind::Folder | Kind::Other => (place.real.join(name), meta),
        };
        if meta.kind != Kind::File {
            let message =
                if meta.kind == Kind::Folder { "is a folder, not a file" } else { "is not a regular file" };
            return Err(Skipped::new(file, LossReason::NotAFile, message));
        }
        if meta.hard_links > 1 && !self.rules.hard_links_allowed {
            let message = format!("has {} hard links", meta.hard_links);
            return Err(Skipped::new(file, LossReason::HardLink, message));
        }
        let (id, relative) = match layout {
            SkillLayout::Folder => (into_text(place.name), place.relative),
            SkillLayout::LoneFile => (stem(name), place.relative_to_child(name)),
        };
        let (file, base) = match (self.rules.links, layout) {
            (LinkPolicy::Anywhere, SkillLayout::Folder) => (place.real.join(name), place.real),
            (LinkPolicy::Anywhere, SkillLayout::LoneFile) => {
                let base = real_file.parent().unwrap_or(&place.real).to_owned();
                (real_file.clone(), base)
            }
            _ => (file, place.path),
        };
        Ok(Found { id, relative, file, base, real_file, layout, stamp: meta.stamp })
    }

    /// What a linked file really is. The file of a folder must stay in it; a lone file may go where linked
    /// folders may.
    fn resolve_file(
        &self,
        place: &Place,
        file: &Path,
        layout: SkillLayout,
    ) -> Result<(PathBuf, Meta), Skipped> {
        let unresolved = |error| Skipped::unresolved(file, &error);
        let real = match layout {
            SkillLayout::LoneFile => self.follow(file)?,
            SkillLayout::Folder if self.rules.links == LinkPolicy::Ignored => return Err(ignored(file)),
            SkillLayout::Folder => file.canonicalize().map_err(unresolved)?,
        };
        if layout == SkillLayout::Folder && !real.starts_with(&place.real) {
            let reason =
                if self.rules.bundled { LossReason::BundledRootEscape } else { LossReason::PathEscape };
            let message = format!("links to `{}`, outside of its own folder", real.display());
            return Err(Skipped::new(file, reason, message));
        }
        let meta = platform::follow(&real).map_err(unresolved)?;
        Ok((real, meta))
    }
}

/// A link where links do not count.
pub(super) fn ignored(link: &Path) -> Skipped {
    Skipped::new(link, LossReason::Link, "links are not followed here")
}

fn into_text(name: OsString) -> String {
    name.into_string().unwrap_or_else(|name| name.to_string_lossy().into_owned())
}

fn stem(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    match name.strip_suffix(".md") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => name.into_owned(),
    }
}
