//! Any text through each tokenizer, and on to a vector.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz_checks::embed::check_text(text));
