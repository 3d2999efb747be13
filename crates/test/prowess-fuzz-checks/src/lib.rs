//! The properties that hold for every input, one module per reader.
//!
//! Each `check` takes any input, runs the reader, and panics when a promise of its crate is broken. The targets in
//! `fuzz/fuzz_targets` pass on the inputs of the fuzzer; `tests/it/seeds.rs` passes on the committed seeds, so a
//! finding that was turned into a seed stays found.
//!
//! Where there are many ways to read an input, each input is read in a few of them, which `Choice` picks:
//! a run of millions covers all, and every input costs little.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a broken promise stops the fuzzer or the test")]

pub mod archive;
pub mod config;
pub mod cortex;
pub mod effects;
pub mod embed;
pub mod forge;
pub mod gateway;
pub mod hook;
pub mod json5;
pub mod lockfile;
pub mod prompt;
pub mod registry;
pub mod scan;
pub mod select;
pub mod skill;
pub mod trace;

/// Picks by the bytes of the input, so that the same input always means the same choice.
pub(crate) struct Choice(u64);

impl Choice {
    /// FNV-1a of the bytes, with its bits mixed once more: neighbours should choose differently.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(hash ^ (hash >> 29))
    }

    /// One of the items; each call uses up some of the choice.
    pub(crate) fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let count = items.len() as u64;
        let index = self.0 % count;
        self.0 /= count;
        &items[usize::try_from(index).unwrap_or_default()]
    }
}
