//! Counting what the records of sessions and hooks say.

use std::collections::{BTreeMap, BTreeSet};

use prowess_catalog::estimate_tokens;
use prowess_inventory::Inventory;
use prowess_trace::{RunSummary, brings_text};
use prowess_types::{
    Backend, BackendKind, OutcomeResult, PromptedAs, SelectionDecision, TraceEvent, TraceLine,
};

use super::signs::Signs;
use super::{Tallies, UsageFilter, UsageReport, own_name};
use crate::hook_log::{HookRecord, HowShown, RecordedEvent, SAME_MESSAGE_MS};
use crate::session_snapshot::SessionSnapshot;
use crate::sessions::Sessions;

/// Everything about one run that counts.
#[derive(Default)]
struct Run<'a> {
    lines: Vec<&'a TraceLine>,
    /// The skills that the message asks for, by the selector; none if it was not called.
    asked_for: Option<BTreeSet<String>>,
    /// Skills that were in the prompt; none if the run did not record it.
    shown: Option<BTreeSet<String>>,
    /// Skills whose text came into the context.
    loaded: BTreeMap<String, Loaded>,
}

/// A text of a skill that came into the context.
struct Loaded {
    /// The place of the line that says so; the beginning if a hook did it.
    place: usize,
    text: LoadedText,
}

/// The version of the text.
enum LoadedText {
    /// A hook's, which said what it costs.
    Paid,
    /// The one with this hash.
    Hashed(String),
    /// Not recorded.
    Unsaid,
}

/// Counts everything that the records say.
pub(super) fn gather(
    sessions: &Sessions,
    filter: &UsageFilter<'_>,
    inventory: &Inventory,
    report: &mut UsageReport,
) -> Tallies {
    let mut counter = Counter { inventory, report, tallies: Tallies::new(), signs: BTreeMap::new() };
    let hooked: BTreeSet<_> = sessions.hooked().into_iter().collect();
    let ids: BTreeSet<_> = sessions.ids().into_iter().chain(hooked.iter().cloned()).collect();
    for id in ids {
        let records = if hooked.contains(&id) { sessions.hook_records(&id) } else { Vec::new() };
        let is_wanted = |record: &&HookRecord| {
            filter.since.is_none_or(|since| record.at >= since)
                && filter.agent.is_none_or(|agent| record.agent == agent || record.harness == agent)
        };
        let records: Vec<&HookRecord> = records.iter().filter(is_wanted).collect();
        let stored = match sessions.show(&id) {
            Ok(stored) => Some(stored),
            Err(crate::sessions::SessionError::Unknown(_)) => None,
            Err(error) => {
                counter.report.unread.push(format!("{id}: {}", prowess_text::describe_error(&error)));
                None
            }
        };
        let stored = stored.filter(|stored| {
            filter.agent.is_none_or(|agent| stored.summary.agent == agent) || !records.is_empty()
        });
        let runs = stored.as_ref().map(|stored| stored.summary.runs.as_slice()).unwrap_or_default();
        let runs: Vec<&RunSummary> =
            runs.iter().filter(|run| filter.since.is_none_or(|since| run.started >= since)).collect();
        if runs.is_empty() && records.is_empty() {
            continue;
        }
        counter.report.sessions += 1;
        let snapshot = SessionSnapshot::peek(&sessions.folder_of(&id));
        let lines = stored.as_ref().map(|stored| stored.session.lines.as_slice()).unwrap_or_default();
        let mut by_run: BTreeMap<&str, Run<'_>> = BTreeMap::new();
        for line in lines {
            by_run.entry(&line.run).or_default().lines.push(line);
        }
        for run in by_run.values_mut() {
            run.read(inventory);
        }
        for record in records {
            let run = nearest(&runs, record.at).and_then(|run| by_run.get_mut(run.run.as_str()));
            counter.hook(record, run);
        }
        for summary in runs {
            if let Some(run) = by_run.get(summary.run.as_str()) {
                counter.catalogue(run, snapshot.as_ref());
                counter.run(summary, run);
            }
        }
    }
    counter.tallies
}

