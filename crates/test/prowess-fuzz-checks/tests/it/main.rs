//! The promises of the readers, without a fuzzer.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a broken seed should stop the test that uses it, which names it"
)]

mod seeds;
