//! What every command answers is what its schema says.

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::support::{Home, Program as _, texts};

/// Fails if a value is not as the schema says that `prowess schema COMMAND` prints.
fn check(home: &Home, command: &[&str], value: &Value) {
    let schema = home.json(&[&["schema"], command].concat());
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource("schema.json", schema).expect("a schema");
    let index = compiler.compile("schema.json", &mut schemas).expect("a schema that holds together");
    if let Err(error) = schemas.validate(value, index) {
        panic!("{command:?}: {error:#}\n{value:#}");
    }
}

/// Runs a command line with `--json`, and compares the answer with the schema of the command.
fn answer(home: &Home, command: &[&str], arguments: &[&str]) -> Value {
    let ran = home.run(&[command, arguments, &["--json"]].concat());
    let value: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{command:?} {arguments:?}: {error}\n{}{}", ran.stdout, ran.stderr));
    check(home, command, &value);
    let is_error = value["ok"] == false && value["error"].is_object();
    assert!(!is_error, "{command:?} failed: {value:#}");
    value
}

#[test]
fn commands_that_look() {
    let home = Home::full();
    for (command, arguments) in [
        (&["list"][..], &[][..]),
        (&["list"], &["--all"]),
        (&["info"], &["github"]),
        (&["info"], &["weather"]),
        (&["check"], &[]),
        (&["status"], &[]),
        (&["prompt"], &[]),
        (&["prompt"], &["--explain"]),
        (&["match"], &["what is the weather?"]),
        (&["overlap"], &[]),
        (&["commands"], &[]),
        (&["validate"], &[]),
        (&["validate"], &["--compat", "skills-ref"]),
        (&["validate"], &["--compat", "openpocket"]),
        (&["lint"], &[]),
        (&["scan"], &[]),
        (&["deps"], &["github"]),
        (&["deps"], &["github", "--dry-run"]),
        (&["why"], &["github"]),
        (&["snapshot"], &[]),
        (&["doctor"], &[]),
        (&["usage"], &[]),
        (&["trust"], &[]),
        (&["trust", "list"], &[]),
        (&["sync"], &["--list"]),
        (&["sync"], &["--to", "claude-code", "--dry-run"]),
        (&["hook", "status"], &[]),
        (&["installed"], &[]),
        (&["outdated"], &[]),
        (&["verify"], &[]),
        (&["restore"], &[]),
        (&["config", "get"], &["skills.allowBundled"]),
        (&["config", "get"], &["skills.allowBundled", "--origin"]),
        (&["config", "path"], &[]),
        (&["config", "keys"], &[]),
        (&["secret", "list"], &[]),
        (&["sessions", "list"], &[]),
        (&["forge", "list"], &[]),
        (&["schema"], &[]),
        (&["schema"], &["codes"]),
        (&["registry", "logout"], &[]),
        (&["registry", "token", "list"], &[]),
    ] {
        answer(&home, command, arguments);
    }
}

#[test]
fn commands_that_change() {
    let home = Home::full();
    home.skill("other/tides", "tides", "");
    for (command, arguments) in [
        (&["new"][..], &["release-notes"][..]),
        (&["config", "set"], &["skills.load.watch", "false"]),
        (&["config", "unset"], &["skills.load.watch"]),
        (&["install"], &["../other/tides", "--dry-run"]),
        (&["install"], &["../other/tides", "--yes"]),
        (&["install"], &["../other/nothing", "--yes"]),
        (&["install"], &["--frozen", "--yes"]),
        (&["installed"], &[]),
        (&["verify"], &[]),
        (&["outdated"], &[]),
        (&["update"], &["--all", "--yes"]),
        (&["diff"], &["tides", "--local"]),
        (&["pin"], &["tides"]),
        (&["unpin"], &["tides", "unknown"]),
        (&["uninstall"], &["tides", "--dry-run"]),
        (&["uninstall"], &["tides", "--yes"]),
        (&["restore"], &[]),
        (&["sandbox", "sync"], &["../sandbox"]),
        (&["sync"], &["--to", "claude-code"]),
        (&["hook", "install"], &["claude-code", "--yes"]),
        (&["hook", "remove"], &["claude-code", "--yes"]),
        (&["registry", "token", "create"], &["ada"]),
        (&["registry", "token", "list"], &[]),
    ] {
        answer(&home, command, arguments);
    }
}

