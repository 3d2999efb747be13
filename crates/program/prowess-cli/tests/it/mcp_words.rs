//! What the tools of `prowess mcp` say in words and in fields. Claude Code and Codex give the model the fields alone,
//! other hosts the words alone, so neither may lack what the other has.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use boon::{Compiler, Schemas};
use prowess_testkit::SkillFile;
use serde_json::{Value, json};

use crate::support::{Home, Program as _};

/// A host that agrees to everything.
struct Host {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Host {
    fn start(home: &Home) -> Self {
        let mut command = home.process();
        command.arg("mcp").env("PATH", "/usr/bin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut host = Self { child, input, lines, next: 0 };
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "host", "version": "1"},
        });
        host.ask("initialize", &params);
        host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        host
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    /// The result of a request; questions that come before it are agreed to.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let line = self.lines.next().expect("the server is there").unwrap();
            let message: Value = serde_json::from_str(&line).expect("a line of JSON");
            if message["method"] == "elicitation/create" {
                let form = json!({"install": true, "answer": "once", "call": true});
                let result = json!({"action": "accept", "content": form});
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
            } else if message["id"] == id {
                assert!(message["error"].is_null(), "{method} {params}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn home() -> Home {
    let home = Home::new();
    home.tree.write(
        "ws/skills/tea/SKILL.md",
        SkillFile::new("tea")
            .description("Brew a cup of tea.")
            .body("# Tea\n\nBoil water for $ARGUMENTS.\n")
            .text(),
    );
    home.tree.write("ws/skills/tea/docs/white.md", "White tea likes 80 °C.\n");
    home.tree.write("ws/skills/tea/leaf.bin", [0xFF, 0x00, 0xFE]);
    home.tree.write(
        "ws/skills/note/SKILL.md",
        SkillFile::new("note")
            .description("Keeps a note.")
            .fields("command-dispatch: tool\ncommand-tool: keep\n")
            .body("x\n")
            .text(),
    );
    home.tree.write(
        "elsewhere/cake/SKILL.md",
        SkillFile::new("cake").description("Bake a cake.").body("Mix.\n").text(),
    );
    home.config("{tools: {keep: {type: 'command', command: ['cat'], stdin: 'json', description: 'Keeps.'}}}");
    home
}

/// Calls of every tool, with what the fields must contain; a tool without one is not tested, which the test reports.
fn calls(home: &Home) -> Vec<(&'static str, Value, &'static str)> {
    let cake = home.tree.path("elsewhere/cake").display().to_string();
    vec![
        ("skill_search", json!({"message": "brew me a cup of tea"}), "tea"),
        ("skill_search", json!({"message": "thanks"}), "nothing"),
        ("skill_read", json!({"name": "tea"}), "Boil water"),
        ("skill_read", json!({"name": "tea", "file": "docs/white.md"}), "White tea likes 80 °C."),
        ("skill_read", json!({"name": "tea", "file": "leaf.bin"}), "leaf.bin"),
        ("skill_list", json!({}), "Brew a cup of tea."),
        ("skill_list", json!({"all": true}), "Brew a cup of tea."),
        ("skill_run_command", json!({"command": "/tea", "args": "Ada"}), "Boil water for Ada."),
        ("skill_run_command", json!({"command": "note", "args": "buy milk"}), "buy milk"),
        ("cortex_perceive", json!({"task": "count the stars", "offline": true, "anyway": true}), "stars"),
        ("cortex_record", json!({"skill": "tea", "result": "success", "task": "brew tea"}), "tea"),
        ("skill_install", json!({"reference": cake}), "cake"),
    ]
}

/// Whether a text is a part of some string in a value.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(fields) => fields.values().any(|field| holds(field, text)),
        _ => false,
    }
}

fn assert_valid(schema: &Value, value: &Value) {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource("schema.json", schema.clone()).expect("a schema");
    let index = compiler.compile("schema.json", &mut schemas).expect("a schema that holds together");
    schemas.validate(value, index).unwrap_or_else(|error| panic!("{error}\n{value}"));
}

#[test]
fn what_a_tool_says_in_words_is_in_its_fields() {
    let home = home();
    let mut host = Host::start(&home);
    let tools = host.ask("tools/list", &json!({}))["tools"].clone();
    let calls = calls(&home);
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let ours: Vec<_> = calls.iter().filter(|(of, ..)| *of == name).collect();
        assert!(!ours.is_empty(), "`{name}` is not called by this test");
        for (_, arguments, expected) in ours {
            let result = host.call(name, arguments);
            assert_ne!(result["isError"], true, "{name} {arguments}: {result}");
            let fields = &result["structuredContent"];
            assert_valid(&tool["outputSchema"], fields);
            assert!(holds(fields, expected), "{name} {arguments}: no {expected:?} in {fields}");
            let texts =
                result["content"].as_array().unwrap().iter().filter_map(|block| block["text"].as_str());
            let mut count = 0;
            for text in texts {
                count += 1;
                let is_all = serde_json::from_str::<Value>(text).is_ok_and(|value| value == *fields);
                assert!(is_all || holds(fields, text), "{name} {arguments}: {text:?} is not in {fields}");
            }
            assert!(count > 0, "{name} {arguments}: {result}");
        }
        // Fields beside an error would hide its words from the same hosts.
        let refused = host.call(name, &json!({"stray": 1}));
        assert_eq!(refused["isError"], true, "{name}: {refused}");
        assert!(refused["structuredContent"].is_null(), "{name}: {refused}");
        assert!(
            refused["content"][0]["text"].as_str().is_some_and(|text| text.contains("stray")),
            "{refused}"
        );
    }
}
