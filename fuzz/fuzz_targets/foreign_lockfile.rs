//! Any text as a lockfile of the registry's client or of another tool.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::registry::check_lockfile(text));
