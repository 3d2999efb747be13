//! Any entries and any budget as a catalogue.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::prompt::check(bytes));
