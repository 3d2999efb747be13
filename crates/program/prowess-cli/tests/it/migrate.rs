//! Homes of other programs: looked at, imported from with consent, and never changed.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran, files_below, fingerprint};

/// Planted in their files; it must turn up nowhere.
const SECRETS: [&str; 4] = [
    "sk-ant-planted-Qm4xR7pL2w",
    "12345:planted-bot-Zk8Vn3",
    "planted-oauth-Yt6Bd1",
    "planted-profile-Hs9Cf5",
];

fn trace(name: &str) -> String {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pure/prowess-trace/tests/fixtures").join(name);
    std::fs::read_to_string(file).expect("a log")
}

/// A home in which both programs were used.
fn home() -> Home {
    let home = Home::new();
    openclaw(&home);
    claude_code(&home);
    home
}

fn openclaw(home: &Home) {
    let config = format!(
        "{{
  // written by hand
  agents: {{ defaults: {{ workspace: '~/.openclaw/workspace', model: {{ primary: 'anthropic/claude' }} }},
            list: [{{ id: 'main' }}, {{ id: 'writer', workspace: '~/.openclaw/workspace-writer' }}] }},
  skills: {{ entries: {{ todo: {{ apiKey: '{}' }} }}, load: {{ extraDirs: ['~/more-skills'] }} }},
  channels: {{ telegram: {{ botToken: '{}' }} }},
  gateway: {{ port: 18789 }},
}}
",
        SECRETS[0], SECRETS[1]
    );
    home.tree.write(".openclaw/openclaw.json", config);
    home.skill(".openclaw/skills/todo", "todo", "");
    home.skill(".openclaw/workspace/skills/plants", "plants", "");
    home.skill(".openclaw/workspace-writer/skills/essay", "essay", "");
    home.skill("more-skills/extra", "extra", "");
    home.tree.write(".openclaw/workspace/AGENTS.md", "# Me\n");
    home.tree.write(".openclaw/hooks/on-start/HOOK.md", "---\nname: on-start\n---\n");
    home.tree.write(".openclaw/agents/main/sessions/one.jsonl", trace("openclaw.jsonl"));
    home.tree.write(".openclaw/agents/main/sessions/sessions.json", "{}");
    let profile = json!({ "profiles": { "anthropic": { "key": SECRETS[3] } } });
    home.tree.write(".openclaw/agents/main/agent/auth-profiles.json", profile.to_string());
}

fn claude_code(home: &Home) {
    home.skill(".claude/skills/greet", "greet", "");
    home.tree.write(".claude/commands/git/tidy.md", "Tidy the branches.\n");
    let hook = json!([{ "hooks": [{ "type": "command", "command": "true" }] }]);
    let settings = json!({
        "env": { "ANTHROPIC_API_KEY": SECRETS[0] },
        "permissions": { "allow": ["Bash(ls:*)"] },
        "hooks": { "Stop": hook, "UserPromptSubmit": hook },
    });
    home.tree.write(".claude/settings.json", settings.to_string());
    home.tree.write(".claude/.credentials.json", json!({ "token": SECRETS[2] }).to_string());
    let plugins = json!({ "version": 2, "plugins": { "review@tools": [{ "scope": "user" }] } });
    home.tree.write(".claude/plugins/installed_plugins.json", plugins.to_string());
    home.tree.write(".claude/projects/-home-me-app/one.jsonl", trace("claude-code.jsonl"));
    home.tree.write(".claude/todos/one.json", "[]");
}

/// Everything of theirs, to the byte and to the moment.
fn theirs(home: &Home) -> Vec<Vec<String>> {
    [".openclaw", ".claude", "more-skills"].map(|place| fingerprint(&home.tree.path(place))).to_vec()
}

fn no_secrets(ran: &Ran) {
    for secret in SECRETS {
        assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret), "{ran:?}");
    }
}

const LOOKING: [&[&str]; 13] = [
    &["list", "--all"],
    &["check"],
    &["status", "--json"],
    &["match", "what is there to do?"],
    &["prompt", "--explain"],
    &["why", "greet"],
    &["why", "todo"],
    &["doctor"],
    &["sessions", "list"],
    &["usage"],
    &["replay", "--from", "claude-code"],
    &["sync", "--list"],
    &["hook", "status"],
];

fn look_at_everything(home: &Home) {
    for profile in ["prowess", "openclaw"] {
        for args in LOOKING {
            let ran = home.run(&[&["--profile", profile], args].concat());
            assert!(ran.code <= 1, "{profile} {args:?}: {ran:?}");
            no_secrets(&ran);
        }
    }
}

#[test]
fn looking_changes_nothing_of_theirs() {
    let home = home();
    let before = theirs(&home);
    look_at_everything(&home);
    assert_eq!(theirs(&home), before);
}

