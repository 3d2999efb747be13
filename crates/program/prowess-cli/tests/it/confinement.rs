//! What a run cannot reach: the state folder under any name, a home that nobody allowed, keys in files.
#![allow(clippy::print_stderr, reason = "a test that cannot run here says so")]

use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below};

/// Planted in files of the state folder. It is no configured secret, so nothing masks it.
const PLANTED: &str = "planted-in-the-state-folder";
/// A key of the config.
const KEY: &str = "s3cret-Wq7xV2mPzK41";
const TOKEN: &str = "gateway-token-Jd8Fh2Lq0Zx5";

/// Every kind of file that a state folder has.
const STATE_FILES: [&str; 14] = [
    "prowess.json",
    "gateway/open.html",
    "gateway/devices.json",
    "sessions/old/trace.jsonl",
    "cache/skills.bin",
    "cache/deep/er/file",
    "state.db",
    "cortex.json",
    "trust.json.bak",
    "exec-approvals.json",
    "forge/draft/SKILL.md",
    "cron/jobs.json",
    "node.json",
    "agents/main/agent/auth-profiles.json",
];

/// A home with a full state folder, a managed skill, and a model that calls these tools one after the other.
fn home(calls: &[(&str, Value)]) -> Home {
    let home = Home::new();
    for file in STATE_FILES.iter().filter(|file| **file != "prowess.json") {
        home.tree.write(&format!(".prowess/{file}"), format!("{{\"x\":\"{PLANTED}\"}}\n"));
    }
    home.skill(".prowess/skills/managed", "managed", "");
    script(&home, calls);
    home
}

/// The text of a state file; of one that the engine could not read, the copy that was moved aside.
fn kept(home: &Home, file: &str) -> String {
    let path = home.tree.path(&format!(".prowess/{file}"));
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let beside = path.parent().expect("a folder").read_dir().expect("it can be listed").flatten();
    let own = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with(&name));
    let texts: Vec<String> = own.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).collect();
    texts.iter().find(|text| text.contains(PLANTED)).cloned().unwrap_or_else(|| texts.join("\n"))
}

fn script(home: &Home, calls: &[(&str, Value)]) {
    let mut steps: Vec<Value> =
        calls.iter().map(|(tool, input)| json!({ "call": tool, "input": input })).collect();
    steps.push(json!({ "say": "Done." }));
    home.tree.write("script.json", json!([{ "when": "x", "steps": steps }]).to_string());
    let config = json!({
        "note": PLANTED,
        "agents": { "defaults": { "model": "test/scripted" } },
        "models": { "providers": { "test": { "api": "script", "script": "$ROOT/script.json" } } },
        "tools": { "exec": { "policy": "allow" }, "write": { "policy": "allow" } },
        "gateway": { "auth": { "token": TOKEN } },
        "skills": { "entries": { "weather": { "apiKey": KEY, "env": { "OTHER_KEY": "0ther-Value-77" } } } },
    });
    home.config(&config.to_string());
}

fn exec(command: &str) -> (&'static str, Value) {
    ("exec", json!({ "command": command }))
}

fn read(path: &str) -> (&'static str, Value) {
    ("read", json!({ "path": path }))
}

fn run(home: &Home, folder: &str, args: &[&str]) -> Ran {
    let mut command = home.command();
    command.env("PATH", format!("{}:/usr/bin:/bin", home.tree.path("bin").display()));
    command.current_dir(home.tree.path(folder)).args(args);
    home.finish(&mut command)
}

