//! Which skill a message asks for, or none: the selector of an inventory.
//!
//! The façade introduces three parties that do not know each other: the skills on disk, the encoders, and the
//! arithmetic of selection. It also keeps their vectors across processes.

mod answer;
mod corpus;
mod kept;
mod likeness;
mod message_skills;
mod relevance;
mod selector;
mod vectors;

pub use crate::encoders::ChooseError;
pub(crate) use crate::encoders::Encoders;
pub use answer::{Blocked, Match, MatchDecision, MatchRequest, MatchResult, OverlappingPair};
pub(crate) use corpus::document;
pub(crate) use likeness::TextVectors;
pub use message_skills::{GivenSkills, MessageSkills};
pub(crate) use message_skills::{ListRule, MAX_CHARS, MessageRoom, one_line, prompted};
pub use relevance::Relevance;
pub use selector::{Progress, Selector};
pub(crate) use vectors::is_damaged;
