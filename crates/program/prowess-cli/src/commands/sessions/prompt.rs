//! `prowess sessions prompt`: the exact prompt of a run, or how it differs from another one's.

use prowess_sessions::{PromptDifference, StoredPrompt};
use prowess_text::printable;

use crate::args::SessionsPromptArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, paint};

pub(super) fn run(context: &Context, args: &SessionsPromptArgs) -> Result<Outcome, Failure> {
    let sessions = context.engine.sessions();
    let id = sessions.find(&args.id)?;
    let run = args.run.as_deref();
    if let Some(with) = &args.diff {
        let difference = sessions.compare_prompts(&id, run, with.as_deref())?;
        if context.json {
            output::json(&difference)?;
        } else {
            output::out(&difference_text(&difference))?;
        }
        return Ok(Outcome::Fine);
    }
    let prompt = sessions.prompt(&id, run)?;
    if context.json {
        output::json(&prompt)?;
    } else {
        output::out(&prompt_text(&prompt))?;
    }
    Ok(Outcome::Fine)
}

fn prompt_text(prompt: &StoredPrompt) -> String {
    let mut text = format!("{} {}\n", paint(BOLD, &prompt.session), printable(&prompt.run));
    let shown = super::super::count(prompt.listed, "skill", "skills");
    let loaded: Vec<String> = prompt
        .skills
        .iter()
        .filter(|skill| skill.how.is_loaded())
        .map(|skill| printable(&skill.name))
        .collect();
    let loaded = if loaded.is_empty() { "none".to_owned() } else { loaded.join(", ") };
    text += &paint(DIM, format!("{} characters, {shown} listed, texts: {loaded}\n", prompt.chars));
    let mut part = |name: &str, content: &str| {
        text += &format!("\n{}\n", paint(DIM, format!("── {name} ({} characters)", content.chars().count())));
        text += &lines(content);
    };
    part("system", &prompt.system);
    if let Some(context) = &prompt.context {
        part("context, sent with the message", context);
    }
    part("message", &prompt.message);
    text
}

fn difference_text(difference: &PromptDifference) -> String {
    let mut text = format!(
        "{} {} against {}\n",
        paint(BOLD, &difference.session),
        printable(&difference.run),
        printable(&difference.before)
    );
    for part in &difference.parts {
        let name = part.part.name();
        if part.same {
            text += &format!("\n{}\n", paint(DIM, format!("── {name}: the same")));
            continue;
        }
        text += &format!("\n{}\n", paint(DIM, format!("── {name}")));
        for line in lines(&part.text).lines() {
            text += &match line.chars().next() {
                Some('+') => paint(GOOD, line),
                Some('-') => paint(BAD, line),
                Some('@') => paint(DIM, line),
                _ => line.to_owned(),
            };
            text.push('\n');
        }
    }
    text
}

/// The text line by line, safe for a terminal, with a line break at its end.
fn lines(text: &str) -> String {
    text.lines().map(|line| printable(line) + "\n").collect()
}
