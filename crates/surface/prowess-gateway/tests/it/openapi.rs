//! The OpenAPI document.

use serde_json::Value;

use crate::raw::ask_known;
use crate::support::{GatewayHome as _, Home};

/// Every place that a document refers to.
fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_method_is_described_and_nothing_refers_to_nowhere() {
    let address = Home::new().start().await.address;
    let text = |line: &'static str| async move { ask_known(address, line, &[], "").await.body };
    let document: Value = serde_json::from_str(&text("GET /api/v1/openapi.json").await).unwrap();
    let list: Value = serde_json::from_str(&text("GET /api/v1").await).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    for method in list["methods"].as_array().unwrap() {
        let operation = &document["paths"][method["path"].as_str().unwrap()]["post"];
        assert_eq!(operation["operationId"], method["name"]);
        assert!(operation["requestBody"]["content"]["application/json"]["schema"].is_object());
        for status in ["200", "400", "401", "403", "413", "415", "429", "503"] {
            assert!(operation["responses"][status].is_object(), "{method} {status}");
        }
    }
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("a place in the document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}
