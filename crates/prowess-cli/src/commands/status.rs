//! `prowess status` and `prowess snapshot`

use std::time::{SystemTime, UNIX_EPOCH};

use prowess::{PromptRequest, next_version};

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) fn run(context: &Context) -> Result<Outcome, Failure> {
    if !context.json {
        return super::check::run(context);
    }
    output::json(&context.inventory()?.status())?;
    Ok(Outcome::Fine)
}

pub(crate) fn snapshot(context: &Context) -> Result<Outcome, Failure> {
    #[expect(clippy::disallowed_methods, reason = "this is the edge where the clock is read")]
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
    let snapshot = context.inventory()?.snapshot(&PromptRequest::default(), next_version(0, now));
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