#[test]
fn what_was_learned() {
    let home = Home::full();
    for (command, arguments) in [
        (
            &["cortex", "record"][..],
            &["--skill", "weather", "--region", "forecast", "--task", "will it rain", "--result", "success"]
                [..],
        ),
        (&["cortex", "show"], &[]),
        (&["cortex", "history"], &[]),
        (&["cortex", "lessons"], &[]),
        (&["cortex", "blacklist"], &["other"]),
        (&["cortex", "export"], &[]),
        (&["cortex", "replay"], &[]),
        (&["cortex", "simulate"], &[]),
        (&["cortex", "perceive"], &["will it rain", "--offline"]),
        (&["cortex", "forget"], &["--skill", "weather"]),
    ] {
        answer(&home, command, arguments);
    }
}

#[test]
fn lines_of_a_watch() {
    let home = Home::full();
    let ran = home.run(&["watch", "--count", "0", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for line in ran.stdout.lines() {
        check(&home, &["watch"], &serde_json::from_str(line).expect("a line of JSON"));
    }
}

#[test]
fn errors_have_a_code_a_cause_and_help() {
    let home = Home::full();
    for (arguments, exit, code) in [
        (&["info", "nothing"][..], 1, "not-found"),
        (&["why", "nothing"], 1, "not-found"),
        (&["list", "--agent", "nobody"], 2, "unknown-agent"),
        (&["list", "--config", "."], 3, "config"),
        (&["config", "set", "skills.load.watch", "7"], 2, "invalid-value"),
        (&["run", "hello"], 2, "no-model"),
        (&["new", "weather"], 1, "already-there"),
        (&["gateway", "url"], 1, "not-ready"),
        (&["nonsense"], 2, "usage"),
        (&["list", "--nonsense"], 2, "usage"),
        (&["info"], 2, "usage"),
        (&["schema", "nonsense"], 1, "not-found"),
    ] {
        let ran = home.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, exit, "{arguments:?}: {}", ran.stderr);
        let value: Value = serde_json::from_str(&ran.stdout).expect("JSON and nothing else");
        check(&home, &["error"], &value);
        let error = &value["error"];
        assert_eq!(
            (error["code"].as_str(), error["exit"].as_i64()),
            (Some(code), Some(exit.into())),
            "{value:#}"
        );
        for field in ["message", "cause", "help"] {
            assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {value:#}");
        }
    }
}

#[test]
fn wrong_usage_is_json_where_the_environment_wants_it() {
    let home = Home::new();
    let ran = home.finish(home.command().env("PROWESS_JSON", "1").arg("nonsense"));
    let value: Value = serde_json::from_str(&ran.stdout).expect("JSON and nothing else");
    assert_eq!((ran.code, &value["error"]["code"]), (2, &Value::from("usage")));
    let ran = home.finish(home.command().env("PROWESS_JSON", "0").arg("nonsense"));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn every_code_is_in_the_reference() {
    let home = Home::new();
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/reference/errors.md"));
    let page = page.expect("the reference of errors");
    let codes = home.json(&["schema", "codes", "--json"]);
    for code in texts(&codes["codes"], "code") {
        assert!(page.contains(&format!("| `{code}` |")), "{code}");
    }
}

#[test]
fn what_has_no_schema_says_what_it_prints() {
    let home = Home::new();
    let ran = home.run(&["schema", "completions"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `prowess completions` prints a script for a shell, with and without `--json`
    help: `prowess schema` lists the commands that answer in JSON
    ");
}
