//! Any skills and any message.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::select::check(text));
