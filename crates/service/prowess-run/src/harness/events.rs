//! What the JSON streams of harnesses say, in one vocabulary.
//!
//! A line that is not understood says nothing: streams grow, and a reader must not fail with them.

use prowess_types::Usage;
use serde_json::Value;

use super::OutputKind;

/// Something that a harness told.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    /// The id that continues the session.
    Session(String),
    /// Words of the answer.
    Text(String),
    /// Words of the answer that continue the last ones.
    Delta(String),
    /// The whole last answer.
    Final(String),
    /// Words that are not for the user.
    Thought(String),
    /// A tool is called.
    Call { id: String, tool: String, input: Value },
    /// A tool answered.
    Result { id: String, ok: bool, output: String },
    /// What was used up since the last time.
    Usage(Usage),
    /// It went wrong.
    Error(String),
}

/// What one line, or the one object, of a stream says.
pub(super) fn read(kind: OutputKind, line: &Value) -> Vec<Told> {
    let mut told = Vec::new();
    match kind {
        OutputKind::Text => {}
        OutputKind::Claude => claude(line, &mut told),
        OutputKind::Codex => codex(line, &mut told),
        OutputKind::Opencode => opencode(line, &mut told),
        OutputKind::Pi => pi(line, &mut told),
        OutputKind::Gemini => gemini(line, &mut told),
        OutputKind::Goose => goose(line, &mut told),
        OutputKind::Copilot => copilot(line, &mut told),
        OutputKind::Openclaw => openclaw(line, &mut told),
    }
    told
}

fn claude(line: &Value, told: &mut Vec<Told>) {
    told.extend(text_at(line, "session_id").map(Told::Session));
    match kind_of(line) {
        "assistant" | "user" => {
            // An agent that it started itself answers to it, and not to the user.
            let is_own = line["parent_tool_use_id"].is_null();
            for part in items(&line["message"]["content"]) {
                match (kind_of(part), kind_of(line)) {
                    ("text", "assistant") if is_own => told.extend(text_at(part, "text").map(Told::Text)),
                    ("text", "assistant") => told.extend(text_at(part, "text").map(Told::Thought)),
                    ("thinking", _) => told.extend(text_at(part, "thinking").map(Told::Thought)),
                    ("tool_use", _) => told.push(call(&part["id"], &part["name"], &part["input"])),
                    ("tool_result", _) => {
                        let failed = part["is_error"].as_bool().unwrap_or_default();
                        told.push(result(&part["tool_use_id"], !failed, &part["content"]));
                    }
                    _ => {}
                }
            }
        }
        // Cursor's own: {"readToolCall": {"args": …, "result": …}}.
        "tool_call" => {
            let Some((name, body)) = line["tool_call"].as_object().and_then(|calls| calls.iter().next())
            else {
                return;
            };
            if line["subtype"] == "started" {
                let name = name.strip_suffix("ToolCall").unwrap_or(name);
                told.push(call(&line["call_id"], &name.into(), &body["args"]));
            } else {
                let ok = body["result"].get("error").is_none();
                told.push(result(&line["call_id"], ok, &body["result"]));
            }
        }
        "result" => {
            let usage = &line["usage"];
            let cached = number(usage, "cache_read_input_tokens");
            let output = number(usage, "output_tokens");
            // Claude counts what it cached apart. Those that count it in, such as Qwen, give a total.
            let apart = cached + number(usage, "cache_creation_input_tokens");
            let total = usage.get("total_tokens").and_then(Value::as_u64);
            let input =
                total.map_or(number(usage, "input_tokens") + apart, |total| total.saturating_sub(output));
            told.push(Told::Usage(used(input, output, cached)));
            let text = text_at(line, "result").unwrap_or_default();
            if line["is_error"] == true {
                // In three places, and the last only says of which kind it is.
                let own = Some(text).filter(|text| !text.is_empty());
                let said = own.or_else(|| text_at(&line["error"], "message"));
                told.push(Told::Error(said.or_else(|| text_at(line, "subtype")).unwrap_or_default()));
            } else {
                told.push(Told::Final(text));
            }
        }
        _ => {}
    }
}