/// The run that a message of that time began.
fn nearest<'a>(runs: &[&'a RunSummary], at: u64) -> Option<&'a RunSummary> {
    let own = runs.iter().filter(|run| run.parent.is_none());
    let nearest = own.min_by_key(|run| run.started.abs_diff(at));
    nearest.copied().filter(|run| run.started.abs_diff(at) <= SAME_MESSAGE_MS)
}

impl Run<'_> {
    fn read(&mut self, inventory: &Inventory) {
        let answered = self.backend().map(|backend| backend.kind).unwrap_or_default();
        for (place, line) in self.lines.iter().enumerate() {
            match &line.event {
                TraceEvent::Activation { skill, content_hash, by, .. } if brings_text(*by, answered) => {
                    let name = own_name(skill, inventory);
                    let text = content_hash.clone().map_or(LoadedText::Unsaid, LoadedText::Hashed);
                    self.loaded.entry(name).or_insert(Loaded { place, text });
                }
                TraceEvent::Prompt { skills, .. } => {
                    for skill in skills {
                        let name = own_name(&skill.name, inventory);
                        self.shown.get_or_insert_default().insert(name.clone());
                        if skill.how.is_loaded() {
                            let text = match skill.how {
                                PromptedAs::Again => LoadedText::Paid,
                                _ => {
                                    skill.content_hash.clone().map_or(LoadedText::Unsaid, LoadedText::Hashed)
                                }
                            };
                            self.loaded.entry(name).or_insert(Loaded { place, text });
                        }
                    }
                    // A prompt without a skill is a record as well.
                    self.shown.get_or_insert_default();
                }
                TraceEvent::Selection { decision, ranked, .. } => {
                    let loaded =
                        ranked.iter().filter(|skill| skill.loaded && *decision == SelectionDecision::Load);
                    let names = loaded.map(|skill| own_name(&skill.name, inventory));
                    self.asked_for.get_or_insert_default().extend(names);
                }
                _ => {}
            }
        }
    }

    fn backend(&self) -> Option<&Backend> {
        self.lines.iter().find_map(|line| match &line.event {
            TraceEvent::RunStarted { backend, .. } => Some(backend),
            _ => None,
        })
    }

    /// The snapshot whose list the model got. Other programs and tools got none.
    fn listed(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| match &line.event {
            TraceEvent::RunStarted { snapshot, backend, .. } if backend.kind == BackendKind::Model => {
                snapshot.as_deref()
            }
            _ => None,
        })
    }
}

struct Counter<'a> {
    inventory: &'a Inventory,
    report: &'a mut UsageReport,
    tallies: Tallies,
    signs: BTreeMap<String, Option<Signs>>,
}

