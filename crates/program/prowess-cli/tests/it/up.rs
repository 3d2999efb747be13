//! `prowess up` for somebody who sees it for the first time.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, Program as _, fingerprint};

/// A gateway that ends with the test.
struct Up {
    child: Child,
    /// What it said, up to the last line of the welcome.
    said: String,
}

impl Up {
    fn start(home: &Home, args: &[&str], last: &str) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("prowess"))
            .args(["up", "--port", "0"])
            .args(args)
            .env_clear()
            .env("HOME", home.tree.root())
            .env("PATH", home.tree.path("bin"))
            .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
            .current_dir(home.tree.path("ws"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut said = String::new();
        for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
            said += &(line.expect("a line") + "\n");
            if said.lines().last().is_some_and(|line| line.contains(last)) {
                break;
            }
        }
        Self { child, said }
    }

    /// Waits for a line beside the answer.
    fn noted(&mut self, text: &str) -> bool {
        let notes = BufReader::new(self.child.stderr.take().expect("its notes"));
        notes.lines().any(|line| line.is_ok_and(|line| line.contains(text)))
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What differs from start to start is replaced.
fn steady(said: &str, home: &Home) -> String {
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    let said = said.replace(address, "[ADDRESS]");
    let said = said.replace(&home.tree.root().display().to_string(), "[ROOT]");
    said.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn an_empty_home_is_told_where_to_go() {
    let home = Home::new();
    home.skill("bundled/notes", "notes", "");
    let needs = |needs: &str| format!("metadata: {{\"prowess\":{{{needs}}}}}\n");
    home.skill(
        "bundled/far",
        "far",
        &needs("\"requires\":{\"bins\":[\"one\",\"two\"],\"env\":[\"FAR_KEY\"]}"),
    );
    home.skill("bundled/near", "near", &needs("\"requires\":{\"bins\":[\"gh\"]}"));
    home.skill(
        "bundled/keyed",
        "keyed",
        &needs("\"primaryEnv\":\"THE_KEY\",\"requires\":{\"env\":[\"THE_KEY\"]}"),
    );
    home.skill("bundled/amiga", "amiga", &needs("\"os\":[\"amiga\"]"));
    let up = Up::start(&home, &["--no-open"], "prowess doctor");
    insta::assert_snapshot!(steady(&up.said, &home), @r#"
    Serving at http://[ADDRESS]/; Ctrl-C stops it.
    The token was made just now and is in [ROOT]/.prowess/prowess.json; `prowess gateway url` prints an address that opens the Studio.

    1 of 5 skills ready, 3 need something first.
    Nearest  Needs                         Type
    keyed    env: THE_KEY                  prowess secret set keyed
    near     bins: gh                      prowess deps near
    far      bins: one, two; env: FAR_KEY  prowess deps far

      http://[ADDRESS]/agents/main/playground     try a message: which skill would it get?
      prowess match "summarize this meeting"            the same without a browser
      prowess demo                                      a tour in a temporary home
      prowess doctor                                    find problems
    "#);
    let again = home.run(&["up", "--no-open"]);
    assert!(again.stdout.contains("already serves this home at"), "{}", again.stdout);
    assert!(again.stdout.contains("prowess demo"), "the welcome is told again: {}", again.stdout);
    drop(up);
}

#[test]
fn programs_get_the_same_facts() {
    let home = Home::new();
    home.skill("bundled/notes", "notes", "");
    home.skill(".claude/skills/greet", "greet", "");
    home.tree.write(".codex/config.toml", "model = 'x'\n");
    let theirs = fingerprint(&home.tree.path(".claude"));
    let up = Up::start(&home, &["--no-open", "--json"], "overview");
    let said = up.said.replace(&home.tree.root().display().to_string(), "[ROOT]");
    let said: Value = serde_json::from_str(&said).expect("one line of JSON");
    let overview = &said["overview"];
    assert_eq!((&overview["ready"], &overview["total"]), (&json!(1), &json!(1)), "{said:#}");
    let programs: Vec<(&str, &Value, &Value)> = overview["programs"]
        .as_array()
        .expect("programs")
        .iter()
        .map(|one| (one["id"].as_str().expect("an id"), &one["skills"], &one["command"]))
        .collect();
    let command = json!("prowess import --from claude-code --dry-run");
    assert_eq!(programs, [("claude-code", &json!(1), &command), ("codex", &json!(0), &Value::Null)]);
    let again = home.json(&["up", "--no-open", "--json"]);
    assert_eq!((&again["type"], &again["overview"]), (&json!("running"), overview));
    drop(up);
    assert!(!home.tree.path("ws/skills").exists() && !home.tree.path(".prowess/skills").exists());
    assert_eq!(fingerprint(&home.tree.path(".claude")), theirs, "nothing of theirs was touched");
}

#[test]
fn without_a_browser_it_says_how_to_get_in() {
    let home = Home::new();
    let mut up = Up::start(&home, &[], "prowess doctor");
    assert!(up.said.contains("/agents/main/playground"), "{}", up.said);
    assert!(up.noted("no browser could be opened"));
}
