//! Bringing the folders of other programs in step.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use prowess_context::Context;
use prowess_harness::{
    Choice, Format, Harness, Item, Note, Records, Scope, Step, View, block, choose, notes,
};
use prowess_inventory::{SkippedFile, view_records, without_views};
use serde::Serialize;

use super::items::{self, Wanted};
use super::{HarnessError, find, ground, harnesses};

/// How skills get into a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// As links where every reader follows them, else as copies.
    #[default]
    Auto,
    /// As links.
    Link,
    /// As copies.
    Copy,
}

/// Which views, and what is done with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncOptions {
    /// The harnesses; those that are installed if none is named.
    pub to: Vec<String>,
    /// For this workspace or for the user.
    pub scope: Scope,
    /// Links or copies.
    pub method: Method,
    /// Take away what was made.
    pub remove: bool,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// What was done, or would be.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// The agent whose skills they are.
    pub agent: String,
    /// The folders.
    pub views: Vec<ViewReport>,
    /// Harnesses that read no folder of this scope.
    pub without: Vec<String>,
    /// Harnesses that read more than one of the folders.
    pub twice: Vec<SeenTwice>,
}

/// What was done in one folder.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewReport {
    /// The folder.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub folder: PathBuf,
    /// How skills are put there.
    pub format: Format,
    /// Who reads it.
    pub harnesses: Vec<String>,
    /// What was done about each skill.
    pub steps: Vec<Step>,
    /// Skills that its readers find by themselves.
    pub native: Vec<String>,
    /// Files that were not taken along.
    pub skipped: Vec<SkippedFile>,
    /// What the readers will make of the skills.
    pub notes: Vec<HarnessNotes>,
    /// Why nothing could be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What one harness will ignore, refuse or do otherwise.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HarnessNotes {
    /// The harness.
    pub harness: String,
    /// What it does, skill by skill.
    pub notes: Vec<Note>,
}

/// A harness that sees the same skills in two folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeenTwice {
    /// The harness.
    pub harness: String,
    /// The folder that was filled for others.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub folder: PathBuf,
}

impl SyncReport {
    /// Whether a view is not as it shall be.
    pub fn has_drift(&self) -> bool {
        self.views.iter().any(|view| view.steps.iter().any(|step| step.change.is_drift()))
    }

    /// Whether something was left alone that somebody has to look at.
    pub fn has_problems(&self) -> bool {
        self.views.iter().any(|view| view.steps.iter().any(|step| step.change.is_problem()))
    }

    /// Whether a view could not be dealt with at all.
    pub fn has_errors(&self) -> bool {
        self.views.iter().any(|view| view.error.is_some())
    }
}

/// Makes the skills that an agent can use visible to other programs, or takes them away again.
pub fn sync_harnesses(
    context: &Context,
    agent: Option<&str>,
    options: &SyncOptions,
) -> Result<SyncReport, HarnessError> {
    let inventory = without_views(context, agent)?;
    let (workspace, records) = (inventory.workspace.as_path(), view_records(context));
    let ground = ground(context, workspace);
    let named: Vec<&'static Harness> = options.to.iter().map(|id| find(id)).collect::<Result<_, _>>()?;
    let is_meant = |harness: &&Harness| match (named.is_empty(), options.remove) {
        (true, true) => true,
        (true, false) => ground.is_installed(harness),
        (false, _) => named.iter().any(|named| named.id == harness.id),
    };
    let meant: Vec<&'static Harness> = harnesses().filter(is_meant).collect();
    if meant.is_empty() {
        return Err(HarnessError::NoneFound);
    }
    let mut report = SyncReport { agent: inventory.agent_id.clone(), ..SyncReport::default() };
    if options.remove {
        for choice in filled(&meant, &records, |harness| ground.folders(harness, options.scope)) {
            report.views.extend(empty(&choice, &records, workspace, options));
        }
        return Ok(report);
    }
    let chosen = choose(&ground, &meant, options.scope, |folder| records.has(folder));
    report.without = chosen.without.iter().map(|harness| harness.id.clone()).collect();
    report.twice = seen_twice(&chosen.choices, |harness| ground.folders(harness, options.scope));
    let skills = items::wanted(&inventory, options.scope);
    let sync = Sync { context, options, records: &records, workspace };
    report.views = chosen.choices.iter().map(|choice| sync.view(choice, &skills)).collect();
    Ok(report)
}

/// One sync on its way.
struct Sync<'a> {
    context: &'a Context,
    options: &'a SyncOptions,
    records: &'a Records,
    workspace: &'a Path,
}