impl Counter<'_> {
    fn tally(&mut self, name: &str) -> &mut super::SkillUsage {
        self.tallies.entry(name.to_owned()).or_default()
    }

    /// The skills that the model was shown in a run: those of its prompt, or of the list that version 0.1 stored.
    fn catalogue(&mut self, run: &Run<'_>, snapshot: Option<&prowess_catalog::Snapshot>) {
        let listed = snapshot.filter(|snapshot| run.listed() == Some(snapshot.id()));
        let described = |name: &str| {
            let resolved = listed.and_then(|listed| listed.resolved.iter().find(|skill| skill.name == name));
            let own = || self.inventory.entries.iter().find(|entry| entry.skill.name == name);
            let text = resolved.map(|skill| skill.description.clone());
            text.or_else(|| own().map(|entry| entry.skill.description.clone())).unwrap_or_default()
        };
        let names: Vec<String> = match (&run.shown, listed) {
            (Some(shown), _) => shown.iter().cloned().collect(),
            (None, Some(listed)) => listed.resolved.iter().map(|skill| skill.name.clone()).collect(),
            (None, None) => {
                self.report.runs_without_catalogue += 1;
                return;
            }
        };
        let costs: Vec<usize> =
            names.iter().map(|name| estimate_tokens(&format!("{name}\n{}", described(name)))).collect();
        for (name, tokens) in names.iter().zip(costs) {
            let tally = self.tally(name);
            tally.shown += 1;
            tally.tokens += tokens;
        }
    }

    /// Counts the text that a hook put into the context. A text is loaded in the run that follows.
    fn hook(&mut self, record: &HookRecord, run: Option<&mut Run<'_>>) {
        let RecordedEvent::Prompt { decision, .. } = &record.event else { return };
        self.report.hook_messages += 1;
        self.report.hook_messages_without_run += usize::from(run.is_none());
        let mut asked_for = BTreeSet::new();
        let mut texts = Vec::new();
        for skill in &record.skills {
            let name = own_name(&skill.name, self.inventory);
            let tally = self.tally(&name);
            tally.shown += 1;
            tally.tokens += skill.tokens;
            if skill.how != HowShown::Suggestion && *decision == SelectionDecision::Load {
                asked_for.insert(name.clone());
            }
            if skill.how.is_loaded() {
                texts.push(name);
            }
        }
        match run {
            Some(run) => {
                run.asked_for.get_or_insert_default().extend(asked_for);
                let paid = |name| (name, Loaded { place: 0, text: LoadedText::Paid });
                run.loaded.extend(texts.into_iter().map(paid));
            }
            None => {
                for name in texts {
                    let tally = self.tally(&name);
                    tally.loaded += 1;
                    tally.outcome_unknown += 1;
                    tally.last_loaded = tally.last_loaded.max(Some(record.at));
                }
            }
        }
    }

    fn run(&mut self, summary: &RunSummary, run: &Run<'_>) {
        self.report.runs += 1;
        self.report.runs_without_selection += usize::from(run.asked_for.is_none());
        for name in run.asked_for.iter().flatten().filter(|name| !run.loaded.contains_key(*name)) {
            self.tally(name).missed += 1;
        }
        for (name, loaded) in &run.loaded {
            let is_followed = self.signs_of(name).map(|signs| signs.are_in(&run.lines[loaded.place..]));
            let tokens = self.text_tokens(name, &loaded.text);
            let tally = self.tally(name);
            tally.loaded += 1;
            tally.last_loaded = tally.last_loaded.max(Some(summary.started));
            match summary.outcome.result {
                OutcomeResult::Success => tally.succeeded += 1,
                OutcomeResult::Unknown => tally.outcome_unknown += 1,
                _ => tally.failed += 1,
            }
            if let Some(is_followed) = is_followed {
                *tally.followed.get_or_insert(0) += usize::from(is_followed);
            }
            match tokens {
                Some(tokens) => tally.tokens += tokens,
                None => tally.loads_of_unknown_size += 1,
            }
        }
    }

    fn signs_of(&mut self, name: &str) -> Option<&Signs> {
        let inventory = self.inventory;
        let found = || inventory.entries.iter().find(|entry| entry.skill.name == name);
        self.signs.entry(name.to_owned()).or_insert_with(|| Signs::of(found()?)).as_ref()
    }

    /// Returns the remaining cost of a text, if it is still the one that was read.
    fn text_tokens(&self, name: &str, text: &LoadedText) -> Option<usize> {
        if matches!(text, LoadedText::Paid) {
            return Some(0);
        }
        let entry = self.inventory.entries.iter().find(|entry| entry.skill.name == name)?;
        if matches!(text, LoadedText::Hashed(hash) if *hash != entry.skill.content_hash.to_string()) {
            return None;
        }
        Some(estimate_tokens(&self.inventory.body_of(entry).ok()?))
    }
}
