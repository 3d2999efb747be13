//! `run` and `chat`: whole turns against a real server that follows a script.

use std::process::{Command, Stdio};

use prowess_testkit::chat::{ChatServer, Received, Turn};
use prowess_testkit::{SkillFile, wait_until};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below};

/// Planted everywhere a secret can be; it must turn up nowhere.
const SECRET: &str = "s3cret-Wq7xV2mPzK41";
const MODEL_KEY: &str = "sk-model-Jd8Fh2Lq0Zx5";

fn skill(home: &Home) {
    home.tree.write(
        "ws/skills/weather/SKILL.md",
        "---\nname: weather\ndescription: Current weather and forecasts: rain, temperature, wind.\nmetadata: \
         {\"prowess\": {\"primaryEnv\": \"WEATHER_KEY\"}}\n---\nRun `echo forecast` and say what it printed.\n",
    );
}

/// Makes the scripted server the model, spoken to in one of the two ways. The model is told about all skills, so that it
/// has to choose and to read one.
fn configure(home: &Home, server: &ChatServer, api: &str, more: &str) {
    home.config(&format!(
        "{{agents: {{defaults: {{model: 'test/scripted'}}}}, skills: {{prompt: {{select: 'all'}}, entries: {{weather: {{apiKey: '{SECRET}'}}}}}}, \
         models: {{providers: {{test: {{api: '{api}', baseUrl: '{}', apiKey: '{MODEL_KEY}'}}}}}}{more}}}",
        server.url()
    ));
}

/// A home with the skill, whose model is the server.
fn home(server: &ChatServer, api: &str, more: &str) -> Home {
    let home = with_skill();
    configure(&home, server, api, more);
    home
}

fn with_skill() -> Home {
    let home = Home::new();
    skill(&home);
    home
}

/// The program, with the system's own programs beside ours.
fn command(home: &Home, args: &[&str]) -> assert_cmd::Command {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PATH", path).args(args);
    command
}

fn run(home: &Home, args: &[&str]) -> Ran {
    home.finish(&mut command(home, args))
}

fn skill_file(home: &Home) -> String {
    home.tree.path("ws/skills/weather/SKILL.md").display().to_string()
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr))
}