fn codex(line: &Value, told: &mut Vec<Told>) {
    told.extend(text_at(line, "thread_id").map(Told::Session));
    let item = &line["item"];
    match (kind_of(line), kind_of(item)) {
        ("item.completed", "agent_message") => told.extend(text_at(item, "text").map(Told::Text)),
        ("item.completed", "reasoning") => told.extend(text_at(item, "text").map(Told::Thought)),
        ("item.completed", "error") => told.extend(text_at(item, "message").map(Told::Thought)),
        ("item.started", "command_execution") => {
            told.push(call(&item["id"], &"shell".into(), &serde_json::json!({ "command": item["command"] })));
        }
        ("item.completed", "command_execution") => {
            let ok = item["exit_code"].as_i64() == Some(0);
            told.push(result(&item["id"], ok, &item["aggregated_output"]));
        }
        ("item.started", "mcp_tool_call") => told.push(call(&item["id"], &item["tool"], &item["arguments"])),
        ("item.completed", "mcp_tool_call") => {
            let failed = !item["error"].is_null();
            let output = if failed { &item["error"]["message"] } else { &item["result"]["content"] };
            told.push(result(&item["id"], !failed, output));
        }
        ("item.completed", "file_change") => {
            told.push(call(&item["id"], &"file_change".into(), &item["changes"]));
            told.push(result(&item["id"], item["status"] != "failed", &item["status"]));
        }
        ("item.completed", "web_search") => {
            told.push(call(
                &item["id"],
                &"web_search".into(),
                &serde_json::json!({ "query": item["query"] }),
            ));
        }
        ("turn.completed", _) => {
            let usage = &line["usage"];
            let cached = number(usage, "cached_input_tokens");
            told.push(Told::Usage(used(
                number(usage, "input_tokens"),
                number(usage, "output_tokens"),
                cached,
            )));
        }
        ("turn.failed", _) => told.extend(text_at(&line["error"], "message").map(Told::Error)),
        ("error", _) => told.extend(text_at(line, "message").map(Told::Error)),
        _ => {}
    }
}

fn opencode(line: &Value, told: &mut Vec<Told>) {
    told.extend(text_at(line, "sessionID").map(Told::Session));
    let part = &line["part"];
    match kind_of(line) {
        "text" => told.extend(text_at(part, "text").map(Told::Text)),
        "reasoning" => told.extend(text_at(part, "text").map(Told::Thought)),
        "tool_use" => {
            let state = &part["state"];
            told.push(call(&part["callID"], &part["tool"], &state["input"]));
            let failed = state["status"] == "error";
            let output = if failed { &state["error"] } else { &state["output"] };
            told.push(result(&part["callID"], !failed, output));
        }
        "step_finish" => {
            let tokens = &part["tokens"];
            let cached = number(&tokens["cache"], "read");
            let input = number(tokens, "input") + cached + number(&tokens["cache"], "write");
            told.push(Told::Usage(used(input, number(tokens, "output"), cached)));
        }
        "error" => {
            let error = &line["error"];
            let message = text_at(&error["data"], "message").or_else(|| text_at(error, "message"));
            told.push(Told::Error(message.or_else(|| text_at(error, "name")).unwrap_or_default()));
        }
        _ => {}
    }
}

fn pi(line: &Value, told: &mut Vec<Told>) {
    match kind_of(line) {
        "session" => told.extend(text_at(line, "id").map(Told::Session)),
        "message_end" if line["message"]["role"] == "assistant" => {
            let message = &line["message"];
            for part in items(&message["content"]) {
                match kind_of(part) {
                    "text" => told.extend(text_at(part, "text").map(Told::Text)),
                    "thinking" => told.extend(text_at(part, "thinking").map(Told::Thought)),
                    _ => {}
                }
            }
            told.push(used_apart(&message["usage"]));
            if message["stopReason"] == "error" {
                told.push(Told::Error(text_at(message, "errorMessage").unwrap_or_default()));
            }
        }
        "tool_execution_start" => told.push(call(&line["toolCallId"], &line["toolName"], &line["args"])),
        "tool_execution_end" => {
            let ok = line["isError"] != true;
            told.push(result(&line["toolCallId"], ok, &line["result"]["content"]));
        }
        _ => {}
    }
}

