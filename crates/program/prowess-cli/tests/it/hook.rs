//! `hook`: installing it in other programs, and answering it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below, keys};

const CLAUDE: &str = "claude-code-4f35e220-c435-4cf7-b9b9-f40426042847";
const CODEX: &str = "codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";

/// A file as people have it: with hooks of others, a comment, and keys that we know nothing of.
const FOREIGN: &str = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"date  +%s\" } ] }\n    ]\n  },\n  \"permissions\": { \"allow\": [ \"Bash(git *)\" ] }\n}\n";

/// A home with a skill for the weather, one for the web that may not be used, and the program on its path.
pub(crate) fn home() -> Home {
    let home = Home::new();
    skill(
        &home,
        "weather",
        "Current weather and forecasts for any place: rain, snow, wind, temperature.",
        "",
        1,
    );
    skill(
        &home,
        "search-the-web",
        "Search the web for the latest news and releases.",
        "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"no-such-program\"]}}}\n",
        1,
    );
    let program = std::path::PathBuf::from(assert_cmd::cargo::cargo_bin!("prowess"));
    home.tree.lay("bin/prowess", &json!({ "symlink": program }));
    warm(&home);
    home
}

/// Fills the cache of vectors: a hook computes what is missing for a limited time only, and a busy machine is slow.
pub(crate) fn warm(home: &Home) {
    home.good(&["match", "will it rain?"]);
}

/// Writes a skill whose text repeats its rule so many times.
fn skill(home: &Home, name: &str, description: &str, fields: &str, times: usize) {
    let rule = "Never guess a forecast; always name the source.\n".repeat(times);
    let text = format!(
        "---\nname: {name}\ndescription: {description}\n{fields}---\n# {name}\n\n{rule}\nRun `curl wttr.in`.\n"
    );
    home.tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
}

/// Runs the hook with a recorded input in which places and the message are filled in.
pub(crate) fn hook(home: &Home, harness: &str, event: &str, prompt: &str) -> Ran {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fixtures/hooks");
    let input = std::fs::read_to_string(format!("{folder}/{harness}-{event}.json")).expect("a fixture");
    let input = input
        .replace("[WS]", &home.tree.path("ws").display().to_string())
        .replace("[TRANSCRIPT]", &home.tree.path("ws/log.jsonl").display().to_string())
        .replace("[PROMPT]", prompt);
    let mut command = home.command();
    home.finish(command.args(["hook", "run", harness]).write_stdin(input))
}

/// What the hook puts into the context.
fn context(ran: &Ran, event: &str) -> String {
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(keys(&answer), ["hookSpecificOutput"]);
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], event);
    answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a text").to_owned()
}

