//! What was learned from the skills that were used: events in, weights, reflexes and lessons out.
//!
//! What this crate refuses to do: read a file or the clock, or remember anything that is not in an event.
