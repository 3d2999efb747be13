//! A prompt without skills says why, and `check` names what a list leaves out.

use prowess_testkit::chat::{ChatServer, Received, Turn};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, texts};

fn home(skills: usize, config: &str) -> Home {
    let home = Home::new();
    for number in 0..skills {
        home.skill(&format!("ws/skills/skill-{number:02}"), &format!("skill-{number:02}"), "");
    }
    home.config(&format!("{{{config}}}"));
    home
}

#[test]
fn check_names_what_the_list_leaves_out_by_which_limit() {
    let home = home(12, "skills: {prompt: {select: 'all'}, limits: {maxSkillsInPrompt: 9}}");
    let check = home.json(&["check", "--json"]);
    let cut = &check["listCuts"][0];
    assert_eq!(cut["limit"], json!("skills.limits.maxSkillsInPrompt"));
    assert_eq!(cut["names"], json!(["skill-09", "skill-10", "skill-11"]));
    assert_eq!((&check["summary"]["listed"], &check["summary"]["modelVisible"]), (&json!(9), &json!(12)));
    let text = home.good(&["check"]);
    assert!(text.contains("In the list of all skills: 9 of 12\n"), "{text}");
    assert!(text.contains("`skills.limits.maxSkillsInPrompt` 9: skill-09, skill-10, skill-11"), "{text}");
    assert!(text.contains("prowess config set skills.limits.maxSkillsInPrompt 12"), "{text}");
    home.good(&["config", "set", "skills.limits.maxSkillsInPrompt", "12"]);
    assert_eq!(home.json(&["check", "--json"])["listCuts"], json!([]), "the help helps");
}

#[test]
fn the_command_that_the_warning_names_shows_the_same_cut() {
    let home = home(12, "");
    let prompt = home.good(&["prompt", "--budget", "1000"]);
    let note = prompt.lines().find(|line| line.starts_with("Warning:")).expect("a warning");
    let (included, command) = note
        .strip_prefix("Warning: Skills truncated: included ")
        .and_then(|rest| rest.split_once(" of 12. Run `prowess "))
        .expect("a count");
    let command: Vec<&str> = command.trim_end_matches("` to audit.").split(' ').chain(["--json"]).collect();
    let check = home.json(&command);
    assert_eq!(check["summary"]["listed"].to_string(), included);
    let shown = prompt.matches("<name>").count();
    assert_eq!(check["listCuts"][0]["names"].as_array().expect("names").len(), 12 - shown);
    assert_eq!(check["listNote"], json!(note));
}

/// The reason that each surface gives for a home without skills in its prompt.
fn reasons(home: &Home) -> Vec<String> {
    let of = |answer: &Value| answer["emptyPrompt"]["reason"].as_str().unwrap_or_default().to_owned();
    vec![
        of(&home.json(&["check", "--json"])),
        of(&home.json(&["list", "--json"])),
        of(&home.json(&["status", "--json"])),
    ]
}

#[test]
fn every_kind_of_empty_prompt_has_its_reason() {
    let off = "entries: {'skill-00': {enabled: false}, 'skill-01': {enabled: false}}";
    let hidden = "modes: {'skill-00': 'manual', 'skill-01': 'manual'}";
    for select in ["message", "all", "top", "ranked"] {
        let with = |more: &str| format!("skills: {{prompt: {{select: '{select}'}}, {more}}}");
        for (skills, config, reason) in [
            (0, with(""), "no-skills"),
            (2, with(off), "none-ready"),
            (2, with(hidden), "hidden"),
            (2, format!("{}, agents: {{list: [{{id: 'main', skills: []}}]}}", with("")), "not-allowed"),
            (2, format!("{}, agent: {{systemPromptMode: 'none'}}", with("")), "prompt-mode"),
            (2, with("limits: {maxSkillsInPrompt: 0}"), "list-limit"),
            (2, with("limits: {maxSkillsPromptChars: 20}"), "budget"),
        ] {
            let home = home(skills, &config);
            assert_eq!(reasons(&home), vec![reason; 3], "{config}");
            let ran = home.run(&["prompt"]);
            assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{config}");
            assert!(ran.stderr.contains("The prompt has no skills: "), "{config}: {}", ran.stderr);
            let said = home.json(&["prompt", "--json"]);
            assert_eq!(said["empty"]["reason"], json!(reason), "{config}");
            let explained = home.json(&["prompt", "--explain", "--json"]);
            assert_eq!(explained["empty"]["reason"], json!(reason), "{config}");
        }
    }
    let home = home(2, "");
    assert_eq!(reasons(&home), [""; 3], "a prompt with skills has none");
    let prompt = home.json(&["prompt", "--tools", "exec", "--json"]);
    assert_eq!(prompt["empty"]["reason"], json!("no-read-tool"));
}

#[test]
fn a_small_budget_is_told_with_what_would_be_enough() {
    let home = home(2, "");
    let ran = home.run(&["prompt", "--budget", "100"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stderr, @"
    The prompt has no skills: not even one skill fits into 100 characters; the first needs 600
      use a larger `--budget`, such as `--budget 30000`
    ");
    let check = home.good(&["check", "--budget", "100"]);
    assert!(
        check.contains("The list of all skills is empty: not even one skill fits into 100 characters"),
        "{check}"
    );
    assert_eq!(home.json(&["check", "--budget", "100", "--json"])["emptyList"]["reason"], json!("budget"));
}

#[test]
fn why_and_list_say_that_the_prompt_is_empty() {
    let home = home(2, "agent: {systemPromptMode: 'none'}");
    let why = home.json(&["why", "skill-00", "--json"]);
    assert_eq!(why["inPrompt"], json!(false));
    assert!(
        why["fate"].as_str().expect("a fate").contains("the prompt mode `none` leaves the skills out"),
        "{why}"
    );
    let rules = texts(&why["steps"], "rule");
    assert!(rules.contains(&"empty"), "{rules:?}");
    let list = home.good(&["list"]);
    assert!(
        list.contains("The prompt has no skills: the prompt mode `none` leaves the skills out"),
        "{list}"
    );
    let off = self::home(1, "skills: {entries: {'skill-00': {enabled: false}}}");
    let list = off.good(&["list"]);
    assert!(list.contains("no skill is ready (1 skill found): 1 is switched off"), "{list}");
}

#[test]
fn the_trace_of_a_run_says_why_its_prompt_was_empty() {
    for (more, reason) in [
        ("agent: {systemPromptMode: 'none'}", "the prompt mode `none` leaves the skills out"),
        ("skills: {entries: {'skill-00': {enabled: false}}}", "no skill is ready (1 skill found)"),
        ("skills: {prompt: {select: 'all'}, limits: {maxSkillsPromptChars: 50}}", "not even one skill fits"),
    ] {
        let server = ChatServer::answering(|_: &Received| Turn::say("Yes."));
        let home = home(1, &format!("{}, {more}", server.settings()));
        let ran = home.run(&["run", "--quiet", "--session", "s", "hello there"]);
        assert_eq!((ran.code, ran.stdout.trim()), (0, "Yes."), "{}", ran.stderr);
        let lines = home.good(&["sessions", "export", "s", "--format", "jsonl"]);
        let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let prompt = events.into_iter().find(|event| event["type"] == "prompt").expect("a prompt");
        assert!(prompt["empty"].as_str().is_some_and(|empty| empty.contains(reason)), "{prompt}");
        assert!(home.good(&["sessions", "show", "s"]).contains(reason));
    }
}
