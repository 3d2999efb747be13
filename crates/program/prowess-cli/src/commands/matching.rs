//! `prowess match "message"`

use std::time::Instant;

use prowess_inventory::{MatchDecision, MatchRequest, MatchResult, MessageMatch};
use prowess_match::Selector;
use prowess_text::printable;

use crate::args::MatchArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, ProgressLine, Table, WARN, paint};

/// How many words that speak for a skill are named.
const WORDS: usize = 4;

pub(crate) fn run(context: &Context, args: &MatchArgs) -> Result<Outcome, Failure> {
    let message = args.message.text()?;
    let view = context.view()?;
    let selector = view.selector()?;
    prepare(&selector, &message)?;
    let files: Vec<&str> = args.files.iter().map(String::as_str).collect();
    let request = MatchRequest {
        files: &files,
        load: args.threshold,
        top: args.top,
        now: Some(context.clock().now_ms()),
        ..MatchRequest::new(&message)
    };
    let start = Instant::now();
    let mut answer = selector.find(&request)?;
    answer.took_ms = Some((start.elapsed().as_secs_f64() * 1e5).round() / 100.0);
    if context.json {
        output::json(&answer)?;
    } else {
        output::out(&shown(&answer, args.explain))?;
    }
    Ok(Outcome::Fine)
}

/// Encodes what a message needs, and shows how far that is.
pub(super) fn prepare(selector: &Selector, message: &str) -> Result<(), Failure> {
    let mut line = ProgressLine::new();
    selector.prepare_for(message, |progress| line.step("reading skills", progress.done, progress.total))?;
    Ok(())
}

fn shown(answer: &MessageMatch, explain: bool) -> String {
    let mut text = headline(answer);
    if answer.results.is_empty() {
        return text + "There are no skills here.\n";
    }
    let mut table = Table::new(&["", "Skill", "Confidence", "Score", "Because of"], 4);
    for result in &answer.results {
        let mark = match (result.loaded, result.eligible) {
            (true, _) => Cell::styled(GOOD, "✓"),
            (false, true) => Cell::styled(DIM, "·"),
            (false, false) => Cell::styled(BAD, "✗"),
        };
        let confidence = format!("{:.0} %", result.confidence * 100.0);
        let score = format!("{:.2}", result.score);
        table.row([
            mark,
            printable(&result.name).into(),
            confidence.into(),
            score.into(),
            reason(result).into(),
        ]);
    }
    text += &table.text();
    for blocked in &answer.blocked {
        let missing = printable(&blocked.missing.join("; "));
        text +=
            &format!("{} {} would fit better, but: {missing}\n", paint(WARN, "△"), printable(&blocked.name));
    }
    if explain {
        text += &explanation(answer);
    }
    text
}

fn headline(answer: &MessageMatch) -> String {
    let names = printable(&answer.loaded().join(", "));
    let (threshold, suggest) = (answer.threshold * 100.0, answer.suggest_threshold * 100.0);
    let confidence = answer.confidence * 100.0;
    match answer.decision {
        MatchDecision::Load => {
            format!(
                "{} {} {}\n",
                paint(GOOD, "load"),
                paint(BOLD, names),
                paint(DIM, format!("{confidence:.0} % match"))
            )
        }
        MatchDecision::Suggest => format!(
            "{} {}\n",
            paint(WARN, "suggest"),
            paint(DIM, format!("best match {confidence:.0} % (loaded at {threshold:.0} %)"))
        ),
        MatchDecision::Nothing => {
            let note = format!(
                "best match {confidence:.0} % (suggested at {suggest:.0} %, loaded at {threshold:.0} %)"
            );
            format!("{}, {}\n", paint(BOLD, "nothing fits"), paint(DIM, note))
        }
    }
}

/// What speaks for a skill, in a few words.
fn reason(result: &MatchResult) -> String {
    if !result.missing.is_empty() {
        return printable(&result.missing.join("; "));
    }
    if let Some(certain) = &result.certain {
        return printable(&certain.to_string());
    }
    let meaning: f32 = result.signals.voices.iter().map(|voice| voice.share).sum();
    let mut words: Vec<&str> = Vec::new();
    for term in &result.signals.lexical.terms {
        if words.len() < WORDS && !words.contains(&term.word.as_str()) {
            words.push(&term.word);
        }
    }
    let meaning = format!("meaning {meaning:+.1}");
    if words.is_empty() {
        return meaning;
    }
    let share = result.signals.lexical.share;
    format!("{meaning}, words {share:+.1} ({})", printable(&words.join(", ")))
}

fn explanation(answer: &MessageMatch) -> String {
    let mut text = format!("\n{}\n", paint(BOLD, "Signals"));
    for result in &answer.results {
        let place = if result.behind < 0.0 { "ahead of the next" } else { "behind the best" };
        let (name, distance) = (printable(&result.name), result.behind.abs());
        text += &format!("  {name}  {:.2}, {distance:.2} {place}\n", result.score);
        for voice in &result.signals.voices {
            let cosine =
                voice.cosine.map_or_else(|| "not encoded yet".to_owned(), |cosine| format!("{cosine:.3}"));
            text += &format!("    {:<18} cosine {cosine}, {:+.2} of the score\n", voice.encoder, voice.share);
        }
        if let Some(prior) = result.signals.prior.filter(|prior| *prior != 0.0) {
            text += &format!("    {:<18} {prior:+.2} of the score\n", "learned");
        }
        text += &format!("    {:<18} {:+.2} of the score\n", "words", result.signals.lexical.share);
        for term in &result.signals.lexical.terms {
            text += &format!("      {:<16} in {}, {:+.2}\n", printable(&term.word), term.field, term.share);
        }
    }
    text += &format!("\n{} ({:.1} % match)\n", paint(BOLD, "Confidence"), answer.confidence * 100.0);
    for feature in &answer.gate.features {
        text +=
            &format!("  {:<22} {:>7.2}  {:+.2}\n", feature.feature.to_string(), feature.value, feature.share);
    }
    if !answer.counterfactuals.is_empty() {
        text += &format!("\n{}\n", paint(BOLD, "What would have changed this"));
        for line in &answer.counterfactuals {
            text += &format!("  {}\n", printable(line));
        }
    }
    let took = answer.took_ms.unwrap_or_default();
    text + &format!("\n{}\n", paint(DIM, format!("language {}, {took} ms", answer.lang)))
}
