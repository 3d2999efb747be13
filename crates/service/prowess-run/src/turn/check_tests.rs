use serde_json::json;

use super::*;
use crate::turn::test_support::{call, tools};

fn problem(name: &str, input: Result<Value, String>) -> String {
    let tools = tools(["read", "write", "exec"]);
    let call = ToolCall { input, ..call("1", name, json!({})) };
    check(&tools, &call).err().unwrap_or_default()
}

#[test]
fn a_well_formed_call_passes() {
    assert_eq!(problem("read", Ok(json!({"path": "a", "limit": 3, "more": null}))), "");
    assert_eq!(problem("read", Ok(json!({"path": "a", "limit": null}))), "");
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(
        problem("raed", Ok(json!({}))),
        "there is no tool `raed`; nearest first, there are: read, exec, write"
    );
    assert_eq!(
        problem("read", Err("{\"path\": ".to_owned())),
        "the input of `read` is not a JSON object; it begins with: {\"path\": "
    );
    assert_eq!(
        problem("read", Ok(json!(["a"]))),
        "the input of `read` is not a JSON object; it begins with: [\"a\"]"
    );
    assert_eq!(
        problem("read", Ok(json!({"path": null, "limit": "3"}))),
        "the input of `read` does not fit: `path` is missing; `limit` must be of type \"integer\""
    );
}

#[test]
fn long_names_and_inputs_are_not_repeated_whole() {
    assert!(problem(&"ä".repeat(5000), Ok(json!({}))).len() < 300);
    assert!(problem("read", Err("ä".repeat(5000))).len() < 300);
}

#[test]
fn every_name_becomes_one_that_can_be_sent() {
    assert_eq!(sendable_name("functions.exec"), "functions_exec");
    assert_eq!(sendable_name(""), "unnamed");
    assert_eq!(sendable_name(&"x".repeat(100)).len(), 64);
}
