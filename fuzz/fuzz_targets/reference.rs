//! Any text as what a user names to get a skill.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::registry::check_reference(text));
