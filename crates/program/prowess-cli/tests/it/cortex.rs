//! `prowess cortex`: what is learned, who is found, and how a task is done with a skill that was not there.

use prowess_testkit::SkillFile;
use prowess_testkit::chat::{ChatServer, Turn};
use prowess_testkit::web::{Answer, Web, WebRequest};
use serde_json::{Value, json};

use crate::acquire_support::zip;
use crate::support::{Home, Program as _, Ran, texts};

const TASK: &str = "look up the open todos of Alice Meyer for 2026-03-04";

fn answer(value: &Value) -> Answer {
    Answer::ok(value.to_string()).header("content-type", "application/json")
}

fn path(request: &WebRequest) -> &str {
    request.path.split('?').next().unwrap_or_default()
}

fn hit(slug: &str, summary: &str) -> Value {
    json!({ "score": 1.0, "slug": slug, "displayName": slug, "summary": summary, "version": "1.2.0", "downloads": 10 })
}

fn detail(slug: &str, version: &str, moderation: &Value) -> Value {
    json!({
        "skill": { "slug": slug, "displayName": slug, "summary": "Lists, adds and completes todos in a todo list.",
                   "tags": { "latest": version }, "stats": { "stars": 7, "downloads": 321 }, "createdAt": 1, "updatedAt": 2 },
        "latestVersion": { "version": version, "createdAt": 1, "changelog": "" },
        "owner": { "handle": "ada" }, "moderation": moderation,
    })
}

/// The archive of a skill that only talks.
fn archive(name: &str, fields: &str) -> Vec<u8> {
    let text = format!(
        "---\nname: {name}\ndescription: Lists, adds and completes todos in a todo list.\n{fields}---\n# Todos\n\n1. \
         Read the list.\n2. Say what is open.\n"
    );
    zip(&[("SKILL.md", text.as_bytes())])
}

/// A registry with these skills, which is also the place where repositories are searched.
fn shop(skills: &'static [&'static str], fields: &'static str) -> Web {
    Web::start(move |request| {
        let path = path(request);
        if path == "/api/v1/search" {
            let about = "Lists, adds and completes todos in a todo list.";
            let results: Vec<Value> = skills.iter().map(|slug| hit(slug, about)).collect();
            return answer(&json!({ "results": results }));
        }
        if path == "/search/repositories" {
            return answer(&json!({ "items": [
                { "full_name": "bob/todo-skill", "description": "A skill that shows and edits your todo list", "stargazers_count": 42 },
                { "full_name": "bob/attic", "description": "old todo list", "archived": true },
                { "full_name": "../../etc", "description": "todo list" },
            ] }));
        }
        let slug = request.path.split(&['/', '=', '?', '&'][..]).find(|part| skills.contains(part));
        match slug {
            Some(slug) if path == "/api/v1/download" => {
                Answer::ok(archive(slug, fields)).header("content-type", "application/zip")
            }
            Some(slug) if path == format!("/api/v1/skills/{slug}") => {
                answer(&detail(slug, "1.2.0", &Value::Null))
            }
            Some(slug) if path.contains("/versions/") => answer(&json!({
                "version": { "version": "1.2.0", "createdAt": 1, "changelog": "" },
                "skill": { "slug": slug, "displayName": slug },
            })),
            _ => Answer::status(404, "Skill not found"),
        }
    })
}

fn home(web: &Web, more: &str) -> Home {
    let home = Home::new();
    home.config(&format!("{{cortex: {{githubApi: '{}'}}{more}}}", web.url("")));
    home
}

fn ask(home: &Home, web: &Web, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PROWESS_REGISTRY", web.url("")).env("PATH", path);
    home.finish(command.args(args))
}

fn value(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr))
}

fn record(home: &Home, skill: &str, result: &str, more: &[&str]) -> Value {
    let args = [&["cortex", "record", "--task", TASK, "--skill", skill, "--result", result, "--json"], more]
        .concat();
    home.json(&args)
}

