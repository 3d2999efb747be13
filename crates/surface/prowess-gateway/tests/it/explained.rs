//! Answers that say why something is missing: install options that are refused, a prompt without skills, a blank key.

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_testkit::Programs;
use prowess_testkit::chat::{ChatServer, Received, Turn};
use serde_json::{Value, json};

use crate::learn_support::configure;
use crate::support::{GatewayHome as _, Home, serve, skill};

fn needing(home: &Home, options: &Value) {
    let metadata = json!({"prowess": {"requires": {"bins": ["needed-tool-x"]}, "install": options}});
    let text = format!("---\nname: demo\ndescription: Does it.\nmetadata: {metadata}\n---\n# Demo\n");
    home.write("ws/skills/demo/SKILL.md", &text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_install_option_is_in_the_status_and_in_the_answer_to_its_plan() {
    let home = Home::new();
    needing(
        &home,
        &json!([{"id": "head", "kind": "brew", "formula": "--HEAD"}, {"kind": "snap", "package": "x"}]),
    );
    let gateway = home.start().await;
    let (_, status) = gateway.call("skills.status", json!({})).await;
    let skill = &status["skills"][0];
    assert_eq!(skill["install"], json!([]));
    let reasons: Vec<&str> = skill["refusedInstalls"]
        .as_array()
        .expect("refusals")
        .iter()
        .filter_map(|refused| refused["reason"].as_str())
        .collect();
    assert_eq!(
        reasons,
        [
            "the formula `--HEAD` begins with `-`, so the installer would read it as an option",
            "it has the unknown kind `snap`"
        ]
    );
    for (id, words) in [("head", "`head` is refused: the formula"), ("snap-1", "unknown kind `snap`")] {
        let params = json!({ "name": "demo", "installId": id });
        for method in ["skills.install.plan", "skills.install"] {
            let (code, answer) = gateway.call(method, params.clone()).await;
            assert_ne!(code, 200, "{method} {answer}");
            assert!(
                answer["error"]["message"].as_str().is_some_and(|text| text.contains(words)),
                "{method} {answer}"
            );
        }
    }
    let (_, unknown) =
        gateway.call("skills.install.plan", json!({ "name": "demo", "installId": "no" })).await;
    assert_eq!(unknown["error"]["message"], "Installer not found: no");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_without_skills_has_its_reason_in_the_status() {
    let home = Home::new();
    home.add(&skill("one", "Does one thing"));
    let gateway = home.start().await;
    let (_, status) = gateway.call("skills.status", json!({})).await;
    assert!(status.get("emptyPrompt").is_none(), "{status}");
    let home = Home::new();
    home.config("{agent: {systemPromptMode: 'none'}}");
    home.add(&skill("one", "Does one thing"));
    let gateway = home.start().await;
    let (_, status) = gateway.call("skills.status", json!({})).await;
    assert_eq!(status["emptyPrompt"]["reason"], "prompt-mode", "{status}");
    let (_, why) = gateway.call("skills.why", json!({ "skillKey": "one" })).await;
    assert_eq!(why["inPrompt"], false, "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_calls_a_skill_by_any_spelling() {
    let server = ChatServer::answering(|request: &Received| Turn::say(&request.last_words()));
    let home = Home::new();
    configure(&home, &server, "");
    home.add(&skill("gh-issues", "Keeps a list of issues"));
    let gateway = home.start().await;
    for message in ["/gh-issues 7", "/gh_issues 7", "/GH-Issues 7"] {
        let ended = gateway.run(message, "names").await;
        let answer = ended["report"]["answer"].as_str().unwrap_or_default();
        assert!(answer.contains("calls the skill `gh-issues` with: 7"), "{message}: {ended}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blank_variable_of_the_gateway_is_no_key_and_gives_way_to_the_configured_one() {
    for blank in ["", "  "] {
        let server = ChatServer::start(vec![
            Turn::call("exec", json!({ "command": "printf %s \"$MY_KEY\" > given" })),
            Turn::say("Done."),
        ]);
        let home = Home::new();
        let entry =
            ", tools: {exec: {policy: 'allow'}}, skills: {entries: {keyed: {apiKey: 'key-of-config'}}}";
        configure(&home, &server, entry);
        let metadata = json!({"prowess": {"primaryEnv": "MY_KEY", "requires": {"env": ["MY_KEY"]}}});
        for name in ["keyed", "bare"] {
            let text =
                format!("---\nname: {name}\ndescription: Opens it.\nmetadata: {metadata}\n---\n# Open\n");
            home.write(&format!("ws/skills/{name}/SKILL.md"), text);
        }
        let mut variables = home.variables(Programs::System);
        variables.push(("MY_KEY".to_owned(), blank.to_owned()));
        let engine = Engine::open(EngineOptions {
            env: Env::new(variables, home.workspace()),
            overrides: Overrides { workspace: Some(home.workspace()), ..Overrides::default() },
            ..EngineOptions::default()
        })
        .unwrap();
        let gateway = serve(&engine, |_| {}, std::future::pending()).await;
        let status = gateway.good("skills.status", json!({})).await;
        let eligible: Vec<&Value> =
            status["skills"].as_array().unwrap().iter().map(|skill| &skill["eligible"]).collect();
        assert_eq!(eligible, [false, true], "`bare` has no key, `keyed` has one");
        let ended = gateway.run("/keyed go", "keys").await;
        assert_eq!(ended["status"], "done", "{ended}");
        assert_eq!(std::fs::read_to_string(home.workspace().join("given")).unwrap(), "key-of-config");
    }
}
