//! Any bytes as an archive.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::archive::check(bytes));
