use insta::assert_snapshot;

use crate::import::tests::lines_of;
use crate::{ImportKind, import};

const LOG: &str = include_str!("../../tests/fixtures/claude-code.jsonl");

#[test]
fn a_session_is_read() {
    assert_snapshot!(lines_of(ImportKind::ClaudeCode, LOG), @r#"
    {"at":1768906800000,"type":"session","format":1,"session":"4f35e220-c435-4cf7-b9b9-f40426042847","agent":"claude-code","workspace":"/home/me/project","importedFrom":"claude-code"}
    {"at":1768906800000,"type":"notice","kind":"summary","text":"Weather and a build"}
    {"at":1768906800000,"run":"r1","type":"run_started","message":"Will it rain in Bern?","backend":{"kind":"harness","name":"claude-code","model":"claude-opus-4-5"}}
    {"at":1768906802000,"run":"r1","type":"thought","text":"There is a skill for that."}
    {"at":1768906803000,"run":"r1","type":"tool_call","id":"toolu_1","tool":"Skill","input":{"skill":"weather","args":"Bern"}}
    {"at":1768906803100,"run":"r1","type":"tool_result","id":"toolu_1","ok":true,"output":"Launching skill: weather"}
    {"at":1768906803100,"run":"r1","type":"activation","skill":"weather","path":"/home/me/.claude/skills/weather/SKILL.md","by":"harness"}
    {"at":1768906805000,"run":"r1","type":"tool_call","id":"toolu_2","tool":"Bash","input":{"command":"curl -H 'x-api-key: abcd…' wttr.in/Bern","description":"Ask"}}
    {"at":1768906806000,"run":"r1","type":"tool_result","id":"toolu_2","ok":false,"output":"Exit code 6\ncurl: (6) Could not resolve host: wttr.in","exitCode":6}
    {"at":1768906808000,"run":"r1","type":"answer","text":"I cannot reach the service."}
    {"at":1768906808000,"run":"r1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":2215,"outputTokens":69,"cachedTokens":2100,"requests":3},"ms":8000}
    {"at":1768906920000,"run":"r2","type":"run_started","message":"/release 1.2","backend":{"kind":"harness","name":"claude-code","model":"claude-opus-4-5"}}
    {"at":1768906920000,"run":"r2","type":"activation","skill":"release","path":"/home/me/project/.claude/skills/release/SKILL.md","by":"command"}
    {"at":1768906925000,"run":"r2","type":"tool_call","id":"toolu_3","tool":"Task","input":{"description":"Check","prompt":"Check the changelog","subagent_type":"general-purpose"}}
    {"at":1768906926000,"run":"r2.1","type":"run_started","message":"Check the changelog","backend":{"kind":"harness","name":"claude-code","model":"claude-haiku-4-5"},"parent":"r2"}
    {"at":1768906929000,"run":"r2.1","type":"answer","text":"It is fine."}
    {"at":1768906930000,"run":"r2","type":"tool_result","id":"toolu_3","ok":true,"output":"It is fine."}
    {"at":1768906980000,"run":"r2","type":"notice","kind":"compacted","text":"Conversation compacted"}
    {"at":1768906981000,"run":"r2","type":"foreign","entry":{"type":"system","subtype":"hologram","content":"?","timestamp":"2026-01-20T11:03:01.000Z"}}
    {"at":1768906982000,"run":"r2","type":"foreign","entry":{"type":"mood","value":"good","timestamp":"2026-01-20T11:03:02.000Z"}}
    {"at":1768906930000,"run":"r2","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":2,"outputTokens":3,"cachedTokens":0,"requests":1},"ms":10000,"stopped":true}
    {"at":1768906929000,"run":"r2.1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":4,"outputTokens":4,"cachedTokens":0,"requests":1},"ms":3000}
    "#);
}

#[test]
fn every_entry_is_accounted_for() {
    let report = import(ImportKind::ClaudeCode, LOG.as_bytes()).report;
    assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r#"
    {
      "entries": 23,
      "foreign": {
        "mood": 1,
        "system/hologram": 1
      },
      "skipped": {
        "file-history-snapshot": 1,
        "local command": 1,
        "user (meta)": 1
      },
      "masked": 1,
      "unread": [
        {
          "line": 23,
          "reason": "not JSON: EOF while parsing a string at line 1 column 20",
          "raw": "{\"type\":\"user\",\"mess"
        }
      ],
      "moreUnread": 0
    }
    "#);
}
