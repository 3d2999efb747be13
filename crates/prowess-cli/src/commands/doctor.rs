//! `prowess doctor`

use prowess::printable;
use prowess::types::Severity;

use crate::answers::DoctorAnswer;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, DIM, GOOD, WARN, paint};

pub(crate) fn run(context: &Context) -> Result<Outcome, Failure> {
    let findings = context.engine.doctor(context.agent.as_deref())?;
    let worst = findings.iter().map(|finding| finding.severity).max();
    if context.json {
        output::json(&DoctorAnswer { findings: &findings })?;
    } else {
        let mut text = String::new();
        for finding in &findings {
            let mark = match finding.severity {
                Severity::Note => paint(GOOD, "✓"),
                Severity::Warning => paint(WARN, "△"),
                Severity::Error => paint(BAD, "✗"),
            };
            text += &format!("{mark} {}: {}\n", finding.check, printable(&finding.message));
            if let Some(help) = &finding.help {
                text += &format!("    {}\n", paint(DIM, printable(help)));
            }
        }
        output::out(&text)?;
    }
    Ok(if worst >= Some(Severity::Warning) { Outcome::Findings } else { Outcome::Fine })
}
