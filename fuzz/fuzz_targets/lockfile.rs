//! Any text as a lock file.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz::lockfile::check(text));
