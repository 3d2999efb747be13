//! Any bytes between the fences of a skill, so that every run reaches YAML.
#![no_main]

libfuzzer_sys::fuzz_target!(|block: &[u8]| prowess_fuzz_checks::skill::check_block(block));
