//! From a session that worked to a draft of a skill.
//!
//! A run of a session becomes an [`Episode`]: the task and the steps that worked. [`draft`] makes a [`Draft`] of it:
//! `SKILL.md`, a replay script, and the messages that should find the skill.
//!
//! What a person did is theirs; what a skill says is everybody's. So nothing of a trace is copied into a draft but
//! what is known to be general: words that a [`Filter`] lets through, names of programs, flags, identifiers of apps.
//! Everything else (paths, texts, dates, names, keys) becomes a *parameter* of the script. The values of the
//! parameters are given apart from the draft ([`Forged::values`]), for whoever wants to replay it; they are never
//! part of it.
//!
//! What this crate refuses to do: run anything, open files, look at the clock, or let a skill into a prompt.

mod action;
mod argument;
mod calendar;
mod description;
mod diff;
mod document;
mod draft;
mod episode;
mod fingerprint;
mod foreign;
mod material;
mod parameter;
mod phone;
mod quote;
mod script;
mod shell;
mod slug;
#[cfg(test)]
mod test_support;
mod wording;
mod words;
mod worth;

pub use calendar::{iso, stamp};
pub use description::descriptions;
pub use diff::diff;
pub use document::{promoted, redescribed};
pub use draft::draft;
pub use episode::{Episode, EpisodeStep, episode};
pub use fingerprint::{fingerprint, preimage};
pub use foreign::{foreign_messages, general_requests};
pub use material::{Confidence, Draft, DraftOptions, Forged, MaterialLayout, Needs, Replay, TriggerCases};
pub use parameter::{Parameter, ParameterKind, Values};
pub use slug::{has_stamp, mixed_slug, strict_slug, without_stamp};
pub use wording::{Paraphrase, ParaphraseKind, Wording, describe, is_general_word, paraphrases, wording};
pub use words::{Filter, phrase};
pub use worth::{NotWorth, worth};
