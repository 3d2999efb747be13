//! The promises of the readers, without a fuzzer.

mod seeds;