fn gemini(line: &Value, told: &mut Vec<Told>) {
    match kind_of(line) {
        "init" => told.extend(text_at(line, "session_id").map(Told::Session)),
        "message" if line["role"] == "assistant" => {
            let text = text_at(line, "content");
            told.extend(if line["delta"] == true { text.map(Told::Delta) } else { text.map(Told::Text) });
        }
        "tool_use" => told.push(call(&line["tool_id"], &line["tool_name"], &line["parameters"])),
        "tool_result" => {
            let ok = line["status"] == "success";
            let output = if ok { &line["output"] } else { &line["error"]["message"] };
            told.push(result(&line["tool_id"], ok, output));
        }
        "result" => {
            let stats = &line["stats"];
            let (input, output) = (number(stats, "input_tokens"), number(stats, "output_tokens"));
            told.push(Told::Usage(used(input, output, number(stats, "cached"))));
            if line["status"] == "error" {
                told.push(Told::Error(text_at(&line["error"], "message").unwrap_or_default()));
            }
        }
        _ => {}
    }
}

fn goose(line: &Value, told: &mut Vec<Told>) {
    told.extend(text_at(line, "session_id").map(Told::Session));
    match kind_of(line) {
        "message" => {
            let message = &line["message"];
            for part in items(&message["content"]) {
                match kind_of(part) {
                    "text" if message["role"] == "assistant" => {
                        told.extend(text_at(part, "text").map(Told::Delta));
                    }
                    "thinking" => told.extend(text_at(part, "thinking").map(Told::Thought)),
                    "toolRequest" => {
                        let asked = &part["toolCall"]["value"];
                        told.push(call(&part["id"], &asked["name"], &asked["arguments"]));
                    }
                    "toolResponse" => {
                        let answer = &part["toolResult"];
                        let content = answer["value"].get("content").unwrap_or(&answer["value"]);
                        told.push(result(&part["id"], answer["status"] == "success", content));
                    }
                    _ => {}
                }
            }
        }
        "complete" => told.push(Told::Usage(used(number(line, "total_tokens"), 0, 0))),
        "error" => told.extend(text_at(line, "error").map(Told::Error)),
        _ => {}
    }
}

fn copilot(line: &Value, told: &mut Vec<Told>) {
    let data = &line["data"];
    match kind_of(line) {
        "assistant.message" => {
            told.extend(text_at(data, "reasoningText").map(Told::Thought));
            let text = text_at(data, "content").filter(|text| !text.is_empty());
            // An agent that it started itself answers to it, and not to the user.
            let is_own = data["parentToolCallId"].is_null();
            told.extend(text.map(if is_own { Told::Text } else { Told::Thought }));
        }
        "tool.execution_start" => {
            told.push(call(&data["toolCallId"], &data["toolName"], &data["arguments"]));
        }
        "tool.execution_complete" => {
            let ok = data["success"] == true;
            let output = if ok { &data["result"]["content"] } else { &data["error"]["message"] };
            told.push(result(&data["toolCallId"], ok, output));
        }
        "session.error" => told.extend(text_at(data, "message").map(Told::Error)),
        "result" => told.extend(text_at(line, "sessionId").map(Told::Session)),
        _ => {}
    }
}

fn openclaw(line: &Value, told: &mut Vec<Told>) {
    told.extend(text_at(line, "sessionId").map(Told::Session));
    told.extend(text_at(line, "final").map(Told::Text));
    told.push(used_apart(&line["usage"]));
    if line["ok"] == false {
        told.push(Told::Error(text_at(&line["error"], "message").unwrap_or_default()));
    }
}

fn kind_of(value: &Value) -> &str {
    value["type"].as_str().unwrap_or_default()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text_at(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

fn used(input_tokens: u64, output_tokens: u64, cached_tokens: u64) -> Usage {
    Usage { input_tokens, output_tokens, cached_tokens, requests: 1 }
}

/// The usage of Pi, and of OpenClaw, which is made with it: what was cached is counted apart.
fn used_apart(usage: &Value) -> Told {
    let cached = number(usage, "cacheRead");
    let input = number(usage, "input") + cached + number(usage, "cacheWrite");
    Told::Usage(used(input, number(usage, "output"), cached))
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn call(id: &Value, tool: &Value, input: &Value) -> Told {
    Told::Call { id: word(id), tool: word(tool), input: input.clone() }
}

fn result(id: &Value, ok: bool, output: &Value) -> Told {
    Told::Result { id: word(id), ok, output: plain(output) }
}

/// The text of an output: a string, a list of texts, or JSON.
fn plain(output: &Value) -> String {
    match output {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) if parts.iter().all(|part| part["text"].is_string()) => {
            parts.iter().map(|part| word(&part["text"])).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
