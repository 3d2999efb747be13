//! `forge`: whole loops, from a run that worked to a skill that is chosen, and back.

use prowess_testkit::SkillFile;
use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below};

/// Planted in a trace; a draft must have none of them.
const SECRET: &str = "sk-live-Wq7xV2mPzK41aa99";
const NAME: &str = "Lovelace";
const PLACE: &str = "quarterly/ledger-berlin.csv";
const DATE: &str = "2031-05-17";

const TASK: &str = "Convert the spreadsheet of Lovelace into a report and sort the invoices by amount";

fn home(server: &ChatServer) -> Home {
    let home = Home::new();
    let tools = "tools: {exec: {policy: 'allow'}, write: {policy: 'allow'}}";
    home.config(&format!("{{{}, {tools}}}", server.settings()));
    home.tree.write(&format!("ws/{PLACE}"), "b,2\na,1\n");
    home
}

fn run(home: &Home, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PATH", path).args(args);
    home.finish(&mut command)
}

fn good(home: &Home, args: &[&str]) -> Value {
    let args = [args, &["--json"]].concat();
    let ran = run(home, &args);
    assert_eq!(ran.code, 0, "{args:?}: {} {}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// A model that solves the task in four steps, and says so.
fn solves(place: &str) -> Vec<Turn> {
    vec![
        Turn::call("exec", json!({"command": format!("sort -t, -k2 {place} > sorted.csv")})),
        Turn::call("exec", json!({"command": format!("wc -l sorted.csv | tee {DATE}.txt")})),
        Turn::call(
            "write",
            json!({"path": "report.md", "content": format!("For {NAME}, {DATE}: key {SECRET}\n")}),
        ),
        Turn::call("exec", json!({"command": format!("grep -c {NAME} report.md")})),
        Turn::call("report_outcome", json!({"result": "success"})),
        Turn::say(&format!("The report for {NAME} is written, see {place}.")),
    ]
}

/// The draft that a run of the task left.
fn solved(home: &Home) -> String {
    let report = good(home, &["run", TASK]);
    report["draft"]["name"].as_str().unwrap_or_else(|| panic!("a draft: {report}")).to_owned()
}

#[test]
fn a_run_becomes_a_skill_that_is_chosen_and_taken_back() {
    let mut script = solves(PLACE);
    script.extend(solves(PLACE));
    script.extend(solves(PLACE));
    let server = ChatServer::start(script);
    let home = home(&server);
    let name = solved(&home);

    // It waits, in no prompt.
    let list = good(&home, &["forge", "list"]);
    assert_eq!(list["drafts"][0]["status"], "waiting", "{list}");
    let prompt = run(&home, &["prompt"]).stdout;
    assert!(!prompt.contains(&name), "{prompt}");
    let refused = run(&home, &["forge", "promote", &name, "--yes"]);
    assert_eq!(refused.code, 1);
    insta::assert_snapshot!(refused.stderr, @"
    error[not-ready]: the draft `convert-spreadsheet-report-sort` has not passed its test as it is now
    help: `prowess forge test convert-spreadsheet-report-sort` tests it
    ");

    // The same again is counted, not piled up.
    assert_eq!(solved(&home), name);
    let list = good(&home, &["forge", "list"]);
    assert_eq!((list["drafts"].as_array().map(Vec::len), &list["drafts"][0]["count"]), (Some(1), &json!(2)));

    // Its script runs only with consent, and in a copy.
    let unasked = run(&home, &["forge", "test", &name]);
    assert_eq!(unasked.code, 1, "{}", unasked.stdout);
    insta::assert_snapshot!(unasked.stdout, @"
    ✓ portable: portable
    ✓ scan: clean
    – replay: the script was not run: it needs your yes
    ✓ selection: its own task loads it (100 %)
        5 of 5 other ways to ask for it load it
        0 of 66 foreign messages load it
        2 of 2 trigger cases find it first, 0 of 0 others load it
    ✓ overlap: 0 messages of other skills were tried
    – incomplete: needs your yes; `prowess forge show convert-spreadsheet-report-sort` shows the script, `prowess forge test convert-spreadsheet-report-sort --yes` runs it
    ");
    let before = files_below(&home.tree.path("ws"));
    let test = good(&home, &["forge", "test", &name, "--yes"]);
    assert_eq!(test["passed"], true, "{test:#}");
    let verdicts: Vec<&str> =
        test["checks"].as_array().unwrap().iter().filter_map(|it| it["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["passed"; 5], "{test:#}");
    assert_eq!(files_below(&home.tree.path("ws")), before);
    assert_eq!(files_below(&home.tree.path(".prowess/forge/scratch")), Vec::<String>::new());

    // A person says yes.
    let unasked = run(&home, &["forge", "promote", &name]);
    assert_eq!(unasked.code, 1);
    insta::assert_snapshot!(unasked.stderr, @r#"
    error[not-agreed]: promoting the draft `convert-spreadsheet-report-sort` requires confirmation
    help: confirm with `prowess forge promote convert-spreadsheet-report-sort --yes`, or set `forge.policy: "tested"`
    "#);
    assert!(run(&home, &["forge", "diff", &name]).stdout.contains("+name:"));
    let promoted = good(&home, &["forge", "promote", &name, "--yes"]);
    assert_eq!(promoted["version"], 1);
    assert!(run(&home, &["prompt"]).stdout.contains(&name));
    assert_eq!(run(&home, &["forge", "diff", &name]).stdout, "Nothing would change.\n");

    // The next session finds it by meaning.
    let found =
        good(&home, &["match", "please turn this spreadsheet into a report, with invoices sorted by amount"]);
    assert_eq!(found["results"][0]["name"], name.as_str(), "{found:#}");
    assert_ne!(found["decision"], "nothing", "{found:#}");

    // The same once more is counted, but no draft any more.
    assert_eq!(good(&home, &["run", TASK])["draft"], Value::Null);
    let record = good(&home, &["forge", "show", &name])["draft"].clone();
    assert_eq!((&record["count"], &record["status"]), (&json!(3), &json!("promoted")));

    // And it can be taken back, with or without a trace.
    good(&home, &["forge", "retire", &name]);
    assert!(!run(&home, &["prompt"]).stdout.contains(&name));
    good(&home, &["forge", "restore", &name]);
    assert!(run(&home, &["prompt"]).stdout.contains(&name));
    let rolled = good(&home, &["forge", "rollback", &name]);
    assert_eq!(rolled["version"], Value::Null);
    assert!(!run(&home, &["prompt"]).stdout.contains(&name));
    assert_eq!(files_below(&home.tree.path(".prowess/skills")), Vec::<String>::new());
    assert_eq!(run(&home, &["forge", "rollback", &name]).code, 1);
}

#[test]
fn a_draft_has_nothing_of_a_person_in_it() {
    let server = ChatServer::start(solves(PLACE));
    let home = home(&server);
    let name = solved(&home);
    let folder = home.tree.path(".prowess/forge");
    let files = files_below(&folder);
    assert!(
        files.iter().any(|file| file.contains("scripts/auto/"))
            && files.iter().any(|file| file.ends_with("draft.json"))
    );
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).unwrap_or_default().to_lowercase();
        for planted in [SECRET, NAME, PLACE, "ledger", "berlin", DATE, "report.md", "sorted.csv"] {
            assert!(!text.contains(&planted.to_lowercase()), "{planted} in {file}:\n{text}");
        }
    }
    let text = run(&home, &["forge", "show", &name]).stdout;
    assert!(text.contains("exec `wc -l \"$FILE_2\"") && text.contains("FILE_1"), "{text}");
}

#[test]
fn a_draft_that_takes_messages_from_a_skill_is_refused_with_them() {
    let server = ChatServer::start(solves(PLACE));
    let home = home(&server);
    let name = solved(&home);
    // A skill that came after the draft, with a message of its own.
    let message = "convert spreadsheet report sort invoices";
    home.tree.write(
        "ws/skills/ledger-tool/SKILL.md",
        SkillFile::new("ledger-tool")
            .description("Invoices and spreadsheet ledgers. Use when asked about bookkeeping.")
            .body("# L\n")
            .text(),
    );
    home.tree.write("ws/skills/ledger-tool/evals/triggers.json", json!({"should": [message]}).to_string());
    let ran = run(&home, &["forge", "test", &name, "--yes"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("taken from `ledger-tool`: {message}")), "{}", ran.stdout);
    assert_eq!(run(&home, &["forge", "promote", &name, "--yes"]).code, 1);
}

#[test]
fn a_change_after_the_test_needs_another_test() {
    let server = ChatServer::start(solves(PLACE));
    let home = home(&server);
    let name = solved(&home);
    assert_eq!(good(&home, &["forge", "test", &name, "--yes"])["passed"], true);
    let file = home.tree.path(&format!(".prowess/forge/drafts/{name}/SKILL.md"));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "\nAlso do this.\n").unwrap();
    let ran = run(&home, &["forge", "promote", &name, "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-ready]: the draft `convert-spreadsheet-report-sort` has not passed its test as it is now
    help: `prowess forge test convert-spreadsheet-report-sort` tests it
    ");
    good(&home, &["forge", "test", &name, "--yes"]);
    good(&home, &["forge", "promote", &name, "--yes"]);
    // What a person changed in the skill is not overwritten.
    let skill = home.tree.path(&format!(".prowess/skills/{name}/SKILL.md"));
    std::fs::write(&skill, "mine").unwrap();
    let ran = run(&home, &["forge", "rollback", &name]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[already-there]: `[ROOT]/.prowess/skills/convert-spreadsheet-report-sort/SKILL.md` was changed by hand since it was promoted
    help: move it away first, or keep it
    ");
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), "mine");
}

#[test]
fn a_policy_may_say_yes_and_a_switch_may_say_nothing() {
    let mut script = solves(PLACE);
    script.extend(solves(PLACE));
    let server = ChatServer::start(script);
    let home = home(&server);
    let config = home.config_text();
    home.config(&config.replacen('{', "{forge: {offer: false, policy: 'tested'}, ", 1));
    let report = good(&home, &["run", TASK]);
    assert_eq!(report["draft"], Value::Null);
    insta::assert_snapshot!(run(&home, &["forge", "list"]).stdout, @"No drafts yet. Create one from a successful run with `prowess forge draft last`.");
    // Whoever wants one can ask for it.
    let draft = good(&home, &["forge", "draft", "last"]);
    let name = draft["name"].as_str().unwrap();
    good(&home, &["forge", "test", name, "--yes"]);
    assert_eq!(good(&home, &["forge", "promote", name])["version"], 1);
    let by = good(&home, &["forge", "show", name])["draft"]["versions"][0]["by"].clone();
    assert_eq!(by, "policy");
}

#[test]
fn what_is_not_worth_a_draft_says_why() {
    let server = ChatServer::start(vec![Turn::call("exec", json!({"command": "ls"})), Turn::say("Done.")]);
    let home = home(&server);
    let report = good(&home, &["run", "list the files"]);
    assert_eq!(report["draft"], Value::Null);
    let ran = run(&home, &["forge", "draft", "last"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("was not rated as successful") && ran.stderr.contains("sessions rate"),
        "{}",
        ran.stderr
    );
    good(&home, &["sessions", "rate", "last", "good"]);
    let ran = run(&home, &["forge", "draft", "last"]);
    assert!(ran.stderr.contains("not worth a draft\ncause: it has 1 steps"), "{}", ran.stderr);
    let ran = run(&home, &["forge", "show", "nothing"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("there is no draft `nothing`"), "{}", ran.stderr);
}

/// A session of OpenPocket that shares a photo.
fn phone_session(id: &str) -> String {
    let step = |number: usize, action: Value, app: &str| {
        let text = format!(
            "step: {number}\nthought:\nShare it with {NAME}.\naction_json:\n{action}\nexecution_result:\nDone."
        );
        json!({"type": "message", "message": {"role": "custom", "customType": "openpocket_step",
            "content": [{"type": "text", "text": text}],
            "details": {"stepNo": number, "trace": {"currentApp": app, "status": "ok", "durationMs": 5}}}})
    };
    let lines = [
        json!({"type": "session", "version": 3, "id": id, "timestamp": "2026-02-24T10:00:00.000Z", "cwd": "/x"}),
        json!({"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": format!("Share the photo with {NAME}")}]}}),
        step(1, json!({"type": "launch_app", "packageName": "com.example.photos"}), "com.launcher"),
        step(2, json!({"type": "tap", "x": 1, "y": 2}), "com.example.photos"),
        step(3, json!({"type": "type", "text": format!("{NAME} $(reboot)")}), "com.example.photos"),
        step(4, json!({"type": "finish", "message": "shared"}), "com.example.photos"),
        json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "Shared."}],
            "provider": "openpocket", "model": "session-task-outcome", "stopReason": "stop"}}),
    ];
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

#[test]
fn openpocket_gets_its_own_places_and_the_newest_replaces_the_older() {
    let home = Home::new();
    let pocket = |args: &[&str]| good(&home, &[&["--profile", "openpocket"], args].concat());
    let auto = || files_below(&home.tree.path(".openpocket/workspace/skills/auto"));
    let drafted = |id: &str| {
        home.tree.write(&format!("ws/{id}.jsonl"), phone_session(id));
        let imported = pocket(&["sessions", "import", "--from", "openpocket", &format!("{id}.jsonl")]);
        let session = imported["imported"][0]["session"]["id"].as_str().expect("a session").to_owned();
        let name = pocket(&["forge", "draft", &session])["name"].as_str().unwrap().to_owned();
        let test = pocket(&["forge", "test", &name, "--yes"]);
        assert_eq!(test["passed"], true, "{test:#}");
        pocket(&["forge", "promote", &name, "--yes"]);
        name
    };
    let first = drafted("20260224-100000");
    assert!(first.ends_with("-share-image") || first.ends_with("-share-photo"), "{first}");
    assert_eq!(auto(), [format!("{first}.md")]);
    let skill = home.tree.path(&format!(".openpocket/workspace/skills/auto/{first}.md"));
    let text = std::fs::read_to_string(&skill).unwrap();
    assert!(
        text.starts_with("---\n") && text.contains("behavior_fingerprint: ") && !text.contains(NAME),
        "{text}"
    );
    let script = home.tree.path(&format!(".openpocket/workspace/scripts/auto/{first}.sh"));
    assert!(!std::fs::read_to_string(&script).unwrap().contains("reboot"));

    // Names carry the second they were made in.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let second = drafted("20260225-100000");
    assert_eq!(auto(), [format!("{second}.md")]);
    assert!(!script.exists());
    pocket(&["forge", "rollback", &second]);
    assert_eq!(auto(), [format!("{first}.md")]);
    assert!(script.exists());

    home.tree.write(".openpocket/config.json", "{\"agent\": {\"autoArtifactsEnabled\": false}}");
    let off = run(&home, &["--profile", "openpocket", "forge", "draft", "last"]);
    insta::assert_snapshot!(off.stderr, @"
    error[refused]: `agent.autoArtifactsEnabled` is off: nothing is drafted
    help: `prowess config get forge` shows the settings of the forge
    ");
}

#[test]
fn versions_follow_each_other_and_unused_ones_are_named() {
    let server = ChatServer::start(solves(PLACE));
    let home = home(&server);
    let name = solved(&home);
    let promote = || {
        assert_eq!(good(&home, &["forge", "test", &name, "--yes"])["passed"], true);
        good(&home, &["forge", "promote", &name, "--yes"])["version"].clone()
    };
    assert_eq!(promote(), 1);
    let draft = home.tree.path(&format!(".prowess/forge/drafts/{name}"));
    let text = std::fs::read_to_string(draft.join("SKILL.md")).unwrap();
    std::fs::write(draft.join("SKILL.md"), text + "\nAnother line.\n").unwrap();
    let diff = run(&home, &["forge", "diff", &name]).stdout;
    assert!(diff.contains("+Another line."), "{diff}");
    assert_eq!(promote(), 2);
    let skill = home.tree.path(&format!(".prowess/skills/{name}/SKILL.md"));
    assert!(std::fs::read_to_string(&skill).unwrap().contains("Another line."));
    assert_eq!(good(&home, &["forge", "rollback", &name])["version"], 1);
    assert!(!std::fs::read_to_string(&skill).unwrap().contains("Another line."));

    // As if it had been promoted long ago.
    let record = draft.join("draft.json");
    let mut value: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    for version in value["versions"].as_array_mut().unwrap() {
        version["at"] = json!(1_000);
    }
    std::fs::write(&record, value.to_string()).unwrap();
    let list = run(&home, &["forge", "list"]).stdout;
    assert!(list.contains(&format!("`prowess forge retire {name}`")), "{list}");
    // A damaged record is an error that names the file.
    std::fs::write(&record, "{").unwrap();
    let ran = run(&home, &["forge", "list"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[files]: cannot understand `[ROOT]/.prowess/forge/drafts/convert-spreadsheet-report-sort/draft.json`
    cause: EOF while parsing an object at line 1 column 1
    help: check the path and its permissions; `prowess doctor` finds such problems
    ");
}

#[test]
fn a_model_may_phrase_the_description_and_sees_nothing_but_the_draft() {
    let mut script = solves(PLACE);
    let phrased = "Turns a table into a sorted report. Use when somebody wants figures from a file in order.";
    script.push(Turn::say(&format!("\"{phrased}\"\n")));
    script.push(Turn::say(""));
    let server = ChatServer::start(script);
    let home = home(&server);
    let name = solved(&home);
    assert_eq!(good(&home, &["forge", "test", &name, "--yes"])["passed"], true);
    let improved = good(&home, &["forge", "improve", &name]);
    assert_eq!(improved["after"], phrased, "{improved}");
    let text = run(&home, &["forge", "show", &name]).stdout;
    assert!(text.contains(phrased), "{text}");
    let asked = server.requests().last().expect("a request").body.to_string().to_lowercase();
    for planted in [SECRET, NAME, PLACE, DATE] {
        assert!(!asked.contains(&planted.to_lowercase()), "{planted} in {asked}");
    }
    // What was tested is not what it is now.
    assert_eq!(run(&home, &["forge", "promote", &name, "--yes"]).code, 1);
    // A model that says nothing changes nothing.
    assert_eq!(run(&home, &["forge", "improve", &name]).code, 1);
    assert!(run(&home, &["forge", "show", &name]).stdout.contains(phrased));
}
