//! Any text as code of some language, and as a document.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::effects::check(text));
