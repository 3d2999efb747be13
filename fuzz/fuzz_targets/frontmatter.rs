//! Any bytes as a skill.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::skill::check(bytes));
