//! Any bytes as a file of a skill.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::scan::check(bytes));
