use insta::assert_snapshot;

use crate::import::tests::lines_of;
use crate::{ImportKind, import};

const LOG: &str = include_str!("../../tests/fixtures/codex.jsonl");

#[test]
fn a_session_is_read() {
    assert_snapshot!(lines_of(ImportKind::Codex, LOG), @r#"
    {"at":1783102501100,"type":"session","format":1,"session":"019a2d7a-41c4-78b1-b7cc-a45d62a89cd5","agent":"codex","workspace":"/repo","importedFrom":"codex"}
    {"at":1783102501100,"run":"r1","type":"run_started","message":"List the open pull requests with $github","backend":{"kind":"harness","name":"codex","model":"gpt-5.2-codex"}}
    {"at":1783102501200,"run":"r1","type":"activation","skill":"github","path":"/home/me/.codex/skills/github/SKILL.md","by":"reference"}
    {"at":1783102503000,"run":"r1","type":"thought","text":"**Looking for gh**"}
    {"at":1783102503100,"run":"r1","type":"tool_call","id":"call_1","tool":"exec_command","input":{"cmd":"gh pr list","workdir":"/repo"}}
    {"at":1783102504000,"run":"r1","type":"tool_result","id":"call_1","ok":false,"output":"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 4\nOutput:\nHTTP 401: Bad credentials (https://api.github.com/graphql)\n","exitCode":4}
    {"at":1783102506000,"run":"r1","type":"answer","text":"You are not logged in."}
    {"at":1783102506000,"run":"r1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":14475,"outputTokens":216,"cachedTokens":2432,"requests":1},"ms":4900}
    {"at":1783102800000,"run":"r2","type":"run_started","message":"Then add a line to NOTES.md","backend":{"kind":"harness","name":"codex","model":"gpt-5.2-codex"}}
    {"at":1783102802000,"run":"r2","type":"tool_call","id":"call_2","tool":"apply_patch","input":"*** Begin Patch\n*** Update File: NOTES.md\n+line\n*** End Patch"}
    {"at":1783102802500,"run":"r2","type":"tool_result","id":"call_2","ok":true,"output":"Success. Updated the following files:\nM NOTES.md\n","exitCode":0}
    {"at":1783102802600,"run":"r2","type":"tool_call","id":"web_search_1","tool":"web_search","input":{"type":"search","query":"markdown"}}
    {"at":1783102802700,"run":"r2","type":"tool_call","id":"call_3","tool":"local_shell","input":{"type":"exec","command":["cat","skills/notes/SKILL.md"]}}
    {"at":1783102802800,"run":"r2","type":"tool_result","id":"call_3","ok":true,"output":"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n# Notes","exitCode":0}
    {"at":1783102802800,"run":"r2","type":"activation","skill":"notes","path":"skills/notes/SKILL.md","by":"read"}
    {"at":1783102805000,"run":"r2","type":"notice","kind":"compacted","text":"Summary of the conversation"}
    {"at":1783102806000,"run":"r2","type":"foreign","entry":{"timestamp":"2026-07-03T18:20:06.000Z","type":"response_item","payload":{"type":"hologram","data":1}}}
    {"at":1783102802800,"run":"r2","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":5525,"outputTokens":84,"cachedTokens":1568,"requests":1},"ms":2800,"stopped":true}
    "#);
}

#[test]
fn every_entry_is_accounted_for() {
    let report = import(ImportKind::Codex, LOG.as_bytes()).report;
    assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r#"
    {
      "entries": 27,
      "foreign": {
        "response_item/hologram": 1
      },
      "skipped": {
        "event_msg/agent_message": 1,
        "event_msg/agent_reasoning": 1,
        "event_msg/task_started": 1,
        "event_msg/token_count": 3,
        "message (context)": 1,
        "message (instructions)": 1,
        "turn_context": 1,
        "user message (again)": 2
      },
      "masked": 0,
      "unread": [],
      "moreUnread": 0
    }
    "#);
}

#[test]
fn the_oldest_files_are_read() {
    let log = include_str!("../../tests/fixtures/codex-oldest.jsonl");
    assert_snapshot!(lines_of(ImportKind::Codex, log), @r#"
    {"at":1746638661123,"type":"session","format":1,"session":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","agent":"codex","workspace":"","importedFrom":"codex"}
    {"at":1746638661123,"run":"r1","type":"run_started","message":"run the tests","backend":{"kind":"harness","name":"codex"}}
    {"at":1746638661123,"run":"r1","type":"tool_call","id":"call_1","tool":"shell","input":{"command":["bash","-lc","pytest"]}}
    {"at":1746638661123,"run":"r1","type":"tool_result","id":"call_1","ok":false,"output":"bash: pytest: command not found\n","exitCode":127}
    {"at":1746638661123,"run":"r1","type":"answer","text":"pytest is missing."}
    {"at":1746638661123,"run":"r1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"requests":0},"ms":0}
    "#);
}
