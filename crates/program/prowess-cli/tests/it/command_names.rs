//! `/gh-issues`, `/gh_issues` and `/GH-Issues` are one command.

use prowess_testkit::SkillFile;
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, texts};

fn add(home: &Home, folder: &str, name: &str) {
    let text = SkillFile::new(name)
        .description("Keeps a list.")
        .fields("command-dispatch: tool\ncommand-tool: keep\n")
        .body("x\n")
        .text();
    home.tree.write(&format!("ws/skills/{folder}/SKILL.md"), text);
}

/// A home whose skills go to a tool that answers with what it was given.
fn home(names: &[&str]) -> Home {
    let home = Home::new();
    for (number, name) in names.iter().enumerate() {
        add(&home, &format!("folder-{number}"), name);
    }
    home.config(
        "{tools: {keep: {type: 'command', command: ['cat'], stdin: 'json', description: 'Keeps.', policy: 'allow'}}}",
    );
    home
}

fn run(home: &Home, message: &str) -> Ran {
    let mut command = home.command();
    home.finish(command.env("PATH", "/usr/bin:/bin").args(["run", "--quiet", message]))
}

/// The skill that a message reached, with its arguments.
fn reached(home: &Home, message: &str) -> (String, String) {
    let ran = run(home, message);
    let given: Value = serde_json::from_str(ran.stdout.trim())
        .unwrap_or_else(|error| panic!("{message}: {error}: {} {}", ran.stdout, ran.stderr));
    let text = |key: &str| given[key].as_str().expect("a text").to_owned();
    (text("skillName"), text("command"))
}

#[test]
fn every_spelling_reaches_the_skill() {
    let home = home(&["gh-issues", "Team:Notes"]);
    for message in
        ["/gh-issues 7 a", "/gh_issues 7 a", "/GH-Issues 7 a", "/Gh_ISSUES 7 a", "/skill GH-issues 7 a"]
    {
        assert_eq!(reached(&home, message), ("gh-issues".to_owned(), "7 a".to_owned()));
    }
    for message in ["/team_notes", "/Team-Notes", "/team:notes"] {
        assert_eq!(reached(&home, message).0, "Team:Notes");
    }
    let commands = home.json(&["commands", "--json"]);
    assert_eq!(texts(&commands, "name"), ["gh_issues", "team_notes"], "names are listed as ever");
    let ran = run(&home, "/gh-issue 7");
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: there is no command `/gh-issue`
    help: did you mean `/gh_issues`?
    ");
}

#[test]
fn an_exact_name_wins_and_a_similar_one_of_two_is_an_error() {
    let home = home(&["gh-issues", "gh_issues"]);
    assert_eq!(reached(&home, "/gh-issues").0, "gh-issues");
    assert_eq!(reached(&home, "/gh_issues").0, "gh_issues");
    assert_eq!(reached(&home, "/gh_issues_2").0, "gh-issues");
    let ran = run(&home, "/GH-Issues 7");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[ambiguous]: `/GH-Issues` could be `/gh_issues` or `/gh_issues_2`
    help: write one of them as it is; `prowess commands` lists the commands
    ");
    let ran = run(&home, "ask $Gh_Issues");
    assert!(ran.stderr.contains("`$Gh_Issues` could be `$gh_issues` or `$gh-issues`"), "{}", ran.stderr);
}

#[test]
fn built_in_commands_keep_their_names() {
    let home = home(&["status", "export-session"]);
    for message in ["/status", "/STATUS", "/export-session", "/Export-Session"] {
        let ran = run(&home, message);
        assert!(ran.stderr.contains("there is no command"), "{message}: {} {}", ran.stdout, ran.stderr);
    }
    assert_eq!(reached(&home, "/Status-2").0, "status");
    assert_eq!(reached(&home, "/skill status").0, "status");
}

#[test]
fn the_other_profile_compares_command_names_only() {
    let home = Home::new();
    home.tree.write(
        ".openclaw/workspace/skills/one/SKILL.md",
        SkillFile::new("gh-issues").description("Keeps a list.").body("x\n").text(),
    );
    home.tree.write(".openclaw/openclaw.json", "{agents: {defaults: {model: 'a/b'}}}");
    let ran = home.run(&["--profile", "openclaw", "run", "/gh-issues 7"]);
    assert!(ran.stderr.contains("there is no command `/gh-issues`"), "{}", ran.stderr);
}

#[test]
fn a_host_gets_the_prompt_in_every_spelling() {
    let home = Home::new();
    let text = SkillFile::new("gh-issues").description("Keeps a list.").body("Keep $ARGUMENTS.\n").text();
    home.tree.write("ws/skills/one/SKILL.md", text);
    let mut input = String::new();
    let start = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "h", "version": "1"}});
    let mut say = |message: &Value| input += &format!("{message}\n");
    say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": start}));
    say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for (id, name) in ["gh_issues", "gh-issues", "GH-Issues", "gh-issue"].iter().enumerate() {
        let params = json!({"name": name, "arguments": {"arguments": "seven"}});
        say(&json!({"jsonrpc": "2.0", "id": id + 1, "method": "prompts/get", "params": params}));
    }
    let mut command = home.command();
    let ran = home.finish(command.args(["mcp"]).write_stdin(input));
    let answers: Vec<Value> = ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let answer =
        |id: usize| answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{ran:?}"));
    for id in 1..=3 {
        assert!(answer(id)["result"].to_string().contains("Keep seven."), "{}", answer(id));
    }
    assert!(answer(4)["error"].to_string().contains("there is no prompt"), "{}", answer(4));
}