impl Sync<'_> {
    fn view(&self, choice: &Choice, skills: &[Wanted<'_>]) -> ViewReport {
        let mut report = report_of(choice);
        if choice.format == Format::AgentsMd {
            let shown = skills.iter().filter(|skill| skill.entry.is_model_visible());
            let lines: Vec<block::Line> = shown.map(|skill| skill.line(self.workspace)).collect();
            let done = block::sync(self.records, self.workspace, &lines, self.options.dry_run);
            keep(&mut report, done.map(|step| vec![step]));
            return report;
        }
        let method = self.method(choice);
        let read: Vec<Vec<PathBuf>> = choice.harnesses.iter().map(|harness| self.read_by(harness)).collect();
        let (mut made, mut taken) = (Vec::new(), HashSet::new());
        for skill in skills {
            let one = match choice.format {
                Format::CursorRules => skill.rule(&mut taken),
                _ if skill.home().is_some_and(|home| read.iter().all(|folders| folders.contains(&home))) => {
                    report.native.push(skill.entry.skill.name.clone());
                    continue;
                }
                _ => Ok(skill.link(choice, method, self.workspace).unwrap_or_else(|| skill.copy())),
            };
            match one {
                Ok(one) => made.push((skill, one)),
                Err(skipped) => report.skipped.push(skipped),
            }
        }
        for harness in &choice.harnesses {
            let told = made.iter().flat_map(|(skill, made)| notes(harness, &skill.subject(Some(made))));
            let notes: Vec<Note> = told.collect();
            if !notes.is_empty() {
                report.notes.push(HarnessNotes { harness: harness.id.clone(), notes });
            }
        }
        report.skipped.extend(made.iter_mut().flat_map(|(_, made)| std::mem::take(&mut made.skipped)));
        let items: Vec<Item> = made.into_iter().map(|(_, made)| made.item).collect();
        let within = self.within();
        let done = View::new(self.records, &choice.folder, within)
            .and_then(|view| if self.options.dry_run { view.compare(&items) } else { view.fill(&items) });
        keep(&mut report, done);
        report
    }

    /// Links or copies.
    fn method(&self, choice: &Choice) -> Method {
        match self.options.method {
            // A link in a folder of the engine's own would be a skill that leaves it.
            Method::Auto if self.is_own_root(&choice.folder) => Method::Copy,
            method => method,
        }
    }

    /// All folders that a harness reads.
    fn read_by(&self, harness: &Harness) -> Vec<PathBuf> {
        let ground = crate::harness::ground(self.context, self.workspace);
        [Scope::Project, Scope::User].into_iter().flat_map(|scope| ground.folders(harness, scope)).collect()
    }

    fn is_own_root(&self, folder: &Path) -> bool {
        let workspace = prowess_harness::settle(self.workspace);
        let own = ["skills", ".agents/skills"].map(|place| prowess_harness::settle(&workspace.join(place)));
        let personal = self.context.places().personal.as_deref().map(prowess_harness::settle);
        let managed = prowess_harness::settle(&self.context.places().managed());
        own.into_iter().chain(personal).chain([managed]).any(|root| root == folder)
    }

    /// A workspace may have come from somebody else, so no link may lead out of it. A home is the user's own.
    fn within(&self) -> Option<&Path> {
        (self.options.scope == Scope::Project).then_some(self.workspace)
    }
}

fn report_of(choice: &Choice) -> ViewReport {
    ViewReport {
        folder: choice.folder.clone(),
        format: choice.format,
        harnesses: choice.harnesses.iter().map(|harness| harness.id.clone()).collect(),
        ..ViewReport::default()
    }
}

fn keep(report: &mut ViewReport, done: Result<Vec<Step>, prowess_harness::Error>) {
    match done {
        Ok(steps) => report.steps = steps,
        Err(error) => report.error = Some(prowess_text::describe_error(&error)),
    }
}

/// The folders of harnesses in which something was made.
fn filled(
    harnesses: &[&'static Harness],
    records: &Records,
    folders: impl Fn(&Harness) -> Vec<PathBuf>,
) -> Vec<Choice> {
    let mut filled: Vec<Choice> = Vec::new();
    for harness in harnesses {
        let is_block = harness.format == Format::AgentsMd;
        for folder in folders(harness).into_iter().filter(|folder| is_block || records.has(folder)) {
            let format = harness.format;
            match filled.iter_mut().find(|choice| choice.folder == folder && choice.format == format) {
                Some(choice) => choice.harnesses.push(harness),
                None => filled.push(Choice { folder, format, harnesses: vec![harness] }),
            }
        }
    }
    filled
}

/// Takes away what was made in a folder; none if there was nothing.
fn empty(choice: &Choice, records: &Records, workspace: &Path, options: &SyncOptions) -> Option<ViewReport> {
    let mut report = report_of(choice);
    if choice.format == Format::AgentsMd {
        let done = block::sync(records, workspace, &[], options.dry_run);
        keep(&mut report, done.map(|step| vec![step]));
        report.steps.retain(|step| step.change.is_drift());
    } else {
        let within = (options.scope == Scope::Project).then_some(workspace);
        let done = View::new(records, &choice.folder, within)
            .and_then(|view| if options.dry_run { view.compare(&[]) } else { view.fill(&[]) });
        keep(&mut report, done);
    }
    Some(report).filter(|report| !report.steps.is_empty() || report.error.is_some())
}

/// Who reads a folder that was filled for others, besides its own.
fn seen_twice(choices: &[Choice], folders: impl Fn(&Harness) -> Vec<PathBuf>) -> Vec<SeenTwice> {
    let mut twice = Vec::new();
    for harness in choices.iter().flat_map(|choice| &choice.harnesses) {
        let read = folders(harness);
        let others = choices.iter().filter(|choice| choice.format == harness.format);
        let others = others.filter(|choice| choice.harnesses.iter().all(|other| other.id != harness.id));
        for choice in others.filter(|choice| read.contains(&choice.folder)) {
            twice.push(SeenTwice { harness: harness.id.clone(), folder: choice.folder.clone() });
        }
    }
    twice
}
