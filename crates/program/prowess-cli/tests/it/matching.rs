//! `match`, `eval`, `overlap` and the catalogue for a message, with the encoders inside the program.

use prowess_testkit::SkillFile;
use serde_json::Value;

use crate::support::{Home, Program as _};

/// Skills in their operators' words: none of the messages below shares a telling word with its skill.
const OPERATORS: [(&str, &str); 4] = [
    (
        "agent-manual",
        "Operating manual of the agent daemon: cron jobs, timers and reminder scheduling, channels, webhooks, tool \
         permissions and configuration keys. Consult it before answering what the agent is able to do.",
    ),
    (
        "agent-diagnostics",
        "Check the daemon log for structured error patterns, look at health endpoints, stuck tool calls and \
         context exhaustion, and report a root cause with remediation steps.",
    ),
    (
        "agent-memory",
        "Store, search and recall facts, preferences and summaries of earlier chats in the long-term memory store.",
    ),
    (
        "search-and-cite",
        "Query a search engine, open the most promising pages and answer with up-to-date facts and links to sources.",
    ),
];

const MESSAGES: [(&str, &str); 4] = [
    ("Can you schedule reminders?", "agent-manual"),
    ("Something is wrong with my session, can you diagnose it?", "agent-diagnostics"),
    ("What do you remember about our previous conversations?", "agent-memory"),
    ("Search the web for the latest Akka.NET release", "search-and-cite"),
];

fn write(home: &Home, name: &str, description: &str, body: &str) {
    home.add(&SkillFile::new(name).description(description).body(&format!("{body}\n")));
}

fn operators() -> Home {
    let home = Home::new();
    for (name, description) in OPERATORS {
        write(&home, name, description, "");
    }
    home
}

