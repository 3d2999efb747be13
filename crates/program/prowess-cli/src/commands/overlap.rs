//! `prowess overlap`

use prowess_match::OverlappingPair;
use prowess_text::printable;

use crate::answers::OverlapAnswer;
use crate::args::OverlapArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, DIM, GOOD, ProgressLine, WARN, paint};

pub(crate) fn run(context: &Context, args: &OverlapArgs) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let selector = view.selector()?;
    let mut line = ProgressLine::new();
    let pairs = selector.overlaps(|progress| line.step("comparing skills", progress.done, progress.total))?;
    drop(line);
    let shown: Vec<&OverlappingPair> = pairs.iter().take(args.top).collect();
    if context.json {
        output::json(&OverlapAnswer { total: pairs.len(), pairs: &shown })?;
        return Ok(Outcome::Fine);
    }
    let mut text = String::new();
    for pair in &shown {
        let ahead = if pair.ahead > 0.0 {
            format!("ahead by {:.2}", pair.ahead)
        } else {
            format!("only {:.2} behind", -pair.ahead)
        };
        text += &format!(
            "{} {} and {}\n  “{}” is from {}; {} is {ahead}\n  {}\n",
            paint(WARN, "△"),
            paint(BOLD, printable(&pair.meant)),
            paint(BOLD, printable(&pair.rival)),
            printable(&pair.message),
            printable(&pair.meant),
            printable(&pair.rival),
            paint(DIM, printable(&pair.suggestion)),
        );
    }
    match pairs.len() {
        0 => text += &format!("{} no skills compete\n", paint(GOOD, "✓")),
        all if all > shown.len() => {
            text += &format!("{} of {all} pairs; `--top {all}` shows all\n", shown.len());
        }
        _ => {}
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}
