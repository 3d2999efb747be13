//! Any bytes as what a client sends to the gateway.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::gateway::check(bytes));
