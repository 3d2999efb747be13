//! Side effects from scan to reflex: what a skill says, what a run did, and which skill may have the fast path.

use prowess_testkit::chat::{ChatServer, Turn};
use prowess_testkit::web::{Answer, Web, WebRequest};
use serde_json::{Value, json};

use crate::acquire_support::zip;
use crate::support::{Home, Program as _, Ran};

const TASK: &str = "look up the open todos";
const ABOUT: &str = "Lists todos of a todo list.";

/// The tags of a skill with this text.
fn scanned(body: &str) -> Vec<String> {
    let home = Home::new();
    home.tree.write("ws/skills/s/SKILL.md", format!("---\nname: s\ndescription: d\n---\n{body}"));
    let report: Value =
        serde_json::from_str(&home.run(&["scan", "skills/s", "--json"]).stdout).expect("JSON");
    let tags = report["skills"][0]["capabilities"].as_array().expect("tags");
    tags.iter().filter_map(|tag| tag.as_str().map(str::to_owned)).collect()
}

#[test]
fn commands_are_found_in_any_construct() {
    for (code, expected) in [
        ("for f in *.txt; do rm \"$f\"; done", "delete:$f shell:rm"),
        ("cd x && rm -rf y", "delete:y shell:rm"),
        ("if true; then rm -rf data; fi", "delete:data shell:rm"),
        ("true && rm -rf x", "delete:x shell:rm"),
        ("echo x; echo y > z", "write:z"),
        ("echo hi | tee out.txt", "shell:tee write:out.txt"),
        ("rm -rf a && curl u", "delete:a read:curl shell:rm"),
        ("cd x && for f in *.txt; do rm -f \"$f\"; done", "delete:$f shell:rm"),
        ("sed -i s/a/b/ f", "shell:sed write:f"),
        (
            "curl -X POST https://api.example.org/x -d a=b",
            "network:api.example.org shell:curl write:https://api.example.org",
        ),
        ("eval \"$x\"", "shell:unknown"),
        ("cat notes.md | grep todo", "read:cat read:grep"),
    ] {
        assert_eq!(scanned(&format!("```bash\n{code}\n```\n")).join(" "), expected, "{code}");
    }
    assert_eq!(scanned("Clean up with `rm -rf build`.\n"), ["delete:build", "shell:rm"]);
    assert_eq!(scanned("Answer in one sentence.\n"), [""; 0]);
    assert_eq!(scanned("Then delete all old entries.\n"), ["shell:unknown"]);
}

fn answer(value: &Value) -> Answer {
    Answer::ok(value.to_string()).header("content-type", "application/json")
}

/// A registry with one skill that needs the program `todoist`.
fn registry(body: &'static str) -> Web {
    Web::start(move |request: &WebRequest| {
        let path = request.path.split('?').next().unwrap_or_default();
        let skill = json!({ "slug": "todo-a", "displayName": "todo-a", "summary": ABOUT, "tags": { "latest": "1.2.0" },
                            "stats": {}, "createdAt": 1, "updatedAt": 2 });
        match path {
            "/api/v1/search" => {
                answer(&json!({ "results": [{ "score": 1.0, "slug": "todo-a", "displayName": "todo-a",
                                                              "summary": ABOUT, "version": "1.2.0", "downloads": 10 }] }))
            }
            "/search/repositories" => answer(&json!({ "items": [] })),
            "/api/v1/download" => {
                let text = format!(
                    "---\nname: todo-a\ndescription: {ABOUT}\nmetadata: {{\"prowess\": {{\"requires\": {{\"bins\": \
                     [\"todoist\"]}}}}}}\n---\n# Todos\n\n{body}"
                );
                Answer::ok(zip(&[("SKILL.md", text.as_bytes())])).header("content-type", "application/zip")
            }
            "/api/v1/skills/todo-a" => answer(&json!({
                "skill": skill, "latestVersion": { "version": "1.2.0", "createdAt": 1, "changelog": "" },
                "owner": { "handle": "ada" }, "moderation": null,
            })),
            _ if path.contains("/versions/") => answer(&json!({
                "version": { "version": "1.2.0", "createdAt": 1, "changelog": "" }, "skill": skill,
            })),
            _ => Answer::status(404, "not found"),
        }
    })
}

fn ask(home: &Home, web: &Web, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PROWESS_REGISTRY", web.url("")).env("PATH", path);
    home.finish(command.args(args))
}

/// Does the task once with a model that runs a command, then records successes until a reflex would be earned.
#[cfg(unix)]
fn candidate_after(body: &'static str, command: &str) -> Value {
    let web = registry(body);
    let server = ChatServer::start(vec![
        Turn::call("exec", json!({ "command": command })),
        Turn::call("report_outcome", json!({ "result": "success" })),
        Turn::say("Two todos are open."),
    ]);
    let home = Home::new();
    home.config(&format!(
        "{{cortex: {{githubApi: '{}'}}, {}, tools: {{exec: {{policy: 'allow'}}}}}}",
        web.url(""),
        server.settings()
    ));
    home.tree.write("bin/todoist", "#!/bin/sh\necho 'two are open'\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(home.tree.path("bin/todoist"), mode).expect("the program can be run");
    let ran = ask(&home, &web, &["cortex", "run", TASK, "--use-skill", "todo-a", "--yes", "--json"]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    // As if it had proved itself for months; the edit is merged.
    let path = home.tree.path(".prowess/cortex.json");
    let read = || -> Value {
        serde_json::from_str(&std::fs::read_to_string(&path).expect("the export")).expect("JSON")
    };
    let mut learned = read();
    for region in learned["cortex"]["motor"].as_object_mut().expect("regions").values_mut() {
        for candidate in region["candidates"].as_array_mut().expect("candidates") {
            candidate["weight"] = json!(0.95);
        }
    }
    std::fs::write(&path, learned.to_string()).expect("the edit");
    for _ in 0..5 {
        let args = [
            "cortex",
            "record",
            "--task",
            TASK,
            "--skill",
            "todo-a",
            "--result",
            "success",
            "--skill-version",
            "1.2.0",
        ];
        home.good(&args);
    }
    let learned = read();
    let regions = learned["cortex"]["motor"].as_object().expect("regions");
    let mut candidates =
        regions.values().flat_map(|region| region["candidates"].as_array().into_iter().flatten());
    candidates.find(|candidate| candidate["slug"] == "todo-a").cloned().expect("the candidate")
}

#[test]
#[cfg(unix)]
fn a_skill_that_only_reads_earns_its_reflex() {
    let candidate = candidate_after("```bash\ntodoist list --json\n```\n", "todoist list --json");
    assert_eq!(candidate["side_effects"], json!(["read:todoist"]), "{candidate}");
    assert_eq!(candidate["reflex"], true, "{candidate}");
}

#[test]
#[cfg(unix)]
fn a_skill_that_writes_never_has_a_reflex() {
    let candidate =
        candidate_after("```bash\nif todoist list; then todoist add x; fi\n```\n", "todoist list");
    assert_eq!(
        candidate["side_effects"],
        json!(["read:todoist", "shell:todoist", "write:todoist"]),
        "{candidate}"
    );
    assert_eq!(candidate["reflex"], false, "{candidate}");
}

#[test]
#[cfg(unix)]
fn what_a_run_did_widens_what_is_known() {
    let candidate = candidate_after("```bash\ntodoist list\n```\n", "todoist list && rm -f old.txt");
    assert_eq!(candidate["side_effects"], json!(["read:todoist", "delete:file", "shell:rm"]), "{candidate}");
    assert_eq!(candidate["reflex"], false, "{candidate}");
}
