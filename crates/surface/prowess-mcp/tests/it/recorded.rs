//! What a host does with skills counts like what our own agents do.

use prowess_sessions::SessionFilter;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::support::{McpHome as _, Raw, TEA, full};

#[tokio::test]
async fn searches_loads_and_outcomes_are_a_session() {
    let home = full();
    let mut client = Raw::begin(&home.server()).await;
    let mut call = async |name: &str, arguments: serde_json::Value| {
        let answer = client.ask("tools/call", json!({"name": name, "arguments": arguments})).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        answer["result"]["structuredContent"].clone()
    };
    call("skill_search", json!({"message": "brew me a cup of tea"})).await;
    let read = call("skill_read", json!({"name": "tea"})).await;
    let digest = prowess_types::ContentHash(Sha256::digest(TEA).into());
    assert_eq!(read["digest"], format!("sha256:{digest}"));
    // A file of it is not the skill.
    call("skill_read", json!({"name": "tea", "file": "docs/deep/c.md"})).await;
    call("cortex_record", json!({"skill": "tea", "result": "success", "task": "brew a cup of tea"})).await;
    call("skill_search", json!({"message": "what is the capital of Mongolia?"})).await;
    client.end().await.unwrap();

    let sessions = home.engine().sessions().list(&SessionFilter::default());
    let [session] = sessions.as_slice() else { panic!("one session, not {}", sessions.len()) };
    let runs: Vec<_> = session
        .summary
        .runs
        .iter()
        .map(|run| (run.message.as_str(), run.skills.join(" "), format!("{:?}", run.outcome.result)))
        .collect();
    insta::assert_debug_snapshot!(runs, @r#"
    [
        (
            "brew me a cup of tea",
            "tea",
            "Success",
        ),
        (
            "what is the capital of Mongolia?",
            "",
            "Unknown",
        ),
    ]
    "#);
    assert_eq!(session.summary.runs[0].backend.name, "raw");
}
