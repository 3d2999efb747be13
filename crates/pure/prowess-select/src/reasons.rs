//! The reasons for and against a row, in plain words.
//!
//! The log odds of the gate are taken apart into what a person can judge: meaning, shared words, trigger phrases, earlier
//! runs, the second reading, and what the message itself sounds like. The shares of a row add up to its log odds, so
//! nothing that counted is missing.

use serde::Serialize;

use crate::decision::SelectDecision;
use crate::document::Field;
use crate::gate::{Feature, FeatureReport, GateReport, log_odds};
use crate::lexical::TermSignal;
use crate::signals::{Signals, VoiceSignal};

/// A share this small is not worth a word.
const TOO_SMALL: f32 = 0.05;
/// The maximum number of reasons against a decision.
const NAMED: usize = 3;
/// The maximum number of shared words that are named.
const WORDS: usize = 4;
/// The parts of a score from which a meaning is called very close, close, and somewhat close.
const CLOSENESS: [f32; 3] = [5.0, 3.0, 1.5];

/// Below this the message is called a remark; between this and 0 requests and remarks both occur. Seen on a dozen messages
/// with the first gate, so it has to be looked at again whenever a gate is fitted anew.
const REMARK: f32 = -3.5;

/// The subject of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ReasonKind {
    /// The meaning of message and skill, as the encoders see it.
    Meaning,
    /// Words that both have.
    Words,
    /// Trigger phrases in the message.
    Triggers,
    /// Experience of earlier runs.
    Learned,
    /// The second reading: message and skill together.
    Reader,
    /// The action of the message by itself, without its topic.
    Action,
    /// The sound of the message itself: a request, or a remark and small talk.
    Request,
    /// Shared words that count for less because the meaning does not support them.
    Unsupported,
    /// The second reading stopped before this skill, so it stands behind what was read.
    Unread,
    /// The log odds that every skill starts with, for any message.
    Bar,
}

/// Something that speaks for or against loading a skill.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectReason {
    /// Its subject.
    pub kind: ReasonKind,
    /// Its strength: above 0 for the skill, below 0 against it. All shares of a skill add up to the log odds of its
    /// confidence, certain signals aside.
    pub share: f32,
    /// The reason in plain words.
    pub text: String,
}

impl SelectReason {
    fn new(kind: ReasonKind, share: f32, text: impl Into<String>) -> Self {
        Self { kind, share, text: text.into() }
    }

    /// The reasons of a row, always in the same order.
    pub(crate) fn all(signals: &Signals, gate: &GateReport) -> Vec<Self> {
        let mut reasons = Vec::new();
        let share_of = |feature: Feature| gate.features.iter().find(|report| report.feature == feature);
        if let Some(score) = share_of(Feature::Score) {
            reasons.extend(of_score(signals, score));
        }
        if let Some(reader) = share_of(Feature::Reader).filter(|_| signals.reader.is_some()) {
            reasons.push(second_reading(reader));
        }
        if let (Some(action), Some(report)) = (&signals.action, share_of(Feature::Action)) {
            let verdict = if report.share >= 0.0 { "asks for it" } else { "does not ask for it" };
            let text = format!("“{}” by itself {verdict}", action.text);
            reasons.push(Self::new(ReasonKind::Action, report.share, text));
        }
        // Taken alone, each of these may have either sign for a plain request; only their sum says something.
        let of_message =
            [Feature::Request, Feature::Null, Feature::NullMean].into_iter().filter_map(share_of);
        if let Some(share) = of_message.map(|report| report.share).reduce(|sum, share| sum + share) {
            reasons.push(sound(share));
        }
        if gate.intercept != 0.0 {
            let text = "every skill starts here, because most messages ask for none";
            reasons.push(Self::new(ReasonKind::Bar, gate.intercept, text));
        }
        let own = gate.intercept + gate.features.iter().map(|report| report.share).sum::<f32>();
        let rest = log_odds(gate.confidence) - own;
        if rest < -TOO_SMALL && !gate.features.is_empty() && is_in_reach(own) {
            let text = "others were read together with the message and stand before it";
            reasons.push(Self::new(ReasonKind::Unread, rest, text));
        }
        reasons
    }

