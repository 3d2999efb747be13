use insta::assert_snapshot;

use crate::import::tests::lines_of;
use crate::{ImportKind, import};

const LOG: &str = include_str!("../../tests/fixtures/openclaw.jsonl");

#[test]
fn a_session_is_read() {
    assert_snapshot!(lines_of(ImportKind::Openclaw, LOG), @r##"
    {"at":1788249601000,"type":"session","format":1,"session":"3f1c9d4e-1111-4222-8333-444455556666","agent":"openclaw","workspace":"/home/me/clawd","importedFrom":"openclaw"}
    {"at":1788249601000,"run":"r1","type":"run_started","message":"Transcribe this voice note","backend":{"kind":"harness","name":"openclaw","model":"claude-sonnet-4-5"}}
    {"at":1788249603000,"run":"r1","type":"thought","text":"whisper it is"}
    {"at":1788249603000,"run":"r1","type":"tool_call","id":"call_1","tool":"read","input":{"path":"/home/me/clawd/skills/whisper/SKILL.md"}}
    {"at":1788249603200,"run":"r1","type":"tool_result","id":"call_1","ok":true,"output":"# Whisper"}
    {"at":1788249603200,"run":"r1","type":"activation","skill":"whisper","path":"/home/me/clawd/skills/whisper/SKILL.md","by":"read"}
    {"at":1788249605000,"run":"r1","type":"tool_call","id":"call_2","tool":"exec","input":{"command":"whisper note.ogg"}}
    {"at":1788249605500,"run":"r1","type":"tool_result","id":"call_2","ok":false,"output":"sh: 1: whisper: not found\n\n(Command exited with code 127)","exitCode":127,"ms":12}
    {"at":1788249607000,"run":"r1","type":"answer","text":"whisper is not installed."}
    {"at":1788249660000,"run":"r1","type":"tool_call","id":"b7","tool":"bash","input":{"command":"ls"}}
    {"at":1788249660000,"run":"r1","type":"tool_result","id":"b7","ok":true,"output":"note.ogg","exitCode":0}
    {"at":1788249661000,"run":"r1","type":"foreign","entry":{"type":"custom","id":"c1","parentId":"b7","timestamp":"2026-09-01T08:01:01.000Z","customType":"plugin-state","data":{"token":"abcd…"}}}
    {"at":1788249720000,"run":"r1","type":"notice","kind":"compacted","text":"A voice note could not be transcribed."}
    {"at":1788249660000,"run":"r1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":360,"outputTokens":32,"cachedTokens":300,"requests":3},"ms":59000}
    {"at":1788249780000,"run":"r2","type":"run_started","message":"Never mind","backend":{"kind":"harness","name":"openclaw","model":"claude-sonnet-4-5"}}
    {"at":1788249783000,"run":"r2","type":"foreign","entry":{"type":"hologram","id":"d4","parentId":"d3","timestamp":"2026-09-01T08:03:03.000Z"}}
    {"at":1788249780000,"run":"r2","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"requests":0},"ms":0,"stopped":true}
    "##);
}

#[test]
fn every_entry_is_accounted_for() {
    let report = import(ImportKind::Openclaw, LOG.as_bytes()).report;
    assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r##"
    {
      "entries": 16,
      "foreign": {
        "custom/plugin-state": 1,
        "hologram": 1
      },
      "skipped": {
        "label": 1,
        "thinking_level_change": 1
      },
      "masked": 1,
      "unread": [],
      "moreUnread": 0
    }
    "##);
}
