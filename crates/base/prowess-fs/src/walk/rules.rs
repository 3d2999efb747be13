//! The choices a profile makes about a walk, and the limits that keep one finite.

use std::path::PathBuf;

use prowess_types::{Descent, LinkLoop, LinkPolicy};

/// How one root is searched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WalkRules {
    /// The rule for walking on below a skill's own folder.
    pub descent: Descent,
    /// True if a Markdown file in a folder that is not a skill is one itself (`README.md` never is).
    pub lone_files: bool,
    /// True if `skill.md` and other spellings count as `SKILL.md`.
    pub any_case_skill_md: bool,
    /// How far below the root a skill's folder may be; 1 is directly below.
    pub max_depth: usize,
    /// The same where the folder that is searched is called `skills`, and below a child called `skills`.
    pub max_depth_in_skills_folder: usize,
    /// What links may point to.
    pub links: LinkPolicy,
    /// The treatment of links that lead in circles. The limits of depth and of folders end every circle.
    pub loops: LinkLoop,
    /// Folders besides the root that links may point to under [`LinkPolicy::ContainedOrAllowed`]. Links in these
    /// paths are resolved; what does not exist is ignored.
    pub allowed_targets: Vec<PathBuf>,
    /// True if a skill's file may have several hard links.
    pub hard_links_allowed: bool,
    /// True if this is the bundled root: refusals get its own names.
    pub bundled: bool,
    /// True if the root only holds skill folders: it is never a skill itself and has no lone files.
    pub always_container: bool,
    /// How many sub-folders of one folder are looked at, in order of their names.
    pub max_candidates: usize,
    /// How many entries of one folder are read at all.
    pub max_entries_per_folder: usize,
    /// The maximum number of folders that are read.
    pub max_folders: usize,
}

impl WalkRules {
    /// OpenClaw's rules for a workspace, with the limits it derives from `maxCandidatesPerRoot`.
    pub fn stop_at_skill(max_candidates: usize) -> Self {
        Self {
            descent: Descent::StopAtSkill,
            lone_files: false,
            any_case_skill_md: false,
            max_depth: 6,
            max_depth_in_skills_folder: 6,
            links: LinkPolicy::ContainedOrAllowed,
            loops: LinkLoop::PassedOver,
            allowed_targets: Vec::new(),
            hard_links_allowed: false,
            bundled: false,
            always_container: false,
            max_candidates,
            max_entries_per_folder: max_candidates.saturating_mul(10).clamp(1_000, 10_000),
            max_folders: max_candidates.saturating_mul(6),
        }
    }

    /// OpenPocket's rules; it has no limits, so these are far beyond any real tree.
    pub fn everywhere() -> Self {
        Self {
            descent: Descent::Everywhere,
            lone_files: true,
            any_case_skill_md: true,
            max_depth: 64,
            max_depth_in_skills_folder: 64,
            links: LinkPolicy::Ignored,
            loops: LinkLoop::PassedOver,
            allowed_targets: Vec::new(),
            hard_links_allowed: true,
            bundled: false,
            always_container: false,
            max_candidates: 100_000,
            max_entries_per_folder: 100_000,
            max_folders: 100_000,
        }
    }
}
