//! A folder that is filled for other programs: compared, filled, emptied.
//!
//! What is about to be made is written down first, so an interruption at any moment leaves each file old or new and
//! nothing that is not known to be ours; the next fill finishes the work. A skill that somebody edited in a view stays
//! as it is, whole: half of one and half of the other would be a skill that nobody wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::Mirror;
use serde::Serialize;

use crate::ViewError;
use crate::disk::{self, Found};
use crate::record::{Made, Record, Records};

/// Something that shall be in a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name in the view: a folder, or a file that is all of it.
    pub name: String,
    /// Its kind.
    pub body: Body,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A link to a folder.
    Link(PathBuf),
    /// Files.
    Files(Vec<ItemFile>),
}

/// A file of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFile {
    /// Its place in the view: the item's name, or below it.
    pub place: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// True if it can be run.
    pub is_executable: bool,
}

/// What is done about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Change")]
pub enum ViewChange {
    /// It is as it shall be.
    Unchanged,
    /// The same is there, but it was not made from here; it stays.
    Present,
    /// It is made.
    Create,
    /// It is brought up to date.
    Update,
    /// It is no longer wanted and taken away.
    Remove,
    /// It is as it shall be, with files that somebody added; they stay.
    Added,
    /// Somebody edited it; it stays as it is.
    Edited,
    /// Something else has its name; that stays.
    Foreign,
    /// The system refused.
    Failed,
}

/// What is done about one name in a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Step")]
pub struct ViewStep {
    /// The name.
    pub name: String,
    /// The action.
    pub change: ViewChange,
    /// The files that were edited or added, or why it failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

impl ViewChange {
    /// Returns true if the view is not as it shall be.
    pub fn is_drift(self) -> bool {
        !matches!(self, Self::Unchanged | Self::Present)
    }

    /// Returns true if somebody has to look at it, because nothing is done about it.
    pub fn is_problem(self) -> bool {
        matches!(self, Self::Edited | Self::Foreign | Self::Failed)
    }
}

/// A folder that is filled for other programs.
#[derive(Clone, Debug)]
pub struct View<'a> {
    records: &'a Records,
    /// Links resolved.
    folder: PathBuf,
}

