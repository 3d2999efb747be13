//! Any bytes as what a client sends to the gateway.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prowess_gateway::check_client(bytes));
