//! Whatever a client writes, the server answers every request and goes on.

use serde_json::{Map, Value, json};

use crate::support::{McpHome as _, Raw, full};

/// A generator of its own: the same cases in every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % sides
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.throw(of.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        const TEXTS: [&str; 12] = [
            "",
            "tea",
            "skill://tea/SKILL.md",
            "skill://tea/../x",
            "skill://%",
            "after:",
            "after:tea",
            "\u{0}",
            "日本",
            "../../etc/passwd",
            "hidden",
            "ref/resource",
        ];
        match self.throw(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => (self.throw(2) == 0).into(),
            2 => json!([-1, 0, 7, 1_i64 << 60][self.throw(4)]),
            3 | 4 => (*self.one(&TEXTS)).into(),
            5 => (0..self.throw(4)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        const KEYS: [&str; 14] = [
            "name",
            "arguments",
            "uri",
            "cursor",
            "message",
            "file",
            "ref",
            "argument",
            "value",
            "type",
            "skill",
            "result",
            "command",
            "requestState",
        ];
        let fields: Map<String, Value> = (0..self.throw(5))
            .map(|_| ((*self.one(&KEYS)).to_owned(), self.value(depth.saturating_sub(1))))
            .collect();
        fields.into()
    }
}

#[tokio::test]
async fn every_request_is_answered() {
    const METHODS: [&str; 16] = [
        "tools/call",
        "tools/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "resources/directory/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "skills/list",
        "skills/get",
        "ping",
        "initialize",
        "",
    ];
    const TOOLS: [&str; 6] =
        ["skill_search", "skill_read", "skill_list", "skill_run_command", "skill_install", "cortex_record"];
    let home = full();
    let mut client = Raw::begin(&home.server()).await;
    let mut dice = Dice(0x5eed);
    for _ in 0..600 {
        let method = *dice.one(&METHODS);
        let mut params = if dice.throw(4) == 0 { dice.value(3) } else { dice.object(3) };
        if method == "tools/call" && params.is_object() && dice.throw(2) == 0 {
            params["name"] = (*dice.one(&TOOLS)).into();
            params.as_object_mut().unwrap().remove("requestState");
        }
        let answer = client.ask(method, params.clone()).await;
        let (result, error) = (answer.get("result"), answer.get("error"));
        assert!(result.is_some() != error.is_some(), "{method} {params}\n{answer}");
        let code = error.map(|error| error["code"].as_i64().unwrap_or_default());
        assert!(code.is_none_or(|code| (-32602..=-32600).contains(&code)), "{method} {params}\n{answer}");
    }
    assert!(client.ask("tools/list", json!({})).await["result"].is_object());
    client.end().await.unwrap();
    assert!(!home.workspace().join("skills/cake").exists());
}