/// The events of the last session, without time and run.
fn events(home: &Home) -> Vec<Value> {
    let ran = run(home, &["sessions", "export", "last", "--format", "jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

#[test]
fn a_skill_is_offered_read_followed_and_answered_with_in_both_languages_of_models() {
    for api in ["openai-completions", "anthropic-messages"] {
        let home = with_skill();
        let file = skill_file(&home);
        let server = ChatServer::start(vec![
            Turn::answer({
                let file = file.clone();
                move |request: &Received| {
                    assert!(request.system().contains("<available_skills>"), "{}", request.system());
                    assert!(request.system().contains("weather"));
                    assert!(request.tools().iter().any(|tool| tool == "skill_search"));
                    Turn::think("a skill fits").and(Turn::call("read", json!({ "path": file })))
                }
            }),
            Turn::answer(|request: &Received| {
                assert!(request.tool_results()[0].1.contains("echo forecast"));
                Turn::call(
                    "exec",
                    json!({"command": "echo forecast $WEATHER_KEY | tr a-z A-Z; echo $WEATHER_KEY"}),
                )
            }),
            Turn::answer(|request: &Received| {
                let said = request.tool_results().last().expect("a result").1.clone();
                assert!(said.contains("FORECAST"), "{said}");
                assert!(!said.contains(SECRET), "the model gets no secret: {said}");
                Turn::call("report_outcome", json!({"result": "success"}))
            }),
            Turn::say("It will rain."),
        ]);
        configure(&home, &server, api, ", tools: {exec: {policy: 'allow'}}");
        let ran = run(&home, &["run", "will it rain tomorrow?", "--json"]);
        let report = report(&ran);
        assert_eq!(ran.code, 0, "{api}: {} {report}", ran.stderr);
        assert_eq!(report["answer"], "It will rain.", "{report}");
        assert_eq!(report["skills"], json!(["weather"]));
        assert_eq!(report["outcome"], json!({"result": "success", "by": "agent"}));

        let events = events(&home);
        let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
        assert_eq!(kinds.first(), Some(&"session"));
        assert_eq!(of_type(&events, "run_started")[0]["message"], "will it rain tomorrow?");
        assert_eq!(of_type(&events, "run_started")[0]["backend"]["name"], "test");
        assert_eq!(of_type(&events, "selection")[0]["ranked"][0]["name"], "weather");
        assert_eq!(of_type(&events, "activation")[0]["by"], "read");
        assert_eq!(of_type(&events, "tool_call").len(), 3);
        assert_eq!(of_type(&events, "answer").last().unwrap()["text"], "It will rain.");
        assert_eq!(of_type(&events, "run_ended")[0]["outcome"]["result"], "success");
    }
}

#[test]
fn a_secret_is_found_nowhere_after_a_run() {
    let home = with_skill();
    let file = skill_file(&home);
    let server = ChatServer::start(vec![
        Turn::call("read", json!({ "path": file })),
        // Everything a careless or hostile model might try.
        Turn::call("exec", json!({"command": "echo $WEATHER_KEY; echo $WEATHER_KEY | base64; env; exit 3"})),
        // What every process was started with, in a file that nobody redacts.
        Turn::call("exec", json!({"command": "cat /proc/[0-9]*/cmdline > processes 2>/dev/null; true"})),
        Turn::call("exec", json!({"command": format!("echo {SECRET} >&2; false")})),
        Turn::say(&format!("The key is {SECRET} and the other one {MODEL_KEY}.")),
        Turn::refusal(400, &format!("bad key {MODEL_KEY}")),
    ]);
    configure(&home, &server, "openai-completions", ", tools: {exec: {policy: 'allow'}}");
    let mut outputs = vec![run(&home, &["run", "--session", "s", "will it rain?"])];
    outputs.push(run(&home, &["run", "--session", "s", "--json", "again"]));
    outputs.push(run(&home, &["sessions", "show", "s"]));
    outputs.push(run(&home, &["sessions", "export", "s"]));
    outputs.push(run(&home, &["secret", "list"]));
    outputs.push(run(&home, &["status", "--json"]));
    for ran in &outputs {
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(SECRET) && !text.contains(MODEL_KEY), "{text}");
        }
    }
    for request in server.requests() {
        assert!(!request.body.to_string().contains(SECRET), "{}", request.body);
    }
    #[cfg(target_os = "linux")]
    assert!(std::fs::read_to_string(home.tree.path("ws/processes")).unwrap().contains("will it rain?"));
    for file in files_below(home.tree.root()).into_iter().filter(|file| file != ".prowess/prowess.json") {
        let bytes = std::fs::read(home.tree.path(&file)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET) && !text.contains(MODEL_KEY), "{file}");
    }
}

#[test]
fn a_key_is_there_only_once_its_skill_is_in_use() {
    let home = with_skill();
    let file = skill_file(&home);
    let probe =
        || Turn::call("exec", json!({"command": "test -n \"$WEATHER_KEY\" && echo set || echo unset"}));
    let server = ChatServer::start(vec![
        probe(),
        Turn::answer(move |request: &Received| {
            assert!(request.tool_results()[0].1.contains("unset"), "{:?}", request.tool_results());
            Turn::call("read", json!({ "path": file }))
        }),
        probe(),
        Turn::answer(|request: &Received| {
            let last = request.tool_results().last().expect("a result").1.clone();
            Turn::say(if last.contains("unset") { "no key" } else { "a key" })
        }),
    ]);
    configure(&home, &server, "openai-completions", ", tools: {exec: {policy: 'allow'}}");
    let ran = run(&home, &["run", "--quiet", "will it rain?"]);
    assert_eq!(ran.stdout.trim(), "a key", "{}", ran.stderr);
}

