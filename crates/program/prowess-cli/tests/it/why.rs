//! `prowess why NAME`

use serde_json::json;

use crate::support::{Home, Program as _};

#[test]
fn of_a_skill_that_is_ready() {
    insta::assert_snapshot!(Home::full().good(&["why", "weather"]), @"
    weather: shown to the model when a message asks for it

      ✓ find/source                workspace (workspace tier), [ROOT]/ws/skills/weather/SKILL.md
      ✓ parse/level                extended, one remark (see `prowess lint`)
      ✓ merge/precedence           wins over [ROOT]/bundled/weather/SKILL.md (bundled)
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
    ");
}

#[test]
fn of_a_skill_that_is_blocked() {
    insta::assert_snapshot!(Home::full().good(&["why", "github"]), @"
    github: hidden from the model: missing environment variable `GH_KEY`; missing program `gh`

      ✓ find/source                workspace (workspace tier), [ROOT]/ws/skills/github/SKILL.md
      ✓ parse/level                extended, 2 remarks (see `prowess lint`)
      · merge/precedence           no other skill has this name
      ✓ gate/enabled               not switched off
      ✓ gate/secret                no configured secret failed
      · gate/trust                 did not come with a cloned repository
      · gate/allow-bundled         not bundled
      · gate/os                    runs on any operating system
      · gate/always                not set
      ✗ gate/env                   missing environment variable `GH_KEY`
      · gate/config                nothing needed
      ✗ gate/bins                  missing program `gh`
      · gate/any-bins              nothing needed
      · agent/allowlist            agent `main` has none
    ");
}

#[test]
fn of_skills_that_somebody_switched_off() {
    let home = Home::full();
    let fate = |name: &str| home.json(&["why", name, "--json"])["fate"].as_str().unwrap().to_owned();
    assert_eq!(fate("off"), "hidden from the model: switched off by `skills.entries.off.enabled`");
    assert_eq!(
        fate("unwanted"),
        "hidden from the model: bundled, but `unwanted` is not on `skills.allowBundled`"
    );
    assert_eq!(
        fate("hidden"),
        "hidden from the model: its author keeps it from the model (`disable-model-invocation`)"
    );
    assert_eq!(fate("weather"), "shown to the model when a message asks for it");
}

#[test]
fn of_a_skill_that_is_not_loaded() {
    insta::assert_snapshot!(Home::full().good(&["why", "broken"]), @"
    broken: it is not loaded: the skill has no `description`

      ✗ find/invalid               [ROOT]/ws/skills/broken/SKILL.md: the skill has no `description`
      ✗ parse/description/missing  the skill has no `description`
    ");
}

#[test]
fn of_a_name_whose_better_copy_is_not_loaded() {
    let home = Home::new();
    home.skill("bundled/same", "same", "");
    home.tree.write("ws/skills/same/SKILL.md", "---\nname: same\n---\n");
    let text = home.good(&["why", "same"]);
    insta::assert_snapshot!(text, @"
    same: shown to the model when a message asks for it

      ✓ find/source                bundled (bundled tier), [ROOT]/bundled/same/SKILL.md
      ✓ parse/level                portable
      · merge/invalid              [ROOT]/ws/skills/same/SKILL.md: the skill has no `description`
      ✓ gate/enabled               not switched off
      ✓ gate/secret                no configured secret failed
      · gate/trust                 did not come with a cloned repository
      · gate/allow-bundled         `skills.allowBundled` allows all
      · gate/os                    runs on any operating system
      · gate/always                not set
      · gate/env                   nothing needed
      · gate/config                nothing needed
      · gate/bins                  nothing needed
      · gate/any-bins              nothing needed
      · agent/allowlist            agent `main` has none
      ✓ prompt/select              `message`: each message chooses from the one ready skill
    ");
}

#[test]
fn of_a_skill_for_which_there_is_no_room() {
    let home = Home::full();
    home.config("{skills: {limits: {maxSkillsInPrompt: 1}}}");
    let why = home.json(&["why", "weather", "--json"]);
    assert_eq!(why["inPrompt"], json!(true), "a message can choose it");
    let last = why["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(
        last["detail"],
        json!("not in the list of all skills: more skills than `maxSkillsInPrompt`"),
        "the other clients' list"
    );
    home.config("{skills: {limits: {maxSkillsInPrompt: 1}, prompt: {select: 'all'}}}");
    let why = home.json(&["why", "weather", "--json"]);
    assert_eq!(why["inPrompt"], json!(false));
    assert_eq!(why["fate"], json!("it is ready, but there is no room for it in the list"));
    let last = why["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(
        *last,
        json!({"stage": "prompt", "rule": "budget", "outcome": "fail", "detail": "more skills than `maxSkillsInPrompt`; `prowess config set skills.limits.maxSkillsInPrompt 4` helps"})
    );
}

#[test]
fn every_rule_is_named_in_order() {
    let why = Home::full().json(&["why", "weather", "--json"]);
    let rules: Vec<String> = why["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| format!("{}/{}", step["stage"].as_str().unwrap(), step["rule"].as_str().unwrap()))
        .collect();
    assert_eq!(
        rules,
        [
            "find/source",
            "parse/level",
            "merge/precedence",
            "gate/enabled",
            "gate/secret",
            "gate/trust",
            "gate/allow-bundled",
            "gate/os",
            "gate/always",
            "gate/env",
            "gate/config",
            "gate/bins",
            "gate/any-bins",
            "agent/allowlist",
            "prompt/select",
        ]
    );
}

#[test]
fn of_the_allowlist_of_an_agent() {
    let home = Home::new();
    home.skill("ws/skills/one", "one", "");
    home.config("{agents: {entries: {writer: {skills: []}}}}");
    let text = home.good(&["why", "one", "--agent", "writer"]);
    insta::assert_snapshot!(text, @"
    one: hidden from the model: not on this agent's allowlist

      ✓ find/source                workspace (workspace tier), [ROOT]/ws/skills/one/SKILL.md
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
      ✗ agent/allowlist            not in the `skills` of agent `writer`
    ");
}

#[test]
fn of_a_name_that_nobody_has() {
    let ran = Home::full().run(&["why", "nothing"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[not-found]: Skill "nothing" not found.
    help: `prowess list --all` shows everything that was found
    "#);
}
