use serde_json::json;

use super::*;

fn called(id: &str, tool: &str, input: Value) -> Told {
    Told::Call { id: id.into(), tool: tool.into(), input }
}

fn answered(id: &str, ok: bool, output: &str) -> Told {
    Told::Result { id: id.into(), ok, output: output.into() }
}

fn tells(kind: OutputKind, lines: &[Value], expected: &[Told]) {
    let told: Vec<Told> = lines.iter().flat_map(|line| read(kind, line)).collect();
    assert_eq!(told, expected);
}

#[test]
fn claude_and_those_that_follow_it() {
    tells(
        OutputKind::Claude,
        &[
            json!({"type": "system", "subtype": "init", "session_id": "s"}),
            json!({"type": "assistant", "message": {"content": [
                {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "t", "name": "Skill", "input": {"skill": "prowess:weather"}},
            ]}}),
            json!({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "ok"}]},
            ]}}),
            json!({"type": "tool_call", "subtype": "started", "call_id": "c", "tool_call": {"readToolCall": {"args": {"path": "a"}}}}),
            json!({"type": "tool_call", "subtype": "completed", "call_id": "c", "tool_call": {"readToolCall": {"args": {}, "result": {"error": "no"}}}}),
            json!({"type": "result", "subtype": "success", "is_error": false, "result": "Rain.",
                "usage": {"input_tokens": 1, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 3}}),
            json!({"type": "result", "subtype": "error_max_turns", "is_error": true}),
        ],
        &[
            Told::Session("s".into()),
            Told::Thought("hm".into()),
            Told::Text("Let me see.".into()),
            called("t", "Skill", json!({"skill": "prowess:weather"})),
            answered("t", true, "ok"),
            called("c", "read", json!({"path": "a"})),
            answered("c", false, "{\"error\":\"no\"}"),
            Told::Usage(used(7, 3, 4)),
            Told::Final("Rain.".into()),
            Told::Usage(used(0, 0, 0)),
            Told::Error("error_max_turns".into()),
        ],
    );
}

#[test]
fn codex() {
    tells(
        OutputKind::Codex,
        &[
            json!({"type": "thread.started", "thread_id": "th"}),
            json!({"type": "item.started", "item": {"id": "i", "type": "command_execution", "command": "ls"}}),
            json!({"type": "item.completed", "item": {"id": "i", "type": "command_execution", "aggregated_output": "a\n", "exit_code": 1}}),
            json!({"type": "item.completed", "item": {"id": "m", "type": "agent_message", "text": "Done."}}),
            json!({"type": "turn.completed", "usage": {"input_tokens": 10, "cached_input_tokens": 5, "output_tokens": 2}}),
            json!({"type": "turn.failed", "error": {"message": "no"}}),
            json!({"type": "something.new"}),
        ],
        &[
            Told::Session("th".into()),
            called("i", "shell", json!({"command": "ls"})),
            answered("i", false, "a\n"),
            Told::Text("Done.".into()),
            Told::Usage(used(10, 2, 5)),
            Told::Error("no".into()),
        ],
    );
}

#[test]
fn opencode() {
    tells(
        OutputKind::Opencode,
        &[
            json!({"type": "tool_use", "part": {"callID": "c", "tool": "skill", "state": {"status": "completed", "input": {"name": "weather"}, "output": "ok"}}}),
            json!({"type": "text", "sessionID": "ses", "part": {"text": "Hello."}}),
            json!({"type": "step_finish", "part": {"tokens": {"input": 3, "output": 1, "cache": {"read": 2}}}}),
            json!({"type": "error", "error": {"name": "ProviderAuthError", "data": {"message": "log in"}}}),
        ],
        &[
            called("c", "skill", json!({"name": "weather"})),
            answered("c", true, "ok"),
            Told::Session("ses".into()),
            Told::Text("Hello.".into()),
            Told::Usage(used(5, 1, 2)),
            Told::Error("log in".into()),
        ],
    );
}

#[test]
fn pi_gemini_goose_and_openclaw() {
    tells(
        OutputKind::Pi,
        &[
            json!({"type": "session", "id": "p"}),
            json!({"type": "tool_execution_start", "toolCallId": "t", "toolName": "read", "args": {"path": "x"}}),
            json!({"type": "tool_execution_end", "toolCallId": "t", "isError": false, "result": {"content": [{"type": "text", "text": "x"}]}}),
            json!({"type": "message_end", "message": {"role": "user", "content": [{"type": "text", "text": "no"}]}}),
            json!({"type": "message_end", "message": {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "usage": {"input": 1, "output": 2, "cacheRead": 3}}}),
        ],
        &[
            Told::Session("p".into()),
            called("t", "read", json!({"path": "x"})),
            answered("t", true, "x"),
            Told::Text("Hi.".into()),
            Told::Usage(used(4, 2, 3)),
        ],
    );
    tells(
        OutputKind::Gemini,
        &[
            json!({"type": "init", "session_id": "g"}),
            json!({"type": "message", "role": "user", "content": "q"}),
            json!({"type": "message", "role": "assistant", "content": "Hel", "delta": true}),
            json!({"type": "tool_use", "tool_id": "t", "tool_name": "activate_skill", "parameters": {"name": "weather"}}),
            json!({"type": "tool_result", "tool_id": "t", "status": "error", "error": {"message": "no"}}),
        ],
        &[
            Told::Session("g".into()),
            Told::Delta("Hel".into()),
            called("t", "activate_skill", json!({"name": "weather"})),
            answered("t", false, "no"),
        ],
    );
    tells(
        OutputKind::Goose,
        &[
            json!({"type": "message", "message": {"role": "assistant", "content": [
                {"type": "text", "text": "Hi"},
                {"type": "toolRequest", "id": "t", "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}}},
            ]}}),
            json!({"type": "message", "message": {"role": "user", "content": [
                {"type": "toolResponse", "id": "t", "toolResult": {"status": "success", "value": [{"type": "text", "text": "a"}]}},
            ]}}),
        ],
        &[Told::Delta("Hi".into()), called("t", "shell", json!({"command": "ls"})), answered("t", true, "a")],
    );
    tells(
        OutputKind::Openclaw,
        &[
            json!({"ok": false, "final": "Part.", "sessionId": "o", "usage": {"input": 2, "output": 1}, "error": {"message": "late"}}),
        ],
        &[
            Told::Session("o".into()),
            Told::Text("Part.".into()),
            Told::Usage(used(2, 1, 0)),
            Told::Error("late".into()),
        ],
    );
}

#[test]
fn nonsense_says_nothing() {
    for kind in [
        OutputKind::Claude,
        OutputKind::Codex,
        OutputKind::Opencode,
        OutputKind::Pi,
        OutputKind::Gemini,
        OutputKind::Goose,
    ] {
        for line in [
            json!(null),
            json!([]),
            json!(1),
            json!("x"),
            json!({}),
            json!({"type": 1}),
            json!({"type": "message"}),
        ] {
            assert_eq!(read(kind, &line), [], "{kind:?} {line}");
        }
    }
}
