//! `prowess why NAME`

use prowess_text::printable;
use prowess_types::CheckOutcome;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, paint};

pub(crate) fn run(context: &Context, name: &str) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let inventory = view.inventory();
    let Some(mut why) = inventory.why(name) else {
        // Says which names are close, or that there is none.
        super::find(inventory, name)?;
        return Ok(Outcome::Findings);
    };
    why.steps.extend(context.engine.learned_about(&why.name, context.clock().now_ms()));
    if context.json {
        output::json(&why)?;
        return Ok(Outcome::Fine);
    }
    let mut text = format!("{}: {}\n\n", paint(BOLD, printable(&why.name)), printable(&why.fate));
    for step in &why.steps {
        let mark = match step.outcome {
            CheckOutcome::Pass => paint(GOOD, "✓"),
            CheckOutcome::Fail => paint(BAD, "✗"),
            CheckOutcome::Skip => paint(DIM, "·"),
        };
        let rule = format!("{}/{}", step.stage, step.rule);
        text += &format!("  {mark} {rule:<26} {}\n", printable(&step.detail));
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}
