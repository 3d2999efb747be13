//! The default prompt: the skills that fit a message stand in front of it, and nothing else changes.

use prowess_testkit::chat::{ChatServer, Received, Turn};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran};

/// The skill that comes with the program.
const WEATHER: &str = include_str!("../../../../../skills/weather/SKILL.md");
const RAIN: &str = "will it rain in Bern tomorrow?";

const TRADES: [&str; 20] = [
    "violin",
    "beehive",
    "mortgage",
    "pottery",
    "chess",
    "orchid",
    "bicycle",
    "aquarium",
    "passport",
    "sourdough",
    "telescope",
    "tapestry",
    "sailboat",
    "crossword",
    "fencing",
    "origami",
    "vineyard",
    "drum",
    "falconry",
    "glass",
];
const TASKS: [&str; 15] = [
    "repair",
    "history",
    "lessons",
    "prices",
    "insurance",
    "catalogue",
    "photos",
    "schedule",
    "inventory",
    "letters",
    "contracts",
    "recipes",
    "training",
    "auction",
    "archive",
];

/// A home with 300 made-up skills and our own `weather`.
fn home() -> Home {
    let home = Home::new();
    for trade in TRADES {
        for task in TASKS {
            let name = format!("{trade}-{task}");
            let text = format!(
                "---\nname: {name}\ndescription: Handles the {task} of every {trade}, step by step, for workshops that \
                 look after a {trade} and have to keep its {task} in good order.\n---\n# {name}\n\nDo the {task}.\n"
            );
            home.tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
        }
    }
    home.tree.write("bundled/weather/SKILL.md", WEATHER);
    home.tree.write_program("bin/curl");
    home
}

fn run(home: &Home, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    home.finish(command.env("PATH", path).args(args))
}

fn answering() -> ChatServer {
    ChatServer::answering(|_: &Received| Turn::say("Yes."))
}

fn configure(home: &Home, server: &ChatServer, more: &str) {
    home.config(&format!("{{{}{more}}}", server.settings()));
}

fn messages(request: &Received) -> Vec<Value> {
    request.body["messages"].as_array().cloned().unwrap_or_default()
}

/// The text below the frontmatter.
fn body(skill: &str) -> &str {
    skill.splitn(3, "---\n").nth(2).expect("a body").trim()
}

fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The lines of the list in front of a message.
fn listed(block: &str) -> Vec<&str> {
    block.lines().filter(|line| line.starts_with("- `")).collect()
}

