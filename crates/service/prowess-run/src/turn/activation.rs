//! A skill comes into use when its file is read.

use std::path::{Path, PathBuf};

use prowess_types::{ActivatedBy, TraceEvent};
use serde_json::Value;

use crate::{RunContext, RunSkill};

/// The tool that reads files.
pub(super) const READ: &str = "read";

/// Records the skill whose file was read, the first time in a run, and gives its name.
pub(super) fn note_read(input: &Value, context: &RunContext) -> Option<String> {
    let skill = skill_of_file(input.get("path")?.as_str()?, context)?;
    if !context.state.activate(&skill.file) {
        return None;
    }
    (context.record)(TraceEvent::Activation {
        skill: skill.name.clone(),
        path: skill.file.display().to_string(),
        content_hash: Some(skill.content_hash.clone()).filter(|hash| !hash.is_empty()),
        by: ActivatedBy::Read,
    });
    Some(skill.name.clone())
}

/// The skill that a path leads to once links are resolved, whichever way it is written.
fn skill_of_file<'a>(path: &str, context: &'a RunContext) -> Option<&'a RunSkill> {
    let written_as =
        |file: &Path| context.skills.iter().find(|skill| skill.file.as_os_str() == file.as_os_str());
    // Nearly always the path is written as the catalogue has it; then no link needs to be resolved.
    let path = absolute(path, context);
    if let Some(skill) = written_as(&path) {
        return Some(skill);
    }
    let real = prowess_fs::real(&path)?;
    if let Some(skill) = written_as(&real) {
        return Some(skill);
    }
    // Skills are Markdown: any other file is not worth a look at hundreds of links.
    real.extension().filter(|extension| extension.eq_ignore_ascii_case("md"))?;
    let files = context.state.skill_files(|| {
        let skills = context.skills.iter().enumerate();
        skills.filter_map(|(index, skill)| Some((prowess_fs::real(&skill.file)?, index))).collect()
    });
    context.skills.get(*files.get(&real)?)
}

/// Where the `read` tool looks: `~/` is the home of the run's environment, anything else starts in the workspace.
fn absolute(path: &str, context: &RunContext) -> PathBuf {
    let environment = context.environment.now();
    match (path.strip_prefix("~/"), environment.get("HOME")) {
        (Some(below), Some(home)) => PathBuf::from(home.expose()).join(below),
        _ => context.workspace.join(path),
    }
}
