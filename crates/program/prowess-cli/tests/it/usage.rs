//! `usage`, `replay` and `resume`, from the logs of other programs and from what hooks recorded.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::hook::{home, hook};
use crate::support::{Home, Program as _};

fn fixture(agent: &str) -> String {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pure/prowess-trace/tests/fixtures");
    std::fs::read_to_string(format!("{fixtures}/{agent}.jsonl")).expect("a fixture")
}

fn import(home: &Home, agent: &str, log: &str) {
    home.tree.write("ws/log.jsonl", log);
    home.good(&["sessions", "import", "--from", agent, "log.jsonl"]);
}

fn skill<'a>(report: &'a Value, name: &str) -> &'a Value {
    let skills = report["skills"].as_array().expect("a list");
    skills.iter().find(|skill| skill["name"] == name).expect(name)
}

#[test]
fn without_records_nothing_is_known() {
    let home = home();
    assert_snapshot!(home.good(&["usage"]), @r"
    No recorded sessions yet.
    `prowess sessions import` imports sessions of other agents; `prowess hook install` records them from now on.
    ");
    let report = home.json(&["usage", "--json"]);
    assert_eq!(skill(&report, "search-the-web")["verdicts"], json!([]));
}

#[test]
fn an_imported_session_tells_what_was_loaded_and_how_it_went() {
    let home = home();
    import(&home, "claude-code", &fixture("claude-code"));
    let report = home.json(&["usage", "--json"]);
    assert_eq!((&report["sessions"], &report["runsWithoutCatalogue"]), (&json!(1), &report["runs"]));
    let weather = skill(&report, "weather");
    assert_eq!(
        (&weather["shown"], &weather["loaded"], &weather["failed"]),
        (&json!(0), &json!(1), &json!(1))
    );
    // It has neither programs nor files, so nobody can tell whether it was followed.
    assert_eq!(weather["followed"], Value::Null);
    assert!(weather["tokens"].as_u64().is_some_and(|tokens| tokens > 0), "{weather}");
    let web = skill(&report, "search-the-web");
    assert_eq!(web["verdicts"], json!(["never-had-a-chance"]));
    assert!(web["reason"].as_str().is_some_and(|reason| reason.contains("no-such-program")), "{web}");
    // A skill that this agent does not have was loaded all the same; how long its text was is not known.
    assert_eq!(
        (&skill(&report, "release")["loaded"], &skill(&report, "release")["loadsOfUnknownSize"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(home.json(&["usage", "--json", "--since", "2026-02-01"])["runs"], 0);
    assert_eq!(home.json(&["usage", "--json", "--agent", "claude-code"])["runs"], report["runs"]);
    assert_eq!(home.json(&["usage", "--json", "--agent", "codex"])["runs"], 0);
}

#[test]
fn a_program_of_the_skill_shows_that_it_was_followed() {
    let home = home();
    home.tree.write_program("bin/gh");
    home.skill("ws/skills/github", "github", "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"gh\"]}}}\n");
    import(&home, "codex", &fixture("codex"));
    let report = home.json(&["usage", "--json"]);
    assert_eq!(
        (&skill(&report, "github")["followed"], &skill(&report, "github")["failed"]),
        (&json!(1), &json!(1))
    );
    let table = home.good(&["usage"]);
    insta::assert_snapshot!(table, @"
    Skill           Shown  Loaded  Followed  Succeeded  Missed  Tokens  Verdict
    github          0      1       1         0 of 1     0       4       in use
    notes           0      1       ?         ?          0       0+?     in use
    search-the-web  0      0       –         –          0       0       never had a chance: missing program `no-such-progra…
    weather         0      0       –         –          0       0
    2 runs in 1 session, 0 messages answered by a hook. Tokens are estimates; `?` means unknown.
    Runs without a record of the shown skills: 2.
    Runs without a skill selection: 2; `prowess replay` selects now.
    Dead: shown 10 times or more and never loaded. Missed: asked for and not loaded.
    ");
}

#[test]
fn a_skill_that_is_pointed_at_and_not_read_is_missed() {
    let home = home();
    let body = "Never guess. ".repeat(2_000);
    let text = format!(
        "---\nname: weather\ndescription: Current weather and forecasts: rain, snow, wind.\n---\n{body}\n"
    );
    home.tree.write("ws/skills/weather/SKILL.md", text);
    hook(&home, "codex", "prompt", "will it rain in Bern tomorrow?");
    let report = home.json(&["usage", "--json"]);
    assert_eq!((&report["hookMessages"], &report["hookMessagesWithoutRun"]), (&json!(1), &json!(1)));
    assert_eq!(
        (&skill(&report, "weather")["shown"], &skill(&report, "weather")["missed"]),
        (&json!(1), &json!(0))
    );
    // Once the session is imported it is known that nobody read it.
    let file = home.tree.path(".prowess/sessions/codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5/hook.jsonl");
    let line = std::fs::read_to_string(&file).expect("a record");
    let mut record: Value = serde_json::from_str(&line).expect("JSON");
    // The time of the fixture's second message.
    record["at"] = json!(1_783_102_800_500_u64);
    // As where there was no room for more than the place of its file.
    record["skills"][0]["how"] = json!("pointer");
    std::fs::write(&file, format!("{record}\n")).expect("a file");
    import(&home, "codex", &fixture("codex"));
    let report = home.json(&["usage", "--json"]);
    assert_eq!(report["hookMessagesWithoutRun"], 0, "{report:#}");
    let weather = skill(&report, "weather");
    assert_eq!((&weather["missed"], &weather["verdicts"]), (&json!(1), &json!(["missed"])));
}

#[test]
fn a_skill_that_is_shown_often_and_never_loaded_is_dead() {
    let home = home();
    // Its sessions are not those of an older version, so there is no news to tell.
    home.tree.write(".prowess/news.json", "{\"told\":[\"message-prompt\"]}\n");
    let record = json!({
        "at": 1_783_102_800_500_u64, "harness": "codex", "agent": "main", "event": "prompt", "decision": "suggest", "confidence": 0.4,
        "skills": [{ "name": "weather", "path": "/s", "contentHash": "00".repeat(32), "confidence": 0.4, "how": "suggestion", "tokens": 7 }],
    });
    home.tree.write(".prowess/sessions/codex-x/hook.jsonl", format!("{record}\n").repeat(9) + "{\"torn");
    assert_eq!(skill(&home.json(&["usage", "--json"]), "weather")["verdicts"], json!([]));
    home.tree.write(".prowess/sessions/codex-x/hook.jsonl", format!("{record}\n").repeat(10));
    let report = home.json(&["usage", "--json"]);
    let weather = skill(&report, "weather");
    assert_eq!((&weather["verdicts"], &weather["tokens"]), (&json!(["dead"]), &json!(70)));
}

#[test]
fn a_hidden_copy_never_had_a_chance() {
    let home = home();
    home.skill("bundled/weather", "weather", "");
    import(&home, "codex", &fixture("codex"));
    let report = home.json(&["usage", "--json"]);
    let skills = report["skills"].as_array().expect("a list");
    let copy =
        skills.iter().find(|skill| skill["path"].as_str().is_some_and(|path| path.contains("bundled")));
    let copy = copy.expect("the copy");
    assert_eq!(copy["verdicts"], json!(["never-had-a-chance"]));
    assert!(copy["reason"].as_str().is_some_and(|reason| reason.starts_with("shadowed by")), "{copy}");
}

#[test]
fn a_replay_lists_what_should_have_fired() {
    let home = home();
    // Its sessions are not those of an older version, so there is no news to tell.
    home.tree.write(".prowess/news.json", "{\"told\":[\"message-prompt\"]}\n");
    let log = [
        json!({ "type": "user", "sessionId": "one", "timestamp": "2026-01-20T11:00:00Z", "message": { "role": "user", "content": "will it rain in Bern tomorrow? my password=hunter2secret9" } }),
        json!({ "type": "user", "sessionId": "one", "timestamp": "2026-01-20T11:10:00Z", "message": { "role": "user", "content": "thanks, that was great!" } }),
    ];
    let log = format!("{}\n{}\n", log[0], log[1]);
    home.tree.write(".claude/projects/-repo/one.jsonl", log);
    home.tree.write(".claude/projects/-repo/two.jsonl", fixture("claude-code"));
    home.tree.write(".claude/projects/-repo/agent-a.jsonl", fixture("claude-code"));
    home.tree.write(".claude/projects/-repo/sessions-index.json", "{}");
    home.tree.write(".claude/projects/-repo/three.jsonl", "no log\n");
    let ran = home.run(&["replay", "--from", "claude-code"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(!ran.stdout.contains("hunter2secret9"), "{}", ran.stdout);
    let shown = ran.stdout.lines().filter(|line| !line.starts_with("2026")).collect::<Vec<_>>().join("\n");
    assert_snapshot!(shown, @r"
    When              Skill    Confidence  Message
    1 message should have fired a skill and did not.
    3 messages from 2 logs, 1 command left out: 2 asked for a skill, in 1 it was used.
    △ [ROOT]/.claude/projects/-repo/three.jsonl: it holds no session of claude-code
    ");
    let ran = home.run(&["replay", "--from", "claude-code", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let missed = &report["missed"][0];
    assert_eq!(
        (&missed["skills"], &missed["session"], &missed["at"]),
        (&json!(["weather"]), &json!("one"), &json!(1_768_906_800_000_u64))
    );
    assert!(missed["confidence"].as_f64().is_some_and(|confidence| confidence > 0.5), "{missed}");
    let limited = home.json(&[
        "replay",
        "--from",
        "claude-code",
        "../.claude/projects/-repo/one.jsonl",
        "--limit",
        "1",
        "--json",
    ]);
    assert_eq!((&limited["messages"], &limited["isCut"]), (&json!(1), &json!(true)));
    let since = home.json(&[
        "replay",
        "--from",
        "claude-code",
        "../.claude/projects/-repo/one.jsonl",
        "--since",
        "2026-02-01",
        "--json",
    ]);
    assert_eq!(since["messages"], 0);
    // Nothing is stored.
    assert!(!home.tree.path(".prowess/sessions").exists());
    // What a hook gave the text of was used.
    let record = json!({
        "at": 1_768_906_800_900_u64, "harness": "claude-code", "agent": "main", "event": "prompt", "decision": "load", "confidence": 0.9,
        "skills": [{ "name": "weather", "path": "/s", "contentHash": "00".repeat(32), "confidence": 0.9, "how": "again", "tokens": 7 }],
    });
    home.tree.write(".prowess/sessions/claude-code-one/hook.jsonl", format!("{record}\n"));
    let hooked =
        home.json(&["replay", "--from", "claude-code", "../.claude/projects/-repo/one.jsonl", "--json"]);
    assert_eq!((&hooked["fired"], &hooked["used"]), (&json!(1), &json!(1)));
}

#[test]
fn a_replay_needs_logs_and_sends_nothing() {
    let home = home();
    let ran = home.run(&["replay", "--from", "codex"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.stderr, @r"
    error[not-found]: cannot read `[ROOT]/.codex/sessions`
    cause: No such file or directory (os error 2)
    help: name the log, or the folder that the logs are in
    ");
    home.tree.write(".codex/sessions/2026/07/03/notes.txt", "x");
    insta::assert_snapshot!(home.run(&["replay", "--from", "codex"]).stderr, @"
    error[not-found]: there are no logs of codex in `[ROOT]/.codex/sessions`
    help: name the log, or the folder that the logs are in
    ");
    home.tree.write(".codex/sessions/2026/07/03/rollout-1.jsonl", fixture("codex"));
    home.config(
        "{ skills: { match: { encoder: 'endpoint', endpoint: { url: 'http://127.0.0.1:1', model: 'm' } } } }",
    );
    let ran = home.run(&["replay", "--from", "codex"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[environment]: the history is not sent to `skills.match.endpoint`; a replay needs an encoder on this machine
    help: `prowess doctor` finds common problems
    ");
}

#[test]
fn a_session_is_resumed_within_bounds() {
    let home = home();
    import(&home, "claude-code", &fixture("claude-code"));
    assert_snapshot!(home.good(&["resume", "last"]), @r#"
    <skills_in_use>
    The context was compacted. These skills are in use and still hold. Read the file of one again before you go on with what it is for.

    - `release`
      file: `/home/me/project/.claude/skills/release/SKILL.md` (it no longer exists)

    - `weather`: Current weather and forecasts for any place: rain, snow, wind, temperature.
      file: `[ROOT]/ws/skills/weather/SKILL.md`
      rule: Never guess a forecast; always name the source.
      rule: weather

    The user asked last: "/release 1.2"
    </skills_in_use>
    "#);
    let digest = home.json(&["resume", "claude-code-4f35", "--json"]);
    assert_eq!(digest["skills"][1]["name"], "weather");
    assert_eq!(
        (&digest["skills"][0]["state"], &digest["skills"][1]["state"]),
        (&json!("gone"), &json!("unknown"))
    );
    let short = home.good(&["resume", "last", "--max-chars", "420"]);
    assert!(short.chars().count() <= 420 && short.contains("not listed here: 1"), "{short}");
    let ran = home.run(&["resume", "last", "--max-chars", "10"]);
    assert_eq!(ran.code, 2);
    assert_eq!(home.run(&["resume", "nobody"]).code, 1);
    // The id of the harness will do for a session that only a hook took part in.
    hook(&home, "codex", "prompt", "will it rain in Bern tomorrow?");
    let text = home.good(&["resume", "019a2d7a"]);
    insta::assert_snapshot!(text, @"
    <skills_in_use>
    The context was compacted. These skills are in use and still hold. Read the file of one again before you go on with what it is for.

    - `weather`: Current weather and forecasts for any place: rain, snow, wind, temperature.
      file: `[ROOT]/ws/skills/weather/SKILL.md`
      rule: Never guess a forecast; always name the source.
      rule: weather
    </skills_in_use>
    ");
}
