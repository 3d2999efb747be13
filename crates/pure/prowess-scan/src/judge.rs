//! Applies the rules to what was observed.

use std::ops::Range;

use crate::blocks::{Kind, Kinds};
use crate::lexicon::lexicon;
use crate::observe::{Observed, Sighting};
use crate::rule::{ScanRule, Scope, Softened, Trigger};
use crate::rules;
use crate::signal::Signal;
use crate::{Category, ScanSeverity};

/// More than this many places per rule and text only repeat each other.
const HITS_PER_RULE: usize = 8;

/// A rule that applies, and where.
#[derive(Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) rule: &'static ScanRule,
    pub(crate) severity: ScanSeverity,
    /// Which of the observed texts.
    pub(crate) text: usize,
    pub(crate) sighting: Sighting,
}

/// What the whole skill says about itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Topic {
    /// It is about defence: what it shows is usually what it warns of.
    pub(crate) defends: bool,
}

/// All hits in the texts of a skill.
pub(crate) fn judge(texts: &[&Observed<'_>], topic: Topic) -> Vec<Hit> {
    let mut hits = Vec::new();
    for rule in rules::rules() {
        for trigger in rule.triggers {
            if trigger.scope == Scope::Skill {
                hits.extend(skill_hit(rule, trigger, texts, topic));
                continue;
            }
            for (text, observed) in texts.iter().enumerate() {
                text_hits(trigger, observed, topic, |severity, sighting| {
                    hits.push(Hit { rule, severity, text, sighting });
                });
            }
        }
    }
    hits
}

fn text_hits(
    trigger: &Trigger,
    observed: &Observed<'_>,
    topic: Topic,
    mut report: impl FnMut(ScanSeverity, Sighting),
) {
    let mut done = 0;
    let (mut meant, mut softened) = (0, 0);
    let start = start(trigger);
    let mut places: Vec<usize> = if trigger.kinds == Kinds::HIDDEN {
        observed.hidden()
    } else {
        start.iter().flat_map(|signal| observed.candidates(*signal)).copied().collect()
    };
    places.sort_unstable();
    for place in places {
        if place < done || meant >= HITS_PER_RULE || !trigger.kinds.contains(observed.blocks[place].kind) {
            continue;
        }
        let group = match trigger.scope {
            Scope::Block => place..place + 1,
            Scope::Section => observed.section(place),
            Scope::File | Scope::Skill => 0..observed.blocks.len(),
        };
        // Cues are known already; patterns are tried only where all that is needed may be there.
        if !may_hit(trigger, observed, &group) {
            done = group.end;
            continue;
        }
        // The rarest signal decides whether it is worth looking further.
        if trigger.kinds != Kinds::HIDDEN
            && !start.iter().any(|signal| observed.sight(*signal, place).is_some())
        {
            continue;
        }
        done = group.end;
        if let Some((severity, sighting)) = group_hit(trigger, observed, &group, topic) {
            // What is only mentioned does not use up the places of what is meant.
            let found = if severity == trigger.severity { &mut meant } else { &mut softened };
            if *found < HITS_PER_RULE {
                report(severity, sighting);
            }
            *found += 1;
        }
    }
}

/// The signals that lead to the places where a trigger is tried.
pub(crate) fn start(trigger: &Trigger) -> &'static [Signal] {
    let has_cues = |signals: &&[Signal]| signals.iter().any(|signal| lexicon().is_anchor(*signal));
    trigger.starts().into_iter().find(has_cues).unwrap_or_default()
}

/// Returns true if the cues of everything that a trigger needs are there.
fn may_hit(trigger: &Trigger, observed: &Observed<'_>, group: &Range<usize>) -> bool {
    let may_be = |signal: &Signal| observed.may_be_within(*signal, group);
    trigger.all.iter().all(|signals| signals.iter().any(may_be))
        && trigger.of.iter().filter(|signal| may_be(signal)).count() >= trigger.least
}

/// The best sighting of one of several signals: one that is meant, if there is one.
fn best(
    trigger: &Trigger,
    observed: &Observed<'_>,
    signals: &[Signal],
    group: &Range<usize>,
) -> Option<Sighting> {
    let mut shown = None;
    for signal in signals {
        for sighting in observed.sight_within(*signal, group, trigger.kinds) {
            if sighting.is_meant {
                return Some(sighting);
            }
            shown.get_or_insert(sighting);
        }
    }
    shown
}

fn group_hit(
    trigger: &Trigger,
    observed: &Observed<'_>,
    group: &Range<usize>,
    topic: Topic,
) -> Option<(ScanSeverity, Sighting)> {
    let mut telling: Option<Sighting> = None;
    let mut is_meant = true;
    for signals in trigger.all {
        let sighting = best(trigger, observed, signals, group)?;
        is_meant &= sighting.is_meant;
        telling.get_or_insert(sighting);
    }
    if trigger.least > 0 {
        let places: Vec<Sighting> =
            trigger.of.iter().filter_map(|signal| best(trigger, observed, &[*signal], group)).collect();
        if places.len() < trigger.least {
            return None;
        }
        let counts_first = start(trigger) == trigger.of;
        telling = if counts_first { places.first().copied().or(telling) } else { telling };
    }
    let sighting = telling?;
    if best(trigger, observed, trigger.none, group).is_some() {
        return None;
    }
    let kind = observed.blocks[sighting.block].kind;
    let is_shown = trigger.softened != Softened::Never
        && (!is_meant
            || observed.is_defended(sighting.block)
            || (topic.defends && observed.is_shown(&sighting)));
    let is_asked = trigger.softened == Softened::ByConsent && observed.asks_first(sighting.block);
    let severity = match (is_asked, is_shown, kind) {
        (true, _, _) | (_, true, Kind::Prose | Kind::Front | Kind::Data) => ScanSeverity::Info,
        (false, true, _) => trigger.severity.softer(),
        (false, false, _) => trigger.severity,
    };
    Some((severity, sighting))
}

fn skill_hit(
    rule: &'static ScanRule,
    trigger: &Trigger,
    texts: &[&Observed<'_>],
    topic: Topic,
) -> Option<Hit> {
    let find = |signals: &[Signal]| {
        texts.iter().enumerate().find_map(|(text, observed)| {
            best(trigger, observed, signals, &(0..observed.blocks.len())).map(|sighting| (text, sighting))
        })
    };
    let may_be = |signal: &Signal| {
        texts.iter().any(|observed| observed.may_be_within(*signal, &(0..observed.blocks.len())))
    };
    if !trigger.all.iter().all(|signals| signals.iter().any(may_be))
        || trigger.of.iter().filter(|signal| may_be(signal)).count() < trigger.least
    {
        return None;
    }
    let mut first = None;
    let mut is_meant = true;
    if trigger.least > 0 {
        let places: Vec<(usize, Sighting)> =
            trigger.of.iter().filter_map(|signal| find(&[*signal])).collect();
        if places.len() < trigger.least {
            return None;
        }
        first = places.first().copied();
        is_meant = places.iter().all(|(_, sighting)| sighting.is_meant);
    }
    for signals in trigger.all {
        let found = find(signals)?;
        is_meant &= found.1.is_meant;
        first.get_or_insert(found);
    }
    let (text, sighting) = first?;
    let is_soft = !is_meant || (topic.defends && rule.category != Category::Exfiltration);
    Some(Hit {
        rule,
        severity: if is_soft { trigger.severity.softer() } else { trigger.severity },
        text,
        sighting,
    })
}
