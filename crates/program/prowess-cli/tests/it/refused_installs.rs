//! Install options that cannot be used are explained wherever a skill that lacks something is.

use serde_json::{Value, json};

use crate::support::{Home, Program as _, texts};

fn home(options: &Value) -> Home {
    let home = Home::new();
    let metadata = json!({"prowess": {"requires": {"bins": ["needed-tool"]}, "install": options}});
    let text = format!("---\nname: demo\ndescription: Does it.\nmetadata: {metadata}\n---\n# Demo\n");
    home.tree.write("ws/skills/demo/SKILL.md", text);
    home
}

/// Each bad option, and words of its reason.
fn bad() -> Vec<(Value, &'static str)> {
    let elsewhere = if cfg!(target_os = "macos") { "win32" } else { "darwin" };
    vec![
        (json!({"kind": "brew", "formula": "--HEAD"}), "begins with `-`"),
        (json!({"kind": "brew", "formula": "jq; rm"}), "has a blank"),
        (json!({"kind": "brew", "formula": "jq;rm"}), "has `;`"),
        (json!({"kind": "brew"}), "`formula` or `cask` is missing"),
        (json!({"kind": "brew", "formula": 7}), "`formula` or `cask` is not text"),
        (json!({"kind": "node", "package": "jq@^1"}), "is a range of versions"),
        (json!({"kind": "node", "package": "git+https://e.example/x"}), "is an address"),
        (json!({"kind": "go", "module": "../x"}), "has `..`"),
        (json!({"kind": "uv", "package": "-x"}), "begins with `-`"),
        (json!({"kind": "cargo", "crate": "a b"}), "has a blank"),
        (json!({"kind": "apt", "package": "jq$(x)"}), "has `$`"),
        (json!({"kind": "download", "url": "ftp://e.example/x"}), "is not an http or https address"),
        (json!({"kind": "download"}), "`url` is missing"),
        (json!({"kind": "download", "url": "https://e.example/x", "sha256": "1"}), "is not 64 hex digits"),
        (json!({"kind": "snap", "package": "jq"}), "unknown kind `snap`"),
        (json!({"package": "jq"}), "has no `kind`"),
        (json!("brew install jq"), "is not a mapping"),
        (json!({"kind": "brew", "formula": "jq", "os": [elsewhere]}), "it is for `"),
    ]
}

#[test]
fn each_kind_of_refusal_is_told_on_every_surface() {
    for (option, words) in bad() {
        let home = home(&json!([option]));
        let texts = [
            home.run(&["deps", "demo"]).stdout,
            home.good(&["check"]),
            home.good(&["why", "demo"]),
            home.good(&["info", "demo"]),
            home.run(&["doctor"]).stdout,
        ];
        for text in texts {
            assert!(text.contains("is refused: ") && text.contains(words), "{option}: {words}\n{text}");
            assert!(!text.contains("does not say how to install"), "{option}\n{text}");
        }
        let reasons =
            |answer: &Value| answer["refusedInstalls"][0]["reason"].as_str().unwrap_or_default().to_owned();
        let deps: Value = serde_json::from_str(&home.run(&["deps", "demo", "--json"]).stdout).expect("JSON");
        let status = home.json(&["status", "--json"]);
        let check = home.json(&["check", "--json"]);
        for reason in
            [reasons(&deps), reasons(&status["skills"][0]), reasons(&check["missingRequirements"][0])]
        {
            assert!(reason.contains(words), "{option}: {reason}");
        }
    }
}

#[test]
fn an_option_that_is_not_a_list_and_a_skill_without_one_are_told_apart() {
    let home = self::home(&json!({"kind": "brew", "formula": "jq"}));
    assert!(home.run(&["deps", "demo"]).stdout.contains("`install` is not a list"));
    let home = self::home(&json!([]));
    let deps = home.run(&["deps", "demo"]).stdout;
    assert!(deps.contains("The skill does not say how to install what it needs."), "{deps}");
}

#[test]
fn a_refused_option_beside_a_good_one_is_named_by_its_id() {
    let home = home(&json!([
        {"id": "bad", "kind": "brew", "formula": "--HEAD", "bins": ["needed-tool"]},
        {"kind": "go", "module": "example.com/x@../y", "bins": ["needed-tool"]},
        {"id": "good", "kind": "node", "package": "needed", "bins": ["needed-tool"]},
    ]));
    let deps = home.run(&["deps", "demo"]);
    assert_eq!(deps.code, 1);
    for part in ["install option `bad` is refused", "install option 2 (`go`) is refused", "--install good"] {
        assert!(deps.stdout.contains(part), "{part}: {}", deps.stdout);
    }
    let ran = home.run(&["deps", "demo", "--install", "bad", "--dry-run"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: install option `bad` is refused: the formula `--HEAD` begins with `-`, so the installer would read it as an option
    help: options, paths and ranges are refused, because they end up on a command line
    ");
    let why = home.json(&["why", "demo", "--json"]);
    assert_eq!(texts(&why["steps"], "stage").iter().filter(|stage| **stage == "install").count(), 2);
}

#[test]
fn the_other_profile_drops_them_as_before() {
    let home = Home::new();
    let metadata =
        json!({"openclaw": {"requires": {"bins": ["needed-tool"]}, "install": [{"kind": "snap"}]}});
    home.tree.write(
        ".openclaw/workspace/skills/demo/SKILL.md",
        format!("---\nname: demo\ndescription: Does it.\nmetadata: {metadata}\n---\n# Demo\n"),
    );
    let status = home.json(&["--profile", "openclaw", "status", "--json"]);
    assert!(status["skills"][0].get("refusedInstalls").is_none(), "{status}");
}
