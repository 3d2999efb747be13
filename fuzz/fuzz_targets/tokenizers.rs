//! Any text through each tokenizer, and on to a vector.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| prowess_fuzz::embed::check_text(text));
