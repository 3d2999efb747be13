//! What was learned, for people.

use prowess_cortex::{CortexState, Lesson, LessonKind, Rules, WhyHidden};
use prowess_learn::cortex::{
    DroppedCandidate, Learned, Offer, OfferSource, Perceived, Remembered, TaskEnd, TaskPlan, TaskReport,
    UseOfSkill, Validation,
};
use prowess_text::{printable, printable_lines};
use prowess_types::OutcomeResult;

use super::totals;
use crate::output::{BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

/// A weight, as it is shown everywhere.
fn weight(value: f64) -> String {
    format!("{value:.3}")
}

/// A result in words.
pub(super) fn result(result: OutcomeResult) -> Cell {
    match result {
        OutcomeResult::Success => Cell::styled(GOOD, "✓ success"),
        OutcomeResult::DependencyMissing => Cell::styled(BAD, "✗ dependency missing"),
        OutcomeResult::AuthError => Cell::styled(BAD, "✗ key or rights"),
        OutcomeResult::ApiError => Cell::styled(BAD, "✗ service failed"),
        OutcomeResult::TaskMismatch => Cell::styled(BAD, "✗ made for something else"),
        OutcomeResult::RuntimeError => Cell::styled(BAD, "✗ went wrong"),
        OutcomeResult::Unknown => Cell::styled(DIM, "unknown"),
    }
}

/// Regions with their candidates.
pub(super) fn memory(state: &CortexState, only: Option<&str>, now: i64, rules: Rules) -> String {
    let mut text = format!("{}\n", paint(DIM, totals(state)));
    for (name, _) in state.regions().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let signals = state.patterns().iter().find(|pattern| pattern.region == name);
        let signals = signals.map(|pattern| pattern.signal.join(", ")).unwrap_or_default();
        text += &format!("\n{}  {}\n", paint(BOLD, printable(name)), paint(DIM, printable(&signals)));
        let mut table = Table::new(&["skill", "weight", "today", "runs", "in a row", "state"], 5);
        for listed in state.listing(name, now, rules) {
            let state =
                if listed.candidate.reflex { Cell::styled(GOOD, "⚡ reflex") } else { "listed".into() };
            table.row(row(&listed.candidate, listed.effective, state));
        }
        for hidden in state.unlisted(name, now, rules) {
            let why = match hidden.why {
                WhyHidden::Blacklisted => Cell::styled(BAD, "🚫 banned"),
                WhyHidden::Weak => Cell::styled(DIM, "too weak to be offered"),
            };
            table.row(row(&hidden.candidate, hidden.effective, why));
        }
        text += &table.text();
    }
    let kept: Vec<String> = state
        .long_term()
        .filter(|(region, _)| only.is_none_or(|only| only == *region))
        .map(|(region, kept)| {
            format!(
                "  {} in {}: {} of {} runs worked, weight {}\n",
                printable(&kept.slug),
                printable(region),
                kept.runs.success,
                kept.uses(),
                weight(kept.weight)
            )
        })
        .collect();
    if !kept.is_empty() {
        text += &format!("\n{}\n{}", paint(BOLD, "Already installed skills"), kept.concat());
    }
    text
}

fn row(candidate: &prowess_cortex::CortexCandidate, effective: f64, state: Cell) -> Vec<Cell> {
    let runs = format!("{} ok, {} failed", candidate.runs.success, candidate.runs.fail);
    vec![
        printable(&candidate.slug).into(),
        weight(candidate.weight).into(),
        weight(effective).into(),
        runs.into(),
        candidate.streak().to_string().into(),
        state,
    ]
}

/// Events, one a line.
pub(super) fn history(events: &[Remembered]) -> String {
    if events.is_empty() {
        return "No events yet.\n".to_owned();
    }
    let mut table = Table::new(&["#", "when", "what", "skill", "kind of task"], 4);
    for Remembered { seq, event } in events {
        let when = jiff::Timestamp::from_millisecond(event.clock)
            .map_or_else(|_| "?".to_owned(), |time| time.strftime("%F %T").to_string());
        let what = match event.kind.failure() {
            Some(failure) => result(failure),
            None => printable(event.kind.name()).into(),
        };
        let text = |text: Option<&str>| Cell::from(printable(text.unwrap_or_default()));
        table.row([
            seq.to_string().into(),
            when.into(),
            what,
            text(event.kind.slug()),
            text(event.kind.region()),
        ]);
    }
    table.text()
}

