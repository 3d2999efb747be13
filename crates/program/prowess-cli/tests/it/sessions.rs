//! `sessions`: import, list, show, export, rate.

use insta::assert_snapshot;
use prowess::{Engine, EngineOptions};
use prowess_config::Env;
use prowess_context::Clock;
use prowess_sessions::SentPrompt;
use prowess_types::{Backend, PromptedAs, PromptedSkill, TraceEvent};
use serde_json::Value;

use crate::support::{Home, Program as _};

const CODEX: &str = "codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";

/// A home with a made-up log of another agent at `ws/<agent>.jsonl`.
fn home(agent: &str) -> Home {
    let home = Home::new();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pure/prowess-trace/tests/fixtures");
    let log = std::fs::read_to_string(format!("{fixtures}/{agent}.jsonl")).expect("a fixture");
    home.tree.write(&format!("ws/{agent}.jsonl"), log);
    home
}

/// One with that log imported.
fn imported(agent: &str) -> Home {
    let home = home(agent);
    home.good(&["sessions", "import", "--from", agent, &format!("{agent}.jsonl")]);
    home
}

#[test]
fn nothing_is_there_at_first() {
    let home = Home::new();
    assert_snapshot!(home.good(&["sessions", "list"]), @"No sessions yet. `prowess sessions import` imports those of other agents.");
    assert_eq!(home.json(&["sessions", "list", "--json"])["sessions"], serde_json::json!([]));
    let ran = home.run(&["sessions", "show", "last"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stderr, @r"
    error[not-found]: there is no session `last`
    help: `prowess sessions list` shows every session
    ");
    assert!(!home.tree.path(".prowess/sessions").exists());
}

#[test]
fn an_import_says_what_it_did_with_every_entry() {
    let home = home("claude-code");
    let ran =
        home.run(&["sessions", "import", "--from", "claude-code", "claude-code.jsonl", "nothing.jsonl"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert_snapshot!(ran.stdout, @r"
    ✓ claude-code-4f35e220-c435-4cf7-b9b9-f40426042847: 3 runs from 23 entries, secrets masked: 1
      △ kept as they were, meaning not known: mood ×1, system/hologram ×1
      △ line 23: not JSON: EOF while parsing a string at line 1 column 20
      left out: file-history-snapshot ×1, local command ×1, user (meta) ×1
    ✗ nothing.jsonl: cannot read `[ROOT]/ws/nothing.jsonl`: No such file or directory (os error 2)
    ");
    let again = home.json(&["sessions", "import", "--json", "--from", "claude", "claude-code.jsonl"]);
    let session = &again["imported"][0]["session"];
    assert_eq!((&session["replaced"], &session["runs"]), (&Value::Bool(true), &Value::from(3)));
    assert_eq!(session["report"]["foreign"]["mood"], 1);
}

#[test]
fn a_log_of_another_agent_is_refused() {
    let home = home("codex");
    let ran = home.run(&["sessions", "import", "--from", "openpocket", "codex.jsonl"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stdout, @"✗ codex.jsonl: `[ROOT]/ws/codex.jsonl` holds no session of openpocket");
    let ran = home.run(&["sessions", "import", "--from", "telepathy", "codex.jsonl"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn sessions_are_listed_and_shown() {
    let home = imported("codex");
    assert_snapshot!(home.good(&["sessions", "list"]), @r"
    Session                                     Started           Agent  Runs  Last outcome  First message
    codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5  2026-07-03 18:15  codex  2     ? unknown     List the open pull requests wi…
    ");
    assert_snapshot!(home.good(&["sessions", "show", "codex-019"]), @r"
    codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5
      agent     codex
      workspace /repo
      from      codex
      time      2026-07-03 18:15 to 2026-07-03 18:20
      tokens    20000 in, 300 out

    r1 List the open pull requests with $github
      ✗ auth error (its errors say): HTTP 401: Bad credentials (https://api.github.com/graphql)
      skills github
      tools exec_command ×1 (1 failed)
      model gpt-5.2-codex
      answer You are not logged in.

    r2 Then add a line to NOTES.md
      ? unknown (you stopped it)
      skills notes
      tools apply_patch ×1, local_shell ×1, web_search ×1
      model gpt-5.2-codex

    △ foreign entries, kept as they were: 1
    ");
    assert_snapshot!(home.good(&["sessions", "show", "last", "--run", "r1"]), @r#"
    r1 List the open pull requests with $github
      ✗ auth error (its errors say): HTTP 401: Bad credentials (https://api.github.com/graphql)
      skills github
      tools exec_command ×1 (1 failed)
      model gpt-5.2-codex
      answer You are not logged in.

      user      List the open pull requests with $github
      skill     github /home/me/.codex/skills/github/SKILL.md
      thought   **Looking for gh**
      call      exec_command {"cmd":"gh pr list","workdir":"/repo"}
      failed    exit code 4
                Chunk ID: 1
                Wall time: 0.1 seconds
                Process exited with code 4
                Output:
                HTTP 401: Bad credentials (https://api.github.com/graphql)
      agent     You are not logged in.
    "#);
    let shown = home.json(&["sessions", "show", CODEX, "--json"]);
    assert_eq!(shown["summary"]["runs"][0]["outcome"]["result"], "auth_error");
    assert_eq!(shown["folder"], format!("[ROOT]/.prowess/sessions/{CODEX}"));
    let run = home.json(&["sessions", "show", CODEX, "--run", "r2", "--json"]);
    assert_eq!(run["lines"][0]["type"], "run_started");
    assert_eq!(home.json(&["sessions", "list", "--agent", "codex", "--json"])["sessions"][0]["id"], CODEX);
    assert_eq!(
        home.json(&["sessions", "list", "--agent", "main", "--json"])["sessions"],
        serde_json::json!([])
    );
}

#[test]
fn a_phone_agents_steps_are_shown() {
    let home = imported("openpocket");
    assert_snapshot!(home.good(&["sessions", "show", "openpocket", "--run", "r1"]), @r#"
    r1 Post my last photo
      ✓ success (the agent says)
      tools launch_app ×1, request_human_auth ×1, tap_element ×1 (1 failed)
      model gpt-5
      answer Posted.

      user      Post my last photo
      call      launch_app in com.android.launcher {"type":"launch_app","packageName":"com.example.photos"}
      result    App launched.
      call      tap_element in com.example.photos {"type":"tap_element","elementId":"e7"}
      failed    Tapped.
                capability_probe count=1 camera/active pkg=com.example.photos src=appops conf=0.90
                human_auth_probe capability=camera status=approved
      probe     camera active
      person    camera: approved
      notice    loop_guard: event text
      call      request_human_auth {"type":"request_human_auth","capability":"oauth"}
      result    Human auth approved
      person    oauth: Human auth approved
      agent     Posted.
    "#);
}

#[test]
fn a_wrong_id_or_run_proposes_the_next_step() {
    let home = imported("codex");
    home.tree.write(
        "ws/other.jsonl",
        r#"{"id":"second","timestamp":"2025-05-07T17:24:21Z"}
{"type":"message","role":"user","content":"hi"}"#,
    );
    home.good(&["sessions", "import", "--from", "codex", "other.jsonl"]);
    let failed = |args: &[&str]| {
        let ran = home.run(args);
        format!("{}\n{}", ran.code, ran.stderr)
    };
    assert_snapshot!(failed(&["sessions", "show", "nobody"]), @r"
    1
    error[not-found]: there is no session `nobody`
    help: `prowess sessions list` shows every session
    ");
    assert_snapshot!(failed(&["sessions", "show", "codex"]), @r"
    2
    error[usage]: `codex` is the beginning of 2 sessions: `codex-second`, `codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5`
    help: give more of the id
    ");
    assert_snapshot!(failed(&["sessions", "show", CODEX, "--run", "r9"]), @r"
    1
    error[not-found]: session `codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5` has no run `r9`; it has `r1`, `r2`
    help: `prowess sessions show codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5` shows its runs
    ");
    assert_snapshot!(failed(&["sessions", "rate", CODEX, "excellent"]), @r"
    2
    error: invalid value 'excellent' for '<RATING>': expected good, bad, or bad:dependency, bad:auth, bad:api, bad:mismatch, bad:runtime

    For more information, try '--help'.
    ");
}

#[test]
fn a_rating_counts_more_than_the_errors() {
    let home = imported("codex");
    assert_snapshot!(home.good(&["sessions", "rate", "codex", "bad", "--run", "r1"]), @"
    ✓ codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5 run r1: ✗ auth error
      learned how github did such a task
    ");
    assert_snapshot!(home.good(&["sessions", "rate", "codex", "good", "--note", "nice"]), @"✓ codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5 run r2: ✓ success");
    let rated = home.json(&["sessions", "rate", "codex", "bad:mismatch", "--run", "r1", "--json"]);
    assert_eq!(rated["outcome"], serde_json::json!({ "result": "task_mismatch", "by": "user" }));
    let shown = home.json(&["sessions", "show", "codex", "--json"]);
    let runs = &shown["summary"]["runs"];
    assert_eq!(runs[0]["outcome"]["result"], "task_mismatch");
    assert_eq!((&runs[1]["outcome"]["result"], &runs[1]["note"]), (&"success".into(), &"nice".into()));
    // Importing anew keeps them.
    home.good(&["sessions", "import", "--from", "codex", "codex.jsonl"]);
    assert_eq!(home.json(&["sessions", "show", "codex", "--json"])["summary"]["runs"], *runs);
}

#[test]
fn a_session_is_exported_in_three_ways() {
    let home = imported("codex");
    let file = std::fs::read_to_string(home.tree.path(&format!(".prowess/sessions/{CODEX}/trace.jsonl")));
    assert_eq!(home.good(&["sessions", "export", "codex", "--format", "jsonl"]), file.expect("a file"));
    let markdown = home.good(&["sessions", "export", "codex"]);
    assert!(markdown.starts_with(&format!("# Session `{CODEX}`\n")), "{markdown}");
    let ran = home.run(&["sessions", "export", "codex", "--format", "json", "-o", "out/session.json"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "✓ [ROOT]/ws/out/session.json\n")
    );
    let written = std::fs::read_to_string(home.tree.path("ws/out/session.json")).expect("a file");
    let json: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(json["id"], CODEX);
}

#[test]
fn a_terminal_gets_no_commands_from_a_session() {
    let home = Home::new();
    let log = r#"{"id":"e","timestamp":"2025-05-07T17:24:21Z"}
{"type":"message","role":"user","content":"\u001b]0;owned\u0007\u001b[31mred \u009b2J"}
{"type":"function_call","name":"\u001b[2Jtool","arguments":"\u001b[31m","call_id":"1"}
{"type":"\u001b[31mmood"}"#;
    home.tree.write("ws/escape.jsonl", log);
    let commands: [&[&str]; 4] = [
        &["sessions", "import", "--from", "codex", "escape.jsonl"],
        &["sessions", "list"],
        &["sessions", "show", "codex-e"],
        &["sessions", "show", "codex-e", "--run", "r1"],
    ];
    for args in commands {
        let shown = home.good(args);
        let is_safe = |char: char| !char.is_control() || char == '\n';
        assert!(shown.chars().all(is_safe), "{args:?} {shown:?}");
    }
}

#[test]
fn an_unreadable_session_stays_in_the_list() {
    let home = imported("codex");
    let newer = r#"{"at":1,"type":"session","format":99,"session":"x","agent":"a","workspace":"w"}"#;
    home.tree.write(".prowess/sessions/from-the-future/trace.jsonl", newer);
    let ran = home.run(&["sessions", "list"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(prowess_testkit::stable::text(&ran.stdout), @"
    Session                                     Started           Agent  Runs  Last outcome  First message
    from-the-future                                                            unreadable    cannot read session `from-the-…
    codex-[UUID]  [TIME]  codex  2     ? unknown     List the open pull requests wi…
    ");
    let listed = home.run(&["sessions", "list", "--json"]);
    assert!(listed.code == 3 && listed.stdout.contains("format 99"), "{}", listed.stdout);
    let ran = home.run(&["sessions", "show", "from-the-future"]);
    assert_eq!(ran.code, 3);
    assert_snapshot!(ran.stderr, @r"
    error[files]: cannot read session `from-the-future`
    cause: the session has format 99; this version reads up to 1
    help: check the path and its permissions; `prowess doctor` finds such problems
    ");
}

/// Records two runs with their prompts in session `talk`, and one without in session `old`, as the engine does.
fn with_prompts() -> Home {
    let home = Home::new();
    // Its sessions are not those of an older version, so there is no news to tell.
    home.tree.write(".prowess/news.json", "{\"told\":[\"message-prompt\"]}\n");
    let root = home.tree.root().to_path_buf();
    let env = Env::new([("HOME".to_owned(), root.display().to_string())], &root);
    let engine = Engine::open(EngineOptions { env, ..EngineOptions::default() }).expect("an engine");
    let sessions = engine.sessions();
    let begin = |session: &str, run: &str, message: &str| {
        let id = session.parse().expect("an id");
        let writer = sessions.open(id, "main", "/repo", Clock::new(|| 1_000)).expect("a writer").run(run);
        let event = TraceEvent::RunStarted {
            message: message.to_owned(),
            snapshot: None,
            catalogue: None,
            backend: Backend { name: "local".into(), ..Backend::default() },
            parent: None,
        };
        writer.append(event).expect("written");
        writer
    };
    begin("old", "r1", "rain?");
    let skill = |name: &str, how| PromptedSkill {
        name: name.into(),
        path: format!("/skills/{name}/SKILL.md"),
        content_hash: None,
        how,
    };
    let system = "You have skills:\n- maps\n- weather\n".to_owned();
    for (run, message, context) in
        [("01A", "hello", None), ("01B", "will it rain?", Some("weather\nAsk wttr.in.\n".to_owned()))]
    {
        let writer = begin("talk", run, message);
        let mut skills = vec![skill("maps", PromptedAs::Listed), skill("weather", PromptedAs::Listed)];
        skills.extend(context.is_some().then(|| skill("weather", PromptedAs::Text)));
        let sent = SentPrompt { system: system.clone(), context, message: message.to_owned() };
        let kept = sessions.keep_prompt(writer.id(), &sent).expect("stored");
        writer.append(kept.event(2, skills, None)).expect("written");
    }
    home
}

#[test]
fn the_exact_prompt_of_a_run_is_shown_and_compared() {
    let home = with_prompts();
    assert_snapshot!(home.good(&["sessions", "prompt", "talk"]), @"
    talk 01B
    55 characters, 2 skills listed, texts: weather

    ── system (34 characters)
    You have skills:
    - maps
    - weather

    ── context, sent with the message (21 characters)
    weather
    Ask wttr.in.

    ── message (13 characters)
    will it rain?
    ");
    assert_snapshot!(home.good(&["sessions", "prompt", "tal", "--diff"]), @"
    talk 01B against 01A

    ── system: the same

    ── context
    @@ -0,0 +1,2 @@
    +weather
    +Ask wttr.in.

    ── message
    @@ -1 +1 @@
    -hello
    \\ No newline at end of file
    +will it rain?
    \\ No newline at end of file
    ");
    let first = home.json(&["sessions", "prompt", "talk", "--run", "01a", "--json"]);
    assert_eq!((&first["run"], &first["context"]), (&Value::from("01A"), &Value::Null));
    assert_eq!(first["skills"][1]["how"], "listed");
    let difference = home.json(&["sessions", "prompt", "talk", "--diff", "01A", "--json"]);
    assert_eq!((&difference["before"], &difference["parts"][0]["same"]), (&"01A".into(), &true.into()));
    let export = home.good(&["sessions", "export", "talk", "--format", "json"]);
    assert!(!export.contains("Ask wttr.in") && export.contains("\"prompt\""), "{export}");
}

#[test]
fn a_session_without_a_prompt_says_why() {
    let home = with_prompts();
    let failed = |args: &[&str]| {
        let ran = home.run(args);
        format!("{}\n{}", ran.code, ran.stderr)
    };
    assert_snapshot!(failed(&["sessions", "prompt", "old"]), @"
    1
    error[not-found]: run `r1` of session `old` has no recorded prompt: only runs of this program since version 0.2 have one
    help: `prowess sessions show old` shows what was recorded of its runs
    ");
    assert_snapshot!(failed(&["sessions", "prompt", "talk", "--run", "01A", "--diff"]), @"
    1
    error[not-found]: no run before `01A` in session `talk` has a stored prompt to compare with
    help: name a run with `--diff RUN`; `prowess sessions show talk` shows its runs
    ");
    assert_eq!(home.run(&["sessions", "prompt", "none"]).code, 1);
}

#[test]
fn what_was_shown_and_loaded_is_told_from_the_prompt() {
    let home = with_prompts();
    let shown = home.good(&["sessions", "show", "talk"]);
    assert_snapshot!(shown.split("\n\n").nth(2).unwrap_or_default(), @"
    01B will it rain?
      ? unknown (it has no end)
      prompt 55 characters, 2 skills shown
      loaded weather
    ");
    insta::assert_snapshot!(prowess_testkit::stable::text(&home.good(&["sessions", "show", "old"])), @"
    old
      agent     main
      workspace /repo
      time      [TIME] to [TIME]
      tokens    0 in, 0 out

    r1 rain?
      ? unknown (it has no end)
      prompt not recorded
    ");
    let report = home.json(&["usage", "--json"]);
    let of = |name: &str| {
        let skills = report["skills"].as_array().expect("a list");
        let skill = skills.iter().find(|skill| skill["name"] == name).expect(name);
        (skill["shown"].clone(), skill["loaded"].clone())
    };
    assert_eq!((of("maps"), of("weather")), ((2.into(), 0.into()), (2.into(), 1.into())));
    assert_eq!((&report["runs"], &report["runsWithoutCatalogue"]), (&3.into(), &1.into()));
}
