//! The question about a workspace that exposes more than a project.

use crate::args::RunOptions;
use crate::commands::trust::now;
use crate::context::Context;
use crate::failure::Failure;
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
