//! Which skill a message asks for, or none: the selector of an inventory.
//!
//! The façade introduces three parties that do not know each other: the skills on disk, the encoders, and the
//! arithmetic of selection. It also keeps their vectors across processes.

mod corpus;
mod kept;
mod likeness;
mod rows;
mod selector;
mod vectors;

pub use crate::choose_error::ChooseError;
pub(crate) use crate::encoders::Encoders;
pub use rows::OverlappingPair;
pub(crate) use corpus::document;
pub(crate) use likeness::TextVectors;
pub use selector::{Progress, Selector};
pub(crate) use vectors::is_damaged;
