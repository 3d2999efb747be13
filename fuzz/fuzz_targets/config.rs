//! Any text as a config file.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::config::check(text));