fn answer(home: &Home, args: &[&str]) -> Value {
    let all: Vec<&str> = ["match", "--json"].iter().chain(args).copied().collect();
    let ran = home.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

fn loaded(answer: &Value) -> Vec<&str> {
    let results = answer["results"].as_array().expect("results").iter();
    results.filter(|result| result["loaded"] == true).filter_map(|result| result["name"].as_str()).collect()
}

#[test]
fn the_four_messages_load_their_skills() {
    let home = operators();
    for (message, expected) in MESSAGES {
        let answer = answer(&home, &[message]);
        assert_eq!(loaded(&answer), [expected], "{message}: {answer:#}");
    }
}

/// One line for each of 52 common skills: name, description and, for those that only run on a Mac, the platform.
const OTHERS: &str = include_str!("fixtures/others.tsv");

#[test]
fn the_four_messages_load_their_skills_among_52_others() {
    let home = operators();
    for line in OTHERS.lines() {
        let mut fields = line.split('\t');
        let (name, description) = (fields.next().expect("a name"), fields.next().expect("a description"));
        let platform = fields.next().map(|os| format!("metadata: {{\"prowess\": {{\"os\": [\"{os}\"]}}}}\n"));
        let text = format!(
            "---\nname: {name}\ndescription: \"{description}\"\n{}---\n",
            platform.unwrap_or_default()
        );
        home.tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
    }
    for (message, expected) in MESSAGES {
        let answer = answer(&home, &[message]);
        assert_eq!(loaded(&answer), [expected], "{message}: {answer:#}");
    }
}

#[test]
fn nothing_loads_for_small_talk() {
    let home = operators();
    for message in
        ["hi", "good morning!", "thank you, that helped", "what is 17 times 3?", "你好", "danke schön"]
    {
        let answer = answer(&home, &[message]);
        assert_eq!((loaded(&answer).len(), &answer["abstained"]), (0, &Value::Bool(true)), "{message}");
    }
}

#[test]
fn the_answer_has_the_documented_shape() {
    let home = operators();
    let answer = answer(&home, &["--top", "2", "--threshold", "0.5", MESSAGES[0].0]);
    let keys: Vec<&str> = crate::support::keys(&answer);
    for key in ["query", "lang", "abstained", "confidence", "threshold", "results", "tookMs"] {
        assert!(keys.contains(&key), "{key} is missing in {keys:?}");
    }
    assert_eq!((&answer["lang"], &answer["threshold"]), (&Value::from("en"), &Value::from(0.5)));
    let results = answer["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for key in ["name", "id", "score", "confidence", "eligible", "source", "filePath", "signals", "missing"] {
        assert!(results[0].get(key).is_some(), "{key}");
    }
}

#[test]
fn a_message_can_come_from_standard_input() {
    let home = operators();
    let mut command = home.command();
    command.args(["match", "-"]).write_stdin("What do you remember about our previous conversations?\n");
    let ran = home.finish(&mut command);
    insta::assert_snapshot!(ran.stdout, @"
    load agent-memory 77 % match
       Skill              Confidence  Score  Because of
    ✓  agent-memory       77 %        7.83   meaning +7.8
    ·  search-and-cite    1 %         0.20   meaning +0.2
    ·  agent-diagnostics  0 %         -0.98  meaning -1.0
    ·  agent-manual       0 %         -1.43  meaning -1.4
    ");
}

#[test]
fn wrong_usage_is_said() {
    let home = operators();
    for (args, message) in [
        (&["match", "x", "--threshold", "2"][..], "from 0 to 1"),
        (&["eval", "nowhere"], "does not exist"),
        (&["eval", "skills"], "no skill"),
        (&["eval", "--pool", "missing.jsonl", "--queries", "missing.jsonl"], "cannot read"),
        (&["eval", "--pool", "missing.jsonl"], "--queries"),
    ] {
        let ran = home.run(args);
        assert!([1, 2].contains(&ran.code) && ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn trigger_cases_are_counted_and_confusions_named() {
    let home = operators();
    let cases =
        r#"{"should": ["What do you remember about our previous conversations?"], "shouldNot": ["hello"]}"#;
    home.tree.write("ws/skills/agent-memory/evals/triggers.json", cases);
    let wrong = r#"[{"query": "Search the web for the latest Akka.NET release", "should_trigger": true}]"#;
    home.tree.write("ws/skills/agent-manual/trigger-eval.json", wrong);
    home.tree.write("ws/skills/agent-diagnostics/evals/triggers.json", "{nonsense");
    let ran = home.run(&["eval", "skills", "--json", "--runs", "3"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&report["should"], &report["shouldNot"]), (&Value::from(6), &Value::from(3)));
    assert_eq!(report["recallAt1"], Value::from(0.5));
    assert_eq!(report["falseLoads"], Value::from(0.0));
    let confusion = &report["confusions"][0];
    assert_eq!((&confusion["meant"], &confusion["got"]), (&"agent-manual".into(), &"search-and-cite".into()));
    assert_eq!(confusion["count"], Value::from(3));
    assert_eq!(report["issues"].as_array().map(Vec::len), Some(1));
    let fine = home.run(&["eval", "skills/agent-memory"]);
    assert_eq!(fine.code, 0, "{}{}", fine.stdout, fine.stderr);
}

#[test]
fn a_judged_pool_gives_its_figures() {
    let home = Home::new();
    let pool = r#"{"id":"w","name":"weather","description":"Forecasts of rain and temperature"}
{"id":"i","name":"invoices","description":"Write invoices for customers","body":"Number them."}
"#;
    let queries = r#"{"qid":"1","lang":"en","kind":"positive","query":"will it rain?","gold":["w"],"primary":"w"}
{"qid":"2","lang":"de","kind":"positive","query":"Brauche ich einen Regenschirm?","gold":["w"],"primary":["w"]}
{"qid":"3","lang":"en","kind":"none","query":"thanks a lot","gold":[]}
"#;
    home.tree.write("ws/pool.jsonl", pool);
    home.tree.write("ws/queries.jsonl", queries);
    let args = ["eval", "--pool", "pool.jsonl", "--queries", "queries.jsonl"];
    let report = home.json(&[&args[..], &["--json", "--per-query", "out.jsonl"]].concat());
    assert_eq!((&report["candidates"], &report["queries"]), (&Value::from(2), &Value::from(3)));
    let english = report["groups"].as_array().expect("groups").iter().find(|group| group["lang"] == "en");
    assert_eq!(english.expect("English")["gold"]["recallAt1"], Value::from(1.0));
    assert_eq!(report["gate"][0]["auroc"], Value::from(1.0));
    let lines = std::fs::read_to_string(home.tree.path("ws/out.jsonl")).expect("answers");
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["qid"], &first["ranking"][0]), (&Value::from("1"), &Value::from("w")));
    assert!(first["confidence"].is_number());
    let text = home.good(&args);
    assert!(text.contains("AUROC 1.000") && text.contains("Latency: p50"), "{text}");

    home.tree.write("ws/queries.jsonl", "{\"qid\":1}\n");
    let ran = home.run(&args);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error[invalid-value]: line 1 of the queries is not understood
    cause: invalid type: integer `1`, expected a string at line 1 column 8
    help: `prowess eval --help` describes the format
    ");
}

#[test]
fn competing_skills_are_named_with_a_way_out() {
    let home = Home::new();
    write(&home, "trips", "Plan trips: find flights and hotels for a journey.", "");
    write(&home, "travel", "Plan journeys: find hotels and flights for a trip.", "");
    write(&home, "invoices", "Write and number invoices for customers.", "");
    let report = home.json(&["overlap", "--json"]);
    let pair = &report["pairs"][0];
    let mut names = [pair["meant"].as_str().expect("a name"), pair["rival"].as_str().expect("a name")];
    names.sort_unstable();
    assert_eq!(names, ["travel", "trips"]);
    assert!(!pair["suggestion"].as_str().unwrap_or_default().is_empty());
    insta::assert_snapshot!(home.good(&["overlap"]), @"
    △ travel and trips
      “Plan journeys: find hotels and flights for a trip” is from travel; trips is ahead by 0.24
      `trips` says nothing that `travel` does not: add to its description what only it does (`travel` alone has `travel`)
    ");
}

#[test]
fn the_prompt_follows_a_message() {
    let home = operators();
    let args = ["prompt", "--query", "Search the web for the latest Akka.NET release"];
    let text = home.good(&args);
    let first = text.find("<name>").map(|start| &text[start..start + 40]).unwrap_or_default();
    assert!(first.starts_with("<name>search-and-cite"), "{text}");
    let top = home.json(&[&args[..], &["--select", "top", "--preload", "--json"]].concat());
    assert!(top["stableChars"].as_u64().is_some_and(|chars| chars > 100), "{top}");
    home.config("{skills: {prompt: {select: 'top'}}}");
    let nothing = home.good(&["prompt", "--query", "thank you!"]);
    assert_eq!(nothing, "");
}