/// Lessons, numbered.
pub(super) fn lessons(state: &CortexState) -> String {
    if state.lessons().is_empty() {
        return "No lessons yet.\n".to_owned();
    }
    let line = |(place, lesson): (usize, &Lesson)| {
        format!(
            "{:>2}. {} {}\n",
            place + 1,
            lesson_text(lesson),
            paint(DIM, format!("({:.1})", lesson.confidence))
        )
    };
    state.lessons().iter().enumerate().map(line).collect()
}

pub(super) fn lesson_text(lesson: &Lesson) -> String {
    match &lesson.kind {
        LessonKind::DependencyWarning { region, key, .. } => {
            format!(
                "for {} `{}` tends to be missing: check before the install",
                printable(region),
                printable(key)
            )
        }
        LessonKind::SkillQualityWarning { slug, detail } => {
            format!("`{}` does not do what it says: {}", printable(slug), printable(detail))
        }
        LessonKind::EnvReady { region, key } => {
            format!("for {} the variable `{}` is usually set", printable(region), printable(key))
        }
    }
}

/// What one outcome changed.
pub(super) fn learned(learned: &Learned) -> String {
    let mut text = match (learned.before, learned.weight) {
        (before, Some(now)) => {
            let before = before.map_or_else(|| "new".to_owned(), weight);
            format!(
                "{} for {}: {before} → {}",
                printable(&learned.slug),
                printable(&learned.region),
                weight(now)
            )
        }
        _ => format!("{} for {}: remembered", printable(&learned.slug), printable(&learned.region)),
    };
    let is_itself = |one: &&DroppedCandidate| one.region == learned.region && one.slug == learned.slug;
    if learned.dropped.iter().any(|one| is_itself(&one)) {
        text += ", not kept as a candidate";
    }
    if learned.reflex_changed {
        text += if learned.reflex { "; ⚡ it has a reflex now" } else { "; its reflex is gone" };
    }
    text.push('\n');
    if !learned.signals.is_empty() {
        text += &format!("Such tasks are known by: {}\n", printable(&learned.signals.join(", ")));
    }
    for lesson in &learned.lessons {
        text += &format!("Lesson: {}\n", lesson_text(lesson));
    }
    for gone in learned.dropped.iter().filter(|one| !is_itself(one)) {
        let name = format!("{}/{}", gone.region, gone.slug);
        text += &format!("No longer a candidate: {} (weight {})\n", printable(&name), weight(gone.weight));
    }
    if learned.offers_retention {
        text += &format!(
            "{} proved itself: keep it with `prowess cortex record … --keep`, or say no with `--no-keep`\n",
            printable(&learned.slug)
        );
    }
    text
}

/// The candidates for a task.
pub(super) fn perceived(seen: &Perceived, validation: Option<&Validation>) -> String {
    if !seen.installed.is_empty() {
        let names = printable(&seen.installed.join(", "));
        return format!("An installed skill fits: {}. Nothing else is needed.\n", paint(GOOD, names));
    }
    let mut text = String::new();
    if let Some(region) = &seen.region {
        text += &format!(
            "Recognised as {} ({:.2}).\n",
            paint(BOLD, printable(&region.region)),
            region.similarity
        );
    }
    if !seen.keywords.is_empty() {
        text += &format!("Searched for: {}\n", printable(&seen.keywords.join(" ")));
    }
    for (place, offer) in seen.candidates.iter().enumerate() {
        text += &format!("\n{}", self::offer(place + 1, offer));
    }
    if seen.candidates.is_empty() {
        text += "No skill was found.\n";
    }
    match validation {
        Some(Validation::Reflex { notice }) => text += &format!("\n{}\n", printable_lines(notice.trim_end())),
        Some(Validation::Standard { why_not }) if seen.region.is_some() => {
            let reasons: Vec<String> = why_not.iter().map(|why| printable(&why.to_string())).collect();
            text += &format!("\n{}\n", paint(DIM, format!("No reflex: {}", reasons.join("; "))));
        }
        _ => {}
    }
    for notice in &seen.notices {
        text += &format!("{}\n", paint(WARN, printable(notice)));
    }
    text
}

