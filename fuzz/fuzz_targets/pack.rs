//! Any bytes as an encoder pack.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::embed::check_pack(bytes));
