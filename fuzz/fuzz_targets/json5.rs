//! Any text as JSON5.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::json5::check(text));