    /// The strongest reasons against what stands first; for a skill that is not loaded also how much is missing.
    pub(crate) fn against(reasons: &[Self], decision: &SelectDecision, load: f32, suggest: f32) -> Vec<Self> {
        let counts = |reason: &&Self| reason.share <= -TOO_SMALL && reason.kind != ReasonKind::Bar;
        let mut against: Vec<Self> = reasons.iter().filter(counts).cloned().collect();
        against.sort_by(|a, b| a.share.total_cmp(&b.share));
        against.truncate(NAMED);
        let (level, deed) = match decision {
            SelectDecision::Load { .. } => return against,
            SelectDecision::Suggest { .. } => (load, "loaded"),
            SelectDecision::Nothing => (suggest, "suggested"),
        };
        let Some(bar) = reasons.iter().find(|reason| reason.kind == ReasonKind::Bar) else { return against };
        let needed = log_odds(level) - bar.share;
        let found: f32 = reasons.iter().map(|reason| reason.share).filter(|share| *share > 0.0).sum();
        if found < needed {
            let text =
                format!("too little speaks for it: {found:.1} of the {needed:.1} it takes to be {deed}");
            against.push(Self::new(ReasonKind::Bar, found - needed, text));
        }
        against
    }
}

/// Beyond this a probability is 0 or 1 to the last digit, and a difference means nothing.
fn is_in_reach(log_odds: f32) -> bool {
    log_odds.abs() < 13.0
}

/// The parts of a score, in the measure of the gate.
fn of_score(signals: &Signals, score: &FeatureReport) -> Vec<SelectReason> {
    let weight = score.weight;
    let mut reasons = Vec::new();
    if !signals.voices.is_empty() {
        reasons.push(meaning(&signals.voices, weight));
    }
    let words = &signals.lexical;
    reasons.push(SelectReason::new(ReasonKind::Words, words.share * weight, shared_words(&words.terms)));
    if let Some(triggers) = &signals.triggers {
        let text = format!("the message has its trigger phrase {}", quoted(&triggers.phrases));
        reasons.push(SelectReason::new(ReasonKind::Triggers, triggers.share * weight, text));
    }
    if let Some(prior) = signals.prior.filter(|prior| *prior != 0.0) {
        let text = if prior > 0.0 { "earlier runs count for it" } else { "earlier runs count against it" };
        reasons.push(SelectReason::new(ReasonKind::Learned, prior * weight, text));
    }
    let later = [
        signals.reader.as_ref().map_or(0.0, |reader| reader.share),
        signals.action.as_ref().map_or(0.0, |action| action.share),
    ];
    let first = signals.total() - later.iter().sum::<f32>();
    let unsupported = score.share - first * weight;
    if unsupported.abs() > TOO_SMALL {
        let text = "shared words count only as far as the meaning supports them";
        reasons.push(SelectReason::new(ReasonKind::Unsupported, unsupported, text));
    }
    reasons
}

fn meaning(voices: &[VoiceSignal], weight: f32) -> SelectReason {
    let share: f32 = voices.iter().map(|voice| voice.share).sum();
    let [very_close, close, somewhat_close] = CLOSENESS;
    let text = if voices.iter().all(|voice| voice.cosine.is_none()) {
        "its meaning has not been read yet"
    } else if share >= very_close {
        "its meaning is very close to the message"
    } else if share >= close {
        "its meaning is close to the message"
    } else if share >= somewhat_close {
        "its meaning is somewhat close to the message"
    } else if share >= 0.0 {
        "its meaning is hardly closer to the message than that of an unrelated skill"
    } else {
        "its meaning is further from the message than that of an unrelated skill"
    };
    SelectReason::new(ReasonKind::Meaning, share * weight, text)
}

fn shared_words(terms: &[TermSignal]) -> String {
    let mut named: Vec<&TermSignal> = Vec::new();
    for term in terms {
        if !named.iter().any(|known| known.word == term.word) {
            named.push(term);
        }
    }
    if named.is_empty() {
        return "no word in common".to_owned();
    }
    let place = |field: Field| match field {
        Field::Name => "name",
        Field::Description => "description",
        Field::Triggers => "trigger phrases",
        Field::Body => "text",
    };
    let more = named.len().saturating_sub(WORDS);
    named.truncate(WORDS);
    let words: Vec<String> =
        named.iter().map(|term| format!("“{}” in its {}", term.word, place(term.field))).collect();
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("shared words: {}{rest}", words.join(", "))
}

fn quoted(phrases: &[String]) -> String {
    phrases.iter().map(|phrase| format!("“{phrase}”")).collect::<Vec<_>>().join(", ")
}

fn second_reading(reader: &FeatureReport) -> SelectReason {
    let verdict = if reader.share >= 0.0 { "fits" } else { "does not fit" };
    let text = format!("read together with the message, it {verdict}");
    SelectReason::new(ReasonKind::Reader, reader.share, text)
}

fn sound(share: f32) -> SelectReason {
    let text = if share >= 0.0 {
        "the message sounds like a request"
    } else if share <= REMARK {
        "the message sounds like a remark, not like a request"
    } else {
        "the message alone does not tell whether it asks for anything"
    };
    SelectReason::new(ReasonKind::Request, share, text)
}

#[cfg(test)]
#[path = "reasons_tests.rs"]
mod tests;
