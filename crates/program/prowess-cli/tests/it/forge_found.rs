//! Learned skills are found again: for their task, in other words, and for nothing else.

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::{Value, json};

use crate::forge_support::{good, run};
use crate::support::Home;

/// Tasks with other ways to ask for them, written for this: half of them for tuning, half of them held back.
const TASKS: &str = include_str!("../fixtures/forge/tasks.jsonl");
/// Messages that no learned skill is for.
const FOREIGN: [&str; 2] = ["my turn", "sort these numbers in ascending order"];

/// A session of OpenPocket that did a task on a phone, in as many steps.
fn phone_log(id: &str, task: &str, steps: usize) -> String {
    let step = |number: usize, action: Value| {
        let text = format!(
            "step: {number}\nthought:\n(empty)\naction_json:\n{action}\nexecution_result:\nDone, ok."
        );
        json!({"type": "message", "message": {"role": "custom", "customType": "openpocket_step",
            "content": [{"type": "text", "text": text}],
            "details": {"stepNo": number, "trace": {"currentApp": "com.example.app", "status": "ok", "durationMs": 5}}}})
    };
    let mut lines = vec![
        json!({"type": "session", "version": 3, "id": id, "timestamp": "2026-02-24T10:00:00.000Z", "cwd": "/x"}),
        json!({"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": task}]}}),
        step(1, json!({"type": "launch_app", "packageName": "com.example.app"})),
    ];
    lines.extend((2..steps).map(|number| step(number, json!({"type": "tap", "x": number, "y": 2}))));
    lines.push(step(steps, json!({"type": "finish", "message": "done"})));
    lines.push(json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}],
        "provider": "openpocket", "model": "session-task-outcome", "stopReason": "stop"}}));
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

/// Imports a session and makes a draft of it.
fn drafted(home: &Home, id: &str, task: &str, steps: usize) -> Value {
    home.tree.write(&format!("ws/{id}.jsonl"), phone_log(id, task, steps));
    let imported = good(home, &["sessions", "import", "--from", "openpocket", &format!("{id}.jsonl")]);
    let session = imported["imported"][0]["session"]["id"].as_str().expect("a session").to_owned();
    good(home, &["forge", "draft", &session])
}

fn name_of(draft: &Value) -> String {
    draft["name"].as_str().unwrap_or_else(|| panic!("a name: {draft}")).to_owned()
}

fn text_of(home: &Home, name: &str) -> String {
    std::fs::read_to_string(home.tree.path(&format!(".prowess/forge/drafts/{name}/SKILL.md"))).unwrap()
}

/// Tests a draft; what it measured.
fn tested(home: &Home, name: &str) -> Value {
    let ran = run(home, &["forge", "test", name, "--json"]);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr))
}

