//! Any bytes as the input of a hook, or as the settings of a harness.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::hook::check(bytes));
