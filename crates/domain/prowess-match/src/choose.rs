//! The selector of an inventory: finds the skill that a message asks for, or none.
//!
//! It introduces three parties that do not know each other: the skills on disk, the encoders, and the
//! arithmetic of selection. It also keeps their vectors across processes.

mod corpus;
mod kept;
mod likeness;
mod prepare;
mod reading;
mod rows;
mod selector;
mod vectors;

pub use corpus::document;
pub use likeness::{TextVectors, likeness, likeness_to};
pub(crate) use prowess_context::ChooseError;
pub use prowess_inventory::Progress;
pub use rows::OverlappingPair;
pub use selector::Selector;
pub use vectors::is_damaged;
