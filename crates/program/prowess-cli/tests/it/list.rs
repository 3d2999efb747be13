//! `prowess list` and `prowess info`

use serde_json::json;

use crate::support::{Home, Program as _, keys, texts};

#[test]
fn list_shows_every_skill_and_its_state() {
    insta::assert_snapshot!(Home::full().good(&["list"]), @"
    Skills (3/7 ready)
    Status            Skill      Description                     Source
    ✗ not supported   amiga      Does amiga. Use when asked.     workspace
    △ needs setup     github     Does github. Use when asked.    workspace
    ✓ ready (hidden)  hidden     Does hidden. Use when asked.    workspace
    ✓ ready           notes      Does notes. Use when asked.     bundled
    ⏸ disabled        off        Does off. Use when asked.       workspace
    🚫 blocked        unwanted   Does unwanted. Use when asked.  bundled
    ✓ ready           🌦 weather  Does weather. Use when asked.   workspace
    2 others were found and not loaded: prowess list --all
    ");
}

#[test]
fn list_eligible_shows_what_can_be_used() {
    insta::assert_snapshot!(Home::full().good(&["list", "--eligible"]), @"
    Skills (3/3 ready)
    Status            Skill      Description                    Source
    ✓ ready (hidden)  hidden     Does hidden. Use when asked.   workspace
    ✓ ready           notes      Does notes. Use when asked.    bundled
    ✓ ready           🌦 weather  Does weather. Use when asked.  workspace
    2 others were found and not loaded: prowess list --all
    ");
}

#[test]
fn list_all_adds_what_was_not_loaded() {
    insta::assert_snapshot!(Home::full().good(&["list", "--all"]), @r#"
    Skills (3/7 ready)
    Status            Skill      Description                     Source
    ✗ not supported   amiga      Does amiga. Use when asked.     workspace
    △ needs setup     github     Does github. Use when asked.    workspace
    ✓ ready (hidden)  hidden     Does hidden. Use when asked.    workspace
    ✓ ready           notes      Does notes. Use when asked.     bundled
    ⏸ disabled        off        Does off. Use when asked.       workspace
    🚫 blocked        unwanted   Does unwanted. Use when asked.  bundled
    ✓ ready           🌦 weather  Does weather. Use when asked.   workspace

    Not loaded (2)
      invalid [ROOT]/ws/skills/broken/SKILL.md
        the skill has no `description`
      shadowed [ROOT]/bundled/weather/SKILL.md
        Skill precedence collision: skill="weather" winner=openclaw-workspace:[ROOT]/ws/skills/weather/SKILL.md loser=openclaw-bundled:[ROOT]/bundled/weather/SKILL.md
    "#);
}

#[test]
fn list_verbose_adds_what_is_missing() {
    let text = Home::full().good(&["list", "-v"]);
    let line = text.lines().find(|line| line.contains("github")).unwrap();
    assert!(line.ends_with("bins: gh; env: GH_KEY"), "{line}");
    assert_eq!(text, Home::full().good(&["list", "--verbose"]));
}

#[test]
fn list_without_skills_says_so() {
    insta::assert_snapshot!(Home::new().good(&["list"]), @"
    Skills (0/0 ready)
    No skills yet. `prowess new NAME` creates one in the workspace.
    ");
}

#[test]
fn list_json_has_the_shape_that_clients_know() {
    let home = Home::full();
    let report = home.json(&["list", "--json"]);
    assert_eq!(keys(&report), ["workspaceDir", "managedSkillsDir", "skills"]);
    assert_eq!(report["workspaceDir"], json!("[ROOT]/ws"));
    assert_eq!(report["managedSkillsDir"], json!("[ROOT]/.prowess/skills"));
    assert_eq!(
        texts(&report["skills"], "name"),
        ["amiga", "github", "hidden", "notes", "off", "unwanted", "weather"]
    );
    assert_eq!(
        report["skills"][1],
        json!({
            "name": "github",
            "description": "Does github. Use when asked.",
            "eligible": false,
            "disabled": false,
            "blockedByAllowlist": false,
            "blockedByAgentFilter": false,
            "modelVisible": false,
            "userInvocable": true,
            "commandVisible": false,
            "source": "workspace",
            "bundled": false,
            "primaryEnv": "GH_KEY",
            "homepage": "https://example.org",
            "missing": {"bins": ["gh"], "anyBins": [], "env": ["GH_KEY"], "config": [], "os": []},
        })
    );
    assert_eq!(report["skills"][6]["emoji"], json!("🌦"));
    assert!(home.good(&["list", "--json"]).starts_with("{\n  \"workspaceDir\""), "two blanks of indentation");

    let eligible = home.json(&["list", "--eligible", "--json"]);
    assert_eq!(texts(&eligible["skills"], "name"), ["hidden", "notes", "weather"]);
    let all = home.json(&["--json", "list", "--all"]);
    assert_eq!(texts(&all["notLoaded"], "reason"), ["invalid", "shadowed"]);
}

#[test]
fn eligible_and_all_exclude_each_other() {
    assert_eq!(Home::new().run(&["list", "--eligible", "--all"]).code, 2);
}

#[test]
fn list_follows_the_agent() {
    let home = Home::new();
    home.skill("ws/skills/one", "one", "");
    home.skill("ws/skills/two", "two", "");
    home.config("{agents: {entries: {writer: {skills: ['one']}, reader: {}}}}");
    let of = |args: &[&str]| {
        let mut line = vec!["list", "--json", "--eligible"];
        line.extend(args);
        texts(&home.json(&line)["skills"], "name").join(" ")
    };
    assert_eq!(of(&["--agent", "writer"]), "one");
    assert_eq!(of(&["--agent", "reader"]), "one two");
    assert_eq!(of(&[]), "one", "the first agent is the default");
    let by_variable = home.finish(home.command().env("PROWESS_AGENT", "reader").args(["list"]));
    insta::assert_snapshot!(by_variable.stdout, @"
    Skills (2/2 ready)
    Status   Skill  Description                Source
    ✓ ready  one    Does one. Use when asked.  workspace
    ✓ ready  two    Does two. Use when asked.  workspace
    ");
    insta::assert_snapshot!(home.good(&["list", "--agent", "writer"]), @"
    Skills (1/2 ready)
    Status       Skill  Description                Source
    ✓ ready      one    Does one. Use when asked.  workspace
    🚫 excluded  two    Does two. Use when asked.  workspace
    ");
}

#[test]
fn an_unknown_agent_is_a_usage_error() {
    let home = Home::new();
    let ran = home.run(&["list", "--agent", "nobody"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[unknown-agent]: unknown agent id `nobody`; known are `main`
    help: agents are listed under `agents` in the config file
    ");
}

#[test]
fn info_describes_one_skill() {
    let home = Home::full();
    insta::assert_snapshot!(home.good(&["info", "github"]), @"
    github △ needs setup

    Does github. Use when asked.

    Details:
      Source: workspace
      Path: [ROOT]/ws/skills/github/SKILL.md
      Level: extended
      Visible to model: no
      Available as command: no
      Homepage: https://example.org
      Primary env: GH_KEY

    Requirements:
      Programs: ✗ gh, ✓ git
      Environment: ✗ GH_KEY

    Not ready because:
      missing environment variable `GH_KEY`
      missing program `gh`

    Install options:
      → Install gh (brew) brew
    ");
    insta::assert_snapshot!(home.good(&["info", "weather"]), @"
    🌦 weather ✓ ready

    Does weather. Use when asked.

    Details:
      Source: workspace
      Path: [ROOT]/ws/skills/weather/SKILL.md
      Level: extended
      Visible to model: yes
      Available as command: yes

    Hides:
      [ROOT]/bundled/weather/SKILL.md bundled
    ");
}

#[test]
fn info_finds_names_written_in_another_way() {
    let home = Home::new();
    home.skill("ws/skills/my-skill", "my-skill", "");
    home.skill("ws/skills/keyed", "keyed", "metadata: {\"prowess\":{\"skillKey\":\"the-key\"}}\n");
    for (asked, found) in [
        ("my-skill", "my-skill"),
        ("MY-SKILL", "my-skill"),
        ("my_skill", "my-skill"),
        ("my skill", "my-skill"),
        ("the-key", "keyed"),
    ] {
        assert_eq!(home.json(&["info", asked, "--json"])["name"], json!(found), "{asked}");
    }
    home.skill("ws/skills/other", "My-Skill", "");
    assert_eq!(
        home.json(&["info", "my-skill", "--json"])["name"],
        json!("my-skill"),
        "the exact name counts"
    );
    let ambiguous = home.run(&["info", "MY_SKILL"]);
    assert_eq!(ambiguous.code, 1);
    insta::assert_snapshot!(ambiguous.stderr, @r"
    error[ambiguous]: `MY_SKILL` could be `my-skill` or `My-Skill`
    help: give more of the name or id
    ");
}

#[test]
fn info_json_is_the_entry_of_the_full_report_and_what_the_author_wrote() {
    let home = Home::full();
    let mut entry = home.json(&["info", "github", "--json"]);
    assert_eq!(entry["frontmatter"]["homepage"], json!("https://example.org"));
    assert_eq!(entry["triggers"]["any"], json!([]));
    for key in ["frontmatter", "extensions", "triggers"] {
        assert!(entry.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    let status = home.json(&["status", "--json"]);
    assert_eq!(entry, status["skills"][1]);
}

#[test]
fn info_of_an_unknown_skill_fails() {
    let home = Home::full();
    let ran = home.run(&["info", "nothing"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[not-found]: Skill "nothing" not found.
    help: `prowess list --all` shows everything that was found
    "#);
    let ran = home.run(&["info", "nothing", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        answer,
        json!({
            "ok": false,
            "error": {
                "type": "cli_error",
                "code": "not-found",
                "message": "Skill \"nothing\" not found.",
                "cause": "the name, id or number does not exist",
                "help": "`prowess list --all` shows everything that was found",
                "exit": 1,
            },
            "skill": "nothing",
        })
    );
}
