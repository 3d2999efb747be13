//! Any bytes as a session, a foreign log or a command line, made a draft of.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::forge::check(bytes));