fn records(home: &Home, session: &str) -> Vec<Value> {
    let file = home.tree.path(&format!(".prowess/sessions/{session}/hook.jsonl"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn nothing_happens_without_consent() {
    let home = home();
    home.tree.write(".claude/settings.json", FOREIGN);
    let ran = home.run(&["hook", "install", "claude-code"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stdout, @r#"
    [ROOT]/.claude/settings.json
     …
       "hooks": {
         "UserPromptSubmit": [
    -      { "hooks": [ { "type": "command", "command": "date  +%s" } ] }
    +      { "hooks": [ { "type": "command", "command": "date  +%s" } ] },
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "prowess hook run claude-code",
    +            "timeout": 10
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionStart": [
    +      {
    +        "matcher": "compact",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "prowess hook run claude-code",
    +            "timeout": 10
    +          }
    +        ]
    +      }
         ]
       },
     …
    "#);
    assert_snapshot!(ran.stderr, @r"
    error[not-agreed]: nothing was changed
    help: `--yes` applies the change without asking
    ");
    let ran = home.run(&["hook", "install", "claude-code", "--json"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @r#"
    {
      "result": "declined",
      "change": {
        "harness": "claude-code",
        "scope": "user",
        "file": "[ROOT]/.claude/settings.json",
        "createsFile": false,
        "command": "prowess hook run claude-code",
        "diff": " …\n   \"hooks\": {\n     \"UserPromptSubmit\": [\n-      { \"hooks\": [ { \"type\": \"command\", \"command\": \"date  +%s\" } ] }\n+      { \"hooks\": [ { \"type\": \"command\", \"command\": \"date  +%s\" } ] },\n+      {\n+        \"hooks\": [\n+          {\n+            \"type\": \"command\",\n+            \"command\": \"prowess hook run claude-code\",\n+            \"timeout\": 10\n+          }\n+        ]\n+      }\n+    ],\n+    \"SessionStart\": [\n+      {\n+        \"matcher\": \"compact\",\n+        \"hooks\": [\n+          {\n+            \"type\": \"command\",\n+            \"command\": \"prowess hook run claude-code\",\n+            \"timeout\": 10\n+          }\n+        ]\n+      }\n     ]\n   },\n …\n"
      }
    }
    {
      "ok": false,
      "error": {
        "type": "cli_error",
        "code": "not-agreed",
        "message": "nothing was changed",
        "cause": "the change was not confirmed",
        "help": "`--yes` applies the change without asking",
        "exit": 1
      }
    }
    "#);
    assert_eq!(std::fs::read_to_string(home.tree.path(".claude/settings.json")).expect("a file"), FOREIGN);
}

#[test]
fn it_comes_and_goes_and_others_stay_as_they_were() {
    let home = home();
    let files = [
        ("claude-code", "--user", ".claude/settings.json"),
        ("claude-code", "--project", "ws/.claude/settings.json"),
        ("codex", "--user", ".codex/hooks.json"),
        ("codex", "--project", "ws/.codex/hooks.json"),
    ];
    for (harness, scope, file) in files {
        home.tree.write(file, FOREIGN);
        home.good(&["hook", "install", harness, scope, "--yes"]);
        let text = std::fs::read_to_string(home.tree.path(file)).expect("a file");
        assert!(text.contains(&format!("\"prowess hook run {harness}\"")), "{text}");
        // The shorter name of version 0.1's `--with` means the same program.
        let alias = if harness == "claude-code" { "claude" } else { harness };
        let again = home.good(&["hook", "install", alias, scope, "--yes"]);
        assert!(again.contains("already"), "{again}");
        assert_eq!(std::fs::read_to_string(home.tree.path(file)).expect("a file"), text);
    }
    assert_snapshot!(home.good(&["hook", "status"]), @r"
    Program      For           Hook         File
    Claude Code  you           ✓ installed  [ROOT]/.claude/settings.json
    Claude Code  this project  ✓ installed  [ROOT]/ws/.claude/settings.json
    Codex        you           ✓ installed  [ROOT]/.codex/hooks.json
    Codex        this project  ✓ installed  [ROOT]/ws/.codex/hooks.json
    ");
    for (harness, scope, file) in files {
        home.good(&["hook", "remove", harness, scope, "--yes"]);
        assert_eq!(std::fs::read_to_string(home.tree.path(file)).expect("a file"), FOREIGN, "{file}");
    }
    // Nothing is left behind beside the files of others.
    for folder in [".claude", "ws/.claude", ".codex", "ws/.codex"] {
        assert_eq!(files_below(&home.tree.path(folder)).len(), 1, "{folder}");
    }
    let status = home.json(&["hook", "status", "--json"]);
    assert!(status["hooks"].as_array().expect("a list").iter().all(|hook| hook["presence"] == "missing"));
}

#[test]
fn options_and_places_of_the_harness_are_kept() {
    let home = home();
    let folder = home.tree.path("elsewhere");
    let mut command = home.command();
    let command = command.env("CLAUDE_CONFIG_DIR", &folder).env("PATH", "/usr/bin");
    let ran = home.finish(command.args(["--agent", "main", "hook", "install", "claude-code", "--yes"]));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(folder.join("settings.json")).expect("a file");
    let settings: Value = serde_json::from_str(&text).expect("plain JSON");
    let line = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"].as_str().expect("a command");
    assert!(line.starts_with('/') && line.ends_with("prowess hook run claude-code --agent main"), "{line}");
}

#[test]
fn a_broken_file_is_refused_and_kept() {
    let home = home();
    home.tree.write(".claude/settings.json", "{ \"hooks\": {");
    home.tree.write(".codex/hooks.json", "{ \"hooks\": [] }");
    let ran = home.run(&["hook", "install", "claude-code", "--yes"]);
    assert_eq!(ran.code, 3);
    assert_snapshot!(ran.stderr, @r"
    error[files]: cannot change `[ROOT]/.claude/settings.json`
    cause: it is not JSON: line 1, column 13: expected a key, found the end of the text
    help: nothing was changed; correct the file and try again
    ");
    let ran = home.run(&["hook", "install", "codex", "--yes"]);
    assert_eq!(ran.code, 3);
    assert_snapshot!(ran.stderr, @r"
    error[files]: cannot change `[ROOT]/.codex/hooks.json`
    cause: `hooks` is not an object
    help: nothing was changed; correct the file and try again
    ");
    assert_eq!(home.run(&["hook", "remove", "codex", "--yes"]).code, 3);
    let read = |file| std::fs::read_to_string(home.tree.path(file)).expect("a file");
    assert_eq!(
        (read(".claude/settings.json"), read(".codex/hooks.json")),
        ("{ \"hooks\": {".to_owned(), "{ \"hooks\": [] }".to_owned())
    );
    let ran = home.run(&["hook", "status"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stdout, @"
    Program      For           Hook             File
    Claude Code  you           ✗ unknown        [ROOT]/.claude/settings.json
    Claude Code  this project  · not installed  [ROOT]/ws/.claude/settings.json
    Codex        you           ✗ unknown        [ROOT]/.codex/hooks.json
    Codex        this project  · not installed  [ROOT]/ws/.codex/hooks.json
    ✗ cannot change `[ROOT]/.claude/settings.json`: it is not JSON: line 1, column 13: expected a key, found the end of the text
    ✗ cannot change `[ROOT]/.codex/hooks.json`: `hooks` is not an object
    ");
}

#[test]
fn two_at_once_install_it_once() {
    let home = home();
    home.tree.write(".claude/settings.json", FOREIGN);
    let start = || {
        let mut command = home.process();
        command.args(["hook", "install", "claude-code", "--yes"]).stdout(std::process::Stdio::null());
        command.spawn().expect("the program starts")
    };
    let running = [start(), start(), start()];
    for mut process in running {
        assert!(process.wait().expect("an end").success());
    }
    let text = std::fs::read_to_string(home.tree.path(".claude/settings.json")).expect("a file");
    assert_eq!(text.matches("prowess hook run claude-code").count(), 2, "{text}");
    home.good(&["hook", "remove", "claude-code", "--yes"]);
    let text = std::fs::read_to_string(home.tree.path(".claude/settings.json")).expect("a file");
    assert_eq!(text, FOREIGN);
}

#[test]
fn a_message_gets_the_text_of_its_skill_once() {
    let home = home();
    for (harness, session) in [("claude-code", CLAUDE), ("codex", CODEX)] {
        let first =
            context(&hook(&home, harness, "prompt", "will it rain in Bern tomorrow?"), "UserPromptSubmit");
        assert!(first.starts_with("The message asks for the skill `weather`. Follow it;"), "{first}");
        assert!(
            first.contains("Never guess a forecast") && first.contains("<skill_content name=\"weather\""),
            "{first}"
        );
        let second = context(
            &hook(&home, harness, "prompt", "and will it snow in Bern on Sunday?"),
            "UserPromptSubmit",
        );
        assert_eq!(
            second,
            "The message asks for the skill `weather`, whose text you were given above. Follow it."
        );
        let nothing = hook(&home, harness, "prompt", "thanks, that was great!");
        assert_eq!((nothing.code, nothing.stdout.as_str(), nothing.stderr.as_str()), (0, "", ""));
        let records = records(&home, session);
        let decisions: Vec<&Value> = records.iter().map(|record| &record["decision"]).collect();
        assert_eq!(decisions, ["load", "load", "none"]);
        assert_eq!(
            (&records[0]["skills"][0]["how"], &records[1]["skills"][0]["how"]),
            (&json!("text"), &json!("again"))
        );
        let written = serde_json::to_string(&records).expect("JSON");
        assert!(!written.contains("rain") && !written.contains("Bern"), "the message is recorded: {written}");
    }
}

#[test]
fn a_long_text_comes_as_a_map_and_a_withheld_skill_is_not_told() {
    let home = home();
    skill(
        &home,
        "weather",
        "Current weather and forecasts for any place: rain, snow, wind, temperature.",
        "",
        400,
    );
    let told = context(&hook(&home, "codex", "prompt", "will it rain in Bern tomorrow?"), "UserPromptSubmit");
    assert!(told.contains("by the lines of `[ROOT]/ws/skills/weather/SKILL.md`"), "{told}");
    assert!(told.contains(" lines=\"5-"), "{told}");
    // It lacks a program.
    let ran = hook(&home, "codex", "prompt", "search the web for the latest news");
    assert!(!ran.stdout.contains("search-the-web"), "{}", ran.stdout);
    // The agent's allowlist does not have it.
    home.config("{ agents: { list: [ { id: 'main', skills: ['search-the-web'] } ] } }");
    let ran = hook(&home, "codex", "prompt", "will it rain in Bern tomorrow?");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
}

#[test]
fn after_a_compaction_the_skills_in_use_are_told_again() {
    let home = home();
    hook(&home, "claude-code", "prompt", "will it rain in Bern tomorrow?");
    let told = context(&hook(&home, "claude-code", "compact", ""), "SessionStart");
    assert_snapshot!(told, @r"
    <skills_in_use>
    The context was compacted. These skills are in use and still hold. Read the file of one again before you go on with what it is for.

    - `weather`: Current weather and forecasts for any place: rain, snow, wind, temperature.
      file: `[ROOT]/ws/skills/weather/SKILL.md`
      rule: Never guess a forecast; always name the source.
      rule: weather
    </skills_in_use>
    ");
    // Its text is not in the context any more, so it is given again.
    let again =
        context(&hook(&home, "claude-code", "prompt", "and will it snow in Bern?"), "UserPromptSubmit");
    assert!(again.contains("<skill_content"), "{again}");
    // A log that the harness names tells of more.
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pure/prowess-trace/tests/fixtures");
    let log = std::fs::read_to_string(format!("{fixtures}/codex.jsonl")).expect("a fixture");
    home.tree.write("ws/log.jsonl", log);
    let told = context(&hook(&home, "codex", "compact", ""), "SessionStart");
    assert!(told.contains("`github`") && told.contains("it no longer exists"), "{told}");
    assert!(told.contains("The user asked last: \"Then add a line to NOTES.md\""), "{told}");
}

#[test]
fn nothing_gets_in_the_way_of_a_message() {
    let home = home();
    let inputs: [&[u8]; 9] = [
        b"",
        b"not json",
        b"[]",
        b"{\"hook_event_name\":\"UserPromptSubmit\"}",
        b"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"\"}",
        b"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"/compact\"}",
        b"{\"hook_event_name\":\"Stop\",\"session_id\":\"../../../etc\"}",
        b"{\"hook_event_name\":\"SessionStart\",\"source\":\"compact\",\"transcript_path\":\"/dev/zero\",\"session_id\":\"../..\"}",
        b"\xff\xfe\x00",
    ];
    for input in inputs {
        let ran = home.finish(home.command().args(["hook", "run", "codex"]).write_stdin(input));
        let shown = String::from_utf8_lossy(input);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{shown}");
    }
    let outside = files_below(home.tree.root());
    assert!(outside.iter().all(|file| !file.contains("etc")), "{outside:?}");
    // Not a wrong command line, nor a missing home, nor an agent that does not exist.
    for args in
        [&["hook", "run", "codex", "--no-such-option"][..], &["hook", "run", "telepathy"], &["hook", "run"]]
    {
        assert_eq!(home.run(args).code, 0, "{args:?}");
    }
    let ran = home.finish(home.command().env_remove("HOME").args(["hook", "run", "codex"]).write_stdin("{}"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let input =
        "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"my password=hunter2secret9 will it rain?\"}";
    let ran =
        home.finish(home.command().args(["hook", "run", "codex", "--agent", "nobody"]).write_stdin(input));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let status = home.json(&["hook", "status", "--json"]);
    let problems = status["problems"].as_array().expect("a list");
    assert!(
        problems.iter().any(|problem| problem["problem"].as_str().unwrap_or_default().contains("nobody")),
        "{problems:?}"
    );
    let written = serde_json::to_string(problems).expect("JSON");
    assert!(!written.contains("hunter2") && !written.contains("not json"), "{written}");
    insta::assert_snapshot!(prowess_testkit::stable::text(&home.good(&["hook", "status"])), @"
    Program      For           Hook             File
    Claude Code  you           · not installed  [ROOT]/.claude/settings.json
    Claude Code  this project  · not installed  [ROOT]/ws/.claude/settings.json
    Codex        you           · not installed  [ROOT]/.codex/hooks.json
    Codex        this project  · not installed  [ROOT]/ws/.codex/hooks.json
    △ 6 problems in `[ROOT]/.prowess/hooks/problems.jsonl`; the last one, [TIME] unknown agent id `nobody`; known are `main`
    ");
}

#[test]
fn a_follow_up_keeps_what_the_hook_loaded_before() {
    let home = home();
    hook(&home, "codex", "prompt", "will it rain in Bern tomorrow?");
    let thanks = hook(&home, "codex", "prompt", "thanks!");
    assert_eq!((thanks.code, thanks.stdout.as_str()), (0, ""));
    let kept = context(&hook(&home, "codex", "prompt", "and on Sunday?"), "UserPromptSubmit");
    assert_eq!(kept, "The message asks for the skill `weather`, whose text you were given above. Follow it.");
    let records = records(&home, CODEX);
    let effects: Vec<&Value> = records.iter().map(|record| &record["followUp"]["effect"]).collect();
    assert_eq!(effects, [&Value::Null, &json!("dropped"), &json!("kept")]);
    assert_eq!(records[2]["followUp"]["skills"], json!(["weather"]));
}

#[test]
fn a_session_that_began_without_the_hook_is_known_from_its_log() {
    let home = home();
    let said = |text: &str| {
        json!({
            "type": "user", "sessionId": "s", "uuid": text, "timestamp": "2026-01-01T00:00:00.000Z",
            "message": { "role": "user", "content": text },
        })
    };
    let log = format!("{}\n{}\n", said("will it rain in Bern tomorrow?"), said("and on Sunday?"));
    home.tree.write("ws/log.jsonl", log);
    let kept = context(&hook(&home, "claude-code", "prompt", "and on Sunday?"), "UserPromptSubmit");
    assert!(kept.starts_with("The message asks for the skill `weather`. Follow it;"), "{kept}");
    // A log that is a link, or none at all, does not get in the way.
    let home = self::home();
    home.tree.write("ws/other.jsonl", "{}");
    home.tree.lay("ws/log.jsonl", &json!({ "symlink": home.tree.path("ws/other.jsonl") }));
    let ran = hook(&home, "claude-code", "prompt", "and on Sunday?");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
}
