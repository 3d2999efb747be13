//! Which skill a message asks for, or none, and why.
//!
//! An [`Index`] holds the skills as [`SelectDocument`]s: their words, and the vectors that encoders made of them. A
//! [`Query`] is compared with all of them along a [`Route`], and the [`Selection`] tells which rows fit, how sure
//! that is, what to do, and what would have changed it.
//!
//! The score of a skill depends on the message, that skill and constants ([`Calibration`]), never on the other
//! skills: adding one does not reorder the others, and one skill is judged like one of 100,000. The best few may be read
//! again by a [`SecondReader`]; those that are not read stand behind those that are. Only what the
//! user says outright is certain ([`Certain`]); everything an author writes about a skill is a claim, and is weighed.
//!
//! What this crate refuses to do: encode. Whoever calls it brings the vectors; without any it goes by words alone.

mod action;
mod bridge;
mod calibration;
mod clauses;
mod commands;
mod conversation;
mod counterfactual;
mod decision;
mod document;
mod evidence;
mod gate;
mod index;
mod judge;
mod judged;
mod kernel;
mod language;
mod lexical;
pub mod metrics;
pub mod overlap;
mod paths;
mod phrases;
mod query;
mod rarity;
mod reading;
mod reasons;
mod search;
mod select;
mod selection;
mod signals;
mod stop;
mod terms;
mod vectors;
mod words;

pub use action::action;
pub use bridge::Bridge;
pub use calibration::{Calibration, CalibrationError, Languages, Route, SecondReading, Voice};
pub use clauses::clauses;
pub use conversation::{FollowUpRule, KeepReason, PlainChoice, PlainReason};
pub use decision::SelectDecision;
pub use document::{BODY_CHARS, Field, SelectDocument};
pub use gate::{Feature, FeatureReport, Gate, GateReport};
pub use index::Index;
pub use language::{Detection, detect};
pub use lexical::TermSignal;
pub use query::{Clause, Query, SecondReader, SelectOptions};
pub use rarity::has_known_word;
pub use reasons::{ReasonKind, SelectReason};
pub use selection::{Certain, Counterfactual, Eligibility, Ranked, Selection, ThresholdLevel};
pub use signals::{ActionSignal, LexicalSignal, ReaderSignal, Signals, TriggerSignal, VoiceSignal};
pub use vectors::VectorError;
