use insta::assert_snapshot;

use crate::import::tests::lines_of;
use crate::{ImportKind, import};

const LOG: &str = include_str!("../../tests/fixtures/openpocket.jsonl");

#[test]
fn a_session_is_read() {
    assert_snapshot!(lines_of(ImportKind::Openpocket, LOG), @r#"
    {"at":1771927201000,"type":"session","format":1,"session":"20260224-100000","agent":"openpocket","workspace":"/home/me/pocket","importedFrom":"openpocket"}
    {"at":1771927201000,"run":"r1","type":"run_started","message":"Post my last photo","backend":{"kind":"harness","name":"openpocket","model":"gpt-5"}}
    {"at":1771927203000,"run":"r1","type":"tool_call","id":"step-1","tool":"launch_app","input":{"type":"launch_app","packageName":"com.example.photos"},"step":{"number":1,"thought":"Open the app first.","app":"com.android.launcher"}}
    {"at":1771927203000,"run":"r1","type":"tool_result","id":"step-1","ok":true,"output":"App launched.","ms":1500}
    {"at":1771927206000,"run":"r1","type":"tool_call","id":"step-2","tool":"tap_element","input":{"type":"tap_element","elementId":"e7"},"step":{"number":2,"app":"com.example.photos","uiTarget":{"text":"Share","resourceId":"com.example:id/share","clickable":true}}}
    {"at":1771927206000,"run":"r1","type":"tool_result","id":"step-2","ok":false,"output":"Tapped.\ncapability_probe count=1 camera/active pkg=com.example.photos src=appops conf=0.90\nhuman_auth_probe capability=camera status=approved","ms":300}
    {"at":1771927206000,"run":"r1","type":"capability_probe","capability":"camera","phase":"active","details":{"count":"1","pkg":"com.example.photos","src":"appops","conf":"0.90"}}
    {"at":1771927206000,"run":"r1","type":"human_auth","capability":"camera","answer":"approved"}
    {"at":1771927207000,"run":"r1","type":"notice","kind":"loop_guard","text":"event text"}
    {"at":1771927209000,"run":"r1","type":"tool_call","id":"step-3","tool":"request_human_auth","input":{"type":"request_human_auth","capability":"oauth"},"step":{"number":3,"thought":"Ask for the login."}}
    {"at":1771927209000,"run":"r1","type":"tool_result","id":"step-3","ok":true,"output":"Human auth approved","ms":9}
    {"at":1771927209000,"run":"r1","type":"human_auth","capability":"oauth","answer":"Human auth approved"}
    {"at":1771927210000,"run":"r1","type":"answer","text":"Posted."}
    {"at":1771927210000,"run":"r1","type":"run_ended","outcome":{"result":"success","by":"agent"},"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"requests":0},"ms":9000}
    {"at":1771927500000,"run":"r2","type":"run_started","message":"Now delete it","backend":{"kind":"harness","name":"openpocket","model":"gpt-5"}}
    {"at":1771927501000,"run":"r2","type":"tool_call","id":"step-4","tool":"tap","input":{"type":"tap"},"step":{"number":1,"thought":"Delete.","app":"com.example.photos"}}
    {"at":1771927501000,"run":"r2","type":"tool_result","id":"step-4","ok":false,"output":"Action execution error: element not found","ms":20}
    {"at":1771927502000,"run":"r2","type":"answer","text":"The photo is gone already."}
    {"at":1771927502000,"run":"r2","type":"run_ended","outcome":{"result":"runtime_error","by":"agent","detail":"The photo is gone already."},"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"requests":0},"ms":2000}
    {"at":1771927503000,"type":"foreign","entry":{"type":"custom","id":"a14","parentId":"a13","timestamp":"2026-02-24T10:05:03.000Z","customType":"openpocket_dream","data":{}}}
    "#);
}

#[test]
fn every_entry_is_accounted_for() {
    let report = import(ImportKind::Openpocket, LOG.as_bytes()).report;
    assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r#"
    {
      "entries": 15,
      "foreign": {
        "custom/openpocket_dream": 1
      },
      "skipped": {
        "openpocket_action_trace": 2,
        "openpocket_session_meta": 1,
        "session-bootstrap": 1
      },
      "masked": 0,
      "unread": [],
      "moreUnread": 0
    }
    "#);
}

#[test]
fn the_oldest_files_are_read() {
    let log = include_str!("../../tests/fixtures/openpocket-oldest.jsonl");
    assert_snapshot!(lines_of(ImportKind::Openpocket, log), @r#"
    {"at":1767258001000,"type":"session","format":1,"session":"20260101-090000","agent":"openpocket","workspace":"/home/me/pocket","importedFrom":"openpocket"}
    {"at":1767258001000,"run":"r1","type":"run_started","message":"Turn on the light","backend":{"kind":"harness","name":"openpocket"}}
    {"at":1767258002000,"run":"r1","type":"tool_call","id":"step-1","tool":"tap","input":{"type":"tap","x":1,"y":2},"step":{"number":1,"thought":"Try."}}
    {"at":1767258002000,"run":"r1","type":"tool_result","id":"step-1","ok":false,"output":"Action execution error: element not found"}
    {"at":1767258003000,"run":"r1","type":"answer","text":"Task stopped by the user."}
    {"at":1767258003000,"run":"r1","type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"requests":0},"ms":2000,"stopped":true}
    "#);
}
