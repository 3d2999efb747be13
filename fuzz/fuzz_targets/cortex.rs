//! Any bytes as a `cortex.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::cortex::check(bytes));
