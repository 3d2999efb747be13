//! `prowess status` and `prowess snapshot`

use prowess_catalog::next_version;
use prowess_inventory::PromptRequest;

use crate::args::CheckArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) fn run(context: &Context) -> Result<Outcome, Failure> {
    if !context.json {
        return super::check::run(context, &CheckArgs::default());
    }
    let mut report = context.view()?.inventory().status();
    for skill in &mut report.skills {
        context.engine.profile().source_name(&skill.origin.source).clone_into(&mut skill.source);
    }
    output::json(&report)?;
    Ok(Outcome::Fine)
}

pub(crate) fn snapshot(context: &Context) -> Result<Outcome, Failure> {
    let now = context.clock().now_ms();
    let snapshot = context.view()?.inventory().snapshot(&PromptRequest::default(), next_version(0, now));
    if context.json {
        output::json(&snapshot)?;
    } else {
        let admitted = snapshot.resolved.len();
        let text = format!(
            "{}\nversion {}\n{} skills, {admitted} of them in the prompt ({} characters)\n",
            snapshot.id(),
            snapshot.version(),
            snapshot.skills.len(),
            snapshot.prompt.chars().count()
        );
        output::out(&text)?;
    }
    Ok(Outcome::Fine)
}