#[test]
fn homes_that_cannot_be_written_are_no_obstacle() {
    let home = home();
    let protect = |flag: &str| {
        let places = [".openclaw", ".claude"].map(|place| home.tree.path(place));
        let status = std::process::Command::new("/bin/chmod").args(["-R", flag]).args(places).status();
        assert!(status.expect("chmod").success());
    };
    protect("a-w");
    let before = theirs(&home);
    look_at_everything(&home);
    for from in ["openclaw", "claude-code"] {
        let ran = home.run(&["import", "--from", from, "--yes"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    assert_eq!(theirs(&home), before);
    protect("u+w");
}

fn found(answer: &Value) -> Vec<(&str, u64, bool)> {
    let things = answer["found"]["found"].as_array().expect("a list").iter();
    things
        .map(|one| {
            let count = one["count"].as_u64().expect("a count");
            (one["kind"].as_str().expect("a kind"), count, one["isImported"] == true)
        })
        .collect()
}

fn import(home: &Home, args: &[&str], code: i32) -> Value {
    let ran = home.run(&[&["import", "--json"], args].concat());
    assert_eq!(ran.code, code, "{ran:?}");
    no_secrets(&ran);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

#[test]
fn an_openclaw_home_is_counted_and_its_skills_come_with_a_yes() {
    let home = home();
    let before = theirs(&home);
    let asked = import(&home, &["--from", "openclaw"], 1);
    assert_eq!(
        found(&asked),
        [
            ("skills", 4, true),
            ("settings-understood", 6, false),
            ("settings-of-theirs", 1, false),
            ("keys", 3, false),
            ("agents", 1, false),
            ("hooks", 1, false),
            ("sessions", 1, false),
        ],
        "{asked:#}"
    );
    assert!(!home.tree.path("ws/skills").exists(), "nobody agreed");
    import(&home, &["--from", "openclaw", "--dry-run"], 0);
    assert!(!home.tree.path("ws/skills").exists(), "it was only planned");
    import(&home, &["--from", "openclaw", "--yes"], 0);
    let came = ["essay/SKILL.md", "extra/SKILL.md", "plants/SKILL.md", "todo/SKILL.md"];
    assert_eq!(files_below(&home.tree.path("ws/skills")), came);
    assert_eq!(theirs(&home), before);
}

#[test]
fn a_claude_code_home_says_what_comes_and_why_the_rest_does_not() {
    let home = home();
    let before = theirs(&home);
    let ran = home.run(&["import", "--from", "claude-code", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    no_secrets(&ran);
    insta::assert_snapshot!(ran.stdout, @r"
    Claude Code in [ROOT]/.claude
         1 skills               comes  copied; each is scanned and shown first
         1 plugins              stays  Claude Code updates them; `prowess install OWNER/REPOSITORY` gets their skills from the source
                                       review@tools
         1 commands             stays  prompts without a description; `prowess new NAME` starts a skill that can be one
                                       git:tidy
         2 settings of theirs   stays  they are about Claude Code itself; ours are in `prowess config keys`
                                       env (settings.json), permissions (settings.json)
         2 keys                 stays  never read out; `prowess secret set SKILL` asks for the key of a skill
                                       env.ANTHROPIC_API_KEY (settings.json), login (.credentials.json)
         2 hooks                stays  they stay as they are; `prowess hook install claude-code` adds ours beside them
                                       Stop, UserPromptSubmit
         1 sessions             stays  `prowess replay --from claude-code` reads them, `prowess sessions import` takes one over
    Nothing of it is changed.

    greet
      from    [ROOT]/.claude/skills/greet
      to      [ROOT]/ws/skills/greet (new)
      files   1 file, 76 bytes
      scan    clean
    ");
    import(&home, &["--from", "claude-code", "--yes"], 0);
    assert_eq!(files_below(&home.tree.path("ws/skills")), ["greet/SKILL.md"]);
    assert_eq!(theirs(&home), before);
}

#[test]
fn damaged_files_of_theirs_are_no_obstacle() {
    let home = Home::new();
    home.skill(".claude/skills/greet", "greet", "");
    home.tree.write(".claude/settings.json", "{ not json");
    home.tree.write(".claude/plugins/installed_plugins.json", "[1, 2]");
    home.skill(".openclaw/skills/todo", "todo", "");
    home.tree.write(".openclaw/openclaw.json", [0xff, 0xfe, 0x00]);
    for (from, kinds) in [("claude-code", 1), ("openclaw", 1)] {
        let answer = import(&home, &["--from", from, "--dry-run"], 0);
        assert_eq!(found(&answer).len(), kinds, "{answer:#}");
    }
}

#[test]
fn starting_the_gateway_changes_nothing_of_theirs() {
    let home = home();
    let before = theirs(&home);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("prowess"))
        .args(["up", "--no-open", "--port", "0", "--json"])
        .env_clear()
        .env("HOME", home.tree.root())
        .env("PATH", home.tree.path("bin"))
        .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
        .current_dir(home.tree.path("ws"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().expect("its output"));
    std::io::BufRead::read_line(&mut out, &mut line).expect("a line");
    let _ = child.kill();
    let _ = child.wait();
    let said: Value = serde_json::from_str(&line).expect("JSON");
    let programs = said["overview"]["programs"].as_array().expect("programs");
    let skills: Vec<(&str, u64)> = programs
        .iter()
        .map(|one| (one["id"].as_str().expect("an id"), one["skills"].as_u64().expect("a count")))
        .collect();
    assert_eq!(skills, [("claude-code", 1), ("openclaw", 4)]);
    assert_eq!(theirs(&home), before);
}
