//! Fingerprints that the real OpenPocket computed.

use prowess_forge::{EpisodeStep, fingerprint, preimage};
use serde_json::Value;

#[test]
fn openpocket_computes_the_same() {
    let cases: Value =
        serde_json::from_str(include_str!("../fixtures/fp-001-fingerprints.json")).expect("JSON");
    let cases = cases["expected"].as_array().expect("cases");
    assert_eq!(cases.len(), 10);
    for case in cases {
        let steps: Vec<EpisodeStep> = case["traces"]
            .as_array()
            .expect("traces")
            .iter()
            .map(|trace| EpisodeStep {
                kind: trace["action"]["type"].as_str().expect("a type").to_owned(),
                input: trace["action"].clone(),
                is_phone: true,
                app: trace["currentApp"].as_str().map(str::to_owned),
                ..EpisodeStep::default()
            })
            .collect();
        assert_eq!(preimage(&steps), case["preimage"].as_str().expect("a preimage"), "{}", case["title"]);
        assert_eq!(fingerprint(&steps), case["fingerprint"].as_str().expect("digits"), "{}", case["title"]);
    }
}
