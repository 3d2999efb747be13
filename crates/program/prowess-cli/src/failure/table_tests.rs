use std::fmt::Write as _;

use super::*;
use prowess_types::ErrorKind;

/// One row for each kind: its code, and how each surface reports it. Codes and numbers are public: they never change.
const TABLE: &str = "\
not-found           1   INVALID_REQUEST 400 -32602
ambiguous           1   INVALID_REQUEST 400 -32602
already-there       1   INVALID_REQUEST 400 -32602
not-agreed          1   INVALID_REQUEST 400 -32602
refused             1   INVALID_REQUEST 400 -32602
not-ready           1   INVALID_REQUEST 400 -32602
conflict            1   INVALID_REQUEST 400 -32602
not-logged-in       1   UNAVAILABLE     503 -32603
usage               2   INVALID_REQUEST 400 -32602
unknown-agent       2   INVALID_REQUEST 400 -32602
no-model            2   UNAVAILABLE     503 -32603
invalid-value       2   INVALID_REQUEST 400 -32602
files               3   UNAVAILABLE     503 -32603
config              3   UNAVAILABLE     503 -32603
no-home             3   UNAVAILABLE     503 -32603
damaged             3   UNAVAILABLE     503 -32603
encoder             3   UNAVAILABLE     503 -32603
network             3   UNAVAILABLE     503 -32603
registry            3   UNAVAILABLE     503 -32603
credentials         3   UNAVAILABLE     503 -32603
address             3   UNAVAILABLE     503 -32603
busy                3   UNAVAILABLE     503 -32603
environment         3   UNAVAILABLE     503 -32603
interrupted         130 UNAVAILABLE     503 -32603
stale               1   INVALID_REQUEST 400 -32603
unknown-method      1   INVALID_REQUEST 404 -32602
needs-confirmation  1   FORBIDDEN       403 -32602
forbidden           1   FORBIDDEN       403 -32602
";

#[test]
fn every_surface_reports_a_kind_in_its_own_way() {
    let mut found = String::new();
    for kind in ErrorKind::ALL {
        let (gateway, http) = prowess_gateway::error_codes(kind);
        let (exit, rpc) = (exit(kind), prowess_mcp::rpc_code(kind));
        let _ = writeln!(found, "{:<19} {exit:<3} {gateway:<15} {http} {rpc}", kind.code());
    }
    assert_eq!(found, TABLE);
}

#[test]
fn every_kind_has_a_meaning_and_help() {
    for kind in ErrorKind::ALL {
        assert!(!meaning(kind).is_empty() && !help(kind).is_empty(), "{kind}");
    }
}