impl<'a> View<'a> {
    /// The view in a folder. `within` is a folder that no link may lead out of.
    pub fn new(records: &'a Records, folder: &Path, within: Option<&Path>) -> Result<Self, ViewError> {
        let settled = crate::settle(folder);
        if within.is_some_and(|within| !settled.starts_with(crate::settle(within))) {
            return Err(ViewError::Outside(folder.to_owned()));
        }
        Ok(Self { records, folder: settled })
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What filling would do. Nothing is written.
    pub fn compare(&self, items: &[Item]) -> Result<Vec<ViewStep>, ViewError> {
        let record = self.records.read(&self.folder)?;
        let mirror = prowess_fs::is_taken(&self.folder).then(|| Mirror::open(&self.folder)).transpose()?;
        let tasks = self.plan(mirror.as_ref(), &record, items)?;
        Ok(tasks.into_iter().filter(Task::is_told).map(|task| task.step).collect())
    }

    /// Makes what is wanted, and takes away what was made and is obsolete. Without items the view is
    /// emptied.
    pub fn fill(&self, items: &[Item]) -> Result<Vec<ViewStep>, ViewError> {
        let _lock = self.records.lock(&self.folder)?;
        let mut record = self.records.read(&self.folder)?;
        if items.is_empty() && record.entries.is_empty() {
            return Ok(Vec::new());
        }
        for folder in disk::missing_folders(&self.folder) {
            if !record.made_folders.contains(&folder) {
                record.made_folders.push(folder);
            }
        }
        let present = prowess_fs::is_taken(&self.folder).then(|| Mirror::open(&self.folder)).transpose()?;
        let tasks = self.plan(present.as_ref(), &record, items)?;
        let makes = |task: &&Task<'_>| matches!(task.step.change, ViewChange::Create | ViewChange::Update);
        for task in tasks.iter().filter(makes) {
            if let Some(item) = task.item {
                record.entries.entry(item.name.clone()).or_default().expect(&made(item));
            }
        }
        self.records.write(&self.folder, &record)?;
        let mirror = match present {
            Some(mirror) => Some(mirror),
            None if tasks.iter().any(|task| makes(&task)) => Some(Mirror::open(&self.folder)?),
            None => None,
        };
        let mut steps = Vec::new();
        for mut task in tasks {
            match mirror.as_ref().map_or(Ok(()), |mirror| self.carry_out(mirror, &task)) {
                Ok(()) => task.remember(&mut record),
                Err(error) => {
                    task.step.change = ViewChange::Failed;
                    task.step.details = vec![error.to_string()];
                }
            }
            if task.is_told() {
                steps.push(task.step);
            }
        }
        drop(mirror);
        if record.entries.is_empty() {
            disk::take_empty_folders(&record.made_folders);
        }
        self.records.write(&self.folder, &record)?;
        Ok(steps)
    }

    /// What is to be done about every name that is wanted or was made.
    fn plan<'i>(
        &self,
        mirror: Option<&Mirror>,
        record: &Record,
        items: &'i [Item],
    ) -> Result<Vec<Task<'i>>, ViewError> {
        let wanted: BTreeMap<&str, &'i Item> = items.iter().map(|item| (item.name.as_str(), item)).collect();
        let names: BTreeSet<&str> = record.names().chain(wanted.keys().copied()).collect();
        let mut tasks = Vec::new();
        for name in names {
            if !is_plain(name) {
                tasks.push(Task::failed(name, "its name is not a valid file name"));
                continue;
            }
            let found = match mirror {
                Some(mirror) => disk::look(mirror, &self.folder, name)
                    .map_err(|source| ViewError::Io { path: self.folder.join(name), source })?,
                None => Found::Nothing,
            };
            let item = wanted.get(name).copied();
            tasks.push(Task::judge(name, found, record.entries.get(name), item));
        }
        Ok(tasks)
    }

    fn carry_out(&self, mirror: &Mirror, task: &Task<'_>) -> io::Result<()> {
        let (name, item) = (&task.step.name, task.item);
        match (task.step.change, item.map(|item| &item.body)) {
            (ViewChange::Create | ViewChange::Update, Some(Body::Link(target))) => {
                let is_link = matches!(task.found, Found::Link(_));
                if !is_link {
                    self.take_away(mirror, task, &BTreeSet::new())?;
                }
                disk::put_link(&self.folder, name, target, is_link)
            }
            (ViewChange::Create | ViewChange::Update, Some(Body::Files(files))) => {
                if let Found::Link(target) = &task.found {
                    disk::take_link(&self.folder, name, target)?;
                }
                for file in files.iter().filter(|file| !is_there(&task.found, file)) {
                    mirror.write(&file.place, &file.bytes, file.is_executable)?;
                }
                self.take_away(mirror, task, &files.iter().map(|file| file.place.as_str()).collect())
            }
            (ViewChange::Remove, _) => self.take_away(mirror, task, &BTreeSet::new()),
            _ => Ok(()),
        }
    }

    /// Takes away what was made under a name, but for some places.
    fn take_away(&self, mirror: &Mirror, task: &Task<'_>, but: &BTreeSet<&str>) -> io::Result<()> {
        match &task.found {
            Found::Link(target) if but.is_empty() => disk::take_link(&self.folder, &task.step.name, target),
            Found::Files { files, .. } => {
                let is_ours = |place: &&String| task.made.files.contains_key(*place);
                for place in files.keys().filter(is_ours).filter(|place| !but.contains(place.as_str())) {
                    mirror.remove(place)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// What is to be done about one name.
struct Task<'i> {
    step: ViewStep,
    found: Found,
    made: Made,
    item: Option<&'i Item>,
}

impl<'i> Task<'i> {
    fn failed(name: &str, reason: &str) -> Self {
        let step =
            ViewStep { name: name.to_owned(), change: ViewChange::Failed, details: vec![reason.to_owned()] };
        Self { step, found: Found::Nothing, made: Made::default(), item: None }
    }

    fn judge(name: &str, found: Found, known: Option<&Made>, item: Option<&'i Item>) -> Self {
        let is_wanted = item.is_some_and(|item| is_as_wanted(&found, item, known));
        let strange = known.map(|made| made.strange(name, &found));
        let needs_room = matches!(item.map(|item| &item.body), Some(Body::Link(_))) && !is_wanted;
        let (change, details) = match (&found, strange, item) {
            (Found::Nothing, _, Some(_)) => (ViewChange::Create, Vec::new()),
            (Found::Nothing, _, None) => (ViewChange::Remove, Vec::new()),
            (_, None, _) if is_wanted => (ViewChange::Present, Vec::new()),
            (_, None, _) => (ViewChange::Foreign, Vec::new()),
            (_, Some(strange), _) if !strange.edited.is_empty() => (ViewChange::Edited, strange.edited),
            (_, Some(strange), Some(_)) if needs_room && !strange.added.is_empty() => {
                (ViewChange::Edited, strange.added)
            }
            (_, Some(strange), None) => (ViewChange::Remove, strange.added),
            (_, Some(strange), Some(_)) if is_wanted && strange.added.is_empty() => {
                (ViewChange::Unchanged, Vec::new())
            }
            (_, Some(strange), Some(_)) if is_wanted => (ViewChange::Added, strange.added),
            (_, Some(strange), Some(_)) => (ViewChange::Update, strange.added),
        };
        let step = ViewStep { name: name.to_owned(), change, details };
        Self { step, found, made: known.cloned().unwrap_or_default(), item }
    }

    /// Returns true if there is anything to say about it.
    fn is_told(&self) -> bool {
        self.item.is_some() || self.found != Found::Nothing || self.step.change == ViewChange::Failed
    }

    /// Brings the record up to date after the task was carried out.
    fn remember(&self, record: &mut Record) {
        match (self.step.change, self.item) {
            (ViewChange::Remove, _) => _ = record.entries.remove(&self.step.name),
            (
                ViewChange::Create | ViewChange::Update | ViewChange::Unchanged | ViewChange::Added,
                Some(item),
            ) => {
                record.entries.insert(item.name.clone(), made(item));
            }
            _ => {}
        }
    }
}

/// What an item is, once it was made.
fn made(item: &Item) -> Made {
    match &item.body {
        Body::Link(target) => Made { links: vec![target.to_string_lossy().into_owned()], ..Made::default() },
        Body::Files(files) => {
            let hash = |file: &ItemFile| (file.place.clone(), vec![prowess_fs::sha256_hex(&file.bytes)]);
            Made { files: files.iter().map(hash).collect(), ..Made::default() }
        }
    }
}

/// Returns true if all of an item is there, and nothing else that was made under its name, or that is not known at all.
fn is_as_wanted(found: &Found, item: &Item, known: Option<&Made>) -> bool {
    match (&item.body, found) {
        (Body::Link(wanted), Found::Link(target)) => wanted == target,
        (Body::Files(wanted), Found::Files { files, odd }) => {
            let is_extra = |place: &String| wanted.iter().all(|file| file.place != *place);
            let counts = |place: &String| known.is_none_or(|made| made.files.contains_key(place));
            wanted.iter().all(|file| is_there(found, file))
                && !files.keys().chain(odd).any(|place| is_extra(place) && counts(place))
        }
        _ => false,
    }
}

fn is_there(found: &Found, file: &ItemFile) -> bool {
    let Found::Files { files, .. } = found else { return false };
    let has_right_mode = |is_executable: bool| !cfg!(unix) || is_executable == file.is_executable;
    files.get(&file.place).is_some_and(|there| {
        has_right_mode(there.is_executable) && there.hash == prowess_fs::sha256_hex(&file.bytes)
    })
}

/// Returns true if a name stays in its folder.
fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']))
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