#[test]
fn nothing_is_run_when_nobody_can_be_asked() {
    let server = ChatServer::start(vec![
        Turn::call("exec", json!({"command": "touch ran"})),
        Turn::answer(|request: &Received| {
            assert!(request.tool_results()[0].1.contains("did not allow"), "{:?}", request.tool_results());
            Turn::say("I may not.")
        }),
        Turn::call("exec", json!({"command": "touch ran"})),
        Turn::say("Done."),
    ]);
    let home = home(&server, "openai-completions", "");
    let ran = run(&home, &["run", "do it"]);
    assert!(!home.tree.path("ws/ran").exists());
    assert!(ran.stderr.contains("tools.exec.policy"), "{}", ran.stderr);
    let ran = run(&home, &["run", "--yes", "do it"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(home.tree.path("ws/ran").exists());
}

#[test]
fn a_session_goes_on_where_it_ended() {
    let server = ChatServer::start(vec![
        Turn::say("My name is Ada."),
        Turn::answer(|request: &Received| {
            assert!(request.body.to_string().contains("My name is Ada."), "{}", request.body);
            Turn::say("As I said.")
        }),
    ]);
    let home = home(&server, "anthropic-messages", "");
    assert_eq!(run(&home, &["run", "--session", "talk", "who are you?"]).code, 0);
    let ran = run(&home, &["run", "--session", "talk", "--quiet", "again?"]);
    assert_eq!(ran.stdout.trim(), "As I said.", "{}", ran.stderr);
    assert!(home.tree.path(".prowess/sessions/talk/snapshot.json").is_file());
}

#[test]
fn a_busy_server_is_waited_for_and_a_broken_answer_asked_for_again() {
    let server = ChatServer::start(vec![
        Turn::status(429).header("retry-after", "0"),
        Turn::say("half an ans").dropped_after(2),
        Turn::malformed("read", "{\"path\": "),
        Turn::answer(|request: &Received| {
            assert!(!request.tool_results().is_empty(), "{}", request.body);
            Turn::say("Here.")
        }),
    ]);
    let home = home(&server, "openai-completions", "");
    let ran = run(&home, &["run", "hello"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("Here."), "{}", ran.stdout);
    assert!(ran.stderr.contains("retrying in"), "{}", ran.stderr);
}

#[test]
fn a_wrong_key_is_a_failure_of_a_known_kind() {
    let server = ChatServer::start(vec![Turn::refusal(401, "invalid x-api-key")]);
    let home = home(&server, "anthropic-messages", "");
    let ran = run(&home, &["run", "hello", "--json"]);
    let report = report(&ran);
    assert_eq!(ran.code, 1, "{report}");
    assert_eq!(report["outcome"]["result"], "auth_error");
    assert!(report["error"].as_str().unwrap().contains("invalid x-api-key"), "{report}");
    assert_eq!(of_type(&events(&home), "run_ended").len(), 1);
}

#[test]
fn without_a_model_the_user_is_told_how_to_name_one() {
    let home = Home::new();
    let ran = run(&home, &["run", "hello"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error[no-model]: no model is configured
    help: name one with `--model provider/model`, such as `--model ollama/qwen3`, or set `agents.defaults.model`; docs/run.md lists the providers
    ");
    let ran = run(&home, &["run", "--model", "anthropic/some-model", "hello"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[credentials]: failed to resolve the API key for provider `anthropic`
    cause: `env:ANTHROPIC_API_KEY` cannot be resolved: there is no value
    help: set the provider's usual variable, or `models.providers.anthropic.apiKey`
    ");
    let ran = run(&home, &["run", "--with", "nonesuch", "hello"]);
    insta::assert_snapshot!(ran.stderr, @"
    error[environment]: there is no agent program `nonesuch`; there are `claude-code`, `codex`, `openclaw`, `goose`, `cursor`, `copilot`, `gemini-cli`, `opencode`, `qwen-code`, `pi`, `aider`
    help: `prowess doctor` finds common problems
    ");
}

#[test]
fn a_command_goes_straight_to_its_tool_and_never_to_a_model() {
    let home = Home::new();
    home.tree.write(
        "ws/skills/note/SKILL.md",
        SkillFile::new("note")
            .description("Keeps a note.")
            .fields("command-dispatch: tool\ncommand-tool: keep\n")
            .body("x\n")
            .text(),
    );
    home.config(
        "{tools: {keep: {type: 'command', command: ['cat'], stdin: 'json', description: 'Keeps.', policy: 'allow'}}}",
    );
    let ran = run(&home, &["run", "--quiet", "/note  buy milk; $(touch ran)"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let given: Value = serde_json::from_str(ran.stdout.trim()).expect("what the tool was given");
    assert_eq!(given["command"], "buy milk; $(touch ran)");
    assert_eq!((&given["commandName"], &given["skillName"]), (&json!("note"), &json!("note")));
    assert!(!home.tree.path("ws/ran").exists());
    assert_eq!(of_type(&events(&home), "run_started")[0]["backend"]["kind"], "dispatch");
    let ran = run(&home, &["run", "/notes x"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: there is no command `/notes`
    help: did you mean `/note`?
    ");
}

#[test]
fn a_called_skill_reaches_the_model_with_its_arguments() {
    let server = ChatServer::start(vec![Turn::answer(|request: &Received| {
        let words = request.last_words();
        assert!(words.contains("Say Bern twice.") && words.contains("<skill_content"), "{words}");
        Turn::say("Bern Bern")
    })]);
    let home = home(&server, "openai-completions", "");
    home.tree.write(
        "ws/skills/twice/SKILL.md",
        SkillFile::new("twice")
            .description("Says things twice.")
            .body("Say $ARGUMENTS twice. !`touch ran`\n")
            .text(),
    );
    let ran = run(&home, &["run", "/twice Bern", "--json"]);
    let report = report(&ran);
    assert_eq!(report["answer"], "Bern Bern", "{report} {}", ran.stderr);
    assert_eq!(report["skills"], json!(["twice"]));
    assert!(!home.tree.path("ws/ran").exists(), "commands in texts do not run");
}

#[test]
fn a_rating_teaches_once_what_the_run_could_not() {
    let server = ChatServer::start(vec![Turn::say("It rains."), Turn::say("It rains.")]);
    let home = home(&server, "openai-completions", "");
    let learned = || home.json(&["cortex", "history", "--json"])["events"].as_array().unwrap().len();
    assert_eq!(
        report(&run(&home, &["run", "--json", "/weather of tomorrow"]))["outcome"]["result"],
        "unknown"
    );
    assert_eq!(learned(), 0);
    let rated = home.good(&["sessions", "rate", "last", "good"]);
    assert!(rated.contains("learned how weather did such a task"), "{rated}");
    assert_eq!(learned(), 1);
    let rated = home.good(&["sessions", "rate", "last", "bad"]);
    assert!(!rated.contains("learned"), "{rated}");
    assert_eq!(learned(), 1);
}

#[test]
fn another_harness_gets_the_skills_the_keys_and_the_prompt() {
    let home = Home::new();
    skill(&home);
    home.config(&format!("{{skills: {{entries: {{weather: {{apiKey: '{SECRET}'}}}}}}}}"));
    let program = home.tree.write_program("bin/claude");
    std::fs::write(
        &program,
        "#!/bin/sh\necho \"$@\" > args\n[ -n \"$WEATHER_KEY\" ] && echo yes > key\nprompt=$(cat)\nprintf '%s\\n' \
         '{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"h1\"}'\nprintf '%s\\n' \
         \"{\\\"type\\\":\\\"assistant\\\",\\\"message\\\":{\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"you said $prompt\\\"}]}}\"\nprintf \
         '%s\\n' \"{\\\"type\\\":\\\"result\\\",\\\"subtype\\\":\\\"success\\\",\\\"result\\\":\\\"you said $prompt\\\",\\\"session_id\\\":\\\"h1\\\"}\"\n",
    )
    .unwrap();
    let ran = run(&home, &["run", "--with", "claude", "hello there", "--json"]);
    let report = report(&ran);
    assert_eq!(ran.code, 0, "{report} {}", ran.stderr);
    assert_eq!(report["answer"], "you said hello there");
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/key")).unwrap().trim(), "yes");
    let args = std::fs::read_to_string(home.tree.path("ws/args")).unwrap();
    assert!(!args.contains("hello there") && !args.contains(SECRET), "{args}");
    assert_eq!(of_type(&events(&home), "run_started")[0]["backend"]["kind"], "harness");

    let ran = run(&home, &["run", "--session", "last", "--with", "claude", "and again"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let args = std::fs::read_to_string(home.tree.path("ws/args")).unwrap();
    assert!(args.contains("h1"), "it goes on with its own session: {args}");
}

/// Version 0.1 recorded `claude`, and before that a notice; both are sessions of `claude-code`.
#[cfg(unix)]
#[test]
fn a_session_recorded_under_an_earlier_id_is_continued() {
    for new in [
        r#""type":"harness_session","harness":"claude","session":"h1""#,
        r#""type":"notice","kind":"harness_session","text":"claude h1""#,
    ] {
        let home = Home::new();
        skill(&home);
        let program = home.tree.write_program("bin/claude");
        let script = "#!/bin/sh\necho \"$@\" > args\ncat > /dev/null\nprintf '%s\\n' \
                      '{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"hi\",\"session_id\":\"h1\"}'\n";
        std::fs::write(&program, script).unwrap();
        let ran = run(&home, &["run", "--session", "s", "--with", "claude-code", "hello", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(of_type(&events(&home), "run_started")[0]["backend"]["name"], "claude-code");
        let file = home.tree.path(".prowess/sessions/s/trace.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        let old = r#""type":"harness_session","harness":"claude-code","session":"h1""#;
        assert!(text.contains(old), "{text}");
        std::fs::write(&file, text.replace(old, new)).unwrap();
        let ran = run(&home, &["run", "--session", "s", "--with", "claude", "again"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let args = std::fs::read_to_string(home.tree.path("ws/args")).unwrap();
        assert!(args.contains("--resume h1"), "{new}: {args}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_turn_its_programs_and_writes_the_trace() {
    let server = ChatServer::start(vec![Turn::call(
        "exec",
        json!({"command": "sleep 98765 & echo $! $$ > pids; touch began; sleep 98765"}),
    )]);
    let home = home(&server, "openai-completions", ", tools: {exec: {policy: 'allow'}}");
    let mut program = home.process();
    program
        .env("PATH", "/usr/bin:/bin")
        .args(["run", "--session", "s", "wait"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = program.spawn().unwrap();
    let began = home.tree.path("ws/began");
    wait_until("the start of the command", || began.exists());
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    #[cfg(target_os = "linux")]
    for pid in std::fs::read_to_string(home.tree.path("ws/pids")).unwrap().split_whitespace() {
        // A process that ended and was not waited for yet has no command line.
        let left = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(left.is_empty(), "process {pid} is left: {}", String::from_utf8_lossy(&left));
    }
    let events = events(&home);
    assert_eq!(of_type(&events, "run_ended")[0]["stopped"], true);
}

#[test]
fn a_conversation_takes_message_after_message() {
    let server = ChatServer::start(vec![Turn::say("One."), Turn::status(400), Turn::say("Two.")]);
    let home = home(&server, "openai-completions", "");
    let mut chat = command(&home, &["chat", "--quiet"]);
    let ran = home.finish(chat.write_stdin("first\n\nbroken\nsecond\n/exit\nnever\n"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), ["One.", "Two."], "{}", ran.stderr);
    assert_eq!(server.turns_left(), 0);
}
