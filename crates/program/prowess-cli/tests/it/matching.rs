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
    load agent-memory 96 % match
       Skill              Confidence  Score  Because of
    ✓  agent-memory       96 %        11.76  meaning +9.2, second reading +2.6
    ·  search-and-cite    16 %        3.59   meaning +2.8, second reading +0.8
    ·  agent-diagnostics  4 %         1.23   meaning +1.3, second reading -0.1
    ·  agent-manual       3 %         0.53   meaning +0.4, second reading +0.2
    ");
}

/// The text that `--explain` adds, without the last line, which has the time.
fn explained(home: &Home, message: &str) -> String {
    let text = home.good(&["match", "--explain", "--top", "2", message]);
    let start = text.find("For and against").expect("an explanation");
    text[start..].lines().filter(|line| !line.starts_with("language ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_choice_says_in_plain_words_what_spoke_for_and_against_it() {
    let home = operators();
    insta::assert_snapshot!(explained(&home, "What do you remember about our previous conversations?"), @"
    For and against
      agent-memory  96 %
        for      its meaning is very close to the message (+5.3)
        neutral  no word in common
        for      read together with the message, it fits (+1.8)
        against  the message alone does not tell whether it asks for anything (-0.5)
        against  every skill starts here, because most messages ask for none (-3.3)
      search-and-cite  16 %
        for      its meaning is somewhat close to the message (+1.6)
        neutral  no word in common
        for      read together with the message, it fits (+0.6)
        against  the message alone does not tell whether it asks for anything (-0.5)
        against  every skill starts here, because most messages ask for none (-3.3)

    Against agent-memory
      the message alone does not tell whether it asks for anything (-0.5)
    Next is search-and-cite with 16 %.

    What would have changed this
      a load threshold above 0.96 instead of 0.50 would not have been reached
      with the sound of a request at -3.44 instead of -0.22 the load threshold would be crossed
      `search-and-cite` would be first with 8.167 more
    ");
    insta::assert_snapshot!(explained(&home, "thank you, that helped"), @"
    For and against
      search-and-cite  1 %
        for      its meaning is somewhat close to the message (+1.7)
        neutral  no word in common
        against  the message alone does not tell whether it asks for anything (-1.9)
        against  every skill starts here, because most messages ask for none (-4.2)
      agent-diagnostics  1 %
        for      its meaning is somewhat close to the message (+1.6)
        neutral  no word in common
        against  the message alone does not tell whether it asks for anything (-1.9)
        against  every skill starts here, because most messages ask for none (-4.2)

    Against search-and-cite
      the message alone does not tell whether it asks for anything (-1.9)
      too little speaks for it: 1.7 of the 3.3 it takes to be suggested (-1.6)
    Next is agent-diagnostics with 1 %.

    What would have changed this
      a suggest threshold of 0.01 instead of 0.30 would have been reached
      with the sound of a request at 3.46 instead of -0.05 the suggest threshold would be crossed
      `agent-diagnostics` would be first with 0.146 more
    ");
    for (message, _) in MESSAGES {
        let text = explained(&home, message).to_lowercase();
        for jargon in ["cosine", "logit", "log odds", "z-score", "deviation"] {
            assert!(!text.contains(jargon), "{jargon}: {text}");
        }
    }
}

#[test]
fn the_reasons_of_a_skill_add_up_to_its_confidence() {
    let answer = answer(&operators(), &[MESSAGES[0].0]);
    for result in answer["results"].as_array().expect("results") {
        let shares = result["reasons"].as_array().expect("reasons").iter();
        let sum: f64 = shares.filter_map(|reason| reason["share"].as_f64()).sum();
        let confidence = result["confidence"].as_f64().expect("a number");
        assert!((1.0 / (1.0 + (-sum).exp()) - confidence).abs() < 1e-3, "{result:#}");
    }
    assert_eq!(answer.get("preparing"), None, "a command waits until all skills have been read");
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
      “Plan journeys: find hotels and flights for a trip” is from travel; trips is ahead by 0.35
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
    let nothing = home.run(&["prompt", "--query", "thank you!"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (0, ""), "{}", nothing.stderr);
    assert!(nothing.stderr.starts_with("The prompt has no skills: "), "{}", nothing.stderr);
}

const RAIN: &str = "will it rain in Bern tomorrow?";

/// A home with a skill for the weather and one for messages.
fn conversation_home() -> Home {
    let home = Home::new();
    write(
        &home,
        "weather",
        "Current weather and forecasts for any place: rain, snow, wind, temperature.",
        "",
    );
    write(
        &home,
        "imsg",
        "Send iMessage and SMS messages to people from the command line and read chats.",
        "",
    );
    home
}

#[test]
fn a_follow_up_keeps_the_skill_in_use_and_says_why() {
    let home = conversation_home();
    let plain = answer(&home, &["and on Sunday?"]);
    assert!(loaded(&plain).is_empty() && plain.get("followUp").is_none(), "{plain:#}");
    for context in
        [&["--after", RAIN][..], &["--loaded", "weather"], &["--after", RAIN, "--after", "thanks!"]]
    {
        let args: Vec<&str> = ["and on Sunday?"].iter().chain(context).copied().collect();
        let kept = answer(&home, &args);
        assert_eq!(loaded(&kept), ["weather"], "{context:?}: {kept:#}");
        assert_eq!((&kept["decision"], &kept["abstained"]), (&"load".into(), &false.into()));
        assert_eq!(kept["results"][0]["kept"], true, "{kept:#}");
        let follow_up = &kept["followUp"];
        assert_eq!((&follow_up["effect"], &follow_up["skills"][0]), (&"kept".into(), &"weather".into()));
        assert_eq!(follow_up["reason"], "the message continues the one before");
    }
    let shown = home.good(&["match", "and on Sunday?", "--after", RAIN]);
    let head: Vec<&str> = shown.lines().take(2).collect();
    insta::assert_snapshot!(head.join("\n"), @r"
    load weather a follow-up
    kept from the turn before: weather (the message continues the one before)
    ");
}

#[test]
fn thanks_another_skill_and_a_new_topic_keep_nothing() {
    let home = conversation_home();
    let thanks = answer(&home, &["thanks, that was great!", "--after", RAIN]);
    assert_eq!((thanks["followUp"]["effect"].as_str(), loaded(&thanks).len()), (Some("dropped"), 0));
    let other = answer(&home, &["send Ben an iMessage that dinner is ready", "--after", RAIN]);
    assert_eq!((other["followUp"]["effect"].as_str(), loaded(&other)), (Some("plain"), vec!["imsg"]));
    let topic = answer(&home, &["thanks. who painted The Snail?", "--after", RAIN]);
    assert_eq!((topic["followUp"]["effect"].as_str(), loaded(&topic).len()), (Some("plain"), 0));
    let called = answer(&home, &["/imsg thanks", "--loaded", "weather"]);
    assert_eq!(loaded(&called), ["imsg"], "the user's word comes first: {called:#}");
}

#[test]
fn a_skill_that_is_said_to_be_in_use_must_exist() {
    let home = conversation_home();
    let ran = home.run(&["match", "and on Sunday?", "--loaded", "wether"]);
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("there is no skill `wether`"), "{}", ran.stderr);
}

#[test]
fn a_correction_becomes_a_case_once_and_is_measured() {
    let home = conversation_home();
    let none = home.good(&["eval", "--mine"]);
    insta::assert_snapshot!(none, @r#"
    You have no cases yet.
    When a message loads the wrong skill, say which one you meant:
      prowess match "do I need an umbrella?" --meant weather
      prowess match "thanks!" --meant none
    "#);
    let first = home.json(&["match", RAIN, "--meant", "weather", "--json"]);
    assert_eq!(
        (&first["right"], &first["new"], &first["meant"]),
        (&true.into(), &true.into(), &"weather".into())
    );
    let again = home.json(&["match", RAIN, "--meant", "weather", "--json"]);
    assert_eq!(again["new"], false);
    home.good(&["match", "the colour of that chair is lovely", "--meant", "imsg"]);
    home.good(&["match", "what a lovely morning", "--meant", "none"]);
    let file = std::fs::read_to_string(home.tree.path(".prowess/evals/cases.json")).expect("a file");
    let file: Value = serde_json::from_str(&file).expect("JSON");
    assert_eq!(file["evals"].as_array().map(Vec::len), Some(3), "{file:#}");
    assert_eq!(file["evals"][0]["origin"], "corrected");
    let report = home.json(&["eval", "--mine", "--json"]);
    assert_eq!((&report["right"]["count"], &report["right"]["n"]), (&2.into(), &3.into()), "{report:#}");
    let wrong = &report["wrong"][0];
    assert_eq!((&wrong["meant"], &wrong["chosen"]), (&"imsg".into(), &serde_json::json!([])));
    assert!(report["right"]["interval"]["low"].is_number() && report["ok"] == true);
    let limited = home.run(&["eval", "--mine", "--min-right", "0.9"]);
    assert_eq!(limited.code, 1, "{}", limited.stdout);
    assert!(
        limited.stdout.contains("2 of 3 right: 66.7 % (n 3, 95 % interval 20.8 to 93.9)"),
        "{}",
        limited.stdout
    );
    assert!(limited.stdout.contains("meant imsg, chosen nothing"), "{}", limited.stdout);
}

#[test]
fn a_correction_has_no_secret_and_leaves_a_damaged_file_alone() {
    let home = conversation_home();
    let secret = concat!("ghp_", "0123456789abcdefghij0123");
    home.good(&["match", &format!("push with {secret}"), "--meant", "none"]);
    let path = home.tree.path(".prowess/evals/cases.json");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.contains("push with") && !text.contains(secret), "{text}");
    let unknown = home.run(&["match", RAIN, "--meant", "wether"]);
    assert!(unknown.code != 0 && unknown.stderr.contains("there is no skill `wether`"), "{}", unknown.stderr);
    std::fs::write(&path, "{nonsense").expect("written");
    let refused = home.run(&["match", RAIN, "--meant", "weather"]);
    assert!(refused.code != 0 && refused.stderr.contains("is not a file of cases"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "{nonsense");
}

#[test]
fn a_folder_of_cases_is_measured_with_limits() {
    let home = conversation_home();
    let cases = r#"{"evals": [
        {"query": "will it rain in Bern tomorrow?", "skill": "weather"},
        {"query": "and on Sunday?", "skill": "weather", "previous": ["will it rain in Bern tomorrow?"]},
        {"query": "I love the smell of rain on warm stone", "kind": "near-miss"},
        {"query": "thanks a lot", "should_trigger": false},
        {"query": "play some jazz", "skill": "music"}
    ]}"#;
    home.tree.write("ws/evals/cases.json", cases);
    let ran = home.run(&["eval", "evals", "--json", "--min-right", "0.7", "--max-near-misses", "1"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&report["requests"]["count"], &report["requests"]["n"]),
        (&2.into(), &2.into()),
        "{report:#}"
    );
    assert_eq!((&report["nearMisses"]["n"], &report["none"]["n"]), (&1.into(), &1.into()));
    assert_eq!(report["unknown"], serde_json::json!(["music"]));
    home.tree.write("ws/evals/more.json", r#"[{"query": "what a day", "skill": "imsg"}, {"query": "odd", "skill": "imsg"}, {"query": "hm", "skill": "imsg"}]"#);
    assert_eq!(home.run(&["eval", "evals"]).code, 1);
    home.tree.write("ws/evals/more.json", "{nonsense");
    let broken = home.run(&["eval", "evals"]);
    assert!(broken.code == 1 && broken.stdout.contains("more.json"), "{}", broken.stdout);
}

#[test]
fn a_judged_pool_tells_near_misses_apart_and_counts_follow_ups() {
    let home = Home::new();
    let pool = r#"{"id":"w","name":"weather","description":"Forecasts of rain and temperature"}
{"id":"i","name":"invoices","description":"Write invoices for customers","body":"Number them."}
"#;
    let queries = r#"{"qid":"1","kind":"positive","query":"will it rain?","gold":["w"]}
{"qid":"2","kind":"none","query":"thanks a lot"}
{"qid":"3","kind":"near-miss","query":"my cat hates the cold"}
{"qid":"4","kind":"adjacent","query":"sell my raincoat"}
{"qid":"5","kind":"follow-up","query":"and on Sunday?","previous":["will it rain?"],"loaded":["w"],"gold":["w"]}
{"qid":"6","kind":"ended","query":"thanks. who painted The Snail?","previous":["will it rain?"],"loaded":["w"]}
"#;
    home.tree.write("ws/pool.jsonl", pool);
    home.tree.write("ws/queries.jsonl", queries);
    let args = ["eval", "--pool", "pool.jsonl", "--queries", "queries.jsonl"];
    let report = home.json(&[&args[..], &["--json"]].concat());
    let kinds = report["gate"][0]["kinds"].as_array().expect("kinds");
    let names: Vec<&str> = kinds.iter().filter_map(|kind| kind["kind"].as_str()).collect();
    assert_eq!(names, ["positive", "near-miss", "adjacent", "none"]);
    assert!(kinds[0].get("auroc").is_none() && kinds[1]["auroc"].is_number() && kinds[1]["loaded"]["n"] == 1);
    let follow_ups = &report["followUps"];
    assert_eq!(
        (&follow_ups["kept"]["count"], &follow_ups["dropped"]["count"]),
        (&1.into(), &1.into()),
        "{report:#}"
    );
    let text = home.good(&args);
    assert!(text.contains("  near misses: ") && text.contains("Follow-ups: 100.0 % (n 1"), "{text}");
}