/// The events of the last session.
fn events(home: &Home) -> Vec<Value> {
    let ran = run(home, "ws", &["sessions", "export", "last", "--format", "jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Whether each call worked and what it said.
fn results(home: &Home) -> Vec<(bool, String)> {
    let results = events(home).into_iter().filter(|event| event["type"] == "tool_result");
    results
        .map(|event| (event["ok"] == json!(true), event["output"].as_str().unwrap_or_default().to_owned()))
        .collect()
}

/// Whether commands are confined here, else it is said.
fn is_confined(home: &Home) -> bool {
    let told = events(home).iter().any(|event| event["type"] == "notice" && event["kind"] == "sandbox");
    if told {
        eprintln!("skipped for `exec`: this kernel does not confine programs");
    }
    !told
}

fn assert_nothing_planted(home: &Home, results: &[(bool, String)], is_confined: bool) {
    for (place, (_, text)) in results.iter().enumerate() {
        assert!(!is_confined || !text.contains(PLANTED), "call {place}: {text}");
    }
    for file in files_below(&home.tree.path("ws")) {
        let text = std::fs::read_to_string(home.tree.path(&format!("ws/{file}"))).unwrap_or_default();
        assert!(!is_confined || !text.contains(PLANTED), "{file}");
    }
}

#[test]
fn no_tool_reaches_any_file_of_the_state_folder() {
    let mut calls = Vec::new();
    for file in STATE_FILES {
        calls.push(read(&format!("~/.prowess/{file}")));
        calls.push(("write", json!({ "path": format!("~/.prowess/{file}"), "content": "x" })));
        calls.push(exec(&format!(
            "cat ~/.prowess/{file}; echo x >> ~/.prowess/{file}; cat /proc/self/root$HOME/.prowess/{file}"
        )));
    }
    calls.push(exec(
        "cp -r ~/.prowess copy; ln ~/.prowess/state.db link; mv ~/.prowess moved; rm -rf ~/.prowess/gateway",
    ));
    calls.push(exec("cat ~/.prowess/skills/managed/SKILL.md && mktemp && echo kept > note && cat note"));
    calls.push(read("~/.prowess/skills/managed/SKILL.md"));
    let home = home(&calls);
    // Where programs put temporary files lies around the state folder here.
    let ran = run(&home, "ws", &["run", "x", "--json"]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    let results = results(&home);
    assert_eq!(results.len(), calls.len());
    let is_confined = is_confined(&home);
    assert_nothing_planted(&home, &results, is_confined);
    for (place, (tool, _)) in
        calls.iter().enumerate().filter(|(_, call)| call.0 != "exec").take(2 * STATE_FILES.len())
    {
        assert!(!results[place].0, "{tool} {place}: {:?}", results[place]);
    }
    if is_confined {
        for file in STATE_FILES {
            let text = kept(&home, file);
            assert!(text.contains(PLANTED) && !text.contains("x\n\n"), "{file}: {text}");
        }
        let [.., (worked, said), _] = results.as_slice() else { panic!("{results:?}") };
        assert!(*worked && said.contains("# managed") && said.ends_with("kept\n"), "{said}");
    }
    assert!(
        results.last().is_some_and(|(worked, said)| *worked && said.contains("# managed")),
        "{results:?}"
    );
}

#[test]
fn a_home_is_a_workspace_only_after_a_yes_and_hides_the_state_folder_even_then() {
    let home = home(&[
        read("~/.prowess/prowess.json"),
        read(".prowess/gateway/open.html"),
        exec(
            "cat ~/.prowess/prowess.json .prowess/gateway/open.html .prowess/state.db; cat ws/note; echo more >> ws/note",
        ),
        ("write", json!({ "path": ".prowess/prowess.json", "content": "{}" })),
        read("ws/note"),
    ]);
    home.tree.write("ws/note", "a note\n");
    for folder in ["", ".."] {
        let ran = run(&home, folder, &["run", "x"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("error[not-agreed]") && ran.stderr.contains("home folder"), "{ran:?}");
        assert!(
            ran.stderr.contains("--workspace DIR") && ran.stderr.contains("--allow-workspace"),
            "{ran:?}"
        );
    }
    for folder in [".prowess", ".prowess/gateway", ".prowess/sessions"] {
        let ran = run(&home, folder, &["run", "x", "--allow-workspace"]);
        assert!(ran.code == 1 && ran.stderr.contains("belongs to the state folder"), "{folder}: {ran:?}");
    }
    assert!(!home.tree.path(".prowess/sessions").join("last").exists());
    let ran = run(&home, "", &["chat"]);
    assert!(ran.code == 1 && ran.stderr.contains("error[not-agreed]"), "{ran:?}");

    let ran = run(&home, "", &["run", "x", "--allow-workspace", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let first = results(&home);
    let is_confined = is_confined(&home);
    for (place, (_, text)) in first.iter().enumerate() {
        assert!(!(is_confined || place != 2) || !text.contains(PLANTED), "{place}: {text}");
    }
    assert!(!first[0].0 && !first[1].0 && !first[3].0, "{first:?}");
    assert_eq!(first[4], (true, "a note\nmore\n".to_owned()));
    assert!(home.config_text().contains(PLANTED));
    // The answer holds for this folder, and for no other.
    assert_eq!(run(&home, "", &["run", "x", "--json"]).code, 0);
    assert_eq!(run(&home, "..", &["run", "x"]).code, 1);
}

#[test]
fn a_workspace_of_an_agent_may_lie_in_the_state_folder() {
    let home = home(&[
        exec("echo made > file; cat file; cat ../gateway/open.html"),
        read("file"),
        read("../prowess.json"),
    ]);
    std::fs::create_dir_all(home.tree.path(".prowess/workspace-work")).unwrap();
    let ran = run(&home, ".prowess/workspace-work", &["run", "x", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let results = results(&home);
    assert!(results[0].1.starts_with("made\n"), "{results:?}");
    assert_eq!(results[1], (true, "made\n".to_owned()));
    assert!(!results[2].0 && (!is_confined(&home) || !results[0].1.contains(PLANTED)), "{results:?}");
}

/// OpenClaw's agents work in its state folder, which is as hidden as ours.
#[test]
fn the_state_folder_of_another_profile_is_hidden_around_its_workspace() {
    let calls = [
        exec(
            "echo made > file; cat file; cat ../openclaw.json ../credentials/a ~/.prowess/state.db ../agents/main/agent/auth.json",
        ),
        read("file"),
        read("../openclaw.json"),
        read("~/.openclaw/credentials/a"),
        read("~/.prowess/state.db"),
    ];
    let home = home(&calls);
    let config = std::fs::read(home.tree.path(".prowess/prowess.json")).unwrap();
    home.tree.write(".openclaw/openclaw.json", config);
    for file in ["credentials/a", "agents/main/agent/auth.json"] {
        home.tree.write(&format!(".openclaw/{file}"), PLANTED);
    }
    std::fs::create_dir_all(home.tree.path(".openclaw/workspace")).unwrap();
    let ran = run(&home, "ws", &["--profile", "openclaw", "run", "x", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run(&home, "ws", &["--profile", "openclaw", "sessions", "export", "last", "--format", "jsonl"]);
    let events: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let results: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool_result").collect();
    assert_eq!(results.len(), calls.len(), "{ran:?}");
    assert!(results[0]["output"].as_str().is_some_and(|text| text.starts_with("made\n")), "{results:?}");
    assert_eq!(results[1]["output"], "made\n");
    let is_confined = !events.iter().any(|event| event["type"] == "notice" && event["kind"] == "sandbox");
    for (place, result) in results.iter().enumerate().filter(|(place, _)| is_confined || *place > 0) {
        assert!(!result.to_string().contains(PLANTED), "{place}: {result}");
    }
}

#[cfg(unix)]
#[test]
fn a_hard_link_to_a_secret_is_read_by_nobody() {
    let home = home(&[
        read("copy"),
        exec("cat copy ~/copy"),
        ("write", json!({ "path": "copy", "content": "", "append": true })),
        read("trace"),
        read("copy"),
    ]);
    std::fs::hard_link(home.tree.path(".prowess/prowess.json"), home.tree.path("ws/copy")).unwrap();
    std::fs::hard_link(home.tree.path(".prowess/prowess.json"), home.tree.path("copy")).unwrap();
    std::fs::hard_link(home.tree.path(".prowess/sessions/old/trace.jsonl"), home.tree.path("ws/trace"))
        .unwrap();
    let ran = run(&home, "ws", &["run", "x", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let results = results(&home);
    for (place, (worked, text)) in results.iter().enumerate().filter(|(place, _)| *place != 1) {
        assert!(!worked && !text.contains(PLANTED) && !text.contains(KEY), "{place}: {text}");
    }
    if is_confined(&home) {
        assert!(!results[1].0 && results[1].1.contains("has 3 names (hard links)"), "{results:?}");
        assert!(!results[1].1.contains(PLANTED));
    }
    assert!(!results[1].1.contains(KEY) && !results[1].1.contains(TOKEN), "masked in any case: {results:?}");
}

#[test]
fn a_known_key_is_masked_wherever_it_turns_up() {
    let values = [KEY, TOKEN, "0ther-Value-77", "env-token-99-Zq", "login-token-55-Pw"];
    let home = home(&[
        read("notes"),
        exec("cat notes; ls keys; env | grep -c . ; cat missing-s3cret-Wq7xV2mPzK41"),
        read("keys"),
        ("exec", json!({ "command": "cat notes; sleep 60", "background": true })),
        ("job", json!({ "action": "poll", "job": 1, "wait": 1 })),
        ("job", json!({ "action": "kill", "job": 1 })),
        read(&format!("none/{KEY}")),
        ("spawn", json!({ "task": "x2" })),
    ]);
    home.tree.write("ws/notes", format!("{}\n", values.join("\n")));
    home.tree.write(&format!("ws/keys/{KEY}"), "");
    home.tree.write(
        ".config/clawhub/config.json",
        r#"{"registry":"http://127.0.0.1:1","token":"login-token-55-Pw"}"#,
    );
    let text = std::fs::read_to_string(home.tree.path("script.json")).unwrap();
    let mut tasks: Vec<Value> = serde_json::from_str(&text).unwrap();
    tasks.insert(0, json!({ "when": "x2", "steps": [{ "call": "read", "input": { "path": "notes" } }, { "say": format!("It is {KEY}.") }] }));
    home.tree.write("script.json", Value::from(tasks).to_string());
    let mut command = home.command();
    command
        .env("PATH", "/usr/bin:/bin")
        .env("SOME_API_TOKEN", "env-token-99-Zq")
        .args(["run", "x", "--json"]);
    let ran = home.finish(&mut command);
    assert_eq!(ran.code, 0, "{ran:?}");
    let recorded = Value::from(events(&home)).to_string();
    assert!(recorded.contains("[redacted]"), "{recorded}");
    for value in values {
        assert!(!recorded.contains(value), "{value}: {recorded}");
        assert!(!ran.stdout.contains(value) && !ran.stderr.contains(value), "{value}");
    }
}
