//! `prowess resume`

use std::io::IsTerminal as _;

use prowess_text::printable;

use crate::args::ResumeArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) fn run(context: &Context, args: &ResumeArgs) -> Result<Outcome, Failure> {
    let digest = context.engine.resume(&args.session, &*context.view()?, args.max_chars)?;
    if context.json {
        output::json(&digest)?;
    } else if digest.skills.is_empty() {
        output::err("No skill is in use in this session.\n");
    } else if digest.text.is_empty() {
        let message = format!("the block does not fit into {} characters", args.max_chars);
        return Err(Failure::usage(message).hint("raise the limit with `--max-chars`"));
    } else {
        let is_terminal = std::io::stdout().is_terminal();
        output::out_exact(&if is_terminal { printable(&digest.text) } else { digest.text })?;
    }
    Ok(Outcome::Fine)
}