#[test]
fn a_message_brings_the_text_of_its_skill_whole_and_few_others() {
    let home = home();
    let server = answering();
    configure(&home, &server, "");
    let ran = run(&home, &["run", RAIN, "--session", "s", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["skills"], json!(["weather"]), "its text was given, so it is in use");

    let request = &server.requests()[0];
    let said = request.last_words();
    assert!(said.contains(body(WEATHER)), "{said}");
    assert!(said.ends_with(&format!("</skills>\n\n{RAIN}")), "{said}");
    let block = said.strip_suffix(RAIN).expect("the message comes last");
    assert!(chars(block) <= 10_000, "{}", chars(block));
    let list = block.split("<skill_content").next().expect("a list");
    assert!(chars(list) <= 4_900 && listed(list).len() <= 12, "{list}");
    assert!(
        !request.system().contains("weather") && !request.system().contains("violin"),
        "nothing of the message"
    );

    // What is recorded is what was sent.
    let events = run(&home, &["sessions", "export", "s", "--format", "jsonl"]).stdout;
    let prompt = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let prompt = prompt.into_iter().find(|event| event["type"] == "prompt").expect("a prompt");
    let skills = prompt["skills"].as_array().expect("skills");
    let of = |how: &str| skills.iter().filter(|skill| skill["how"] == how).count();
    assert_eq!((of("text"), of("listed")), (1, listed(list).len()), "{skills:?}");
    assert_eq!(prompt["listed"], listed(list).len());
}

#[test]
fn small_talk_brings_a_short_list_and_no_text() {
    let home = home();
    let server = answering();
    configure(&home, &server, "");
    assert_eq!(run(&home, &["run", "thank you, have a nice day!"]).code, 0);
    let said = server.requests()[0].last_words();
    assert!(listed(&said).len() <= 3 && !said.contains("<skill_content"), "{said}");
    assert!(chars(&said) < 1_500, "{said}");
}

#[test]
fn pinned_skills_stand_first_whatever_the_message() {
    let home = home();
    let server = answering();
    configure(&home, &server, ", skills: {modes: {'glass-auction': 'pinned', 'drum-letters': 'pinned'}}");
    assert_eq!(run(&home, &["run", RAIN]).code, 0);
    let said = server.requests()[0].last_words();
    let names: Vec<&str> = listed(&said).into_iter().take(2).collect();
    assert!(
        names[0].starts_with("- `drum-letters`") && names[1].starts_with("- `glass-auction`"),
        "{names:?}"
    );
}

#[test]
fn all_restores_the_list_of_the_seeds() {
    let home = home();
    let server = answering();
    configure(&home, &server, ", skills: {prompt: {select: 'all'}}");
    assert_eq!(run(&home, &["run", RAIN]).code, 0);
    let request = &server.requests()[0];
    assert_eq!(request.last_words(), RAIN, "nothing stands in front of the message");
    let system = request.system();
    let catalogue = home.good(&["prompt"]);
    assert!(system.contains(catalogue.trim()), "{system}");
    assert!(catalogue.contains("Skills truncated: included"), "{catalogue}");
    assert!(catalogue.len() <= 30_000 && !system.contains("<skill_content"));
}

#[test]
fn texts_can_be_switched_off_and_their_threshold_moved() {
    let home = home();
    let server = answering();
    for more in [", skills: {prompt: {preload: false}}", ", skills: {prompt: {preloadAt: 1}}"] {
        configure(&home, &server, more);
        assert_eq!(run(&home, &["run", RAIN]).code, 0);
        let said = server.requests().last().expect("a request").last_words();
        assert!(
            !said.contains("<skill_content") && listed(&said)[0].starts_with("- `weather`"),
            "{more}: {said}"
        );
    }
}

#[test]
fn twenty_turns_send_one_system_prompt_and_only_ever_add_to_the_conversation() {
    let home = home();
    let server = ChatServer::answering(|request: &Received| {
        // Every fourth turn calls a tool first.
        let turns = request.body["messages"].as_array().map_or(0, Vec::len);
        let asked_already = request.body["messages"][turns - 1]["role"] == "tool";
        if request.last_words().contains("look it up") && !asked_already {
            Turn::call("read", json!({"path": "notes.txt"}))
        } else {
            Turn::say("Fine.")
        }
    });
    configure(&home, &server, "");
    home.tree.write("ws/notes.txt", "Ada wrote this.\n");
    let questions =
        [RAIN, "how do I tune a violin for lessons?", "thanks!", "look it up in my notes", "and in Thun?"];
    for turn in 0..20 {
        let ran = run(&home, &["run", "--session", "s", questions[turn % questions.len()]]);
        assert_eq!(ran.code, 0, "{turn}: {}", ran.stderr);
    }
    let requests = server.requests();
    assert!(requests.len() >= 20, "{}", requests.len());
    let (mut sent, mut reusable) = (0, 0);
    for pair in requests.windows(2) {
        let (before, after) = (messages(&pair[0]), messages(&pair[1]));
        assert_eq!(pair[0].system(), pair[1].system());
        assert_eq!(pair[0].body["tools"], pair[1].body["tools"]);
        assert_eq!(after[..before.len()], before, "a request begins with the one before it");
        sent += Value::from(after).to_string().len();
        reusable += Value::from(before).to_string().len();
    }
    let share = reusable * 100 / sent;
    println!("{share} % of the characters of 20 turns are a prefix that was sent before");
    assert!(share >= 80, "{share} %");
    let whole = requests.last().expect("a request").body.to_string();
    assert_eq!(whole.matches("<skill_content name=\\\"weather\\\"").count(), 1, "a text is given once");
    assert!(whole.contains("whose text you were given above"));
}

#[test]
fn a_long_text_comes_as_a_map() {
    let home = Home::new();
    let server = answering();
    configure(&home, &server, "");
    let sections = (0..30).map(|number| format!("## Step {number}\n\n{}\n\n", "Turn the lens. ".repeat(40)));
    let sections = sections.collect::<Vec<_>>().concat();
    let text = format!(
        "---\nname: lighthouse-keeper\ndescription: Changes the lamp lens of a lighthouse.\n---\n# Lenses\n\nFirst words.\n\n{sections}"
    );
    home.tree.write("ws/skills/lighthouse-keeper/SKILL.md", &text);
    assert_eq!(run(&home, &["run", "use $lighthouse-keeper to change the lamp lens"]).code, 0);
    let said = server.requests()[0].last_words();
    let block = said.split("</skills>").next().expect("a block");
    assert!(chars(block) <= 10_000, "{}", chars(block));
    assert!(block.contains("First words.") && block.contains(" lines=\"5-"), "{block}");
    // The lines of the map are those of the file.
    let line = block.lines().find(|line| line.contains(": Step 20,")).expect("a section");
    let first: usize =
        line.trim_start_matches("- ").split('–').next().and_then(|it| it.parse().ok()).expect("a line");
    assert_eq!(text.lines().nth(first - 1), Some("## Step 20"), "{line}");
}

#[test]
fn prompt_shows_what_a_run_would_send() {
    let home = home();
    let server = answering();
    configure(&home, &server, "");
    let shown: Value =
        serde_json::from_str(&run(&home, &["prompt", "--message", RAIN, "--json"]).stdout).expect("JSON");
    assert_eq!(run(&home, &["run", RAIN]).code, 0);
    let request = &server.requests()[0];
    let root = home.tree.root().display().to_string();
    let plain = |text: &str| text.replace(&root, "[ROOT]");
    assert_eq!(shown["system"], plain(&request.system()));
    let said = format!(
        "{}\n\n{}",
        shown["context"].as_str().expect("a block"),
        shown["message"].as_str().expect("a message")
    );
    assert_eq!(said, plain(&request.last_words()));
    let tokens = |value: &Value| value.as_u64().expect("a number");
    let skills: u64 =
        shown["skills"].as_array().expect("skills").iter().map(|skill| tokens(&skill["tokens"])).sum();
    assert_eq!(skills + tokens(&shown["overheadTokens"]), tokens(&shown["tokens"]));
}

#[cfg(unix)]
#[test]
fn another_program_gets_the_text_in_front_of_the_message() {
    let home = home();
    let program = home.tree.write_program("bin/claude");
    std::fs::write(
        &program,
        "#!/bin/sh\ncat > prompt\nprintf '%s\\n' '{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"done\",\"session_id\":\"h1\"}'\n",
    )
    .expect("a program");
    let skills = |ran: &Ran| serde_json::from_str::<Value>(&ran.stdout).expect("JSON")["skills"].clone();
    let ran = run(&home, &["run", "--with", "claude", RAIN, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let prompt = std::fs::read_to_string(home.tree.path("ws/prompt")).expect("a prompt");
    assert!(prompt.contains(body(WEATHER)) && prompt.ends_with(RAIN), "{prompt}");
    assert_eq!(skills(&ran), json!(["weather"]));

    let ran = run(&home, &["run", "--with", "claude", "good morning!", "--json"]);
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/prompt")).expect("a prompt"), "good morning!");
    assert_eq!(skills(&ran), json!([]), "nothing was given, so nothing is recorded");

    home.config("{skills: {prompt: {select: 'all'}}}");
    let ran = run(&home, &["run", "--with", "claude", RAIN, "--json"]);
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/prompt")).expect("a prompt"), RAIN);
    assert_eq!(skills(&ran), json!([]));
}

#[test]
fn a_home_of_an_earlier_version_is_told_once_what_is_new() {
    let old = || {
        let home = Home::new();
        home.skill("ws/skills/one", "one", "");
        home.tree.write(".prowess/sessions/2026-01-01/trace.jsonl", "");
        home
    };
    let home = old();
    let first = home.run(&["list"]);
    assert_eq!(first.code, 0);
    insta::assert_snapshot!(first.stderr, @"
    New in this version: each message gets the skills that fit it, and the text of a skill that it clearly asks for, in front
    of it. Before, the model got a list of all skills, cut by the alphabet. All skills on the disk can be chosen now.
    To go back: prowess config set skills.prompt.select all
    ");
    assert_eq!(home.run(&["list"]).stderr, "");

    let chosen = old();
    chosen.config("{skills: {prompt: {select: 'all'}}}");
    assert_eq!(chosen.run(&["list"]).stderr, "", "who chose is not affected");

    let fresh = Home::new();
    let server = answering();
    configure(&fresh, &server, "");
    assert_eq!(run(&fresh, &["run", "hello"]).code, 0);
    assert_eq!(fresh.run(&["list"]).stderr, "", "this version made the home");
}

#[test]
fn a_hundred_skills_that_are_left_out_are_one_line() {
    let home = home();
    let doctor = run(&home, &["doctor"]).stdout;
    assert_eq!(doctor.lines().filter(|line| line.contains("skills/chosen")).count(), 1, "{doctor}");
    assert!(!doctor.contains("skills/limit"), "{doctor}");
    let check: Value = serde_json::from_str(&run(&home, &["check", "--json"]).stdout).expect("JSON");
    let limits: Vec<&str> =
        check["listCuts"].as_array().expect("cuts").iter().filter_map(|cut| cut["limit"].as_str()).collect();
    assert_eq!(limits, ["skills.limits.maxSkillsLoadedPerSource", "skills.limits.maxSkillsPromptChars"]);
    assert_eq!(check["summary"]["modelVisible"], 301);
    let why: Value = serde_json::from_str(&run(&home, &["why", "weather", "--json"]).stdout).expect("JSON");
    assert_eq!(why["inPrompt"], json!(true));
}
