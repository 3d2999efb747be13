//! The learned prior of a selector: a port that the crate of learning implements.

use std::fmt;

use super::Context;
use crate::choose_error::ChooseError;

/// A message as a prior reads it.
#[derive(Clone, Copy, Debug)]
pub struct PriorQuery<'a> {
    /// The message.
    pub text: &'a str,
    /// The time, in milliseconds since 1970.
    pub now: u64,
    /// The vectors of the message, by encoder.
    pub vectors: &'a [(&'a str, &'a [f32])],
}

/// A push for skills that did such tasks well, in the units of a score.
pub trait SelectorPrior: Send + Sync {
    /// Returns the push for each skill, in the order of the names; none if no learned task resembles the message.
    fn push(&self, query: &PriorQuery<'_>, names: &[&str]) -> Result<Option<Vec<f32>>, ChooseError>;
}

/// Opens the prior of each new selector.
pub trait PriorSource: fmt::Debug + Send + Sync {
    /// Returns the prior of a context.
    fn open(&self, context: &Context) -> Box<dyn SelectorPrior>;
}