fn file(home: &Home) -> Value {
    let text = std::fs::read_to_string(home.tree.path(".prowess/cortex.json")).expect("the export");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn an_outcome_moves_a_weight_and_names_are_not_remembered() {
    let home = Home::new();
    let learned = record(&home, "todoist-cli", "success", &["--skill-version", "1.2.0"]);
    assert_eq!((&learned["before"], &learned["weight"]), (&Value::Null, &json!(0.575)));
    let learned = record(&home, "todoist-cli", "task_mismatch", &[]);
    assert_eq!(learned["weight"], json!(0.575 * 0.4));
    let everything = file(&home).to_string() + &home.good(&["cortex", "history", "--json", "--limit", "0"]);
    for private in ["alice", "meyer", "2026-03-04"] {
        assert!(!everything.to_lowercase().contains(private), "{private}: {everything}");
    }
    assert_eq!(file(&home)["version"], 1);
    let shown = home.good(&["cortex", "show"]);
    insta::assert_snapshot!(shown, @"
    1 kind of task, 1 candidate, 2 events

    query-todos  query, todos
    skill        weight  today  runs            in a row  state
    todoist-cli  0.230   0.230  1 ok, 1 failed  0         too weak to be offered
    ");
    assert_eq!(home.json(&["cortex", "replay", "--json"])["same"], true);
}

#[test]
fn every_profile_has_its_own_place() {
    let home = Home::new();
    let args = ["cortex", "record", "--task", "query my todos", "--skill", "todo", "--result", "success"];
    home.good(&[&["--profile", "openclaw"], &args[..]].concat());
    assert!(home.tree.path(".openclaw/skill-cortex/cortex.json").is_file());
    assert!(!home.tree.path(".prowess/cortex.json").exists());
    home.good(&args);
    assert!(home.tree.path(".prowess/cortex.json").is_file());
}

#[test]
fn a_failure_that_repeats_is_a_lesson_and_the_user_has_the_last_word() {
    let home = Home::new();
    for _ in 0..2 {
        record(&home, "img", "dependency_missing", &["--key", "imagemagick"]);
    }
    let lessons = home.json(&["cortex", "lessons", "--json"]);
    let lesson = &lessons["lessons"][0];
    assert_eq!(
        (&lesson["type"], &lesson["key"], &lesson["confidence"]),
        (&json!("dependency_warning"), &json!("imagemagick"), &json!(0.6))
    );
    let right = home.json(&["cortex", "lessons", "--right", "1", "--json"]);
    assert_eq!(right["lessons"][0]["confidence"], json!(0.7));
    assert_eq!(home.run(&["cortex", "lessons", "--wrong", "9"]).code, 1);
    home.good(&["cortex", "blacklist", "img"]);
    let hidden = home.json(&["cortex", "show", "--json"])["regions"][0]["hidden"].clone();
    assert_eq!(hidden[0]["why"], "blacklisted");
    home.good(&["cortex", "blacklist", "img", "--remove"]);
    home.good(&["cortex", "forget", "--skill", "img"]);
    assert_eq!(home.json(&["cortex", "show", "--json"])["regions"], json!([]));
    assert_eq!(home.run(&["cortex", "forget", "--skill", "img"]).code, 1);
    assert_eq!(home.run(&["cortex", "forget", "--everything"]).code, 2);
}

#[test]
fn an_installed_skill_that_fits_ends_the_search() {
    let web = shop(&[], "");
    let home = home(&web, "");
    home.tree.write(
        "ws/skills/todos/SKILL.md",
        SkillFile::new("todos")
            .description("Shows, adds and completes the todos of a todo list.")
            .body("Read the list.\n")
            .text(),
    );
    let ran = ask(&home, &web, &["cortex", "perceive", "show my open todos", "--json"]);
    assert_eq!((ran.code, &value(&ran)["installed"]), (0, &json!(["todos"])), "{}", ran.stderr);
    assert!(web.requests().is_empty());
}

#[test]
fn what_is_not_known_is_searched_for_without_names() {
    let web = shop(&["todo-a"], "");
    let home = home(&web, "");
    let ran = ask(&home, &web, &["cortex", "perceive", TASK, "--json"]);
    let seen = value(&ran);
    let names = texts(&seen["candidates"], "slug");
    assert_eq!((ran.code, names), (0, vec!["todo-a", "bob/todo-skill"]), "{}", ran.stderr);
    assert_eq!(
        (&seen["candidates"][0]["stars"], &seen["candidates"][0]["downloads"]),
        (&json!(7), &json!(321))
    );
    assert_eq!(
        (&seen["candidates"][1]["reviewed"], &seen["candidates"][1]["source"]),
        (&json!(false), &json!("github"))
    );
    for request in web.requests() {
        let path = request.path.to_lowercase();
        assert!(!path.contains("alice") && !path.contains("meyer") && !path.contains("2026"), "{path}");
    }
    assert_eq!(file(&home)["stats"]["searches"], 1);
    let nobody = ask(&home, &web, &["cortex", "perceive", TASK, "--offline", "--json"]);
    assert_eq!((nobody.code, &value(&nobody)["candidates"]), (1, &json!([])));
}

#[test]
fn a_candidate_is_shown_with_everything_that_is_known_about_it() {
    let web = shop(&["todo-a"], "");
    let home = home(&web, "");
    let shown = ask(&home, &web, &["cortex", "perceive", TASK]).stdout;
    for part in [
        "1. todo-a v1.2.0\n   Lists, adds and completes todos in a todo list.\n",
        "7 stars · 321 downloads · registry (todo-a) · not scanned by the registry",
        "history: never used",
        "2. bob/todo-skill\n   A skill that shows and edits your todo list\n",
        "42 stars · repository bob/todo-skill (unreviewed)",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    record(&home, "todo-a", "success", &[]);
    let known = ask(&home, &web, &["cortex", "perceive", TASK]).stdout;
    assert!(known.contains("history: 1 ok, 0 failed, 1 in a row, weight 0.575"), "{known}");
    assert_eq!(file(&home)["cortex"]["sensory"]["patterns"][0]["signal"], json!(["query", "todos"]));
}

#[test]
fn malware_is_never_offered_again() {
    let web = Web::start(|request| match path(request) {
        "/api/v1/search" => answer(&json!({ "results": [hit("bad", "Shows and edits a todo list.")] })),
        "/api/v1/skills/bad" => {
            answer(&detail("bad", "1.0.0", &json!({ "isSuspicious": true, "isMalwareBlocked": true })))
        }
        "/search/repositories" => answer(&json!({ "items": [] })),
        _ => Answer::status(404, "Skill not found"),
    });
    let home = home(&web, "");
    let ran = ask(&home, &web, &["cortex", "perceive", TASK, "--json"]);
    assert_eq!((ran.code, &value(&ran)["candidates"]), (1, &json!([])));
    assert_eq!(home.json(&["cortex", "blacklist", "--json"])["blacklist"], json!(["bad"]));
}

/// A cortex as another program wrote it, with a candidate that has earned its reflex.
fn earned(version: &str) -> String {
    json!({
        "version": 1,
        "cortex": {
            "sensory": { "patterns": [{ "signal": ["query", "todos"], "region": "todos", "weight_of_others": 3 }] },
            "motor": { "todos": { "last_used": today(), "candidates": [{
                "slug": "todo-a", "source": "clawhub", "version": version, "weight": 0.96,
                "runs": { "success": 24, "fail": 1, "recent_successes_7d": 1, "consecutive_success": 12 },
                "last_fail": null, "side_effects": ["network:api.example.org"], "skill_md_chars": 900, "reflex": true,
            }] } },
            "prefrontal": { "lessons": [] },
        },
        "blacklist": [], "stats": { "searches": 0, "installs": 0, "cache_hits": 0, "reflexes_fired": 0 },
    })
    .to_string()
}

/// The day, as the program has it.
fn today() -> Value {
    let home = Home::new();
    record(&home, "any", "success", &[]);
    let regions = file(&home)["cortex"]["motor"].clone();
    regions.as_object().and_then(|regions| regions.values().next()).expect("a region")["last_used"].clone()
}

#[test]
fn a_reflex_is_announced_and_another_version_ends_it() {
    let web = shop(&["todo-a", "todo-b"], "");
    let home = home(&web, "");
    home.tree.write(".prowess/cortex.json", earned("1.2.0"));
    let seen = value(&ask(&home, &web, &["cortex", "perceive", "query my open todos", "--json"]));
    assert_eq!(seen["region"]["region"], "todos", "{seen}");
    assert_eq!(
        seen["validation"]["notice"],
        "⚡ Skill Cortex reflex: todo-a v1.2.0 (96% success rate)\n   Task: query my open todos (read-only) | Will install \
         and execute. Say cancel to abort.",
        "{seen}"
    );
    // What nobody here knows survives.
    assert_eq!(file(&home)["cortex"]["sensory"]["patterns"][0]["weight_of_others"], 3);

    let other = self::home(&web, "");
    other.tree.write(".prowess/cortex.json", earned("1.1.0"));
    let seen = value(&ask(&other, &web, &["cortex", "perceive", "query my open todos", "--json"]));
    assert_eq!(seen["validation"]["mode"], "standard", "{seen}");
    assert_eq!(file(&other)["cortex"]["motor"]["todos"]["candidates"][0]["reflex"], false);
}

#[test]
fn a_reflex_that_nobody_could_cancel_needs_a_yes() {
    let web = shop(&["todo-a", "todo-b"], "");
    let home = home(&web, "");
    home.tree.write(".prowess/cortex.json", earned("1.2.0"));
    let ran = ask(&home, &web, &["cortex", "run", "query my open todos", "--json"]);
    assert_eq!((ran.code, &value(&ran)["attempts"]), (1, &json!([])), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stderr, @"
    New in this version: each message gets the skills that fit it, and the text of a skill that it clearly asks for, in front
    of it. Before, the model got a list of all skills, cut by the alphabet. All skills on the disk can be chosen now.
    To go back: prowess config set skills.prompt.select all
    ⚡ Skill Cortex reflex: todo-a v1.2.0 (96% success rate)
       Task: query my open todos (read-only) | Will install and execute. Say cancel to abort.
    ");
    assert!(web.requests().iter().all(|request| path(request) != "/api/v1/download"));
    assert_eq!(file(&home)["stats"]["reflexes_fired"], 0);
}

#[test]
fn a_damaged_file_costs_a_search_and_nothing_else() {
    let web = shop(&["todo-a", "todo-b"], "");
    let home = home(&web, "");
    record(&home, "todoist-cli", "success", &[]);
    home.tree.write(".prowess/cortex.json", "{\"version\": 1, \"cor");
    let seen = value(&ask(&home, &web, &["cortex", "perceive", TASK, "--json"]));
    let mut found = texts(&seen["candidates"], "slug");
    found.sort_unstable();
    assert_eq!(found, ["todo-a", "todo-b"], "{seen}");
    assert!(seen["notices"].to_string().contains("damaged"), "{seen}");
    let kept = std::fs::read_to_string(home.tree.path(".prowess/cortex.json.bak")).expect("the bytes");
    assert_eq!(kept, "{\"version\": 1, \"cor");
    record(&home, "todo-a", "success", &[]);
    let shown = home.json(&["cortex", "show", "--json"]);
    let all = shown["regions"].to_string();
    assert!(all.contains("todoist-cli") && all.contains("todo-a"), "{all}");
    assert_eq!(file(&home)["version"], 1);
}

#[test]
fn an_edit_in_the_file_is_merged_and_an_import_is_taken_once() {
    let home = Home::new();
    record(&home, "todoist-cli", "success", &[]);
    let mut edited = file(&home);
    edited["blacklist"] = json!(["evil"]);
    home.tree.write(".prowess/cortex.json", edited.to_string());
    record(&home, "todoist-cli", "success", &[]);
    assert_eq!(file(&home)["blacklist"], json!(["evil"]));
    let shown = home.json(&["cortex", "show", "--json"]);
    assert_eq!(shown["regions"][0]["candidates"][0]["candidate"]["runs"]["success"], 2);

    home.tree.write("ws/other.json", earned("1.2.0"));
    assert_eq!(home.json(&["cortex", "import", "other.json", "--json"])["changed"], true);
    assert_eq!(home.json(&["cortex", "import", "other.json", "--json"])["changed"], false);
    let exported = home.good(&["cortex", "export"]);
    assert!(exported.contains("todo-a") && exported.contains("evil"), "{exported}");
    home.tree.write("ws/broken.json", "{");
    assert_eq!(home.run(&["cortex", "import", "broken.json"]).code, 3);
}

/// A home whose model is a script.
fn with_model(web: &Web, server: &ChatServer) -> Home {
    home(web, &format!(", {}", server.settings()))
}

#[test]
fn a_task_is_done_with_a_new_skill_which_is_then_taken_away() {
    let web = shop(&["todo-a", "todo-b"], "");
    let server = ChatServer::start(vec![
        Turn::call("report_outcome", json!({ "result": "success" })),
        Turn::say("Two todos are open."),
    ]);
    let home = with_model(&web, &server);
    let args = ["cortex", "run", TASK, "--use-skill", "todo-a", "--yes", "--json"];
    let ran = ask(&home, &web, &args);
    let report = value(&ran);
    assert_eq!((ran.code, &report["answer"]), (0, &json!("Two todos are open.")), "{report} {}", ran.stderr);
    let attempt = &report["attempts"][0];
    assert_eq!(
        (&attempt["slug"], &attempt["result"], &attempt["kept"]),
        (&json!("todo-a"), &json!("success"), &json!(false))
    );
    insta::assert_snapshot!(prowess_testkit::stable::text(&ran.stderr), @"
    Candidates
    1. todo-a v1.2.0
       Lists, adds and completes todos in a todo list.
       7 stars · 321 downloads · registry (todo-a) · not scanned by the registry · fits 42 %
       history: never used
    2. todo-b v1.2.0
       Lists, adds and completes todos in a todo list.
       7 stars · 321 downloads · registry (todo-b) · not scanned by the registry · fits 36 %
       history: never used
    Yes covers: `todo-a`, then `todo-b` if the install fails; none that has warnings.
    todo-a 1.2.0
      from    todo-a by @ada at http://[ADDRESS]
      to      [ROOT]/ws/skills/todo-a (new)
      files   1 file, 130 bytes
      scan    clean
    todo-a would do this:
      1. Read the list.
      2. Say what is open.
      🟢 it does nothing but answer
    ");
    assert!(!home.tree.path("ws/skills/todo-a").exists());
    let learned = file(&home);
    assert_eq!(learned["stats"]["installs"], 1, "{learned}");
    let candidate = &learned["cortex"]["motor"].as_object().expect("regions").values().next().expect("one")["candidates"]
        [0];
    assert_eq!(
        (&candidate["slug"], &candidate["weight"], &candidate["version"]),
        (&json!("todo-a"), &json!(0.575), &json!("1.2.0"))
    );
    assert!(candidate["skill_md_chars"].as_u64().is_some_and(|chars| chars > 50), "{candidate}");
    // The model was told to read the skill, in the words of the task.
    let request = server.requests()[0].body.to_string();
    assert!(request.contains("todo-a") && request.contains("Alice"), "{request}");
}

#[test]
fn without_consent_nothing_is_installed() {
    let web = shop(&["todo-a", "todo-b"], "");
    let home = home(&web, "");
    let ran = ask(&home, &web, &["cortex", "run", TASK, "--json"]);
    assert_eq!((ran.code, &value(&ran)["attempts"]), (1, &json!([])), "{}", ran.stderr);
    assert!(!home.tree.path("ws/skills").exists());
    assert!(web.requests().iter().all(|request| path(request) != "/api/v1/download"));
}

#[test]
fn what_is_missing_is_never_installed_without_a_consent_of_its_own() {
    let fields = "metadata: {\"prowess\": {\"requires\": {\"bins\": [\"todo-program\"]}, \"install\": [{\"id\": \"brew\", \
                  \"kind\": \"brew\", \"formula\": \"todo-program\", \"bins\": [\"todo-program\"]}]}}\n";
    let web = shop(&["todo-a", "todo-b"], fields);
    // It is never asked.
    let server = ChatServer::start(Vec::new());
    let home = with_model(&web, &server);
    let ran = ask(&home, &web, &["cortex", "run", TASK, "--use-skill", "todo-a", "--yes", "--json"]);
    let report = value(&ran);
    let attempt = &report["attempts"][0];
    assert_eq!((ran.code, &attempt["result"]), (1, &json!("dependency_missing")), "{report} {}", ran.stderr);
    assert!(attempt["remedy"].as_str().is_some_and(|remedy| remedy.contains("prowess deps")), "{attempt}");
    assert_eq!(attempt["learned"]["weight"], json!(0.5 * 0.85));
    assert!(!home.tree.path("ws/skills/todo-a").exists());
}

#[test]
fn what_was_learned_is_a_small_part_of_the_choice_and_is_told() {
    let home = Home::new();
    for (name, words) in
        [("tasks", "Shows and edits the list of tasks"), ("todos", "Shows and edits the todo list")]
    {
        let text = format!("---\nname: {name}\ndescription: {words} of the user.\n---\nDo it.\n");
        home.tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
    }
    let prior = |home: &Home| {
        let answer = home.json(&["match", "show my todo list", "--json"]);
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        let of =
            |name: &str| results.iter().find(|result| result["name"] == name).cloned().unwrap_or_default();
        (of("tasks")["signals"]["prior"].as_f64(), of("todos")["signals"]["prior"].as_f64())
    };
    assert_eq!(prior(&home), (None, None));
    for (skill, result) in [("tasks", "success"), ("todos", "runtime_error")] {
        for _ in 0..4 {
            let task = "show my todo list";
            home.good(&[
                "cortex",
                "record",
                "--task",
                task,
                "--skill",
                skill,
                "--result",
                result,
                "--long-term",
            ]);
        }
    }
    let (liked, disliked) = prior(&home);
    assert!(liked > Some(0.0) && liked <= Some(1.0) && disliked < liked, "{liked:?} {disliked:?}");
    let why = home.good(&["why", "tasks"]);
    insta::assert_snapshot!(why, @"
    tasks: shown to the model when a message asks for it

      ✓ find/source                workspace (workspace tier), [ROOT]/ws/skills/tasks/SKILL.md
      ✓ parse/level                portable
      · merge/precedence           no other skill has this name
      ✓ gate/enabled               not switched off
      ✓ gate/secret                no configured secret failed
      · gate/trust                 did not come with a cloned repository
      · gate/allow-bundled         not bundled
      · gate/os                    runs on any operating system
      · gate/always                not set
      · gate/env                   nothing needed
      · gate/config                nothing needed
      · gate/bins                  nothing needed
      · gate/any-bins              nothing needed
      · agent/allowlist            agent `main` has none
      ✓ prompt/select              `message`: each message chooses from all 2 ready skills
      ✓ learn/todo-list            weight 0.641 after 4 of 8 runs for such tasks: +0.24 of the score (+0.15 learned, +0.09 exploration)
    ");
    home.config("{cortex: {enabled: false}}");
    assert_eq!(prior(&home), (None, None));
}

#[test]
fn a_run_is_learned_from() {
    let server = ChatServer::start(vec![
        Turn::call("report_outcome", json!({ "result": "success" })),
        Turn::say("It will rain."),
    ]);
    let web = shop(&[], "");
    let home = with_model(&web, &server);
    home.skill("ws/skills/weather", "weather", "");
    let ran = ask(&home, &web, &["run", "$weather will it rain tomorrow?", "--yes", "--json"]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    let kept = home.json(&["cortex", "show", "--json"])["longTerm"].clone();
    assert_eq!(
        (&kept[0]["skill"]["slug"], &kept[0]["skill"]["runs"]["success"]),
        (&json!("weather"), &json!(1)),
        "{kept}"
    );
    assert_eq!(home.json(&["cortex", "show", "--json"])["regions"], json!([]));
}

#[test]
fn many_processes_lose_no_outcome() {
    const PROCESSES: usize = 6;
    const OUTCOMES: usize = 5;
    let home = Home::new();
    std::thread::scope(|scope| {
        for number in 0..PROCESSES {
            let home = &home;
            scope.spawn(move || {
                for _ in 0..OUTCOMES {
                    let skill = format!("skill-{number}");
                    let args =
                        ["cortex", "record", "--region", "todos", "--skill", &skill, "--result", "success"];
                    assert_eq!(home.run(&args).code, 0);
                    // Whenever it is read, the export is whole.
                    let text =
                        std::fs::read_to_string(home.tree.path(".prowess/cortex.json")).expect("the export");
                    serde_json::from_str::<Value>(&text).expect("JSON");
                }
            });
        }
    });
    let events = home.json(&["cortex", "history", "--limit", "0", "--json"]);
    assert_eq!(events["events"].as_array().map(Vec::len), Some(PROCESSES * OUTCOMES));
    assert_eq!(home.json(&["cortex", "replay", "--json"])["same"], true);
}

#[test]
fn weights_can_be_played_through() {
    let home = Home::new();
    let uses = home.json(&["cortex", "simulate", "--every", "8", "--times", "10", "--json"]);
    let last = &uses["uses"][9];
    assert_eq!((&last["prowessReflex"], &last["asWrittenReflex"]), (&json!(true), &json!(true)), "{last}");
    let text = home.good(&["cortex", "simulate", "--outcomes", "ok,mismatch", "--times", "2"]);
    insta::assert_snapshot!(text, @"
    use  day  result                     prowess  as written
    1    0    ✓ success                  0.5750   0.5750
    2    7    ✗ made for something else  0.2300   0.2300
    ");
}

#[cfg(unix)]
#[test]
fn whoever_is_killed_leaves_what_was_acknowledged_and_a_whole_file() {
    let home = Home::new();
    record(&home, "first", "success", &[]);
    let mut acknowledged = 1;
    for number in 0..24_u64 {
        let args = ["cortex", "record", "--region", "todos", "--skill", "todo", "--result", "success"];
        let mut child = home
            .process()
            .args(args)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        // Another moment each time: where a kill falls is what is tested.
        std::thread::sleep(std::time::Duration::from_millis(number * 3));
        // It may be over already.
        let _ = child.kill();
        acknowledged += usize::from(child.wait().expect("it ends").success());
        assert_eq!(file(&home)["version"], 1);
    }
    let events = home.json(&["cortex", "history", "--limit", "0", "--json"]);
    let logged = events["events"].as_array().map_or(0, Vec::len);
    assert!((acknowledged..=25).contains(&logged), "{logged} rows, {acknowledged} acknowledged");
    assert_eq!(home.json(&["cortex", "replay", "--json"])["same"], true);
    record(&home, "last", "success", &[]);
    let exported = file(&home);
    assert_eq!(exported["events"].as_u64(), u64::try_from(logged + 1).ok(), "{exported}");
}
