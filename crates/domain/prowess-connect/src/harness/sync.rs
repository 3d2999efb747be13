//! Updating the folders of other programs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use prowess_context::Context;
use prowess_harness::{
    Choice, Harness, HarnessNote, Item, Records, SkillFormat, View, ViewScope, ViewStep, block, choose, notes,
};
use prowess_inventory::{SkippedFile, view_records, without_views};
use serde::Serialize;

use super::items::{self, Wanted};
use super::{ConnectError, find, ground, harnesses};

/// The way skills get into a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMethod {
    /// As links where every reader follows them, else as copies.
    #[default]
    Auto,
    /// As links.
    Link,
    /// As copies.
    Copy,
}

/// Options of a sync: its views, and the actions on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewSyncOptions {
    /// The harnesses; those that are installed if none is named.
    pub to: Vec<String>,
    /// For this workspace or for the user.
    pub scope: ViewScope,
    /// Links or copies.
    pub method: SyncMethod,
    /// Take away what was made.
    pub remove: bool,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// What was done, or would be.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncReport")]
pub struct ViewSyncReport {
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
    pub format: SkillFormat,
    /// Who reads it.
    pub harnesses: Vec<String>,
    /// What was done about each skill.
    pub steps: Vec<ViewStep>,
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
    pub notes: Vec<HarnessNote>,
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

impl ViewSyncReport {
    /// Returns true if a view differs from its desired state.
    pub fn has_drift(&self) -> bool {
        self.views.iter().any(|view| view.steps.iter().any(|step| step.change.is_drift()))
    }

    /// Returns true if something was left alone that needs attention.
    pub fn has_problems(&self) -> bool {
        self.views.iter().any(|view| view.steps.iter().any(|step| step.change.is_problem()))
    }

    /// Returns true if a view could not be processed at all.
    pub fn has_errors(&self) -> bool {
        self.views.iter().any(|view| view.error.is_some())
    }
}

/// Makes the skills that an agent can use visible to other programs, or takes them away again.
pub fn sync_harnesses(
    context: &Context,
    agent: Option<&str>,
    options: &ViewSyncOptions,
) -> Result<ViewSyncReport, ConnectError> {
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
        return Err(ConnectError::NoneFound);
    }
    let mut report = ViewSyncReport { agent: inventory.agent_id.clone(), ..ViewSyncReport::default() };
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
    options: &'a ViewSyncOptions,
    records: &'a Records,
    workspace: &'a Path,
}

impl Sync<'_> {
    fn view(&self, choice: &Choice, skills: &[Wanted<'_>]) -> ViewReport {
        let mut report = report_of(choice);
        if choice.format == SkillFormat::AgentsMd {
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
                SkillFormat::CursorRules => skill.rule(&mut taken),
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
            let notes: Vec<HarnessNote> = told.collect();
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
    fn method(&self, choice: &Choice) -> SyncMethod {
        match self.options.method {
            // A link in a folder of the engine's own would be a skill that leaves it.
            SyncMethod::Auto if self.is_own_root(&choice.folder) => SyncMethod::Copy,
            method => method,
        }
    }

    /// All folders that a harness reads.
    fn read_by(&self, harness: &Harness) -> Vec<PathBuf> {
        let ground = crate::harness::ground(self.context, self.workspace);
        [ViewScope::Project, ViewScope::User]
            .into_iter()
            .flat_map(|scope| ground.folders(harness, scope))
            .collect()
    }

    fn is_own_root(&self, folder: &Path) -> bool {
        let workspace = prowess_harness::settle(self.workspace);
        let own = ["skills", ".agents/skills"].map(|place| prowess_harness::settle(&workspace.join(place)));
        let personal = self.context.places().personal.as_deref().map(prowess_harness::settle);
        let managed = prowess_harness::settle(&self.context.places().managed());
        own.into_iter().chain(personal).chain([managed]).any(|root| root == folder)
    }

    /// A workspace may be foreign, so no link may lead out of it. A home is the user's own.
    fn within(&self) -> Option<&Path> {
        (self.options.scope == ViewScope::Project).then_some(self.workspace)
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

fn keep(report: &mut ViewReport, done: Result<Vec<ViewStep>, prowess_harness::ViewError>) {
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
        let is_block = harness.format == SkillFormat::AgentsMd;
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
fn empty(
    choice: &Choice,
    records: &Records,
    workspace: &Path,
    options: &ViewSyncOptions,
) -> Option<ViewReport> {
    let mut report = report_of(choice);
    if choice.format == SkillFormat::AgentsMd {
        let done = block::sync(records, workspace, &[], options.dry_run);
        keep(&mut report, done.map(|step| vec![step]));
        report.steps.retain(|step| step.change.is_drift());
    } else {
        let within = (options.scope == ViewScope::Project).then_some(workspace);
        let done = View::new(records, &choice.folder, within)
            .and_then(|view| if options.dry_run { view.compare(&[]) } else { view.fill(&[]) });
        keep(&mut report, done);
    }
    Some(report).filter(|report| !report.steps.is_empty() || report.error.is_some())
}

/// Returns the programs that read a folder that was filled for others, besides their own.
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