/// A candidate, as it is shown before anybody agrees to it.
pub(super) fn offer(number: usize, offer: &Offer) -> String {
    let version = offer.version.as_deref().map(|version| format!(" v{version}")).unwrap_or_default();
    let mut text = format!("{number}. {}{}\n", paint(BOLD, printable(&offer.name)), printable(&version));
    if let Some(description) = &offer.description {
        text += &format!("   {}\n", printable(description));
    }
    let number = |count: Option<u64>, what: &str| count.map(|count| format!("{count} {what}"));
    let source = match offer.source {
        OfferSource::Clawhub => format!("registry ({})", offer.reference),
        OfferSource::Github => format!("repository {} (unreviewed)", offer.reference),
    };
    let verdict = offer.verdict.as_deref().unwrap_or("not scanned by the registry");
    let facts: Vec<String> = [
        number(offer.stars, "stars"),
        number(offer.downloads, "downloads"),
        Some(source),
        Some(verdict.to_owned()),
        offer.relevance.map(|relevance| format!("fits {:.0} %", relevance * 100.0)),
    ]
    .into_iter()
    .flatten()
    .collect();
    text += &format!("   {}\n", paint(DIM, printable(&facts.join(" · "))));
    if let Some(history) = &offer.history {
        let last =
            history.last_failure.as_deref().map(|last| format!(", last failure: {last}")).unwrap_or_default();
        text += &format!(
            "   history: {} ok, {} failed, {} in a row, weight {} (today {}){}\n",
            history.successes,
            history.failures,
            history.streak,
            weight(history.weight),
            weight(history.effective),
            printable(&last)
        );
    } else {
        text += "   history: never used\n";
    }
    text
}

/// What a skill would do.
pub(super) fn plan(plan: &TaskPlan) -> String {
    let mut text = format!("{} would do this:\n", paint(BOLD, printable(&plan.skill)));
    for (place, step) in plan.steps.iter().enumerate() {
        text += &format!("  {}. {}\n", place + 1, printable(step));
    }
    if plan.effects.is_empty() {
        text += "  🟢 it does nothing but answer\n";
    }
    for effect in &plan.effects {
        text += &format!("  {} {}\n", effect.mark, printable(&effect.tag));
    }
    for lesson in &plan.lessons {
        text += &format!("  lesson: {}\n", lesson_text(lesson));
    }
    for (program, is_there) in &plan.checked {
        let state = if *is_there { paint(GOOD, "there") } else { paint(BAD, "missing") };
        text += &format!("  `{}`: {state}\n", printable(program));
    }
    text
}

/// What came of a task.
pub(super) fn task(report: &TaskReport) -> String {
    if !report.seen.installed.is_empty() {
        let name = printable(&report.seen.installed[0]);
        return format!("An installed skill fits: {name}. Do it with `prowess run`.\n");
    }
    let mut text = String::new();
    for attempt in &report.attempts {
        let how = attempt.result.map_or_else(|| Cell::styled(DIM, "was not run"), result);
        text += &format!("{}: {}\n", paint(BOLD, printable(&attempt.slug)), how.painted());
        let is_success = attempt.result == Some(OutcomeResult::Success);
        for line in [&attempt.reason, &attempt.remedy].into_iter().flatten().filter(|_| !is_success) {
            text += &format!("   {}\n", printable(line));
        }
        if let Some(learned) = &attempt.learned {
            text += &format!("   {}", self::learned(learned).replace('\n', "\n   ").trim_end_matches("   "));
        }
        let state = match (attempt.installed, attempt.kept) {
            (_, true) => "It stays installed.",
            (true, false) => "It was uninstalled; `prowess restore` brings it back.",
            (false, false) => "It was not installed.",
        };
        text += &format!("   {}\n", paint(DIM, state));
    }
    if report.attempts.is_empty() {
        text += "Nothing was done.\n";
    }
    text += match report.ended {
        TaskEnd::TooManySwitches => {
            "Two switches to another candidate are the limit of a task; nothing else is tried.\n"
        }
        TaskEnd::NoCandidateLeft => "No other candidate is left.\n",
        _ => "",
    };
    text
}

/// Weights over time.
pub(super) fn simulation(uses: &[UseOfSkill]) -> String {
    let mut table = Table::new(&["use", "day", "result", "prowess", "as written"], 2);
    for (place, one) in uses.iter().enumerate() {
        let cell = |(value, reflex): (Option<f64>, bool)| {
            let mark = if reflex { " ⚡" } else { "" };
            Cell::from(value.map_or_else(|| "gone".to_owned(), |value| format!("{value:.4}{mark}")))
        };
        table.row([
            (place + 1).to_string().into(),
            one.day.to_string().into(),
            result(one.result),
            cell((one.prowess, one.prowess_reflex)),
            cell((one.as_written, one.as_written_reflex)),
        ]);
    }
    table.text()
}
