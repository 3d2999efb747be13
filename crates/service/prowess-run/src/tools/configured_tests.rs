use super::*;

fn error(value: Value) -> String {
    ConfiguredTool::from_value("tool", &value).expect_err("an error").to_string()
}

#[test]
fn each_type_is_read() {
    let command = json!({ "type": "command", "command": ["say", "{text}"], "description": "Says it",
        "input": { "type": "object" }, "timeoutMs": 1500, "stdin": "none" });
    let command = ConfiguredTool::from_value("say", &command).expect("a tool");
    assert_eq!(command.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(
        command.kind,
        ToolKind::Command { argv: vec!["say".into(), "{text}".into()], input: CommandInput::None }
    );
    let http = json!({ "type": "http", "url": "https://chat.example/hook/planted", "description": "Posts", "method": "put",
        "headers": { "Authorization": "Bearer abc" }, "body": "json" });
    let http = ConfiguredTool::from_value("post", &http).expect("a tool");
    let ToolKind::Http { reach, method } = &http.kind else { panic!("{http:?}") };
    assert_eq!((reach.url.as_str(), method.as_str()), ("https://chat.example/hook/planted", "PUT"));
    assert_eq!(reach.headers["Authorization"].expose(), "Bearer abc");
    let shown = format!("{http:?}");
    assert!(
        shown.contains("https://chat.example") && !shown.contains("planted") && !shown.contains("abc"),
        "{shown}"
    );
    assert_eq!(http.secrets().map(Secret::expose).collect::<Vec<_>>(), ["Bearer abc"]);
    assert_eq!(command.secrets().count(), 0);
    let mcp = json!({ "type": "mcp", "command": ["server"], "tool": "one" });
    let mcp = ConfiguredTool::from_value("git", &mcp).expect("a tool");
    let transport = McpTransport::Command(vec!["server".into()]);
    assert_eq!(mcp.kind, ToolKind::Mcp { transport, tool: Some("one".into()) });
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(error(json!([])), "`tools.tool` must be an object");
    assert_eq!(error(json!({})), "`tools.tool.type` must be `command`, `http` or `mcp`");
    assert_eq!(
        error(json!({ "type": "command", "command": "ls -l", "description": "d" })),
        "`tools.tool.command` must be a list of texts: the program, then its arguments"
    );
    assert_eq!(
        error(json!({ "type": "command", "command": ["./run"], "description": "d" })),
        "`tools.tool.command` must be a program by its bare name or its absolute path"
    );
    assert_eq!(
        error(json!({ "type": "command", "command": ["ls"] })),
        "`tools.tool.description` must be a text that says what the tool is for"
    );
    assert_eq!(
        error(json!({ "type": "command", "command": ["ls"], "description": "d", "shell": true })),
        "`tools.tool.shell` is unknown here; known are `type`, `description`, `input`, `timeoutMs`, `command`, `stdin`"
    );
    assert_eq!(
        error(json!({ "type": "http", "url": "http://chat.example/", "description": "d" })),
        "`tools.tool.url` is refused: `http` is used to reach this machine only (`allowInsecure` allows it)"
    );
    assert_eq!(
        error(json!({ "type": "mcp", "command": ["a"], "url": "https://chat.example/" })),
        "`tools.tool.command` must be there, or else `url`, but not both"
    );
    assert_eq!(
        error(json!({ "type": "command", "command": ["ls"], "description": "d", "timeoutMs": 0 })),
        "`tools.tool.timeoutMs` must be a number of milliseconds above 0"
    );
}

#[test]
fn errors_never_show_what_might_be_secret() {
    for headers in
        [json!("planted-secret"), json!({ "A": ["planted-secret"] }), json!({ "A": "planted-secret\n" })]
    {
        let text = error(
            json!({ "type": "http", "url": "https://chat.example/", "description": "d", "headers": headers }),
        );
        assert!(text.contains("headers") && !text.contains("planted"), "{text}");
    }
}

#[test]
fn names_fit_every_api() {
    let value = json!({ "type": "command", "command": ["ls"], "description": "d" });
    for name in ["", "a b", "ä", "a.b", &"x".repeat(65)] {
        assert!(matches!(ConfiguredTool::from_value(name, &value), Err(ToolConfigError::Name(_))), "{name}");
    }
}