fn loaded(home: &Home, message: &str) -> Vec<String> {
    let found = good(home, &["match", message]);
    let results = found["results"].as_array().cloned().unwrap_or_default();
    let loaded = results.iter().filter(|result| result["loaded"] == true);
    loaded.map(|result| result["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_learned_skill_is_found_for_its_task_and_for_nothing_else() {
    let home = Home::new();
    let mut names = Vec::new();
    for (number, (task, expected)) in [
        ("Set an alarm for 7am tomorrow", "set-alarm"),
        ("Turn on dark mode", "turn-on-dark-mode"),
        ("Order a bubble tea", "order-bubble-tea"),
        ("帮我订一张去上海的火车票", "book-train"),
        ("Отправь сообщение Наташе, что я опаздываю", "send-message"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = name_of(&drafted(&home, &format!("2026022{number}-100000"), task, 4 + number));
        assert_eq!(name, expected);
        let test = tested(&home, &name);
        assert_eq!(test["passed"], true, "{task}: {test:#}");
        // What the user said is nowhere in the draft, nor in what was measured.
        let folder = home.tree.path(&format!(".prowess/forge/drafts/{name}"));
        for file in crate::support::files_below(&folder) {
            let text = std::fs::read_to_string(folder.join(&file)).unwrap_or_default();
            for planted in ["7am", "tomorrow", "上海", "Наташ", "опаздыва"] {
                assert!(!text.contains(planted), "{planted} in {file}: {text}");
            }
        }
        good(&home, &["forge", "promote", &name, "--yes"]);
        names.push((task, name));
    }
    for (task, name) in names {
        assert_eq!(loaded(&home, task), [name], "{task}");
    }
    assert_eq!(loaded(&home, "please wake me up at 6:30"), ["set-alarm"]);
    for message in FOREIGN {
        assert_eq!(loaded(&home, message), Vec::<String>::new(), "{message}");
    }
}

#[test]
fn a_description_is_plain_words_and_names_the_session_file() {
    let home = Home::new();
    let name = name_of(&drafted(&home, "20260224-100000", "Set an alarm for 7am tomorrow", 4));
    let text = text_of(&home, &name);
    assert!(
        text.contains(
            "description: \"Sets an alarm for a given time on the phone. Use when asked to set an alarm for a given time, \
             create an alarm, make an alarm or wake up at a given time.\""
        ),
        "{text}"
    );
    let line = text.lines().find(|line| line.starts_with("- Source session: ")).expect("a line");
    assert!(line.starts_with("- Source session: ~/.prowess/sessions/") && line.contains(".jsonl"), "{line}");
    let file = line.rsplit(' ').next().unwrap().replacen('~', "", 1);
    assert!(home.tree.path(file.trim_start_matches('/')).is_file(), "{file}");
}

#[test]
fn a_draft_that_its_own_task_does_not_load_is_not_promoted() {
    let home = Home::new();
    // No word of it is in any list.
    let name = name_of(&drafted(&home, "20260224-100000", "Zxqv blorp wumpf 7am", 4));
    let ran = run(&home, &["forge", "test", &name]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("✗ selection: its own task does not load it ("), "{}", ran.stdout);
    assert!(!ran.stdout.contains("blorp"), "{}", ran.stdout);
    let refused = run(&home, &["forge", "promote", &name, "--yes"]);
    assert_eq!(refused.code, 1);
    let why = format!("the draft `{name}` failed its test: selection: its own task does not load it");
    assert!(
        refused.stderr.contains(&why) && refused.stderr.contains("help: edit the draft"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_better_run_replaces_a_draft_and_proposes_a_version_of_a_skill() {
    let home = Home::new();
    let task = "Set an alarm for 7am tomorrow";
    let first = drafted(&home, "20260224-100000", task, 7);
    let name = name_of(&first);
    // A longer way is counted; a shorter one takes its place, though it is asked for with another time.
    let longer = drafted(&home, "20260224-100001", task, 9);
    assert_eq!((name_of(&longer), &longer["count"]), (name.clone(), &json!(2)));
    assert_eq!(longer["fingerprint"], first["fingerprint"]);
    let shorter = drafted(&home, "20260224-100002", "Set an alarm for 8am", 5);
    assert_eq!((name_of(&shorter), &shorter["count"]), (name.clone(), &json!(3)));
    assert_ne!(shorter["fingerprint"], first["fingerprint"]);
    assert!(text_of(&home, &name).contains("\n5. finish"), "{}", text_of(&home, &name));
    let list = good(&home, &["forge", "list"]);
    assert_eq!(list["drafts"].as_array().map(Vec::len), Some(1), "{list}");

    assert_eq!(tested(&home, &name)["passed"], true);
    good(&home, &["forge", "promote", &name, "--yes"]);
    let skill = home.tree.path(&format!(".prowess/skills/{name}/SKILL.md"));
    let in_use = std::fs::read_to_string(&skill).unwrap();
    let better = drafted(&home, "20260224-100003", task, 4);
    assert_eq!(
        (name_of(&better), &better["status"], &better["proposed"]),
        (name.clone(), &json!("promoted"), &json!(true))
    );
    // The skill stays as it is until its new version was tested and agreed to.
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), in_use);
    assert!(run(&home, &["forge", "list"]).stdout.contains("promoted, new version waits"));
    assert_eq!(run(&home, &["forge", "promote", &name, "--yes"]).code, 1);
    // It may be rejected alone.
    good(&home, &["forge", "reject", &name]);
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), in_use);
    assert_eq!(good(&home, &["forge", "show", &name])["draft"]["proposed"], Value::Null);
    assert_eq!(run(&home, &["forge", "diff", &name]).stdout, "Nothing would change.\n");
}

#[test]
fn a_strict_skill_validates_and_its_script_is_the_owners() {
    let home = Home::new();
    let pocket = |args: &[&str]| good(&home, &[&["--profile", "openpocket"], args].concat());
    home.tree.write(".openpocket/config.json", "{\"agent\": {\"skillsSpecMode\": \"strict\"}}");
    let mut log = phone_log("20260224-100000", "帮我点一杯奶茶", 4);
    // A probe inside of a line.
    log = log.replacen(
        "Done, ok.",
        "Tapped. capability_probe count=1 camera/active pkg=com.x src=appops conf=0.90",
        1,
    );
    home.tree.write("ws/a.jsonl", log);
    let imported = pocket(&["sessions", "import", "--from", "openpocket", "a.jsonl"]);
    let session = imported["imported"][0]["session"]["id"].as_str().unwrap().to_owned();
    let draft = pocket(&["forge", "draft", &session]);
    let name = name_of(&draft);
    assert!(name.ends_with("-order-bubble-tea"), "{name}");
    assert_eq!(draft["hasDataRisk"], true, "{draft}");
    assert!(text_of_pocket(&home, &name).contains("Data risk"), "the warning is in the text");
    let test = pocket(&["forge", "test", &name]);
    assert_eq!(test["passed"], true, "{test:#}");
    pocket(&["forge", "promote", &name, "--yes"]);
    let skill = home.tree.path(&format!(".openpocket/workspace/skills/auto/{name}/SKILL.md"));
    let text = std::fs::read_to_string(&skill).unwrap();
    assert!(text.starts_with(&format!("---\nname: {name}\n")), "{text}");
    let ran = run(&home, &["--profile", "openpocket", "validate", "--strict", skill.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let scripts = home.tree.path(".openpocket/workspace/scripts/auto");
        let script = scripts.join(crate::support::files_below(&scripts).first().expect("a script"));
        assert_eq!(std::fs::metadata(script).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

fn text_of_pocket(home: &Home, name: &str) -> String {
    let drafts = [".openpocket/forge/drafts", ".prowess/forge/drafts"];
    let read =
        |folder: &&str| std::fs::read_to_string(home.tree.path(&format!("{folder}/{name}/SKILL.md"))).ok();
    drafts.iter().find_map(read).expect("a draft")
}

#[test]
fn a_configured_model_phrases_a_draft_unless_it_tells_too_much() {
    let task = "Set an alarm for 7am tomorrow";
    for (said, is_taken) in [
        ("Sets an alarm clock on the phone. Use when a person wants to be woken up or needs an alarm.", true),
        ("Sets an alarm for 7am tomorrow.", false),
        ("Bakes bread. Use when asked about bread.", false),
    ] {
        let server = ChatServer::start(vec![Turn::say(said)]);
        let home = Home::new();
        home.config(&format!("{{{}}}", server.settings()));
        let name = name_of(&drafted(&home, "20260224-100000", task, 4));
        let text = text_of(&home, &name);
        assert_eq!(text.contains(&format!("description: \"{said}\"")), is_taken, "{text}");
        let asked = server.requests().last().expect("a request").body.to_string();
        assert!(!asked.contains("7am") && !asked.contains("tomorrow"), "{asked}");
    }
}

/// `found of all (share; 95 % interval)`, by Wilson.
fn rate(found: usize, all: usize) -> String {
    let (n, p, z) = (all as f64, found as f64 / all.max(1) as f64, 1.96);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    format!(
        "{found} of {all} ({:.0} %; {:.0} to {:.0} %)",
        p * 100.0,
        (middle - half) * 100.0,
        (middle + half) * 100.0
    )
}

#[test]
#[ignore = "takes minutes; `cargo xtask soak` runs it"]
fn soak_learned_skills_are_found_again() {
    for half in ["tune", "held"] {
        let (mut tasks, mut promoted, mut own, mut others, mut other_count, mut foreign, mut foreign_count) =
            (0, 0, 0, 0, 0, 0, 0);
        let all: Vec<Value> = TASKS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let list: Vec<&Value> = all.iter().filter(|one| one["half"] == half).collect();
        for (number, one) in list.iter().enumerate() {
            tasks += 1;
            let home = Home::new();
            let task = one["task"].as_str().unwrap();
            let name = name_of(&drafted(&home, "20260224-100000", task, 5));
            let text = text_of(&home, &name).to_lowercase();
            for personal in one["personal"].as_array().unwrap() {
                let personal = personal.as_str().unwrap().to_lowercase();
                let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
                let is_told = if personal.is_ascii() {
                    words.contains(&personal.as_str())
                } else {
                    text.contains(&personal)
                };
                let is_number = personal.chars().all(|letter| letter.is_ascii_digit());
                assert!(is_number || !is_told, "{personal}: {text}");
            }
            let test = tested(&home, &name);
            if test["passed"] != true {
                println!("not promoted: {task}: {}", test["checks"][3]["details"]);
                continue;
            }
            promoted += 1;
            good(&home, &["forge", "promote", &name, "--yes"]);
            let loads = |message: &str| loaded(&home, message).contains(&name);
            own += usize::from(loads(task));
            for other in one["paraphrases"].as_array().unwrap() {
                other_count += 1;
                let message = other.as_str().unwrap();
                if loads(message) { others += 1 } else { println!("missed: {message} ({task})") }
            }
            // Messages of three tasks of other kinds, and two that only look like one.
            let neighbours = [3, 7, 11].map(|step| list[(number + step) % list.len()]);
            let is_other = |other: &Value| {
                let kind = kind_of(other["task"].as_str().unwrap());
                kind == "other" || kind != kind_of(task)
            };
            let messages = neighbours
                .into_iter()
                .filter(|other| is_other(other))
                .map(|other| other["task"].as_str().unwrap());
            for message in messages.chain(FOREIGN) {
                foreign_count += 1;
                if loads(message) {
                    foreign += 1;
                    println!("wrongly loaded: {message} ({task})");
                }
            }
        }
        println!("soak: {half}: {} tasks are promoted", rate(promoted, tasks));
        println!("soak: {half}: {} own tasks load", rate(own, tasks));
        println!("soak: {half}: {} paraphrases load", rate(others, other_count));
        println!("soak: {half}: {} foreign messages load", rate(foreign, foreign_count));
    }
}

/// The kind of a task of the list: tasks of one kind may load each other's skill.
fn kind_of(task: &str) -> &'static str {
    const KINDS: [(&str, &[&str]); 6] = [
        (
            "alarm",
            &["alarm", "wecker", "wekker", "будильник", "アラーム", "알람", "المنبه", "अलार्म", "minuteur"],
        ),
        ("dark", &["dark", "sombre", "dunkel", "深色", "тёмную", "ダーク", "다크"]),
        (
            "message",
            &[
                "text ",
                "mensaje",
                "mensagem",
                "сообщение",
                "消息",
                "メール",
                "문자",
                "رسالة",
                "mesaj",
                "wiadomość",
                "share it",
            ],
        ),
        ("order", &["order", "bestelle", "commande", "奶茶"]),
        ("book", &["book a", "prenota", "reserve", "taxi", "火车票"]),
        (
            "files",
            &["file", "photo", "image", "datei", "rechnung", "factura", "файл", "写真", "video", "png"],
        ),
    ];
    let task = task.to_lowercase();
    KINDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| task.contains(word)))
        .map_or("other", |(kind, _)| kind)
}
