//! What was learned from the skills that were used: events in, weights, reflexes and lessons out.
//!
//! An [`Event`] is a line of the log. A [`CortexState`] is the fold of the log under a set of [`Rules`]:
//! *sensory* patterns (signals that name a region), *motor* candidates with weights, *prefrontal* lessons. Every
//! answer (listing, fast path, retention offer, prior) is a question to a state, with the clock passed in.
//!
//! What this crate refuses to do: read a file or the clock, or remember anything that is not in an event.
//!
//! ```
//! use prowess_cortex::{CortexState, Event, EventKind, OutcomeEvent, Rules};
//! use prowess_types::OutcomeResult;
//!
//! let outcome = OutcomeEvent::new("todo", "todoist-cli", "1.2.0", OutcomeResult::Success);
//! let event = Event::new("01JD0000000000000000000000", 1_771_891_200_000, EventKind::Outcome(outcome));
//! let mut state = CortexState::default();
//! state.apply(&event, Rules::AsWritten);
//! assert_eq!(state.listing("todo", event.clock, Rules::AsWritten)[0].effective, 0.575);
//! ```

mod candidate;
pub mod constants;
mod day;
mod delta;
mod document;
mod event;
mod file;
mod flow;
mod import;
mod learn;
mod lessons;
mod perceive;
mod prior;
mod prune;
mod rules;
mod signals;
pub mod simulate;
mod state;
mod vector;
mod view;
mod weight;

pub use candidate::{CortexCandidate, LastFail, Runs, UNKNOWN_SIDE_EFFECT, blocks_reflex};
pub use day::Day;
pub use delta::ValueDelta;
pub use document::{
    CortexFile, LedgerEntry, Lesson, LessonKind, LessonRef, LongTermRecord, Pattern, Region, Stats,
};
pub use event::{
    EVENT_FORMAT, Event, EventKind, Forgotten, Import, MalformedEvent, OutcomeEvent, ReflexWithdrawal,
    RetentionEvent, Tenure,
};
pub use file::{FileError, Reading, read_document, recover, write_document};
pub use flow::{Recovery, SideEffectMark, Switch, Switches, mark, recovery};
pub use perceive::{Perception, RegionMatch, lexical_similarity, region_name};
pub use prior::{PriorSettings, SkillPrior};
pub use rules::Rules;
pub use signals::{gist, signals, tools, vocabulary_words};
pub use state::{CortexState, FOLD_VERSION};
pub use vector::TaskVector;
pub use view::{FastPath, Listed, Unlisted, WhyHidden, WhyNot};
