//! Any text as a lock file.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::lockfile::check(text));
