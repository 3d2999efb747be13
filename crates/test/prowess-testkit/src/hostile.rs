//! Hostile structures: skills, roots and archives that are built to break whoever reads them.
//!
//! Nothing here can be run, and escaping links point below `outside/` of the same throw-away folder, so a failed
//! guard damages nothing but its canary. What a system must do with each case is said in the words of [`Expect`].

mod archives;
mod pack;
mod roots;
mod skills;

use std::path::PathBuf;

pub use archives::{HostileArchive, archives};

use crate::Tree;

/// What must happen to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The skill is not offered, and a diagnostic names the reason.
    Reject,
    /// It loads without a diagnostic.
    Load,
    /// It loads, and something is reported.
    LoadAndTell,
    /// Either, but never silence.
    RejectOrTell,
    /// Either, and silence is fine.
    Either,
    /// The scanner reports at least a warning.
    Flag,
    /// The installer fails and leaves nothing behind, inside or outside the target.
    RefuseAll,
    /// The installer fails or says something.
    RefuseOrTell,
    /// The installer unpacks it.
    Extract,
    /// The installer unpacks it, with special mode bits cleared.
    ExtractMasked,
    /// The installer unpacks it, but not what is packed inside.
    ExtractFlat,
    /// One of the names wins, and a diagnostic says so.
    OneWins,
    /// The limits that apply are announced.
    Announce,
}

/// What a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A folder below `skills/`.
    Skill,
    /// A folder of skills below `roots/`.
    Root,
    /// A file below `archives/`.
    Archive,
}

/// One hostile structure.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// What it is.
    pub area: Area,
    /// Its name, which is also the name of its folder or file.
    pub name: String,
    /// What must happen.
    pub expect: Expect,
    /// What is hostile about it.
    pub why: &'static str,
    /// CPU time it may take, in milliseconds, on a release build.
    pub max_ms: u64,
    /// Where it lies.
    pub path: PathBuf,
}

/// What the file outside holds; it must still hold it afterwards.
pub const CANARY: &str = "CANARY-UNCHANGED\n";

/// Every hostile structure, laid out in a throw-away folder.
#[derive(Debug)]
pub struct HostileTree {
    /// The folder.
    pub tree: Tree,
    /// The cases, in the order in which they were made.
    pub cases: Vec<Hostile>,
}

impl Default for HostileTree {
    fn default() -> Self {
        Self::new()
    }
}

impl HostileTree {
    /// Builds all cases.
    pub fn new() -> Self {
        let mut made = Self { tree: Tree::new(), cases: Vec::new() };
        made.tree.write("outside/canary.txt", CANARY);
        skills::build(&mut made);
        roots::build(&mut made);
        for archive in archives() {
            made.tree.write(&format!("archives/{}", archive.name), &archive.bytes);
            made.case(Area::Archive, archive.name, archive.expect, archive.why, 3000);
        }
        made
    }

    /// Whether the file outside is as it was.
    pub fn canary_is_unchanged(&self) -> bool {
        std::fs::read_to_string(self.tree.path("outside/canary.txt")).is_ok_and(|text| text == CANARY)
    }

    /// The cases of an area.
    pub fn area(&self, area: Area) -> impl Iterator<Item = &Hostile> {
        self.cases.iter().filter(move |case| case.area == area)
    }

    fn case(&mut self, area: Area, name: &str, expect: Expect, why: &'static str, max_ms: u64) {
        let folder = match area {
            Area::Skill => "skills",
            Area::Root => "roots",
            Area::Archive => "archives",
        };
        let path = self.tree.path(&format!("{folder}/{name}"));
        self.cases.push(Hostile { area, name: name.to_owned(), expect, why, max_ms, path });
    }
}

/// A small skill.
fn front(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\n# Body\n\nText.\n")
}
