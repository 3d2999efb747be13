//! What holds for every input, one module per reader.
//!
//! Each `check` takes an input that nobody has looked at, runs the reader, and panics when a promise of its
//! crate is broken. The targets in `fuzz_targets` only hand over what the fuzzer made up; `tests/seeds.rs`
//! hands over the committed seeds, so a finding that was turned into a seed stays found.

pub mod config;
pub mod json5;
pub mod prompt;
pub mod skill;
