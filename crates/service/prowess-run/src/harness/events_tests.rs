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
            json!({"type": "assistant", "parent_tool_use_id": "a", "message": {"content": [
                {"type": "text", "text": "I found it."},
            ]}}),
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
            json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "error": {"message": "log in"}}),
        ],
        &[
            Told::Session("s".into()),
            Told::Thought("I found it.".into()),
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
            Told::Usage(used(0, 0, 0)),
            Told::Error("log in".into()),
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
fn copilot() {
    tells(
        OutputKind::Copilot,
        &[
            json!({"type": "assistant.message", "data": {"content": "", "reasoningText": "hm"}}),
            json!({"type": "assistant.message", "data": {"content": "I found it.", "parentToolCallId": "t"}}),
            json!({"type": "tool.execution_complete", "data": {"toolCallId": "t", "success": false, "error": {"message": "denied"}}}),
            json!({"type": "session.error", "data": {"message": "nobody there"}}),
        ],
        &[
            Told::Thought("hm".into()),
            Told::Thought("I found it.".into()),
            answered("t", false, "denied"),
            Told::Error("nobody there".into()),
        ],
    );
}

/// What the programs wrote when a server of ours asked for one tool and then said that the sky is clear, without
/// the parts that say nothing.
#[test]
fn streams_of_the_programs_themselves() {
    let lines = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    macro_rules! recorded {
        ($name:literal) => {
            include_str!(concat!("../../tests/data/streams/", $name))
        };
    }
    let streams = [
        (OutputKind::Claude, lines(recorded!("claude.jsonl"))),
        (OutputKind::Claude, lines(recorded!("qwen.jsonl"))),
        (OutputKind::Codex, lines(recorded!("codex.jsonl"))),
        (OutputKind::Copilot, lines(recorded!("copilot.jsonl"))),
        (OutputKind::Gemini, lines(recorded!("gemini.jsonl"))),
        (OutputKind::Opencode, lines(recorded!("opencode.jsonl"))),
        (OutputKind::Pi, lines(recorded!("pi.jsonl"))),
        (OutputKind::Openclaw, vec![serde_json::from_str(recorded!("openclaw.json")).expect("JSON")]),
    ];
    for (kind, lines) in streams {
        let mut usage = Usage::default();
        let mut answers = Vec::new();
        let mut steps = Vec::new();
        for told in lines.iter().flat_map(|line| read(kind, line)) {
            match told {
                Told::Session(id) => assert!(id.len() > 20, "{kind:?}: {id}"),
                Told::Text(text) | Told::Delta(text) => answers.push(text),
                Told::Final(text) => assert_eq!(Some(&text), answers.last(), "{kind:?}"),
                Told::Call { id, input, .. } => {
                    assert!(input.to_string().contains("weather-report"), "{kind:?}: {input}");
                    steps.push(id);
                }
                Told::Result { id, ok, output } => {
                    assert!(ok && output.contains("weather-report"), "{kind:?}: {output}");
                    assert_eq!(steps.pop(), Some(id), "{kind:?}");
                    steps.push("done".to_owned());
                }
                Told::Usage(more) => usage += more,
                Told::Thought(_) => {}
                Told::Error(error) => panic!("{kind:?}: {error}"),
            }
        }
        let tells_steps = kind != OutputKind::Openclaw;
        let first = tells_steps.then_some("Let me look.");
        assert_eq!(answers, first.into_iter().chain(["The sky is clear."]).collect::<Vec<_>>(), "{kind:?}");
        assert_eq!(steps.len(), usize::from(tells_steps), "{kind:?}");
        let counted = (usage.input_tokens, usage.output_tokens, usage.cached_tokens);
        assert_eq!(counted, if kind == OutputKind::Copilot { (0, 0, 0) } else { (34, 6, 8) }, "{kind:?}");
    }
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
        OutputKind::Copilot,
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
