//! `chat`, `run` and hidden input in a real terminal: one owner of standard input serves the conversation and every
//! question.

use crate::support::{Home, Program as _};
use crate::terminal::{CTRL_C, CTRL_D, Terminal};

const QUESTION: &str = "[N]o: ";
const PROMPT: &str = "› ";

/// A home whose model follows a script: `rain` needs one command, `twice` two, `long` one that does not end by itself.
fn home() -> Home {
    let home = Home::new();
    home.config(
        "{agents: {defaults: {model: 'tour/script'}}, models: {providers: {tour: {api: 'script', script: \
         'script.json'}}}, skills: {entries: {}}}",
    );
    home.tree.write(
        ".prowess/script.json",
        r#"[
          {"when": "rain", "steps": [
            {"call": "exec", "input": {"command": "echo asked >> asked"}}, {"say": "It rains."}]},
          {"when": "twice", "steps": [
            {"call": "exec", "input": {"command": "echo one >> asked"}},
            {"call": "exec", "input": {"command": "echo two >> asked"}},
            {"say": "Done twice."}]},
          {"when": "long", "steps": [
            {"call": "exec", "input": {"command": "echo began; touch began; sleep 98765"}}, {"say": "Never."}]},
          {"when": "hello", "steps": [{"say": "Hello to you."}]}
        ]"#,
    );
    home.skill("ws/skills/weather", "weather", "metadata: {\"prowess\":{\"primaryEnv\":\"WEATHER_KEY\"}}\n");
    home
}

fn asked(home: &Home) -> String {
    std::fs::read_to_string(home.tree.path("ws/asked")).unwrap_or_default()
}

#[test]
fn a_conversation_goes_on_after_questions_answers_and_interruptions() {
    let home = home();
    let mut chat = Terminal::start(&home, &["chat", "--session", "talk"]);
    chat.wait_for(PROMPT);
    chat.type_keys("will it rain?\n");
    chat.wait_for(QUESTION);
    chat.type_keys("y\n");
    chat.wait_for("It rains.");
    assert_eq!(asked(&home), "asked\n");
    chat.wait_for(PROMPT);

    chat.type_keys("will it rain again?\n");
    chat.wait_for(QUESTION);
    chat.type_keys("n\n");
    chat.wait_for("It rains.");
    assert_eq!(asked(&home), "asked\n", "a no is a no");
    chat.wait_for(PROMPT);

    chat.type_keys("do it twice\n");
    chat.wait_for(QUESTION);
    chat.type_keys("a\n");
    let between = chat.wait_for("Done twice.");
    assert!(!between.contains(QUESTION), "always means that it is not asked again: {between}");
    assert_eq!(asked(&home), "asked\none\ntwo\n");
    chat.wait_for(PROMPT);

    // Ctrl-C at a question ends the turn, not the conversation.
    chat.type_keys("will it rain at last?\n");
    chat.wait_for(QUESTION);
    chat.type_keys(CTRL_C);
    chat.wait_for("Stopping");
    chat.wait_for(PROMPT);
    assert!(chat.shows_keys());
    chat.type_keys("hello\n");
    chat.wait_for("Hello to you.");
    chat.wait_for(PROMPT);

    // Ctrl-C while a program runs.
    chat.type_keys("take long\n");
    chat.wait_for(QUESTION);
    chat.type_keys("y\n");
    while !home.tree.path("ws/began").exists() {
        std::thread::yield_now();
    }
    chat.type_keys(CTRL_C);
    chat.wait_for("Stopping");
    chat.wait_for(PROMPT);

    // Ctrl-C at the prompt says how to leave; a message takes that back.
    chat.type_keys(CTRL_C);
    chat.wait_for("ends the session");
    chat.wait_for(PROMPT);
    chat.type_keys("hello\n");
    chat.wait_for("Hello to you.");
    chat.wait_for(PROMPT);
    chat.type_keys(CTRL_C);
    chat.wait_for("ends the session");
    chat.wait_for(PROMPT);

    chat.type_keys("/exit\n");
    assert_eq!(chat.end(), Some(0), "{}", chat.all);
    assert_eq!(asked(&home), "asked\none\ntwo\n");
}

