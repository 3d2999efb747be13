//! A variable of the environment without a value counts as absent, wherever a skill's key is concerned.

use prowess_testkit::chat::{ChatServer, Received, Turn};
use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran};

/// Values that are as good as none.
const BLANK: [&str; 2] = ["", " \t"];
const PRINT: &str = "printf '%s|%s' \"${MY_KEY-unset}\" \"${MY_OTHER-unset}\"";

fn home(entry: &str, more: &str) -> Home {
    let home = Home::new();
    let metadata = json!({"prowess": {"primaryEnv": "MY_KEY", "requires": {"env": ["MY_KEY", "MY_OTHER"]}}});
    home.tree.write(
        "ws/skills/keyed/SKILL.md",
        format!("---\nname: keyed\ndescription: Opens the vault.\nmetadata: {metadata}\n---\nOpen it.\n"),
    );
    home.config(&format!("{{skills: {{entries: {{keyed: {entry}}}}}{more}}}"));
    home
}

fn with(home: &Home, value: &str, args: &[&str]) -> Ran {
    let mut command = home.command();
    command.env("PATH", format!("{}:/usr/bin:/bin", home.tree.path("bin").display()));
    home.finish(command.env("MY_KEY", value).env("MY_OTHER", value).args(args))
}

fn json_with(home: &Home, value: &str, args: &[&str]) -> Value {
    let ran = with(home, value, args);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr))
}

const CONFIGURED: &str = "{apiKey: 'key-of-config', env: {MY_OTHER: 'other-of-config'}}";

#[test]
fn without_a_configured_value_the_skill_lacks_a_blank_variable() {
    let home = home("{}", "");
    for value in BLANK {
        let status = json_with(&home, value, &["status", "--json"]);
        let skill = &status["skills"][0];
        assert_eq!(
            (&skill["eligible"], &skill["missing"]["env"]),
            (&json!(false), &json!(["MY_KEY", "MY_OTHER"]))
        );
        let why = with(&home, value, &["why", "keyed"]).stdout;
        assert!(why.contains("missing environment variable `MY_KEY`, `MY_OTHER`"), "{why}");
        let doctor = with(&home, value, &["doctor"]).stdout;
        assert!(doctor.contains("`keyed` lacks the variable `MY_KEY`, `MY_OTHER`"), "{doctor}");
        let check = json_with(&home, value, &["check", "--json"]);
        assert_eq!(check["missingRequirements"][0]["missing"]["env"], json!(["MY_KEY", "MY_OTHER"]));
        let secrets = json_with(&home, value, &["secret", "list", "--json"]);
        assert!(secrets.to_string().contains("none"), "{secrets}");
    }
    let ready = json_with(&home, "x", &["status", "--json"]);
    assert_eq!(ready["skills"][0]["eligible"], json!(true));
}

#[test]
fn a_configured_value_is_used_in_a_run_and_by_another_program() {
    for value in BLANK {
        let server = ChatServer::start(vec![
            Turn::call("exec", json!({"command": PRINT})),
            Turn::answer(|request: &Received| Turn::say(&request.tool_results()[0].1)),
        ]);
        let more = format!(", tools: {{exec: {{policy: 'allow'}}}}, {}", server.settings());
        let home = home(CONFIGURED, &more);
        let ran = with(&home, value, &["run", "--quiet", "/keyed go"]);
        // The values are masked where they are shown; a blank one would not be.
        assert_eq!(ran.stdout.matches("[redacted]").count(), 2, "{} {}", ran.stdout, ran.stderr);
        let status = json_with(&home, value, &["status", "--json"]);
        assert_eq!(status["skills"][0]["eligible"], json!(true));
        let secrets = json_with(&home, value, &["secret", "list", "--json"]).to_string();
        assert!(!secrets.contains("that value stands"), "{secrets}");

        let program = home.tree.write_program("bin/claude");
        std::fs::write(
            &program,
            format!(
                "#!/bin/sh\ncat > /dev/null\n{PRINT} > given\nprintf '%s\\n' \
                 '{{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"done\",\"session_id\":\"h1\"}}'\n"
            ),
        )
        .expect("a program");
        let ran = with(&home, value, &["run", "--with", "claude", "hello"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let given = std::fs::read_to_string(home.tree.path("ws/given")).expect("what it was given");
        assert_eq!(given, "key-of-config|other-of-config");
    }
}

#[test]
fn a_reference_to_a_blank_variable_is_no_key() {
    for entry in [
        "{apiKey: '${EMPTY_ONE}', env: {MY_OTHER: 'x'}}",
        "{apiKey: {source: 'env', provider: 'default', id: 'EMPTY_ONE'}, env: {MY_OTHER: 'x'}}",
        "{env: {MY_KEY: '${EMPTY_ONE}', MY_OTHER: 'x'}}",
    ] {
        let home = home(entry, "");
        let missing = |value: Option<&str>| {
            let mut command = home.command();
            value.map(|value| command.env("EMPTY_ONE", value));
            let ran = home.finish(command.args(["status", "--json"]));
            let status: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            status["skills"][0]["missing"]["env"].clone()
        };
        assert_eq!(missing(Some("")), json!(["MY_KEY"]), "{entry}");
        assert_eq!(missing(Some("  ")), json!(["MY_KEY"]), "{entry}");
        assert_eq!(missing(None), json!(["MY_KEY"]), "{entry}");
        assert_eq!(missing(Some("key")), json!([]), "{entry}");
    }
}

#[test]
fn the_other_profile_keeps_its_rule() {
    let home = Home::new();
    let metadata = json!({"openclaw": {"primaryEnv": "MY_KEY"}});
    home.tree.write(
        ".openclaw/workspace/skills/keyed/SKILL.md",
        format!("---\nname: keyed\ndescription: Opens the vault.\nmetadata: {metadata}\n---\nOpen it.\n"),
    );
    home.tree.write(".openclaw/openclaw.json", "{skills: {entries: {keyed: {apiKey: 'key-of-config'}}}}");
    let secrets = with(&home, "", &["--profile", "openclaw", "secret", "list", "--json"]).stdout;
    assert!(secrets.contains("that value stands"), "{secrets}");
}
