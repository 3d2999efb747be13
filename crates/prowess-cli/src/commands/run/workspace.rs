//! The question about a workspace that exposes more than a project.

use prowess::run::{ExposedWorkspace, WorkspaceAnswerError};

use crate::args::RunOptions;
use crate::commands::trust::now;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::output::{self, WARN, paint};
use crate::prompt;

/// Settles whether the workspace may be used, before anything is run in it. Asks once for each folder.
pub(crate) fn ask_before_a_run(context: &Context, options: &RunOptions) -> Result<(), Failure> {
    // Other programs have their own rules about where they work.
    if options.with.is_some() {
        return Ok(());
    }
    let Some(exposed) = context.engine.exposed_workspace(context.agent.as_deref())? else { return Ok(()) };
    if !exposed.may_be_allowed() {
        return Err(exposed.into());
    }
    let is_allowed = options.allow_workspace
        || (!context.json
            && prompt::is_somebody_there()
            && {
                output::err(&format!(
                    "{} {exposed}.\nThe tools `read`, `write` and `exec` would work there. Only the state folder stays \
                 hidden. A project folder is safer: `--workspace DIR`.\n",
                    paint(WARN.bold(), "?")
                ));
                prompt::agrees("Use it as the workspace from now on?")?
            });
    if !is_allowed {
        return Err(exposed.into());
    }
    context.engine.allow_workspace(&exposed, &now(context))?;
    Ok(())
}

impl From<ExposedWorkspace> for Failure {
    fn from(exposed: ExposedWorkspace) -> Self {
        if exposed.may_be_allowed() {
            return Self::of(Code::NotAgreed, &exposed).hint(
                "work in a project folder (`--workspace DIR`), or allow this one with `--allow-workspace`",
            );
        }
        Self::of(Code::Refused, &exposed).hint("work in a project folder: `--workspace DIR`")
    }
}

impl From<WorkspaceAnswerError> for Failure {
    fn from(error: WorkspaceAnswerError) -> Self {
        match error {
            WorkspaceAnswerError::Exposed(exposed) => exposed.into(),
            WorkspaceAnswerError::Damaged(_) => Self::of(Code::Damaged, &error),
            _ => Self::of(Code::Files, &error),
        }
    }
}