#[test]
fn a_conversation_is_left_by_two_interruptions_the_end_of_the_input_or_a_signal() {
    let home = home();
    let mut chat = Terminal::start(&home, &["chat"]);
    chat.wait_for(PROMPT);
    chat.type_keys(CTRL_C);
    chat.wait_for("ends the session");
    chat.wait_for(PROMPT);
    chat.type_keys(CTRL_C);
    assert_eq!(chat.end(), Some(130), "{}", chat.all);

    let mut chat = Terminal::start(&home, &["chat"]);
    chat.wait_for(PROMPT);
    chat.type_keys("hello\n");
    chat.wait_for("Hello to you.");
    chat.wait_for(PROMPT);
    chat.type_keys(CTRL_D);
    assert_eq!(chat.end(), Some(0), "{}", chat.all);

    let mut chat = Terminal::start(&home, &["chat"]);
    chat.wait_for(PROMPT);
    chat.type_keys("rain\n");
    chat.wait_for(QUESTION);
    chat.signal("-TERM");
    assert_eq!(chat.end(), Some(130), "{}", chat.all);
    assert_eq!(asked(&home), "");
}

#[test]
fn the_end_of_the_input_is_a_no_and_text_typed_before_a_question_does_not_answer_it() {
    let home = home();
    let mut chat = Terminal::start(&home, &["chat"]);
    chat.wait_for(PROMPT);
    // Pasted at once: the second line is a message, although it would be a yes.
    chat.type_keys("rain\ny\n");
    chat.wait_for(QUESTION);
    chat.type_keys(CTRL_D);
    chat.wait_for("It rains.");
    assert_eq!(asked(&home), "");
    chat.wait_for(PROMPT);
    chat.type_keys("/exit\n");
    assert_eq!(chat.end(), Some(0), "{}", chat.all);
    let sessions = home.json(&["sessions", "list", "--json"]);
    let messages: Vec<&str> = sessions["sessions"][0]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|run| run["message"].as_str())
        .collect();
    assert_eq!(messages, ["rain", "y"]);
}

#[test]
fn a_run_asks_and_a_trusted_clone_is_asked_about_first() {
    let home = home();
    home.tree.write("ws/.git/config", "[remote \"origin\"]\n\turl = https://example.org/acme/repo.git\n");
    let mut run = Terminal::start(&home, &["run", "will it rain?"]);
    run.wait_for("Trust it as it is now?");
    run.type_keys("maybe\n");
    run.wait_for("Trust it as it is now?");
    run.type_keys("y\n");
    run.wait_for(QUESTION);
    run.type_keys("yes\n");
    run.wait_for("It rains.");
    assert_eq!(run.end(), Some(0), "{}", run.all);
    assert_eq!(asked(&home), "asked\n");

    let mut run = Terminal::start(&home, &["run", "will it rain?"]);
    run.wait_for(QUESTION);
    run.type_keys(CTRL_C);
    assert_eq!(run.end(), Some(130), "{}", run.all);
    assert_eq!(asked(&home), "asked\n");
}

#[test]
fn a_secret_is_typed_without_being_shown() {
    let home = home();
    let set = ["secret", "set", "weather"];
    let mut terminal = Terminal::start(&home, &set);
    terminal.wait_for("Secret for weather");
    assert!(!terminal.shows_keys());
    terminal.type_keys("wrong\u{15}s3cret-kez\u{7f}y\n");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.all);
    assert!(!terminal.all.contains("s3cret"), "{}", terminal.all);
    let config = home.config_text();
    assert!(config.contains("s3cret-key"), "{config}");

    for stop in ["key", "signal"] {
        let mut terminal = Terminal::start(&home, &set);
        terminal.wait_for("Secret for weather");
        assert!(!terminal.shows_keys());
        terminal.type_keys("half");
        if stop == "key" {
            terminal.type_keys(CTRL_C);
        } else {
            terminal.signal("-TERM");
        }
        assert_eq!(terminal.end(), Some(130), "{stop}: {}", terminal.all);
        assert!(terminal.shows_keys(), "{stop}");
        assert_eq!(home.config_text(), config, "{stop}");
    }
}

#[test]
fn consent_is_a_clear_yes_in_a_terminal() {
    let home = home();
    home.tree.write_program("bin/prowess");
    for (keys, is_installed) in [("\n", false), (CTRL_D, false), ("y\n", true)] {
        let mut terminal = Terminal::start(&home, &["hook", "install", "claude-code"]);
        terminal.wait_for("[y/N] ");
        terminal.type_keys(keys);
        terminal.end();
        assert_eq!(home.tree.path(".claude/settings.json").exists(), is_installed, "{keys:?}");
    }
}

#[test]
fn standard_input_has_one_owner() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let users: Vec<String> = crate::support::files_below(&source)
        .into_iter()
        .filter(|file| std::fs::read_to_string(source.join(file)).unwrap().contains("stdin()"))
        .collect();
    assert_eq!(users, ["hidden.rs", "input.rs"], "read through `crate::input`");
}
