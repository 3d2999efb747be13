//! Any bytes as a session or as a log of another agent.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::trace::check(bytes));
