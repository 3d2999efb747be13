//! Which skill a message asks for, or none, and why.
//!
//! An [`Index`] holds the skills as [`SelectDocument`]s: their words, and the vectors that encoders made of them. A
//! [`Query`] is compared with all of them along a [`Route`], and the [`Selection`] tells which rows fit, how sure
//! that is, what to do, and what would have changed it.
//!
//! The score of a skill depends on the message, that skill and constants ([`Calibration`]), never on the other
//! skills: adding one does not reorder the others, and one skill is judged like one of 100,000. Only what the
//! user says outright is certain ([`Certain`]); everything an author writes about a skill is a claim, and is weighed.
//!
//! What this crate refuses to do: encode. Whoever calls it brings the vectors; without any it goes by words alone.

mod bridge;
mod calibration;
mod clauses;
mod commands;
mod counterfactual;
mod document;
mod evidence;
mod gate;
mod index;
mod judge;
mod kernel;
mod language;
mod lexical;
pub mod metrics;
pub mod overlap;
mod paths;
mod phrases;
mod query;
mod rarity;
mod search;
mod select;
mod selection;
mod stop;
mod terms;
mod vectors;
mod words;

pub use bridge::Bridge;
pub use calibration::{Calibration, CalibrationError, Languages, Route, Voice};
pub use clauses::clauses;
pub use document::{BODY_CHARS, Field, SelectDocument};
pub use gate::{Feature, FeatureReport, Gate, GateReport};
pub use index::Index;
pub use language::{Detection, detect};
pub use lexical::TermSignal;
pub use query::{Clause, Query, SelectOptions};
pub use selection::{
    Certain, Counterfactual, Eligibility, LexicalSignal, Ranked, SelectDecision, Selection, Signals,
    ThresholdLevel, TriggerSignal, VoiceSignal,
};
pub use vectors::VectorError;
