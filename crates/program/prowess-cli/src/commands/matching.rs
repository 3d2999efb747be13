//! `prowess match "message"`

use std::time::Instant;

use prowess_inventory::{Conversation, Inventory, MatchDecision, MatchRequest, MatchResult, MessageMatch};
use prowess_match::{AgentView, Selector};
use prowess_select::SelectReason;
use prowess_text::printable;

use crate::args::MatchArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, ProgressLine, Table, WARN, paint};

/// How many words that speak for a skill are named.
const WORDS: usize = 4;

/// A share below this would be shown as zero.
const NEUTRAL: f32 = 0.05;

pub(crate) fn run(context: &Context, args: &MatchArgs) -> Result<Outcome, Failure> {
    let message = args.message.text()?;
    let view = context.view()?;
    if let Some(meant) = &args.meant {
        return correct(context, &view, &message, meant);
    }
    let selector = view.selector()?;
    for text in args.after.iter().chain([&message]) {
        prepare(&selector, text)?;
    }
    let files: Vec<&str> = args.files.iter().map(String::as_str).collect();
    let previous: Vec<&str> = args.after.iter().map(String::as_str).collect();
    let loaded: Vec<&str> = args.loaded.iter().map(String::as_str).collect();
    if let Some(unknown) = args.loaded.iter().find(|name| !is_skill(view.inventory(), name)) {
        return Err(Failure::not_found(format!("there is no skill `{}`", printable(unknown)))
            .hint("`prowess list` shows the names"));
    }
    let request = MatchRequest {
        files: &files,
        load: args.threshold,
        top: args.top,
        now: Some(context.clock().now_ms()),
        after: Conversation { previous: &previous, loaded: &loaded },
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

/// Records which skill a message meant.
fn correct(context: &Context, view: &AgentView, message: &str, meant: &str) -> Result<Outcome, Failure> {
    // A skill may be called `none`; then the word means that skill.
    let meant = Some(meant).filter(|name| *name != "none" || is_skill(view.inventory(), name));
    prepare(&*view.selector()?, message)?;
    let recorded = context.engine.correct(view, message, meant, context.clock())?;
    if context.json {
        output::json(&recorded)?;
        return Ok(Outcome::Fine);
    }
    let name = |name: Option<&str>| {
        name.map_or_else(|| "no skill".to_owned(), |name| format!("`{}`", printable(name)))
    };
    let chosen = recorded.chosen.first().map(String::as_str);
    let note = match (recorded.new, recorded.right) {
        (false, _) => "was recorded before",
        (true, true) => "is recorded; the choice is the same",
        (true, false) => "is recorded",
    };
    let mut text = format!("{} {} was meant: {note}\n", paint(GOOD, "✓"), name(recorded.meant.as_deref()));
    if !recorded.right {
        text += &format!("  the choice is {}\n", name(chosen));
    }
    for notice in &recorded.notices {
        text += &format!("{} {}\n", paint(WARN, "△"), printable(notice));
    }
    text += &format!("{}\n", paint(DIM, "`prowess eval --mine` measures your cases"));
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn is_skill(inventory: &Inventory, name: &str) -> bool {
    inventory.entries.iter().any(|entry| entry.skill.name == name)
}

/// Encodes what a message needs, and shows how far that is.
pub(super) fn prepare(selector: &Selector, message: &str) -> Result<(), Failure> {
    let mut line = ProgressLine::new();
    selector.prepare_for(message, |progress| line.step("reading skills", progress.done, progress.total))?;
    Ok(())
}

fn shown(answer: &MessageMatch, explain: bool) -> String {
    let mut text = headline(answer);
    if let Some(follow_up) = &answer.follow_up {
        text += &format!("{}\n", paint(DIM, printable(&follow_up.to_string())));
    }
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
    let is_kept = answer.results.iter().any(|result| result.kept);
    match answer.decision {
        MatchDecision::Load => {
            format!(
                "{} {} {}\n",
                paint(GOOD, "load"),
                paint(BOLD, names),
                paint(
                    DIM,
                    if is_kept { "a follow-up".to_owned() } else { format!("{confidence:.0} % match") }
                )
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
    if result.kept {
        return "kept from the turn before".to_owned();
    }
    let meaning: f32 = result.signals.voices.iter().map(|voice| voice.share).sum();
    let mut words: Vec<&str> = Vec::new();
    for term in &result.signals.lexical.terms {
        if words.len() < WORDS && !words.contains(&term.word.as_str()) {
            words.push(&term.word);
        }
    }
    let mut parts = vec![format!("meaning {meaning:+.1}")];
    if !words.is_empty() {
        let share = result.signals.lexical.share;
        parts.push(format!("words {share:+.1} ({})", printable(&words.join(", "))));
    }
    if let Some(reader) = &result.signals.reader {
        parts.push(format!("second reading {:+.1}", reader.share));
    }
    if let Some(action) = &result.signals.action {
        parts.push(format!("action {:+.1} (“{}”)", action.share, printable(&action.text)));
    }
    parts.join(", ")
}

/// The reasons for and against every skill, and against the decision.
fn explanation(answer: &MessageMatch) -> String {
    let mut text = format!("\n{}\n", paint(BOLD, "For and against"));
    for result in &answer.results {
        text += &format!("  {}  {:.0} %\n", printable(&result.name), result.confidence * 100.0);
        if let Some(certain) = &result.certain {
            text += &format!("    {:<8} {}\n", "certain", printable(&certain.to_string()));
        }
        for missing in &result.missing {
            text += &format!("    {:<8} {}\n", "blocked", printable(missing));
        }
        for reason in &result.reasons {
            text += &format!("    {:<8} {}\n", side(reason), told(reason));
        }
    }
    text += &against(answer);
    if !answer.counterfactuals.is_empty() {
        text += &format!("\n{}\n", paint(BOLD, "What would have changed this"));
        for line in &answer.counterfactuals {
            text += &format!("  {}\n", printable(line));
        }
    }
    let took = answer.took_ms.unwrap_or_default();
    text + &format!("\n{}\n", paint(DIM, format!("language {}, {took} ms", answer.lang)))
}

/// The reasons against the best skill, for any decision, and the skill that comes next.
fn against(answer: &MessageMatch) -> String {
    let mut usable = answer.results.iter().filter(|result| result.eligible);
    let Some(best) = usable.next() else { return String::new() };
    let mut text = format!("\n{}\n", paint(BOLD, format!("Against {}", printable(&best.name))));
    if answer.against.is_empty() {
        text += "  nothing that counts\n";
    }
    for reason in &answer.against {
        text += &format!("  {}\n", told(reason));
    }
    if let Some(next) = usable.find(|result| !result.loaded) {
        text += &format!("Next is {} with {:.0} %.\n", printable(&next.name), next.confidence * 100.0);
    }
    text
}

fn side(reason: &SelectReason) -> &'static str {
    match reason.share {
        share if share >= NEUTRAL => "for",
        share if share <= -NEUTRAL => "against",
        _ => "neutral",
    }
}

fn told(reason: &SelectReason) -> String {
    let text = printable(&reason.text);
    if reason.share.abs() < NEUTRAL { text } else { format!("{text} ({:+.1})", reason.share) }
}
