//! Any bytes as frontmatter and body of a skill that is scanned with what it declares.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_fuzz_checks::scan::check_skill(bytes));
